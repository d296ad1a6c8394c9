#include "arch/mapping/schedule/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "arch/mapping/schedule/fusion.h"
#include "arch/workload/effort.h"

namespace archsim {
namespace {

class ScheduleMaker {
 public:
  ScheduleMaker(const Trace& trace, const MachineView& machine, const MappingOptions& options,
                const JoinedCopies& joined, const Overrules& overrules)
      : trace_(trace), machine_(machine), overrules_(overrules), fusion_(trace, machine, options, joined, overrules) {
    schedule_.joined = joined;
  }

  Checked<Schedule> make() {
    for (const auto& stage : trace_.stages) repeat(stage.repeat);
    for (const auto& group : schedule_.groups) {
      if (group.work == Work::host) check_host(group);
    }
    check_overrules();
    if (diagnostics_.has_errors()) return diagnostics_;
    return std::move(schedule_);
  }

 private:
  void repeat(const Repeat& repeat_of) {
    mark(ScheduleItem::Kind::loop_begin, repeat_of.loop);
    std::vector<std::uint32_t> run;
    for (const auto& step : repeat_of.body) {
      if (const auto* op = std::get_if<std::uint32_t>(&step)) {
        run.push_back(*op);
      } else {
        finish(run);
        repeat(std::get<Repeat>(step));
      }
    }
    finish(run);
    mark(ScheduleItem::Kind::loop_end, repeat_of.loop);
  }

  void finish(std::vector<std::uint32_t>& run) {
    for (auto& group : fusion_.run(run)) {
      mark(ScheduleItem::Kind::group, static_cast<std::uint32_t>(schedule_.groups.size()));
      schedule_.groups.push_back(std::move(group));
    }
    run.clear();
  }

  void mark(ScheduleItem::Kind kind, std::uint32_t index) { schedule_.items.push_back({kind, index}); }

  // The host multiplies what its processors have instructions for, and these have none for packed formats or fp8.
  static bool is_for_arrays(const Tensor& tensor) {
    return tensor.packing() != packing_of(tensor.dtype) || !is_plain(tensor.dtype) || tensor.dtype == Dtype::fp8_e4m3 ||
           tensor.dtype == Dtype::fp8_e5m2;
  }

  // Once for each pair of formats; the operator is the first of them.
  bool must_be_on_array(const Group& group) {
    const auto& op = trace_.operators[group.last()];
    if (op.type != OperatorType::linear && op.type != OperatorType::matmul && op.type != OperatorType::attention) {
      return false;
    }
    const auto &x = trace_.tensors[op.inputs[0].tensor], &w = trace_.tensors[op.inputs[1].tensor];
    if (!is_for_arrays(x) && !is_for_arrays(w)) return false;
    if (!refused_.insert({x.dtype, w.dtype}).second) return true;
    const bool has_any = !machine_.accelerators.empty();
    diagnostics_.error(
        has_any ? machine_.accelerators[0].dtypes_place : Location{},
        fmt::format("nothing in soc `{}` can run operator `{}` ({}), which multiplies {} by {}: {}", machine_.soc,
                    op.name, name_of(op.type), name_of(x.dtype), name_of(w.dtype), group.why),
        machine_.peak_macs_per_second(x.dtype) > 0.0
            ? "weights of another format need `weight_decoder: true`; or build the trace with another recipe"
            : fmt::format("give the accelerators a rate for it, such as `{}: 1` in `dtypes`, or build the trace with "
                          "another recipe",
                          name_of(x.dtype)));
    return true;
  }

  const Group* group_of(std::uint32_t op) const {
    for (const auto& group : schedule_.groups) {
      if (std::find(group.operators.begin(), group.operators.end(), op) != group.operators.end()) return &group;
    }
    return nullptr;
  }

  // What the user decided and the passes could not do.
  void check_overrules() {
    for (const auto& [op, overrule] : overrules_.operators) {
      const Group* group = group_of(op);
      if (group == nullptr) continue;
      const std::string name = trace_.operators[op].name;
      for (const std::uint32_t wanted : overrule.with) {
        if (std::find(group->operators.begin(), group->operators.end(), wanted) != group->operators.end()) continue;
        diagnostics_.error(overrule.where,
                           fmt::format("operator `{}` cannot be fused into `{}`", trace_.operators[wanted].name, name),
                           "`archsim run --mapping` writes what can be");
      }
      check_place(*group, name, overrule);
    }
  }

  void check_place(const Group& group, const std::string& name, const Overrule& overrule) {
    const auto& choice = overrule.choice;
    if (choice.on == Placed::accelerators && group.work == Work::host) {
      diagnostics_.error(overrule.where, fmt::format("operator `{}` cannot run on an accelerator: {}", name, group.why),
                         "leave out its `on`");
    } else if (choice.has_product_choice() && group.work != Work::product) {
      diagnostics_.error(overrule.where, fmt::format("operator `{}` is no matrix product", name),
                         "`split: {m, n}`, `tile: {m, k, n}`, `order` and `dataflow` belong to products");
    } else if (choice.has_attention_choice() && group.work != Work::attention) {
      diagnostics_.error(
          overrule.where, fmt::format("operator `{}` is no attention", name),
          "`split: {heads, queries}`, `tile: {queries, keys}`, `stacked`, `chains`, `scores` and `values` "
          "belong to attention");
    }
  }

  void check_host(const Group& group) {
    if (must_be_on_array(group)) return;
    const auto& op = trace_.operators[group.last()];
    const auto elements = elements_to_handle(trace_, op);
    if (!machine_.host.estimate || machine_.host.estimate(op, elements)) return;
    diagnostics_.error(
        {}, fmt::format("nothing in soc `{}` can run operator `{}` ({})", machine_.soc, op.name, name_of(op.type)),
        fmt::format("{}, and the host `{}` cannot run {} either", group.why, machine_.host.name, name_of(op.type)));
  }

  const Trace& trace_;
  const MachineView& machine_;
  const Overrules& overrules_;
  Fusion fusion_;
  Schedule schedule_;
  Diagnostics diagnostics_;
  std::set<std::pair<Dtype, Dtype>> refused_;
};

}  // namespace

std::uint32_t main_operator(const Group& group) {
  if (group.work == Work::product) return group.products[0];
  return group.work == Work::attention ? group.last() : group.operators[0];
}

Checked<Schedule> make_schedule(const Trace& trace, const MachineView& machine, const MappingOptions& options,
                                const JoinedCopies& joined, const Overrules& overrules) {
  return ScheduleMaker(trace, machine, options, joined, overrules).make();
}

}  // namespace archsim
