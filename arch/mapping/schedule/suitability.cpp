#include "arch/mapping/schedule/suitability.h"

#include <fmt/format.h>

namespace archsim {
namespace {

using Type = OperatorType;
using Function = VectorFunction;

std::optional<Function> activation_function(std::string_view name, bool approximate) {
  if (name == "gelu") return approximate ? Function::gelu_tanh : Function::gelu_erf;
  if (name == "silu") return Function::silu;
  if (name == "relu") return Function::relu;
  if (name == "tanh") return Function::tanh;
  if (name == "sigmoid") return Function::sigmoid;
  return std::nullopt;
}

std::optional<Function> glu_function(std::string_view name, bool approximate) {
  if (name == "gelu") return approximate ? Function::glu_gelu_tanh : Function::glu_gelu_erf;
  if (name == "silu") return Function::glu_silu;
  if (name == "relu") return Function::glu_relu;
  if (name == "sigmoid") return Function::glu_sigmoid;
  return std::nullopt;
}

std::string capability_of(Function function) { return fmt::format("vector_cycles.{}", name_of(function)); }
std::string capability_of(Dtype dtype) { return fmt::format("dtypes.{}", name_of(dtype)); }

Verdict needs(const AcceleratorCapabilities& accelerator, Function function) {
  if (accelerator.vector_lanes == 0) return {fmt::format("{} has no vector unit", accelerator.name), "vector_lanes"};
  if (has_function(accelerator, function)) return {"", capability_of(function)};
  return {fmt::format("{} has no vector function {}", accelerator.name, name_of(function)), capability_of(function)};
}

Verdict needs_products(const AcceleratorCapabilities& accelerator, Dtype dtype) {
  if (const auto found = accelerator.macs_per_pe.find(dtype);
      found != accelerator.macs_per_pe.end() && found->second > 0) {
    return {"", capability_of(dtype)};
  }
  return {fmt::format("{} does not multiply {}", accelerator.name, name_of(dtype)), capability_of(dtype)};
}

// Weights, keys and values of another format than what they are multiplied with.
Verdict needs_decoder(const AcceleratorCapabilities& accelerator, Dtype with, const Tensor& weight) {
  if (accelerator.decodes_weights || (weight.dtype == with && weight.grouping.group == 0)) return {};
  return {fmt::format("{} has no weight decoder to multiply {} with {}", accelerator.name, name_of(weight.dtype),
                      name_of(with)),
          "weight_decoder"};
}

class Question {
 public:
  Question(const Trace& trace, std::uint32_t index, const AcceleratorCapabilities& accelerator)
      : trace_(trace), op_(trace.operators[index]), accelerator_(accelerator) {}

  Verdict answer() const {
    switch (op_.type) {
      case Type::linear:
      case Type::matmul:
        return product();
      case Type::attention:
        return attention();
      case Type::cast:
      case Type::concat:
      case Type::slice:
      case Type::broadcast:
      case Type::patchify:
      case Type::reshape:
      case Type::pixel_shuffle:
        return movement();
      case Type::embedding:
      case Type::im2col:
      case Type::maxpool:
      case Type::avgpool:
      case Type::depthwise_conv:
      case Type::argmax:
      case Type::groupnorm:
      case Type::mish:
      case Type::image_preprocess:
      case Type::tokenize:
      case Type::action_postprocess:
        return {fmt::format("{} is not work for an accelerator", name_of(op_.type)), only_host()};
      default:
        break;
    }
    if (const auto function = function_of(op_)) return needs(accelerator_, *function);
    return {fmt::format("{} has no vector function for {}", accelerator_.name, name_of(op_.type)), only_host()};
  }

 private:
  const Tensor& input(std::size_t i) const { return trace_.tensors[op_.inputs[i].tensor]; }
  std::string only_host() const { return fmt::format("cycles_per_element.{}", name_of(op_.type)); }

  Verdict product() const {
    const Dtype dtype = input(0).dtype;
    const Verdict array = needs_products(accelerator_, dtype);
    if (!array.can()) return array;
    if (auto decoder = needs_decoder(accelerator_, dtype, input(1)); !decoder.can()) return decoder;
    if (op_.type == Type::linear && op_.inputs.size() > 2 && !has_function(accelerator_, Function::copy)) {
      const Dtype bias = input(2).dtype;
      if (bias != accumulator_dtype(dtype) && bias != Dtype::bf16) return needs(accelerator_, Function::copy);
    }
    for (const auto& use : op_.outputs) {
      if (stores_directly(accelerator_, dtype, trace_.tensors[use.tensor].dtype)) continue;
      if (auto copy = needs(accelerator_, Function::copy); !copy.can()) return copy;
    }
    return array;
  }

  Verdict attention() const {
    for (const Dtype dtype : {input(0).dtype, probability_dtype(input(0).dtype)}) {
      if (auto array = needs_products(accelerator_, dtype); !array.can()) return array;
    }
    if (auto decoder = needs_decoder(accelerator_, input(0).dtype, input(1)); !decoder.can()) return decoder;
    for (const Function function : {Function::softmax_step, Function::softmax_finish}) {
      if (auto step = needs(accelerator_, function); !step.can()) return step;
    }
    for (std::size_t i = 4; i < op_.inputs.size(); i += 2) {
      // Their products meet in one accumulator.
      if (input(i).scale != input(2).scale) return {"its value segments have different scales", only_host()};
      if (input(i).dtype != input(2).dtype) return {"its value segments have different element types", only_host()};
    }
    return {"", capability_of(input(0).dtype)};
  }

  Verdict movement() const {
    const auto& y = trace_.tensors[op_.outputs[0].tensor];
    for (std::size_t i = 0; i < op_.inputs.size(); ++i) {
      if (input(i).dtype == y.dtype && input(i).scale == y.scale) continue;
      return needs(accelerator_, Function::copy);
    }
    return {"", "dma"};
  }

  const Trace& trace_;
  const Operator& op_;
  const AcceleratorCapabilities& accelerator_;
};

}  // namespace

bool has_function(const AcceleratorCapabilities& accelerator, VectorFunction function) {
  return accelerator.vector_lanes > 0 && accelerator.vector_cycles_per_element.count(function) > 0;
}

std::optional<VectorFunction> function_of(const Operator& op) {
  switch (op.type) {
    case Type::softmax:
      return Function::softmax;
    case Type::layernorm:
      return Function::layernorm;
    case Type::rmsnorm:
      return Function::rmsnorm;
    case Type::gelu:
    case Type::silu:
    case Type::relu:
    case Type::tanh:
    case Type::sigmoid:
      return activation_function(name_of(op.type), op.flag("approximate", false));
    case Type::glu:
      return glu_function(op.text("activation", "gelu"), op.flag("approximate", false));
    case Type::rope:
      return Function::rope;
    case Type::add:
      return Function::add;
    case Type::sub:
      return Function::sub;
    case Type::mul:
      return Function::mul;
    case Type::scale:
      return Function::scale;
    case Type::axpy:
      return Function::axpy;
    case Type::cast:
      return Function::copy;
    case Type::sincos:
      return Function::sincos;
    default:
      return std::nullopt;
  }
}

bool stores_directly(const AcceleratorCapabilities& accelerator, Dtype operands, Dtype result) {
  if (accumulator_dtype(operands) == result) return true;
  if (!accelerator.requantizing_store) return false;
  return accumulator_dtype(operands) == Dtype::int32 ? result == Dtype::int8 : result == Dtype::bf16;
}

Convert convert_of(Dtype operands, Dtype result) {
  if (accumulator_dtype(operands) == result) return Convert::none;
  return accumulator_dtype(operands) == Dtype::int32 ? Convert::requantize : Convert::fp32_to_bf16;
}

Verdict verdict(const Trace& trace, std::uint32_t index, const AcceleratorCapabilities& accelerator) {
  return Question(trace, index, accelerator).answer();
}

}  // namespace archsim
