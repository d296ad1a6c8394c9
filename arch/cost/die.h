// What a good die costs: dies of a wafer, the part of them that works, the wafer's price.
#pragma once

#include "arch/cost/tech.h"

namespace archsim {

/// What is assumed of every technology.
struct DieAssumptions {
  double wafer_mm = 300.0;  // diameter
  double edge_mm = 3.0;     // of it unused, all around; SEMI M1's fixed quality area
  double scribe_mm = 0.1;   // between dies; assumed
  double defect_clustering =
      3.0;  // alpha of the negative binomial yield; 2 to 5 are usual (Cunningham, IEEE TSM 3(2), 1990)
};

struct Die {
  double per_wafer = 0.0;  // sites that are whole
  double yield = 0.0;      // part of them without a defect
  double cost_usd = 0.0;   // of a good one, not tested and not packaged
};

/// Dies per wafer: pi (d / 2)^2 / A - pi d / sqrt(2 A); yield: (1 + A D / alpha)^-alpha (Hennessy and Patterson, Computer Architecture, 6th
/// edition, 1.6; Stapper, IBM J. R&D 27(6), 1983). A die that does not fit the wafer costs nothing that is known: 0 dies, infinite cost.
Die die_of(double area_mm2, const CostValues& cost, const DieAssumptions& assumed = {});

}  // namespace archsim
