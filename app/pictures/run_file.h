// run.json as pictures, reports and comparisons read it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arch/describe/diagnostic.h"

namespace archsim {

struct RunStage {
  std::string name;
  std::uint64_t repeat = 1;
  double time_s = 0.0, bound_s = 0.0;
  double macs = 0.0, dram_bytes = 0.0;
  std::string bound;
  std::optional<double> energy_j;
  std::map<std::string, double> if_doubled_s;  // by resource; empty where the run has no what-if timing
};

/// An executed instance.
struct RunRow {
  std::string name, stage, repeat_path, engine, fused_into, bound;
  double start_s = 0.0, end_s = 0.0;
  double macs = 0.0, dram_bytes = 0.0, utilization = 0.0;
  std::optional<double> energy_j;
};

/// An operator of the trace.
struct RunWork {
  std::string name, op, stage, engine, dtype, operands, why;
  std::uint64_t instances = 1, at_once = 1;
  double macs = 0.0, vector_elements = 0.0;  // of one instance
};

struct RunFile {
  std::string path;  // as the user wrote it
  nlohmann::ordered_json json;
  std::string soc, model, digest, fidelity, bound;
  double time_s = 0.0, lower_bound_s = 0.0;
  double macs = 0.0, dram_read_bytes = 0.0, dram_write_bytes = 0.0;
  std::optional<double> energy_j, area_mm2, average_power_w;  // nominal; of a run with a technology
  std::vector<RunStage> stages;
  std::vector<RunRow> operators;
  std::vector<RunWork> work;  // empty if the file has none

  /// "pi0 on edge_lpddr5"
  std::string title() const { return model + " on " + soc; }
};

/// What the contract of run.json lets every run have is needed. Everything that is missing or of another kind is told at once.
Checked<RunFile> read_run_file(const std::string& path);

/// The same of the text of a run.json.
Checked<RunFile> parse_run_file(const Source& source);

/// A number, or the nominal one of {low, nominal, high}.
std::optional<double> nominal(const nlohmann::ordered_json& value);

}  // namespace archsim
