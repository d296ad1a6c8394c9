// Title, legend and notes of a roofline picture: what stands outside the plot.
#pragma once

#include <string>
#include <vector>

#include "app/pictures/roofline/scene/scene.h"

namespace archsim {

void add_titles(const std::vector<RooflineSeries>& all, Scene& scene);
void add_legend(const std::vector<RooflineSeries>& all, ColourBy by, Scene& scene);

/// At most `most` characters: the end of a name says more than its beginning.
std::string shortened(const std::string& text, std::size_t most);

}  // namespace archsim
