// Writes small traces for tests, one call a loop, tensor or operator.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arch/workload/trace.h"

namespace archsim {

class TraceBuilder {
 public:
  using Shape = std::vector<std::uint64_t>;

  void begin_stage(std::uint32_t count) {
    trace_.stages.push_back({"stage" + std::to_string(trace_.stages.size()), {}});
    open(trace_.stages.back().repeat, count);
  }
  void end_stage() { open_.pop_back(); }
  std::uint32_t begin_repeat(std::uint32_t count) {
    open_.back()->body.emplace_back(Repeat{});
    open(std::get<Repeat>(open_.back()->body.back()), count);
    return open_.back()->loop;
  }
  void end_repeat() { open_.pop_back(); }

  /// `copies`: one for each iteration of `loop`, if given.
  TensorUse tensor(Role role, Shape shape, Dtype dtype = Dtype::bf16) {
    Tensor tensor;
    tensor.name = "t" + std::to_string(trace_.tensors.size());
    tensor.role = role;
    tensor.shape = std::move(shape);
    tensor.dtype = dtype;
    trace_.tensors.push_back(tensor);
    return {static_cast<std::uint32_t>(trace_.tensors.size() - 1), {}};
  }
  TensorUse copied(Role role, Shape shape, Dtype dtype, std::uint32_t loop) {
    auto use = tensor(role, std::move(shape), dtype);
    trace_.tensors.back().copies = {trace_.loops[loop].count};
    use.copy = {{loop, 0}};
    return use;
  }

  std::uint32_t add(OperatorType type, std::vector<TensorUse> inputs, std::vector<TensorUse> outputs,
                    Attributes attributes = {}) {
    Operator op;
    op.name = "op" + std::to_string(trace_.operators.size());
    op.type = type;
    op.attributes = std::move(attributes);
    op.inputs = std::move(inputs);
    op.outputs = std::move(outputs);
    const auto index = static_cast<std::uint32_t>(trace_.operators.size());
    trace_.operators.push_back(op);
    open_.back()->body.emplace_back(index);
    return index;
  }
  Operator& op(std::uint32_t index) { return trace_.operators[index]; }

  /// y[m,n] = x[m,k] w[k,n] with a weight of its own.
  TensorUse linear(const TensorUse& x, std::uint64_t n, Dtype dtype = Dtype::bf16) {
    const auto shape = trace_.tensors[x.tensor].shape;
    const auto y = tensor(Role::activation, {shape[0], n}, dtype);
    add(OperatorType::linear, {x, tensor(Role::weight, {shape[1], n}, dtype)}, {y});
    return y;
  }

  const Trace& trace() const { return trace_; }

 private:
  void open(Repeat& repeat, std::uint32_t count) {
    repeat.loop = static_cast<std::uint32_t>(trace_.loops.size());
    trace_.loops.push_back({"loop" + std::to_string(trace_.loops.size()), count});
    open_.push_back(&repeat);
  }

  Trace trace_;
  std::vector<Repeat*> open_;
};

}  // namespace archsim
