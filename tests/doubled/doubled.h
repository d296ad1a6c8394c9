// What is told of a doubled resource beside a run in which it is doubled for good.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace archsim {

struct DoubledStage {
  std::string name;
  double time_s = 0.0;
  std::string bound;                         // as the run without doubling says
  std::map<std::string, double> told_s;      // by resource: what its doubling saves, as that run says
  std::map<std::string, double> measured_s;  // and as the run with it doubled has it

  std::string best() const;  // measured
  double best_s() const { return measured_s.at(best()); }
  /// Of the label; 0 if that is `dependency`.
  double label_s() const;
  /// The label names a resource whose doubling saves what the best one's does, to 3 % of the stage's time.
  bool holds() const { return best_s() - label_s() <= 0.03 * time_s; }
};

struct DoubledCase {
  std::string soc;    // a file of configs/soc
  std::string trace;  // a file
  std::vector<std::string> settings;
};

/// Runs the program nine times. Empty, with a line on standard error, if a run fails.
std::vector<DoubledStage> double_each(const DoubledCase& given);

/// Makes a trace of a workload in traces/workloads; false if that fails.
bool make_trace(const std::string& workload, const std::vector<std::string>& settings, const std::string& file);

}  // namespace archsim
