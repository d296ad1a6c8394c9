// What differs between two traces, by the names of stages and operators.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "arch/workload/trace.h"

namespace archsim {

/// One thing that is not the same, as text: "shape", "816,2048", "816,1024". Absent on one side: empty.
struct FieldChange {
  std::string field;
  std::string before, after;
};

enum class Change { added, removed, changed };

struct OperatorChange {
  std::string name, type;
  Change change = Change::changed;
  std::vector<FieldChange> fields;  // of a changed one
};

struct StageChange {
  std::string name;
  Change change = Change::changed;
  std::vector<FieldChange> fields;  // repeat, order, and the counts of one repeat
  std::vector<OperatorChange> operators;
};

struct TraceDiff {
  std::vector<FieldChange> fields;  // model, parameters, and the counts of the whole trace
  std::vector<StageChange> stages;  // in the order of the first trace, then what only the second has

  bool is_equal() const { return fields.empty() && stages.empty(); }
};

/// Empty exactly if both traces are the same bytes on disk. Both must be valid.
TraceDiff diff_traces(const Trace& before, const Trace& after);

nlohmann::ordered_json diff_json(const TraceDiff& diff);
std::string diff_table(const TraceDiff& diff);

}  // namespace archsim
