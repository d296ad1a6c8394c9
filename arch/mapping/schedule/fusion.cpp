#include "arch/mapping/schedule/fusion.h"

#include <algorithm>
#include <iterator>

#include "arch/mapping/schedule/suitability.h"

namespace archsim {
namespace {

bool is_unary_activation(OperatorType type) {
  return type == OperatorType::gelu || type == OperatorType::silu || type == OperatorType::relu ||
         type == OperatorType::tanh || type == OperatorType::sigmoid;
}

Work work_of(OperatorType type) {
  switch (type) {
    case OperatorType::linear:
    case OperatorType::matmul:
      return Work::product;
    case OperatorType::attention:
      return Work::attention;
    case OperatorType::concat:
    case OperatorType::slice:
    case OperatorType::broadcast:
    case OperatorType::patchify:
    case OperatorType::reshape:
    case OperatorType::pixel_shuffle:
      return Work::movement;
    case OperatorType::embedding:
    case OperatorType::im2col:
    case OperatorType::maxpool:
    case OperatorType::avgpool:
    case OperatorType::depthwise_conv:
    case OperatorType::argmax:
    case OperatorType::groupnorm:
    case OperatorType::mish:
    case OperatorType::image_preprocess:
    case OperatorType::tokenize:
    case OperatorType::action_postprocess:
      return Work::host;
    default:
      return Work::vector;
  }
}

}  // namespace

Fusion::Fusion(const Trace& trace, const MachineView& machine, const MappingOptions& options,
               const JoinedCopies& joined, const Overrules& overrules)
    : trace_(trace),
      machine_(machine),
      options_(options),
      joined_(joined),
      overrules_(overrules),
      accesses_(trace.tensors.size()),
      run_of_(trace.operators.size()) {
  for (std::uint32_t i = 0; i < trace.operators.size(); ++i) {
    for (const auto& use : trace.operators[i].inputs) accesses_[joined.of(use.tensor)].push_back({i, false});
    for (const auto& use : trace.operators[i].outputs) accesses_[joined.of(use.tensor)].push_back({i, true});
  }
  for (const auto& stage : trace.stages) number_runs(stage.repeat);
}

void Fusion::number_runs(const Repeat& repeat) {
  ++runs_;
  for (const auto& step : repeat.body) {
    if (const auto* op = std::get_if<std::uint32_t>(&step)) {
      run_of_[*op] = runs_;
    } else {
      number_runs(std::get<Repeat>(step));
      ++runs_;
    }
  }
}

Group Fusion::group_of(std::uint32_t op) const {
  Group group;
  group.work = work_of(trace_.operators[op].type);
  group.operators = {op};
  group.passes = {""};
  if (group.work == Work::product) group.products = {op};
  if (machine_.accelerators.empty()) group.why = "there is no accelerator";
  for (std::uint32_t a = 0; a < machine_.accelerators.size(); ++a) {
    auto answer = verdict(trace_, op, machine_.accelerators[a]);
    if (answer.can()) group.accelerators.push_back(a);
    if (group.why.empty()) group.why = std::move(answer.why);
  }
  const auto overrule = overrules_.operators.find(op);
  if (overrule != overrules_.operators.end() && overrule->second.choice.on == Placed::host) {
    if (!group.accelerators.empty()) group.why = "the mapping file says so";
    group.accelerators.clear();
  }
  if (group.accelerators.empty()) {
    group.work = Work::host;
  } else {
    group.why.clear();
  }
  return group;
}

std::uint32_t Fusion::only_reader(std::uint32_t writer) const {
  const auto& op = trace_.operators[writer];
  if (op.outputs.size() != 1) return Group::kNone;
  const std::uint32_t tensor = op.outputs[0].tensor;
  if (trace_.tensors[tensor].role != Role::activation) return Group::kNone;
  // Writes and reads alternate, and each read stands in the run of its write: then no value is read twice, or later.
  const auto& accesses = accesses_[joined_.of(tensor)];
  std::uint32_t reader = Group::kNone;
  for (std::size_t i = 0; i < accesses.size(); i += 2) {
    const bool is_pair = i + 1 < accesses.size() && accesses[i].is_write && !accesses[i + 1].is_write &&
                         run_of_[accesses[i].op] == run_of_[accesses[i + 1].op];
    if (!is_pair) return Group::kNone;
    if (accesses[i].op == writer) reader = accesses[i + 1].op;
  }
  // The reader must see this very copy.
  const auto& inputs = trace_.operators[reader].inputs;
  const bool same = std::find(inputs.begin(), inputs.end(), op.outputs[0]) != inputs.end();
  return same && reader > writer ? reader : Group::kNone;
}

bool Fusion::all_have(const Group& group, std::uint32_t op) const {
  const auto function = function_of(trace_.operators[op]);
  return function && std::all_of(group.accelerators.begin(), group.accelerators.end(),
                                 [&](std::uint32_t a) { return has_function(machine_.accelerators[a], *function); });
}

// The group's work moves to the place of `last`, so nothing in between may write what the group reads, and nothing at
// all of what it reads as whole matrices may be what it writes.
bool Fusion::may_delay(const Group& group, const std::vector<std::uint32_t>& run, std::uint32_t last) const {
  const auto written_by = [&](std::uint32_t op, std::uint32_t tensor) {
    const auto& outputs = trace_.operators[op].outputs;
    return std::any_of(outputs.begin(), outputs.end(),
                       [&](const TensorUse& use) { return joined_.of(use.tensor) == joined_.of(tensor); });
  };
  for (const std::uint32_t product : group.products) {
    for (const auto& use : trace_.operators[product].inputs) {
      for (const std::uint32_t op : run) {
        const bool is_between = op > product && op <= last;
        if (is_between && written_by(op, use.tensor)) return false;
      }
    }
    const auto& dependencies = trace_.operators[product].dependencies;
    if (!dependencies.empty() && std::any_of(run.begin(), run.end(), [&](std::uint32_t op) {
          return op > product && op < last &&
                 std::count(trace_.operators[op].dependencies.begin(), trace_.operators[op].dependencies.end(),
                            product);
        })) {
      return false;
    }
  }
  return true;
}

void Fusion::add(Group& group, std::uint32_t op, const char* pass) const {
  group.operators.push_back(op);
  group.passes.push_back(pass);
}

// What has an entry of its own in the mapping file is the main operator of a group.
bool Fusion::may_join(std::uint32_t main, std::uint32_t op) const {
  if (overrules_.operators.contains(op)) return false;
  const auto overrule = overrules_.operators.find(main);
  if (overrule == overrules_.operators.end() || !overrule->second.fixes_fusion) return true;
  const auto& with = overrule->second.with;
  return std::find(with.begin(), with.end(), op) != with.end();
}

bool Fusion::may_be(const Group& group) const {
  const std::uint32_t main = group.products[0];
  return std::all_of(group.operators.begin(), group.operators.end(),
                     [&](std::uint32_t op) { return op == main || may_join(main, op); });
}

bool Fusion::take_activation(Group& group, std::uint32_t reader) const {
  if (!options_.fuse.linear_activation || group.activation != Group::kNone || group.glu != Group::kNone) return false;
  if (!is_unary_activation(trace_.operators[reader].type) || !all_have(group, reader)) return false;
  group.activation = reader;
  add(group, reader, "linear_activation");
  return true;
}

bool Fusion::take_glu(Group& group, std::uint32_t reader, const std::vector<std::uint32_t>& run) const {
  const auto& glu = trace_.operators[reader];
  if (!options_.fuse.linear_glu || glu.type != OperatorType::glu || group.operators.size() != 1) return false;
  if (!all_have(group, reader)) return false;
  const std::uint32_t gate = group.products[0];
  for (const std::uint32_t up : run) {
    const auto& op = trace_.operators[up];
    const auto& lead = trace_.operators[gate];
    if (up == gate || op.type != OperatorType::linear || op.outputs.size() != 1 || only_reader(up) != reader) continue;
    if (op.inputs[0] != lead.inputs[0] || op.inputs.size() != lead.inputs.size() ||
        trace_.tensors[op.inputs[1].tensor].shape != trace_.tensors[lead.inputs[1].tensor].shape ||
        trace_.tensors[op.inputs[1].tensor].dtype != trace_.tensors[lead.inputs[1].tensor].dtype ||
        trace_.tensors[op.inputs[1].tensor].grouping != trace_.tensors[lead.inputs[1].tensor].grouping) {
      continue;
    }
    if (glu.inputs[0] != lead.outputs[0] || glu.inputs[1] != op.outputs[0]) continue;
    group.products.push_back(up);
    add(group, up, "linear_glu");
    add(group, reader, "linear_glu");
    group.glu = reader;
    return true;
  }
  return false;
}

bool Fusion::take_residual(Group& group, std::uint32_t reader) const {
  const auto& op = trace_.operators[reader];
  if (!options_.fuse.linear_residual || group.residual != Group::kNone || op.type != OperatorType::add) return false;
  if (!all_have(group, reader)) return false;
  const auto& result = trace_.operators[group.last()].outputs[0];
  const std::size_t other = op.inputs[0] == result ? 1 : 0;
  if (trace_.tensors[op.inputs[other].tensor].shape != trace_.tensors[op.outputs[0].tensor].shape) return false;
  if (op.inputs[other].tensor == result.tensor) return false;
  group.residual = reader;
  group.residual_input = op.inputs[other];
  add(group, reader, "linear_residual");
  return true;
}

// A linear of whole folds whose weight only linears use, so that it may be laid out as they like.
bool Fusion::is_alone(const Group& group) const {
  const auto& op = trace_.operators[group.operators[0]];
  if (group.work != Work::product || group.operators.size() > 1 || op.type != OperatorType::linear) return false;
  const auto& weight = trace_.tensors[op.inputs[1].tensor];
  const auto& accesses = accesses_[joined_.of(op.inputs[1].tensor)];
  const auto is_by_linear = [&](const Access& access) {
    const auto& reader = trace_.operators[access.op];
    return reader.type == OperatorType::linear && reader.inputs[1].tensor == op.inputs[1].tensor;
  };
  return std::all_of(accesses.begin(), accesses.end(), is_by_linear) &&
         std::all_of(group.accelerators.begin(), group.accelerators.end(),
                     [&](std::uint32_t a) { return weight.shape.back() % machine_.accelerators[a].columns == 0; });
}

bool Fusion::may_stand_beside(const Group& first, const Group& second, const std::vector<std::uint32_t>& run) const {
  const auto& a = trace_.operators[first.operators[0]];
  const auto& b = trace_.operators[second.operators[0]];
  const auto dtype = [&](const TensorUse& use) { return trace_.tensors[use.tensor].dtype; };
  const auto grouping = [&](const TensorUse& use) { return trace_.tensors[use.tensor].grouping; };
  if (a.inputs[0] != b.inputs[0] || a.inputs.size() != b.inputs.size() || first.accelerators != second.accelerators ||
      dtype(a.inputs[1]) != dtype(b.inputs[1]) || grouping(a.inputs[1]) != grouping(b.inputs[1]) ||
      (a.inputs.size() > 2 && dtype(a.inputs[2]) != dtype(b.inputs[2])) || !a.dependencies.empty() ||
      !b.dependencies.empty()) {
    return false;
  }
  // The first one's results come later now.
  const auto touches = [&](const std::vector<TensorUse>& uses, const TensorUse& wanted) {
    return std::any_of(uses.begin(), uses.end(),
                       [&](const TensorUse& use) { return joined_.of(use.tensor) == joined_.of(wanted.tensor); });
  };
  for (const std::uint32_t op : run) {
    if (op <= first.operators[0] || op > second.last()) continue;
    const auto& between = trace_.operators[op];
    for (const auto& result : a.outputs) {
      if (touches(between.inputs, result) || touches(between.outputs, result)) return false;
    }
    if (op == second.last()) continue;
    for (const auto& input : a.inputs) {
      if (touches(between.outputs, input)) return false;
    }
    const auto& awaited = between.dependencies;
    if (std::find(awaited.begin(), awaited.end(), first.operators[0]) != awaited.end()) return false;
  }
  return true;
}

void Fusion::join_siblings(std::vector<Group>& groups, const std::vector<std::uint32_t>& run) const {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (!is_alone(groups[i])) continue;
    for (std::size_t j = i + 1; j < groups.size();) {
      const auto fits = [&](std::uint32_t linear) {
        Group one = groups[i];
        one.operators = {linear};
        return may_stand_beside(one, groups[j], run);
      };
      const auto linears = groups[i].linears();
      if (!is_alone(groups[j]) || !may_join(groups[i].operators[0], groups[j].operators[0]) ||
          !std::all_of(linears.begin(), linears.end(), fits)) {
        ++j;
        continue;
      }
      add(groups[i], groups[j].operators[0], "linear_siblings");
      groups[i].beside.push_back(groups[j].operators[0]);
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(j));
    }
  }
}

// On each tile that is loaded, so it must not change its size; keys are turned by every accelerator that loads them.
bool Fusion::may_turn(const Group& attention, std::size_t input, const Group& rope,
                      const std::vector<std::uint32_t>& run) const {
  const std::uint32_t index = rope.operators[0];
  const auto& op = trace_.operators[index];
  const auto& reader = trace_.operators[attention.last()];
  if (rope.operators.size() > 1 || op.type != OperatorType::rope || op.outputs[0] != reader.inputs[input]) return false;
  if (only_reader(index) != attention.last() || !all_have(attention, index)) return false;
  const auto &from = trace_.tensors[op.inputs[0].tensor], &to = trace_.tensors[op.outputs[0].tensor];
  const auto& queries = trace_.tensors[reader.inputs[0].tensor];
  if (from.dtype != to.dtype || !(from.grouping == to.grouping) || from.scale != to.scale || from.shape != to.shape)
    return false;
  if (op.integer("head_dim", 0) != reader.integer("head_dim", 0)) return false;
  const std::uint64_t times = input == 0 ? 1 : attention.accelerators.size();
  if (to.elements() * times > queries.elements()) return false;
  return std::none_of(run.begin(), run.end(), [&](std::uint32_t between) {
    if (between <= index || between >= attention.last()) return false;
    const auto& other = trace_.operators[between];
    const bool writes = std::any_of(other.outputs.begin(), other.outputs.end(), [&](const TensorUse& use) {
      return joined_.of(use.tensor) == joined_.of(op.inputs[0].tensor);
    });
    return writes || std::count(other.dependencies.begin(), other.dependencies.end(), index) > 0;
  });
}

void Fusion::take_ropes(std::vector<Group>& groups, const std::vector<std::uint32_t>& run) const {
  for (std::size_t a = 0; a < groups.size(); ++a) {
    if (groups[a].work != Work::attention) continue;
    const std::size_t inputs = trace_.operators[groups[a].last()].inputs.size();
    groups[a].ropes.assign(inputs, Group::kNone);
    for (std::size_t input = 0; input < inputs; input += input == 0 ? 1 : 2) {
      const auto rope = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
        return group.work == Work::vector && may_join(groups[a].last(), group.operators[0]) &&
               may_turn(groups[a], input, group, run);
      });
      if (rope == groups.end()) continue;
      groups[a].ropes[input] = rope->operators[0];
      groups[a].operators.insert(groups[a].operators.end() - 1, rope->operators[0]);
      groups[a].passes.insert(groups[a].passes.end() - 1, "attention_rope");
      if (static_cast<std::size_t>(rope - groups.begin()) < a) --a;
      groups.erase(rope);
    }
  }
}

void Fusion::grow(Group& group, const std::vector<std::uint32_t>& run) const {
  if (group.work != Work::product) return;
  for (;;) {
    const std::uint32_t reader = only_reader(group.last());
    if (reader == Group::kNone || std::find(run.begin(), run.end(), reader) == run.end()) return;
    Group larger = group;
    if (!take_glu(larger, reader, run) && !take_activation(larger, reader) && !take_residual(larger, reader)) return;
    if (!may_be(larger)) return;
    if (!may_delay(larger, run, reader)) return;
    group = std::move(larger);
  }
}

std::vector<Group> Fusion::run(const std::vector<std::uint32_t>& operators) const {
  std::vector<Group> groups;
  std::vector<std::uint32_t> taken;
  for (const std::uint32_t op : operators) {
    if (std::find(taken.begin(), taken.end(), op) != taken.end()) continue;
    Group group = group_of(op);
    grow(group, operators);
    taken.insert(taken.end(), group.operators.begin() + 1, group.operators.end());
    groups.push_back(std::move(group));
  }
  if (options_.fuse.linear_siblings) join_siblings(groups, operators);
  if (options_.fuse.attention_rope) take_ropes(groups, operators);
  std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.last() < b.last(); });
  return groups;
}

}  // namespace archsim
