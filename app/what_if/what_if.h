// What-if: the run again with each resource doubled in turn, mapped anew.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/report/text_table.h"

namespace archsim {

struct WhatIfRow {
  std::string resource;
  std::vector<std::string> settings;
  std::optional<double> time_s;  // absent: the doubled machine was refused
  std::optional<double>
      told_s;       // what the run's own what-if timing says, with its mapping; absent if it does not time this
  std::string why;  // the first line of the refusal
};

struct WhatIfJob {
  std::string config, trace;          // files
  std::vector<std::string> settings;  // of the run
  std::vector<std::string> options;   // more words of its command line
  std::function<bool()> is_interrupted;
};

/// Of a run, as run.json has it; each row is a run of this program in a process of its own, as many at once as there are processors.
/// Largest saving first. Empty if interrupted.
std::vector<WhatIfRow> what_if_again(const WhatIfJob& job, const nlohmann::ordered_json& run);

/// The rows as a tornado: a bar as long as what the doubling saves.
TextTable what_if_table(const std::vector<WhatIfRow>& rows, double time_s);
/// For run.json's `what_if`.
nlohmann::ordered_json what_if_json(const std::vector<WhatIfRow>& rows, double time_s);

}  // namespace archsim
