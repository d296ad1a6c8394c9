// A run as run.json keeps it, as far as pricing needs it: the machine, the time, counts of events, engines' busy times.
#pragma once

#include <string>
#include <vector>

#include "arch/machine/run_result.h"
#include "arch/machine/soc_spec.h"

namespace archsim {

struct StoredRun {
  SocSpec spec;
  RunResult result;   // without operators
  std::string trace;  // the model's name
  double macs = 0.0;
  std::uint64_t actions = 0;
};

/// `settings` as of read_soc. An error if the file is no run.json, or counts other events than its blocks have.
Checked<StoredRun> read_stored_run(const std::string& path, const std::vector<std::string>& settings);

}  // namespace archsim
