// A roofline picture as a script for gnuplot.
#pragma once

#include <string>

#include "app/pictures/roofline/scene/scene.h"

namespace archsim {

std::string gnuplot_script(const Scene& scene);

}  // namespace archsim
