// Operators whose result has the extents of their operands, joined; and reductions.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "traces/import/onnx/shape/operands.h"

namespace archsim::onnx_graph {
namespace {

void same(Operands& of) { of.result(of.dims(0)); }

void norm(Operands& of) {
  of.result(of.dims(0));
  if (of.node().op == "BatchNormalization" && of.node().integer("training_mode", 0) != 0) {
    throw Unfit{"is in training mode", "export the model for inference"};
  }
}

void dropout(Operands& of) {
  of.result(of.dims(0));
  of.result(of.dims(0), Type::boolean, 1);
}

Type type_to(const Operands& of) {
  const Type type = of.node().has("to")
                        ? [&] {
                            switch (of.node().integer("to", 0)) {
                              case 1:
                                return Type::fp32;
                              case 2:
                                return Type::uint8;
                              case 3:
                                return Type::int8;
                              case 6:
                                return Type::int32;
                              case 7:
                                return Type::int64;
                              case 9:
                                return Type::boolean;
                              case 10:
                                return Type::fp16;
                              case 11:
                                return Type::fp64;
                              case 16:
                                return Type::bf16;
                              default:
                                return Type::other;
                            }
                          }()
                        : of.type(1);
  if (type == Type::other) throw Unfit{fmt::format("casts to element type {} of ONNX", of.node().integer("to", 0))};
  return type;
}

void cast(Operands& of) { of.result(of.dims(0), type_to(of)); }

void join(Operands& of, std::size_t first, Type type) {
  Dims dims = of.dims(first);
  for (std::size_t i = first + 1; i < of.inputs(); ++i) dims = broadcast(dims, of.dims(i));
  of.result(dims, type);
}

void joined(Operands& of) {
  const auto& op = of.node().op;
  if (op != "Max" && op != "Min" && op != "Sum" && op != "Mean") of.value(1);
  join(of, 0, of.type());
}
void compared(Operands& of) {
  of.value(1);
  join(of, 0, Type::boolean);
}
void where(Operands& of) {
  of.value(2);
  join(of, 0, of.type(1));
}

void tested(Operands& of) { of.result(of.dims(0), Type::boolean); }

void prelu(Operands& of) {
  const Dims dims = broadcast(of.dims(0), of.dims(1));
  if (dims != of.dims(0))
    throw Unfit{fmt::format("cannot spread {} over {}", text_of(of.dims(1)), text_of(of.dims(0)))};
  of.result(dims);
}

void reduced(Operands& of) {
  const auto axes = of.wholes_or("axes", 1);
  const bool keeps = of.node().integer("keepdims", 1) != 0;
  if ((!axes || axes->empty()) && of.node().integer("noop_with_empty_axes", 0) != 0) return of.result(of.dims(0));
  std::vector<bool> gone(of.rank(0), !axes || axes->empty());
  if (axes) {
    for (const auto axis : *axes) gone[Operands::axis(axis, of.rank(0))] = true;
  }
  Dims dims;
  for (std::size_t d = 0; d < gone.size(); ++d) {
    if (!gone[d]) dims.push_back(of.dims(0)[d]);
    if (gone[d] && keeps) dims.push_back(1);
  }
  of.result(dims);
}

void searched(Operands& of) {
  Dims dims = of.dims(0);
  const std::size_t axis = of.axis(0);
  if (of.node().integer("keepdims", 1) != 0) {
    dims[axis] = 1;
  } else {
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
  }
  of.result(dims, Type::int64);
}

void softmax(Operands& of) {
  of.axis(of.opset() < 13 ? 1 : -1);
  of.result(of.dims(0));
}

// Quantized: of the zero point's type, or as the attribute says, or uint8.
void quantized(Operands& of) {
  of.value(1);
  of.result(of.dims(0), of.has(2) ? of.type(2) : Type::uint8);
}
void dequantized(Operands& of) { of.result(of.dims(0), of.type(1)); }

const std::map<std::string_view, Entry>& rules() {
  static const std::map<std::string_view, Entry> all = [] {
    std::map<std::string_view, Entry> table;
    for (const auto* op :
         {"Relu", "LeakyRelu", "Sigmoid",  "Tanh",      "Exp",         "Log",      "Sqrt", "Reciprocal",
          "Neg",  "Abs",       "Erf",      "Sin",       "Cos",         "Floor",    "Ceil", "Round",
          "Elu",  "Selu",      "Softplus", "HardSwish", "HardSigmoid", "Identity", "Clip", "Gelu",
          "Mish", "Swish",     "Celu",     "CumSum",    "Trilu",       "Sign"}) {
      table[op] = {same};
    }
    for (const auto* op : {"BatchNormalization", "InstanceNormalization", "LayerNormalization", "GroupNormalization",
                           "RMSNormalization"}) {
      table[op] = {norm};
    }
    for (const auto* op : {"Add", "Sub", "Mul", "Div", "Pow", "Max", "Min", "Sum", "Mean", "Mod"}) table[op] = {joined};
    for (const auto* op : {"Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "And", "Or", "Xor"}) {
      table[op] = {compared};
    }
    for (const auto* op :
         {"ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL2", "ReduceSumSquare"}) {
      table[op] = {reduced};
    }
    for (const auto* op : {"Softmax", "LogSoftmax"}) table[op] = {softmax};
    for (const auto* op : {"Not", "IsNaN"}) table[op] = {tested};
    table["Dropout"] = {dropout, 22};
    table["Cast"] = table["CastLike"] = {cast};
    table["Where"] = {where};
    table["PRelu"] = {prelu};
    table["ArgMax"] = table["ArgMin"] = {searched};
    // From opset 21 scales may be of blocks.
    table["QuantizeLinear"] = {quantized, 20};
    table["DequantizeLinear"] = {dequantized, 20};
    return table;
  }();
  return all;
}

}  // namespace

Entry elementwise_rule(std::string_view op) {
  const auto found = rules().find(op);
  return found == rules().end() ? Entry{} : found->second;
}

}  // namespace archsim::onnx_graph
