#include "traces/diff/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "arch/workload/count.h"
#include "traces/file/write_trace.h"
#include "traces/show/listing.h"

namespace archsim {
namespace {

class Fields {
 public:
  template <class T>
  void compare(std::string field, const T& before, const T& after) {
    if (before != after) changes.push_back({std::move(field), fmt::format("{}", before), fmt::format("{}", after)});
  }
  std::vector<FieldChange> changes;
};

void compare_counts(const Counts& before, const Counts& after, Fields& fields) {
  fields.compare("macs", before.macs, after.macs);
  fields.compare("weight_bytes", before.weight_bytes, after.weight_bytes);
  fields.compare("kv_read_bytes", before.kv_read_bytes, after.kv_read_bytes);
  fields.compare("kv_write_bytes", before.kv_write_bytes, after.kv_write_bytes);
  fields.compare("activation_bytes", before.activation_bytes, after.activation_bytes);
  fields.compare("vector_elements", before.vector_elements, after.vector_elements);
}

/// One side of the comparison: operators and stages by name.
struct Side {
  explicit Side(const Trace& t) : trace(t), counts(count(t)), where(positions(t)), order(t.stages.size()) {
    for (std::uint32_t i = 0; i < t.stages.size(); ++i) stages[t.stages[i].name] = i;
    for (std::uint32_t i = 0; i < t.operators.size(); ++i) {
      operators[t.operators[i].name] = i;
      order[where[i].stage].push_back(i);
    }
  }

  const std::string& stage_of(std::uint32_t op) const { return trace.stages[where[op].stage].name; }

  /// The operator of this name in the stage of that name.
  const std::uint32_t* find(const std::string& op, const std::string& stage) const {
    const auto found = operators.find(op);
    return found != operators.end() && stage_of(found->second) == stage ? &found->second : nullptr;
  }

  std::string loops(std::uint32_t op) const {
    std::string text;
    for (const auto loop : where[op].loops) {
      text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", trace.loops[loop].name, trace.loops[loop].count);
    }
    return text;
  }

  std::string dependencies(std::uint32_t op) const {
    std::string text;
    for (const auto before : trace.operators[op].dependencies) text += trace.operators[before].name + " ";
    return text;
  }

  const Trace& trace;
  TraceCounts counts;
  std::vector<Position> where;
  std::vector<std::vector<std::uint32_t>> order;  // operators of each stage
  std::map<std::string, std::uint32_t> operators, stages;
};

class Comparison {
 public:
  Comparison(const Trace& before, const Trace& after) : a_(before), b_(after) {}

  TraceDiff run() {
    whole();
    for (const auto& stage : a_.trace.stages) compare_stage(stage.name);
    for (const auto& stage : b_.trace.stages) {
      if (!a_.stages.contains(stage.name)) compare_stage(stage.name);
    }
    return std::move(out_);
  }

 private:
  void whole() {
    Fields fields;
    fields.compare("model", a_.trace.model, b_.trace.model);
    auto names = a_.trace.parameters;
    names.insert(b_.trace.parameters.begin(), b_.trace.parameters.end());
    for (const auto& [name, value] : names) {
      const auto of = [&name = name](const Trace& trace) {
        const auto found = trace.parameters.find(name);
        return found == trace.parameters.end() ? std::string() : found->second;
      };
      fields.compare("parameter " + name, of(a_.trace), of(b_.trace));
    }
    fields.compare("macs", a_.counts.macs, b_.counts.macs);
    fields.compare("parameters", a_.counts.parameters, b_.counts.parameters);
    fields.compare("weight_bytes", a_.counts.weight_bytes, b_.counts.weight_bytes);
    fields.compare("kv_cache_bytes", a_.counts.kv_cache_bytes, b_.counts.kv_cache_bytes);
    fields.compare("operators", a_.trace.operators.size(), b_.trace.operators.size());
    fields.compare("executed_operators", a_.counts.executed_operators, b_.counts.executed_operators);
    out_.fields = std::move(fields.changes);
  }

  void compare_stage(const std::string& name) {
    StageChange stage{.name = name, .change = Change::changed, .fields = {}, .operators = {}};
    const auto in_a = a_.stages.find(name), in_b = b_.stages.find(name);
    if (in_a == a_.stages.end()) stage.change = Change::added;
    if (in_b == b_.stages.end()) stage.change = Change::removed;
    if (stage.change == Change::changed) {
      Fields fields;
      const auto& a = a_.counts.stages[in_a->second];
      const auto& b = b_.counts.stages[in_b->second];
      fields.compare("repeat", a.repeat, b.repeat);
      compare_counts(a.once, b.once, fields);
      stage.fields = std::move(fields.changes);
    }
    if (in_a != a_.stages.end()) lost_and_changed(a_.order[in_a->second], stage);
    if (in_b != b_.stages.end()) gained(b_.order[in_b->second], stage);
    if (stage.change != Change::changed || !stage.fields.empty() || !stage.operators.empty()) {
      out_.stages.push_back(std::move(stage));
    }
  }

  void lost_and_changed(const std::vector<std::uint32_t>& operators, StageChange& stage) {
    std::vector<std::uint32_t> places;
    for (const auto index : operators) {
      const auto& op = a_.trace.operators[index];
      OperatorChange change{op.name, std::string(name_of(op.type)), Change::removed, {}};
      if (const auto* other = b_.find(op.name, stage.name)) {
        change.change = Change::changed;
        change.fields = compare_operators(index, *other);
        places.push_back(*other);
        if (change.fields.empty()) continue;
      }
      stage.operators.push_back(std::move(change));
    }
    if (!std::is_sorted(places.begin(), places.end())) {
      stage.fields.push_back({"order", "as in the first", "operators changed places"});
    }
  }

  void gained(const std::vector<std::uint32_t>& operators, StageChange& stage) const {
    for (const auto index : operators) {
      const auto& op = b_.trace.operators[index];
      if (a_.find(op.name, stage.name)) continue;
      stage.operators.push_back({op.name, std::string(name_of(op.type)), Change::added, {}});
    }
  }

  std::vector<FieldChange> compare_operators(std::uint32_t a, std::uint32_t b) const {
    const auto& first = a_.trace.operators[a];
    const auto& second = b_.trace.operators[b];
    Fields fields;
    fields.compare("type", name_of(first.type), name_of(second.type));
    operands("input", first.inputs, second.inputs, fields);
    operands("output", first.outputs, second.outputs, fields);
    fields.compare("attributes", attribute_text(first), attribute_text(second));
    fields.compare("repeats", a_.loops(a), b_.loops(b));
    fields.compare("dead", first.dead, second.dead);
    fields.compare("dependencies", a_.dependencies(a), b_.dependencies(b));
    compare_counts(a_.counts.operators[a], b_.counts.operators[b], fields);
    return std::move(fields.changes);
  }

  void operands(const std::string& what, const std::vector<TensorUse>& a, const std::vector<TensorUse>& b,
                Fields& fields) const {
    fields.compare(what + "s", a.size(), b.size());
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      const auto& first = a_.trace.tensors[a[i].tensor];
      const auto& second = b_.trace.tensors[b[i].tensor];
      const auto place = fmt::format("{} {}", what, i);
      fields.compare(place, use_text(a[i], a_.trace), use_text(b[i], b_.trace));
      fields.compare(place + " shape", fmt::format("[{}]", fmt::join(first.shape, ",")),
                     fmt::format("[{}]", fmt::join(second.shape, ",")));
      fields.compare(place + " dtype", name_of(first.dtype), name_of(second.dtype));
      fields.compare(place + " role", name_of(first.role), name_of(second.role));
      fields.compare(place + " layout", name_of(first.layout), name_of(second.layout));
      fields.compare(place + " scale", first.scale, second.scale);
      fields.compare(place + " copies", fmt::format("[{}]", fmt::join(first.copies, ",")),
                     fmt::format("[{}]", fmt::join(second.copies, ",")));
    }
  }

  /// The tensor and which of its copies.
  static std::string use_text(const TensorUse& use, const Trace& trace) {
    std::string text = trace.tensors[use.tensor].name;
    for (const auto& index : use.copy) {
      const auto loop = index.loop == CopyIndex::kFixed ? std::string() : trace.loops[index.loop].name + " + ";
      text += fmt::format("[{}{}]", loop, index.offset);
    }
    return text;
  }

  Side a_, b_;
  TraceDiff out_;
};

}  // namespace

TraceDiff diff_traces(const Trace& before, const Trace& after) {
  auto diff = Comparison(before, after).run();
  // What is left can only be the order of tables, or things with the same names.
  if (diff.is_equal() && trace_bytes(before) != trace_bytes(after)) {
    diff.fields.push_back({"order of tensors, loops or stages", "as in the first", "another"});
  }
  return diff;
}

}  // namespace archsim
