#include "traces/recipes/casts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "traces/recipes/operator_formats.h"

namespace archsim {
namespace {

class CastInserter {
 public:
  CastInserter(Converted& converted, const std::vector<Wanted>& wanted)
      : trace_(converted.trace), converted_(converted), wanted_(wanted) {
    for (const auto& op : trace_.operators) names_.insert(op.name);
    for (const auto& tensor : trace_.tensors) names_.insert(tensor.name);
  }

  void run() {
    std::vector<Operator> before;
    before.swap(trace_.operators);
    converted_.operators.clear();
    new_index_.resize(before.size());
    for (auto& stage : trace_.stages) body(stage.repeat.body, before);
    for (const auto index : new_index_) {
      for (auto& dependency : trace_.operators[index].dependencies) dependency = new_index_[dependency];
    }
  }

 private:
  struct Shared {
    TensorUse value;
    Dtype dtype;
    std::uint32_t cast, maker;  // the tensor, and the operator that writes it
  };
  using Values = std::vector<Shared>;

  void body(std::vector<Step>& steps, std::vector<Operator>& before) {
    std::vector<Step> rewritten;
    Values values;
    for (auto& step : steps) {
      if (auto* repeat = std::get_if<Repeat>(&step)) {
        values.clear();
        body(repeat->body, before);
        rewritten.push_back(std::move(step));
        continue;
      }
      const auto index = std::get<std::uint32_t>(step);
      Operator op = std::move(before[index]);
      cast_inputs(op, index, rewritten, values);
      for (const auto& use : op.outputs) {
        std::erase_if(values, [&](const Shared& shared) { return shared.value.tensor == use.tensor; });
      }
      new_index_[index] = add(std::move(op), index, rewritten);
    }
    steps = std::move(rewritten);
  }

  std::uint32_t add(Operator op, std::uint32_t from, std::vector<Step>& steps) {
    const auto index = static_cast<std::uint32_t>(trace_.operators.size());
    steps.emplace_back(index);
    trace_.operators.push_back(std::move(op));
    converted_.operators.push_back(from);
    return index;
  }

  bool needs_cast(const Operator& op, std::size_t input, Dtype want) const {
    const auto& tensor = trace_.tensors[op.inputs[input].tensor];
    if (!is_product(op.type) || tensor.dtype == want) return false;
    return op.type != OperatorType::attention || input == 0 || bits(tensor.dtype) > bits(want);
  }

  void cast_inputs(Operator& op, std::uint32_t index, std::vector<Step>& steps, Values& values) {
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      const auto want = wanted_[index].inputs[i];
      if (!want || !needs_cast(op, i, *want)) continue;
      const auto known = std::find_if(values.begin(), values.end(), [&](const Shared& shared) {
        return shared.value == op.inputs[i] && shared.dtype == *want;
      });
      if (known != values.end()) {
        op.inputs[i] = {known->cast, {}};
        trace_.operators[known->maker].dead = trace_.operators[known->maker].dead && op.dead;
        continue;
      }
      const TensorUse value = op.inputs[i];
      const auto cast = add_tensor(op, value.tensor, *want);
      Operator step{.name = unique(op.name + (bits(*want) < bits(trace_.tensors[value.tensor].dtype) ? ".quantize"
                                                                                                     : ".dequantize")),
                    .type = OperatorType::cast,
                    .inputs = {value},
                    .outputs = {{cast, {}}},
                    .dead = op.dead};
      const auto maker = add(std::move(step), index, steps);
      values.push_back({value, *want, cast, maker});
      op.inputs[i] = {cast, {}};
    }
  }

  std::uint32_t add_tensor(const Operator& reader, std::uint32_t of, Dtype dtype) {
    const Tensor& from = trace_.tensors[of];
    Tensor tensor{.name = unique(fmt::format("{}.{}", reader.name, name_of(dtype))),
                  .role = Role::activation,
                  .shape = from.shape,
                  .dtype = dtype};
    trace_.tensors.push_back(std::move(tensor));
    converted_.tensors.push_back(of);
    return static_cast<std::uint32_t>(trace_.tensors.size() - 1);
  }

  std::string unique(const std::string& name) {
    std::string candidate = name;
    for (unsigned n = 2; !names_.insert(candidate).second; ++n) candidate = fmt::format("{}_{}", name, n);
    return candidate;
  }

  Trace& trace_;
  Converted& converted_;
  const std::vector<Wanted>& wanted_;
  std::vector<std::uint32_t> new_index_;
  std::set<std::string> names_;
};

}  // namespace

void insert_casts(Converted& converted, const std::vector<Wanted>& wanted) { CastInserter(converted, wanted).run(); }

}  // namespace archsim
