// Two runs of one workload: what got slower, bigger or hungrier, by stage, operator and cause.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/compare/settings_change.h"
#include "app/pictures/run_file.h"

namespace archsim {

struct QuantityChange {
  std::string name, unit;  // "time", "s"
  double before = 0.0, after = 0.0;
  bool is_limited = false;  // by --fail-above: time, energy, area

  double change() const { return after - before; }
  /// Of what it was; 0 if both are 0, infinite if only the old one is.
  double part() const;
};

struct StageChange {
  std::string name;
  double time_before_s = 0.0, time_after_s = 0.0;
  double bytes_before = 0.0, bytes_after = 0.0;
  std::optional<double> energy_before_j, energy_after_j;
  std::string bound_before, bound_after;  // empty where the stage is missing
};

/// An operator of the trace, the windows of all its instances united.
struct OperatorChange {
  std::string name, stage;
  double time_before_s = 0.0, time_after_s = 0.0;
  double bytes_before = 0.0, bytes_after = 0.0, macs_before = 0.0, macs_after = 0.0;
  std::optional<double> energy_before_j, energy_after_j;
  std::string bound_before, bound_after;
  std::vector<std::string> why;  // "DRAM bytes +12.0 %", "bound compute, was dram"

  double change_s() const { return time_after_s - time_before_s; }
};

/// Operators by what bounded them in the old run.
struct BoundChange {
  std::string bound;
  double time_before_s = 0.0, time_after_s = 0.0;
};

struct Comparison {
  std::string title;
  std::vector<QuantityChange> quantities;
  std::vector<std::string> workload;  // what differs of the trace, seed and program
  std::vector<SettingChange> settings;
  std::vector<StageChange> stages;        // in the order of the new run
  std::vector<OperatorChange> operators;  // the largest change of time first; only those that changed
  std::vector<BoundChange> bounds;
};

/// Runs of different workloads or fidelities are not comparable: an error.
Checked<Comparison> compare(const RunFile& before, const RunFile& after);

}  // namespace archsim
