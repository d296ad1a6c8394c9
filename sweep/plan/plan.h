// A sweep file, read: which machines and workloads are tried, what is wanted of them, and in which order they are tried.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arch/describe/yaml.h"
#include "arch/units/quantity.h"
#include "sweep/plan/search_params.h"
#include "sweep/terms/expression.h"
#include "sweep/terms/metrics.h"

namespace archsim {

enum class AxisKind : std::uint8_t { soc, workload, recipe };

struct AxisValue {
  // One a path each.
  std::vector<YamlNode> nodes;
  std::vector<std::string> texts;  // as columns show them
  std::vector<double> numbers;     // as expressions see them
};

struct Axis {
  std::string name;  // as written: a path, or several with commas between
  Location place;
  AxisKind kind = AxisKind::soc;
  std::vector<std::vector<YamlNode>> paths;  // of `soc`: as --set has them; of `workload`: one name
  std::vector<std::string> columns;          // names of the paths, one each
  std::vector<AxisValue> values;             // none if it follows
  std::optional<Expression> when;            // over the axes; without value where it is false
  std::optional<Expression> follows;         // over the axes: a value by formula
  std::string unit;                          // of that value; may be empty

  bool is_free() const { return !follows; }
};

struct Objective {
  Metric metric = Metric::latency;
  std::string column;
  bool is_maximized = false;
  Location place;
};

struct Constraint {
  std::string text;
  Location place;
  Expression condition;  // over Plan::names()
  bool is_of_axes = false;
};

struct WorkloadUse {
  std::string name, path;
  bool is_trace = false;
  double weight = 1.0;  // all of them sum to 1
  std::vector<std::string> settings;
  std::string recipe;
  Location place;
};

enum class Fidelity : std::uint8_t { roofline, sampled, full };
const char* name_of(Fidelity fidelity);
enum class StrategyKind : std::uint8_t { grid, random, latin_hypercube, sobol, radial, nsga2 };

struct Strategy {
  StrategyKind kind = StrategyKind::grid;
  std::uint64_t samples = 0;  // of all but grid and nsga2
  SearchParams search;        // of nsga2
  Location place;
};

struct Plan {
  std::string name;
  Source source;
  std::string soc_path;
  Source soc_source;
  std::optional<YamlNode> soc;
  std::vector<Assignment> settings;  // of every point
  std::vector<WorkloadUse> workloads;
  Fidelity fidelity = Fidelity::full;
  bool is_refined = false;  // all points by bounds first, and only those at `fidelity` that no simulated one beats
  std::vector<Axis> axes;
  std::vector<Constraint> constraints;
  std::vector<Objective> objectives;
  Strategy strategy;
  std::uint64_t seed = 1;
  Time timeout = Time(600 * kPicosecondsPerSecond);

  /// As the file has it: roofline, full or refine.
  const char* fidelity_name() const { return is_refined ? "refine" : name_of(fidelity); }
  /// One a path of each axis.
  std::vector<std::string> columns() const;
  /// Of expressions: the columns, then the metrics with both spellings.
  std::vector<std::string> names() const;
};

/// All mistakes of the file at once, each at its line; nothing is run. Paths that the file names are looked for from the current
/// folder, from the file's own, then from the program's configs.
Checked<Plan> read_plan(const Source& source);
/// The same as far as the text alone tells: no machine and no workload is built.
Checked<Plan> parse_plan(const Source& source);

const char* name_of(StrategyKind strategy);

}  // namespace archsim
