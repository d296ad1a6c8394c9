// A roofline picture to point at: the same numbers as the drawn one, as data for app/web/roofline.js.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/pictures/roofline/roofline.h"
#include "app/pictures/roofline/scene/scene.h"

namespace archsim {

nlohmann::ordered_json roofline_data(const std::vector<RooflineSeries>& series, ColourBy by);

/// One self-contained HTML file.
Checked<std::string> roofline_page(const std::vector<RooflineSeries>& series, ColourBy by);

}  // namespace archsim
