// A front as a picture, by gnuplot.
#pragma once

#include <string>

#include "sweep/analyse/pareto.h"

namespace archsim {

/// Two objectives side by side, three in space; feasible points grey, the front in colour, the knee marked. The ending of `path`
/// (.svg, .png, .pdf) says the form. An error if there is no gnuplot, or if there are more objectives.
Diagnostics plot_front(const Results& results, const Pareto& found, const std::string& path);

}  // namespace archsim
