// A roofline picture as a file of any kind.
#pragma once

#include <string>
#include <vector>

#include "app/pictures/roofline/roofline.h"
#include "app/pictures/roofline/scene/scene.h"

namespace archsim {

/// An error if the file's ending names no kind of picture.
Diagnostics can_draw_into(const std::string& path);

/// "bound", "stage", "run"; "auto": by run if there are several, else by bound.
ColourBy colour_by_from(const std::string& name, std::size_t runs);

/// The bytes of the picture, of the kind that the ending of `path` names. Needs at least one series.
Checked<std::string> draw_roofline(const std::vector<RooflineSeries>& series, ColourBy by, const std::string& path);

}  // namespace archsim
