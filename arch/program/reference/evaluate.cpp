#include "arch/program/reference/evaluate.h"

#include <utility>

#include "arch/program/reference/operators.h"

namespace archsim {
namespace {

void dispatch(const Operator& op, const Inputs& in, Outputs& out) {
  switch (op.type) {
    case OperatorType::linear:
      return evaluate_linear(op, in, out);
    case OperatorType::matmul:
      return evaluate_matmul(op, in, out);
    case OperatorType::attention:
      return evaluate_attention(op, in, out);
    case OperatorType::softmax:
    case OperatorType::layernorm:
    case OperatorType::rmsnorm:
    case OperatorType::rope:
    case OperatorType::sincos:
      return evaluate_rows(op, in, out);
    case OperatorType::gelu:
    case OperatorType::silu:
    case OperatorType::relu:
    case OperatorType::tanh:
    case OperatorType::sigmoid:
    case OperatorType::glu:
    case OperatorType::add:
    case OperatorType::sub:
    case OperatorType::mul:
    case OperatorType::scale:
    case OperatorType::axpy:
    case OperatorType::cast:
      return evaluate_elementwise(op, in, out);
    case OperatorType::concat:
    case OperatorType::slice:
    case OperatorType::broadcast:
    case OperatorType::patchify:
    case OperatorType::embedding:
    case OperatorType::reshape:
    case OperatorType::pixel_shuffle:
    case OperatorType::im2col:
      return evaluate_rearranging(op, in, out);
    case OperatorType::image_preprocess:
    case OperatorType::tokenize:
    case OperatorType::action_postprocess:
    case OperatorType::maxpool:
    case OperatorType::avgpool:
    case OperatorType::depthwise_conv:
    case OperatorType::groupnorm:
    case OperatorType::mish:
    case OperatorType::argmax:
      return evaluate_host(op, in, out);
    case OperatorType::exp:
    case OperatorType::log:
    case OperatorType::sqrt:
    case OperatorType::reciprocal:
    case OperatorType::erf:
    case OperatorType::sin:
    case OperatorType::cos:
    case OperatorType::abs:
    case OperatorType::elu:
    case OperatorType::softplus:
    case OperatorType::hard_swish:
    case OperatorType::leaky_relu:
    case OperatorType::hard_sigmoid:
    case OperatorType::round:
    case OperatorType::clip:
    case OperatorType::div:
    case OperatorType::pow:
    case OperatorType::maximum:
    case OperatorType::minimum:
    case OperatorType::compare:
    case OperatorType::where:
      return evaluate_functions(op, in, out);
    case OperatorType::transpose:
    case OperatorType::expand:
    case OperatorType::reduce:
    case OperatorType::gather:
    case OperatorType::pad:
    case OperatorType::resize:
      return evaluate_views(op, in, out);
  }
}

void walk(const Trace& trace, const Repeat& repeat, Iterations& iterations,
          const std::function<void(std::uint32_t, const Iterations&)>& visit) {
  for (std::uint32_t i = 0; i < trace.loops[repeat.loop].count; ++i) {
    iterations[repeat.loop] = i;
    for (const auto& step : repeat.body) {
      if (const auto* op = std::get_if<std::uint32_t>(&step)) {
        visit(*op, iterations);
      } else {
        walk(trace, std::get<Repeat>(step), iterations, visit);
      }
    }
  }
  iterations[repeat.loop] = 0;
}

}  // namespace

std::vector<Array> evaluate(const Trace& trace, const Operator& op, const std::vector<const Array*>& inputs) {
  Outputs outputs;
  for (const auto& use : op.outputs) outputs.push_back(Array::like(trace.tensors[use.tensor]));
  dispatch(op, inputs, outputs);
  return outputs;
}

void for_each_instance(const Trace& trace,
                       const std::function<void(std::uint32_t op, const Iterations& iterations)>& visit) {
  Iterations iterations(trace.loops.size(), 0);
  for (const auto& stage : trace.stages) walk(trace, stage.repeat, iterations, visit);
}

void evaluate(const Trace& trace, TensorValues& values) {
  for_each_instance(trace, [&](std::uint32_t index, const Iterations& iterations) {
    const auto& op = trace.operators[index];
    Inputs inputs;
    for (const auto& use : op.inputs) inputs.push_back(&values.at(use.tensor, copy_of(use, iterations)));
    auto outputs = evaluate(trace, op, inputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const auto& use = op.outputs[i];
      values.at(use.tensor, copy_of(use, iterations)) = std::move(outputs[i]);
    }
  });
}

}  // namespace archsim
