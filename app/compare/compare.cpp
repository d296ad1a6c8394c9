#include "app/compare/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "app/pictures/operator_groups.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

using Groups = std::map<std::string, OperatorGroup>;

Groups groups_of(const RunFile& run) {
  Groups groups;
  for (OperatorGroup& group : operator_groups(run)) groups.emplace(group.name, std::move(group));
  return groups;
}

std::string signed_part(double before, double after) {
  if (before == 0.0) return after == 0.0 ? "+0.0 %" : "new";
  return fmt::format("{:+.1f} %", 100.0 * (after / before - 1.0));
}

bool differs(double before, double after) {
  return std::abs(after - before) > 1e-9 * std::max(std::abs(before), 1e-30);
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::vector<std::string> reasons(const OperatorGroup* before, const OperatorGroup* after) {
  if (before == nullptr) return {"not in the old run"};
  if (after == nullptr) return {"not in the new run"};
  std::vector<std::string> why;
  if (before->operands != after->operands && !before->operands.empty() && !after->operands.empty())
    why.push_back("operands were " + before->operands);
  if (differs(before->macs, after->macs)) why.push_back("MACs " + signed_part(before->macs, after->macs));
  if (differs(before->dram_bytes, after->dram_bytes))
    why.push_back("DRAM bytes " + signed_part(before->dram_bytes, after->dram_bytes));
  if (before->engine != after->engine) why.push_back("on " + after->engine + ", was on " + before->engine);
  if (before->members != after->members)
    why.push_back("fused: " + list(after->members) + "; was " + list(before->members));
  if (before->at_once != after->at_once)
    why.push_back(fmt::format("{} iterations at once, were {}", after->at_once, before->at_once));
  if (before->bound != after->bound) why.push_back("bound " + after->bound + ", was " + before->bound);
  if (why.empty()) why.push_back("bound " + after->bound);
  return why;
}

class Comparer {
 public:
  Comparer(const RunFile& before, const RunFile& after) : before_(before), after_(after) {}

  Comparison make() {
    out_.title = before_.title() + (before_.soc == after_.soc ? "" : " and on " + after_.soc);
    add_quantities();
    add_workload();
    out_.settings = setting_changes(before_.json["config"], after_.json["config"]);
    add_stages();
    add_operators();
    return std::move(out_);
  }

 private:
  void add_quantities() {
    out_.quantities = {{"time", "s", before_.time_s, after_.time_s, true}};
    const auto add = [&](const char* name, const char* unit, std::optional<double> before, std::optional<double> after,
                         bool is_limited) {
      if (before && after) out_.quantities.push_back({name, unit, *before, *after, is_limited});
    };
    add("energy", "J", before_.energy_j, after_.energy_j, true);
    add("area", "mm2", before_.area_mm2, after_.area_mm2, true);
    add("average power", "W", before_.average_power_w, after_.average_power_w, false);
    add("lower bound", "s", before_.lower_bound_s, after_.lower_bound_s, false);
    add("DRAM read", "B", before_.dram_read_bytes, after_.dram_read_bytes, false);
    add("DRAM written", "B", before_.dram_write_bytes, after_.dram_write_bytes, false);
    add("MACs", "MAC", before_.macs, after_.macs, false);
  }

  void tell(const std::string& what, const std::string& before, const std::string& after) {
    if (before != after) out_.workload.push_back(fmt::format("{}: {}, was {}", what, after, before));
  }

  void add_workload() {
    tell("trace", before_.digest, after_.digest);
    for (const char* key : {"version", "seed"}) {
      const auto text = [&](const RunFile& run) { return run.json.contains(key) ? run.json[key].dump() : ""; };
      tell(key, text(before_), text(after_));
    }
  }

  void add_stages() {
    const auto find = [](const RunFile& run, const std::string& name) -> const RunStage* {
      for (const RunStage& stage : run.stages) {
        if (stage.name == name) return &stage;
      }
      return nullptr;
    };
    const auto add = [&](const RunStage* before, const RunStage* after) {
      StageChange change{.name = after != nullptr ? after->name : before->name};
      if (before != nullptr) {
        change.time_before_s = before->time_s;
        change.bytes_before = before->dram_bytes;
        change.bound_before = before->bound;
        change.energy_before_j = before->energy_j;
      }
      if (after != nullptr) {
        change.time_after_s = after->time_s;
        change.bytes_after = after->dram_bytes;
        change.bound_after = after->bound;
        change.energy_after_j = after->energy_j;
      }
      out_.stages.push_back(std::move(change));
    };
    for (const RunStage& stage : after_.stages) add(find(before_, stage.name), &stage);
    for (const RunStage& stage : before_.stages) {
      if (find(after_, stage.name) == nullptr) add(&stage, nullptr);
    }
  }

  void add_operators() {
    const Groups before = groups_of(before_), after = groups_of(after_);
    std::set<std::string> names;
    for (const auto& [name, group] : before) names.insert(name);
    for (const auto& [name, group] : after) names.insert(name);
    std::map<std::string, BoundChange> bounds;
    for (const std::string& name : names) {
      const auto b = before.find(name), a = after.find(name);
      OperatorChange change =
          operator_change(name, b == before.end() ? nullptr : &b->second, a == after.end() ? nullptr : &a->second);
      const std::string label = change.bound_before.empty() ? change.bound_after : change.bound_before;
      BoundChange& bound = bounds[label];
      bound.bound = label;
      bound.time_before_s += change.time_before_s;
      bound.time_after_s += change.time_after_s;
      const bool is_same = !differs(change.time_before_s, change.time_after_s) &&
                           !differs(change.bytes_before, change.bytes_after) &&
                           !differs(change.macs_before, change.macs_after) &&
                           !differs(change.energy_before_j.value_or(0.0), change.energy_after_j.value_or(0.0));
      if (!is_same) out_.operators.push_back(std::move(change));
    }
    for (const auto& [label, bound] : bounds) out_.bounds.push_back(bound);
    std::stable_sort(out_.bounds.begin(), out_.bounds.end(),
                     [](const BoundChange& a, const BoundChange& b) { return a.time_before_s > b.time_before_s; });
    std::stable_sort(out_.operators.begin(), out_.operators.end(),
                     [](const auto& a, const auto& b) { return std::abs(a.change_s()) > std::abs(b.change_s()); });
  }

  static OperatorChange operator_change(const std::string& name, const OperatorGroup* before,
                                        const OperatorGroup* after) {
    OperatorChange change{.name = name, .stage = after != nullptr ? after->stage : before->stage};
    if (before != nullptr) {
      change.time_before_s = before->time_s;
      change.bytes_before = before->dram_bytes;
      change.macs_before = before->macs;
      change.bound_before = before->bound;
      change.energy_before_j = before->energy_j;
    }
    if (after != nullptr) {
      change.time_after_s = after->time_s;
      change.bytes_after = after->dram_bytes;
      change.macs_after = after->macs;
      change.bound_after = after->bound;
      change.energy_after_j = after->energy_j;
    }
    change.why = reasons(before, after);
    return change;
  }

  const RunFile& before_;
  const RunFile& after_;
  Comparison out_;
};

}  // namespace

double QuantityChange::part() const {
  if (before == 0.0) return after == 0.0 ? 0.0 : std::numeric_limits<double>::infinity();
  return after / before - 1.0;
}

Checked<Comparison> compare(const RunFile& before, const RunFile& after) {
  Diagnostics out;
  const auto refuse = [&](const std::string& what, const std::string& old, const std::string& now) {
    out.error({make_source(after.path, ""), 0, 0},
              fmt::format("`{}` is a run of {} `{}`, `{}` of `{}`: they are not comparable", before.path, what, old,
                          after.path, now),
              "compare two runs of one workload at one fidelity");
  };
  if (before.model != after.model) refuse("workload", before.model, after.model);
  if (before.fidelity != after.fidelity) refuse("fidelity", before.fidelity, after.fidelity);
  if (out.has_errors()) return out;
  return Comparer(before, after).make();
}

}  // namespace archsim
