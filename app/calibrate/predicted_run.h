// The operators of a run as run.json has them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arch/describe/diagnostic.h"

namespace archsim {

struct PredictedOperator {
  std::string name, fused_into;
  double time_s = 0.0;  // of one executed instance
};

struct PredictedRun {
  std::string trace_digest;
  std::vector<PredictedOperator> operators;  // every executed instance
};

/// Of `text`, a run.json. Errors: no JSON, another schema, an operator without its name and times. `path` is for messages.
Checked<PredictedRun> read_predicted_run(std::string_view text, const std::string& path);

}  // namespace archsim
