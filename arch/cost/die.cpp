#include "arch/cost/die.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace archsim {

Die die_of(double area_mm2, const CostValues& cost, const DieAssumptions& assumed) {
  const double side = std::sqrt(area_mm2) + assumed.scribe_mm, site = side * side;
  const double diameter = assumed.wafer_mm - 2.0 * assumed.edge_mm;
  const double whole = std::numbers::pi * (diameter * diameter / 4.0 / site - diameter / std::sqrt(2.0 * site));
  Die die;
  die.per_wafer = std::max(0.0, std::floor(whole));
  const double defects = area_mm2 / 100.0 * cost(Cost::defect_density);  // per cm2
  die.yield = std::pow(1.0 + defects / assumed.defect_clustering, -assumed.defect_clustering);
  const double good = die.per_wafer * die.yield, price = cost(Cost::wafer_price);
  die.cost_usd = good > 0.0 ? price / good : std::numeric_limits<double>::infinity();
  return die;
}

}  // namespace archsim
