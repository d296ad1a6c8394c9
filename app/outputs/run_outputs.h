// What a run writes beside its table and run.json: a timeline, a report, a what-if.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/answer/answer.h"
#include "app/timeline/recorder.h"
#include "app/what_if/what_if.h"
#include "arch/describe/diagnostic.h"
#include "arch/soc/soc.h"

namespace CLI {
class App;
}

namespace archsim {

class RunOutputs {
 public:
  void add_options(CLI::App& command);
  /// Whether anything was asked for that needs a simulation.
  bool any() const { return !timeline_.empty() || !report_.empty() || has_what_if_; }
  bool wants_timeline() const { return !timeline_.empty(); }
  /// Before anything is run: errors of what was asked for. `inputs` are files that the run reads.
  Diagnostics check(const std::vector<std::string>& inputs) const;
  /// Has the run watched, if a timeline was asked for. `expected`: about how long the run takes.
  void watch(RunOptions& options, const SocSpec& spec, Time expected);

  /// After the run: runs it again with each resource doubled, if that was asked for, and puts the answer into `json`, the text of
  /// run.json. Returns what is to be printed; empty without. `job` as the run was.
  std::string what_if(const WhatIfJob& job, std::string& json) const;
  /// Writes the files that were asked for.
  Diagnostics write(const RunInputs& inputs, const Answer& answer, const std::string& json) const;

 private:
  std::string timeline_, report_;
  bool has_what_if_ = false;
  std::unique_ptr<TimelineRecorder> recorder_;
};

}  // namespace archsim
