// The texts of a roofline picture, each where nothing else is: ceilings along their lines, ridge points as flags above the
// roof, the longest operators beside their dots, a legend at the right.
#pragma once

#include <string>
#include <vector>

#include "app/pictures/roofline/scene/scene.h"

namespace archsim {

/// To a scene that has its axes, lines and dots, the dots of `all` in their order.
void add_labels(const std::vector<RooflineSeries>& all, ColourBy by, Scene& scene);

/// In the order of their longest operators.
std::vector<std::string> stages_of(const std::vector<RooflineSeries>& all);

}  // namespace archsim
