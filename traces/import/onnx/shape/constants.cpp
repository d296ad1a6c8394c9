// Operators that make constants and shapes.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "traces/import/onnx/shape/operands.h"

namespace archsim::onnx_graph {
namespace {

void constant(Operands&) {
  // Its value is known where the fold looks at it; a Constant without a tensor is a number or a list.
}

void constant_of_shape(Operands& of) { of.result(of.wholes(0), Type::fp32); }

void shape(Operands& of) {
  const auto rank = static_cast<std::int64_t>(of.rank(0));
  const auto settled = [&](std::int64_t at) {
    return std::min(std::max<std::int64_t>(at < 0 ? at + rank : at, 0), rank);
  };
  const auto begin = settled(of.node().integer("start", 0)), end = settled(of.node().integer("end", rank));
  of.result({std::max<std::int64_t>(0, end - begin)}, Type::int64);
}

void size(Operands& of) { of.result({}, Type::int64); }

void range(Operands& of) {
  double ends[3] = {0, 0, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    const Value& operand = of.value(i);
    if (!operand.known || operand.known->size() != 1) {
      throw Unfit{fmt::format("needs `{}` to be known before the model runs", operand.name)};
    }
    ends[i] = operand.known->number(0);
  }
  const double count = std::ceil((ends[1] - ends[0]) / ends[2]);
  if (!std::isfinite(count) || count > 0x1p40) throw Unfit{"has no end"};
  of.result({std::max<std::int64_t>(0, static_cast<std::int64_t>(count))}, of.type());
}

const std::map<std::string_view, Entry>& rules() {
  static const std::map<std::string_view, Entry> all = {{"Constant", {constant}},
                                                        {"ConstantOfShape", {constant_of_shape}},
                                                        {"Shape", {shape}},
                                                        {"Size", {size}},
                                                        {"Range", {range}}};
  return all;
}

}  // namespace

Entry constant_rule(std::string_view op) {
  const auto found = rules().find(op);
  return found == rules().end() ? Entry{} : found->second;
}

}  // namespace archsim::onnx_graph
