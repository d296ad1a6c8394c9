// Times measured on another machine beside those that a run predicts, by kind of work and shape.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/calibrate/predicted_run.h"
#include "arch/workload/trace.h"
#include "traces/measured/profile.h"

namespace archsim {

/// Operators of one kind and shape, with what is fused into them. Times are of one executed instance, in the mean.
struct CalibrationRow {
  std::string operators;  // "linear + gelu"
  std::string sizes;      // of the first: "816x16384x2048"
  std::string calls;      // what was measured: "aten::linear + aten::gelu"
  std::string missing;    // fused parts that the profile does not have
  std::uint64_t instances = 0;
  std::uint64_t measured_calls = 0;  // of the first part
  double predicted_s = 0.0, measured_s = 0.0;

  double ratio() const { return measured_s / predicted_s; }
};

/// What only one side has.
struct Unmatched {
  std::string name;
  std::uint64_t count = 0;
  double time_s = 0.0;  // of all
};

struct Calibration {
  std::vector<CalibrationRow> rows;                     // by predicted time of all instances, the longest first
  std::vector<Unmatched> unmeasured;                    // operators by type, the longest first
  std::vector<Unmatched> unpredicted;                   // calls, the longest first
  double measured_s = 0.0, matched_measured_s = 0.0;    // of the profile, and what of it stands in rows
  double predicted_s = 0.0, matched_predicted_s = 0.0;  // sums over operators, which may overlap in time
  double mean_ratio = 0.0;  // geometric mean of measured over predicted, a row a vote; 0: no rows
  double lowest_ratio = 0.0, highest_ratio = 0.0;
  bool is_of_kernels = false;
};

/// `run` must be of `trace`. An operator is measured by the first of its ways_to_measure() that the profile has whole; one
/// call's time is the mean over all calls of its signature.
Calibration calibrate(const Trace& trace, const PredictedRun& run, const Profile& profile);

}  // namespace archsim
