// Operators that work element by element.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "traces/import/onnx/lower/lower.h"

namespace archsim::onnx_graph {
namespace {

// The innermost axes that are the columns of a tensor of that order; empty if a row ends within an axis.
std::optional<Order> column_axes(const Dims& dims, const Order& order, std::int64_t columns) {
  std::int64_t reached = 1;
  for (std::size_t at = order.size();; --at) {
    if (reached == columns) return Order(order.begin() + static_cast<std::ptrdiff_t>(at), order.end());
    if (at == 0 || reached > columns) return std::nullopt;
    reached *= dims[order[at - 1]];
  }
}

// The extents of a value as those of a result with more axes in front.
Dims aligned(const Dims& dims, std::size_t rank) {
  Dims out(rank, 1);
  std::copy(dims.begin(), dims.end(), out.end() - static_cast<std::ptrdiff_t>(dims.size()));
  return out;
}

Order without_front(const Order& order, std::size_t front) {
  Order out;
  for (const auto axis : order) {
    if (axis >= front) out.push_back(axis - front);
  }
  return out;
}

Index expanded(Builder& builder, Id id, const Dims& dims, const Order& order, std::int64_t columns) {
  const Value& value = builder.value(id);
  const Dims from = aligned(value.dims, dims.size());
  const std::size_t front = dims.size() - value.dims.size();
  const Placed placed = builder.at(id);
  const auto own = builder.columns(placed.tensor);
  const Index source = builder.in_order(id, without_front(order, front), static_cast<std::int64_t>(own));
  std::vector<std::int64_t> extents, result;
  for (const auto axis : order) {
    extents.push_back(from[axis]);
    result.push_back(dims[axis]);
  }
  const Tensor like = builder.tensor(source);
  const Index whole =
      builder.scratch(value.name + ".expanded", matrix_shape(product(order, dims), columns), like.dtype, like.scale);
  builder.emit(builder.node + ".expand", OperatorType::expand, {source}, {whole},
               {{"extents", extents}, {"result", result}});
  return whole;
}

Index spread(Builder& builder, Id id, const Dims& dims, const Order& order, std::int64_t columns, bool row_will_do) {
  const Value& value = builder.value(id);
  const Dims own = aligned(value.dims, dims.size());
  const auto in_columns = column_axes(dims, order, columns);
  const auto varies = [&](std::size_t axis) { return own[axis] != 1; };
  const bool is_row =
      row_will_do && in_columns && std::all_of(order.begin(), order.end(), [&](std::size_t axis) {
        return !varies(axis) || std::find(in_columns->begin(), in_columns->end(), axis) != in_columns->end();
      });
  const auto layout = fmt::format("{}", fmt::join(order, "_"));
  if (value.is_stored) {
    if (is_row) return builder.stored(id, {static_cast<std::uint64_t>(columns)}, is_row ? "" : layout);
    return builder.stored(id, matrix_shape(product(order, dims), columns), layout);
  }
  if (own == dims) return builder.in_order(id, without_front(order, dims.size() - value.dims.size()), columns);
  const bool is_whole_row = is_row && std::all_of(in_columns->begin(), in_columns->end(), varies);
  if (is_whole_row) return builder.in_order(id, without_front(order, dims.size() - value.dims.size()), columns);
  return expanded(builder, id, dims, order, columns);
}

// Where a result lies: like its first operand that is as large as itself, or as the graph writes it.
struct Place {
  Order order;
  std::int64_t columns = 1;
  Id like = kAbsent;
};
Place place_of(Builder& builder, const Node& node) {
  const Value& out = builder.value(node.out[0]);
  for (const Id in : node.in) {
    if (in == kAbsent || builder.is_stored(in)) continue;
    const Value& value = builder.value(in);
    if (aligned(value.dims, out.dims.size()) != out.dims) continue;
    const Placed placed = builder.at(in);
    Place place{.columns = static_cast<std::int64_t>(builder.columns(placed.tensor)), .like = in};
    for (const auto axis : placed.order) place.order.push_back(axis + out.dims.size() - value.dims.size());
    return place;
  }
  const std::int64_t last = out.dims.empty() ? 1 : out.dims.back();
  return {.order = natural(out.dims), .columns = last};
}

void needs_numbers(const Builder& builder, const Node& node) {
  for (const Id in : node.in) {
    if (in == kAbsent || builder.is_stored(in) || !is_whole(builder.value(in).type)) continue;
    if (builder.value(in).scale > 0.0) continue;
    throw Unfit{fmt::format("computes with integers at run time: `{}`", builder.value(in).name),
                "a trace has numbers in floating point or quantized; integers are ids"};
  }
}

Index after(Builder& builder, OperatorType type, const char* what, Index x, Index like, Attributes attributes = {}) {
  const Tensor tensor = builder.tensor(like);
  const Index y = builder.scratch(builder.node + what, tensor.shape, tensor.dtype, tensor.scale);
  builder.emit(builder.node + what, type, {x}, {y}, std::move(attributes));
  return y;
}

OperatorType type_of_two(std::string_view op) {
  static const std::map<std::string_view, OperatorType> types = {
      {"Add", OperatorType::add},     {"Sum", OperatorType::add},     {"Sub", OperatorType::sub},
      {"Mul", OperatorType::mul},     {"Div", OperatorType::div},     {"Pow", OperatorType::pow},
      {"Max", OperatorType::maximum}, {"Min", OperatorType::minimum}, {"PRelu", OperatorType::mul}};
  const auto found = types.find(op);
  if (found == types.end()) throw Unfit{"computes at run time what is known here only of constants"};
  return found->second;
}

bool may_swap(OperatorType type) {
  return type == OperatorType::add || type == OperatorType::mul || type == OperatorType::maximum ||
         type == OperatorType::minimum;
}

// With a factor that is known, a product needs no second operand. Whether that was so.
bool by_factor(Builder& builder, const Node& node, const Place& place) {
  const bool is_first = place.like == node.in[0];
  const auto number = scalar_of(builder.value(node.in[is_first ? 1 : 0]));
  if (!number || place.like == kAbsent) return false;
  const auto x = [&] { return builder.at(place.like).tensor; };
  const auto scaled = [&](double factor) {
    const Index from = x(), y = builder.result(node.out[0], place.order, place.columns);
    builder.emit(node.name, OperatorType::scale, {from}, {y}, {{"factor", factor}});
    return true;
  };
  if (node.op == "Mul" && std::isfinite(*number)) return scaled(*number);
  if (node.op == "Div" && is_first && *number != 0.0) return scaled(1.0 / *number);
  if (node.op == "Div" && !is_first) {
    const Index from = x(), y = builder.result(node.out[0], place.order, place.columns);
    const bool is_one = *number == 1.0;
    const Index inverse = is_one ? y : after(builder, OperatorType::reciprocal, ".reciprocal", from, y);
    if (is_one) builder.emit(node.name, OperatorType::reciprocal, {from}, {y});
    if (!is_one) builder.emit(node.name, OperatorType::scale, {inverse}, {y}, {{"factor", *number}});
    return true;
  }
  if (node.op == "Sub" && !is_first) {
    const Index from = x(), y = builder.result(node.out[0], place.order, place.columns);
    const Index minus = after(builder, OperatorType::scale, ".minus", from, y, {{"factor", -1.0}});
    builder.emit(node.name, OperatorType::add,
                 {minus, builder.stored(node.in[0], {static_cast<std::uint64_t>(place.columns)})}, {y});
    return true;
  }
  if (node.op != "Pow" || !is_first) return false;
  const Index from = x(), y = builder.result(node.out[0], place.order, place.columns);
  if (*number == 2.0) return builder.emit(node.name, OperatorType::mul, {from, from}, {y}), true;
  if (*number == 0.5) return builder.emit(node.name, OperatorType::sqrt, {from}, {y}), true;
  builder.emit(node.name, OperatorType::pow,
               {from, builder.stored(node.in[1], {static_cast<std::uint64_t>(place.columns)})}, {y});
  return true;
}

void two(Builder& builder, const Node& node) {
  needs_numbers(builder, node);
  const auto type = type_of_two(node.op);
  const Dims& dims = builder.value(node.out[0]).dims;
  const Place place = place_of(builder, node);
  if (node.in.size() == 2 && by_factor(builder, node, place)) return;
  const bool swaps = place.like != kAbsent && place.like != node.in[0] && may_swap(type);
  std::vector<Id> ids = node.in;
  if (swaps) std::iter_swap(ids.begin(), std::find(ids.begin(), ids.end(), place.like));
  Index so_far = whole_operand_like(builder, ids[0], dims, place.order, place.columns);
  for (std::size_t i = 1; i < ids.size(); ++i) {
    const Index other = operand_like(builder, ids[i], dims, place.order, place.columns);
    if (i + 1 < ids.size()) {
      const Tensor like = builder.tensor(so_far);
      const Index y = builder.scratch(node.name + ".part", like.shape, builder.dtype_of(builder.value(node.out[0])));
      builder.emit(node.name + ".part", type, {so_far, other}, {y});
      so_far = y;
    } else {
      const Index y = builder.result(node.out[0], place.order, place.columns);
      builder.emit(node.name, type, {so_far, other}, {y});
    }
  }
  if (ids.size() == 1) builder.place(node.out[0], {so_far, place.order});
}

void compare(Builder& builder, const Node& node) {
  static const std::map<std::string_view, std::pair<const char*, bool>> relations = {
      {"Equal", {"equal", false}},
      {"Less", {"less", false}},
      {"LessOrEqual", {"less_or_equal", false}},
      {"Greater", {"less", true}},
      {"GreaterOrEqual", {"less_or_equal", true}},
      {"And", {"and", false}},
      {"Or", {"or", false}},
      {"Xor", {"xor", false}}};
  const auto [relation, swaps] = relations.at(node.op);
  const Dims& dims = builder.value(node.out[0]).dims;
  const Place place = place_of(builder, node);
  const Id a = node.in[swaps ? 1 : 0], b = node.in[swaps ? 0 : 1];
  const Index first = whole_operand_like(builder, a, dims, place.order, place.columns);
  const Index second = operand_like(builder, b, dims, place.order, place.columns);
  const Index y = builder.result(node.out[0], place.order, place.columns);
  builder.emit(node.name, OperatorType::compare, {first, second}, {y}, {{"relation", std::string(relation)}});
}

void negate(Builder& builder, const Node& node) {
  const Placed x = builder.at(node.in[0]);
  const auto columns = static_cast<std::int64_t>(builder.columns(x.tensor));
  const Index y = builder.result(node.out[0], x.order, columns);
  builder.emit(node.name, OperatorType::compare,
               {x.tensor, builder.constant_row("zeros", columns, builder.tensor(x.tensor).dtype)}, {y},
               {{"relation", std::string("equal")}});
}

void where(Builder& builder, const Node& node) {
  const Dims& dims = builder.value(node.out[0]).dims;
  const Place place = place_of(builder, node);
  std::vector<Index> operands;
  for (const Id in : node.in) operands.push_back(operand_like(builder, in, dims, place.order, place.columns));
  const Index y = builder.result(node.out[0], place.order, place.columns);
  builder.emit(node.name, OperatorType::where, operands, {y});
}

Attributes attributes_of(const Builder& builder, const Node& node) {
  const auto& op = node.op;
  if (op == "LeakyRelu") return {{"alpha", node.number("alpha", 0.01)}};
  if (op == "Elu" || op == "Celu") return {{"alpha", node.number("alpha", 1.0)}};
  if (op == "HardSigmoid") return {{"alpha", node.number("alpha", 0.2)}, {"beta", node.number("beta", 0.5)}};
  if (op == "Floor") return {{"mode", std::string("floor")}};
  if (op == "Ceil") return {{"mode", std::string("ceil")}};
  if (op == "Round") return {{"mode", std::string("even")}};
  if (op == "Gelu" && node.text("approximate", "none") == "tanh") return {{"approximate", true}};
  if (op == "Neg") return {{"factor", -1.0}};
  if (op != "Clip") return {};
  Attributes limits;
  const auto limit = [&](const char* ours, const char* attribute, std::size_t input) {
    const Id id = node.input(input);
    std::optional<double> number;
    if (node.has(attribute)) number = node.number(attribute, 0.0);
    if (id != kAbsent) number = scalar_of(builder.value(id));
    if (id != kAbsent && !number) throw Unfit{"has limits that are known only at run time"};
    if (number && std::isfinite(*number)) limits[ours] = *number;
  };
  limit("low", "min", 1);
  limit("high", "max", 2);
  return limits;
}

const std::map<std::string_view, OperatorType>& types_of_one() {
  static const std::map<std::string_view, OperatorType> types = {{"Relu", OperatorType::relu},
                                                                 {"LeakyRelu", OperatorType::leaky_relu},
                                                                 {"Sigmoid", OperatorType::sigmoid},
                                                                 {"Tanh", OperatorType::tanh},
                                                                 {"Exp", OperatorType::exp},
                                                                 {"Log", OperatorType::log},
                                                                 {"Sqrt", OperatorType::sqrt},
                                                                 {"Reciprocal", OperatorType::reciprocal},
                                                                 {"Abs", OperatorType::abs},
                                                                 {"Erf", OperatorType::erf},
                                                                 {"Sin", OperatorType::sin},
                                                                 {"Cos", OperatorType::cos},
                                                                 {"Floor", OperatorType::round},
                                                                 {"Ceil", OperatorType::round},
                                                                 {"Round", OperatorType::round},
                                                                 {"Elu", OperatorType::elu},
                                                                 {"Softplus", OperatorType::softplus},
                                                                 {"HardSwish", OperatorType::hard_swish},
                                                                 {"HardSigmoid", OperatorType::hard_sigmoid},
                                                                 {"Clip", OperatorType::clip},
                                                                 {"Gelu", OperatorType::gelu},
                                                                 {"Mish", OperatorType::mish},
                                                                 {"Swish", OperatorType::silu},
                                                                 {fused::kSilu, OperatorType::silu},
                                                                 {"Neg", OperatorType::scale}};
  return types;
}

void one(Builder& builder, const Node& node) {
  needs_numbers(builder, node);
  if (node.op == "Swish" && node.number("alpha", 1.0) != 1.0) throw Unfit{"has an alpha other than 1"};
  const Placed x = builder.at(node.in[0]);
  const Index y = builder.result(node.out[0], x.order, static_cast<std::int64_t>(builder.columns(x.tensor)));
  builder.emit(node.name, types_of_one().at(node.op), {x.tensor}, {y}, attributes_of(builder, node));
}

void prelu(Builder& builder, const Node& node) {
  // max(x, 0) + slope * min(x, 0)
  needs_numbers(builder, node);
  const Dims& dims = builder.value(node.out[0]).dims;
  const Placed x = builder.at(node.in[0]);
  const auto columns = static_cast<std::int64_t>(builder.columns(x.tensor));
  const Index slope = operand_like(builder, node.in[1], dims, x.order, columns);
  const Index y = builder.result(node.out[0], x.order, columns);
  const Index above = after(builder, OperatorType::relu, ".above", x.tensor, y);
  const Index below = after(builder, OperatorType::clip, ".below", x.tensor, y, {{"high", 0.0}});
  const Tensor like = builder.tensor(y);
  const Index sloped = builder.scratch(node.name + ".sloped", like.shape, like.dtype, like.scale);
  builder.emit(node.name + ".sloped", OperatorType::mul, {below, slope}, {sloped});
  builder.emit(node.name, OperatorType::add, {above, sloped}, {y});
}

void cast(Builder& builder, const Node& node) {
  const Placed x = builder.at(node.in[0]);
  const Value& to = builder.value(node.out[0]);
  if (builder.tensor(x.tensor).dtype == builder.dtype_of(to) && builder.tensor(x.tensor).scale == 1.0) {
    return builder.place(node.out[0], x);
  }
  const Index y = builder.result(node.out[0], x.order, static_cast<std::int64_t>(builder.columns(x.tensor)));
  builder.emit(node.name, OperatorType::cast, {x.tensor}, {y});
}

void glu(Builder& builder, const Node& node) {
  const Placed gate = builder.at(node.in[0]);
  const auto columns = static_cast<std::int64_t>(builder.columns(gate.tensor));
  const Index up = builder.in_order(node.in[1], gate.order, columns);
  const Index y = builder.result(node.out[0], gate.order, columns);
  Attributes attributes{{"activation", node.text("activation", "silu")}};
  if (node.text("approximate", "none") == "tanh") attributes["approximate"] = true;
  builder.emit(node.name, OperatorType::glu, {gate.tensor, up}, {y}, attributes);
}

}  // namespace

Index operand_like(Builder& builder, Id id, const Dims& dims, const Order& order, std::int64_t columns) {
  return spread(builder, id, dims, order, columns, true);
}

Index whole_operand_like(Builder& builder, Id id, const Dims& dims, const Order& order, std::int64_t columns) {
  return spread(builder, id, dims, order, columns, false);
}

Lowering elementwise_lowering(std::string_view op) {
  if (types_of_one().count(op) > 0) return one;
  static const std::map<std::string_view, Lowering> all = {{"Add", two},         {"Sum", two},
                                                           {"Sub", two},         {"Mul", two},
                                                           {"Div", two},         {"Pow", two},
                                                           {"Max", two},         {"Min", two},
                                                           {"PRelu", prelu},     {"Equal", compare},
                                                           {"Less", compare},    {"LessOrEqual", compare},
                                                           {"Greater", compare}, {"GreaterOrEqual", compare},
                                                           {"And", compare},     {"Or", compare},
                                                           {"Xor", compare},     {"Not", negate},
                                                           {"Where", where},     {"Cast", cast},
                                                           {"CastLike", cast},   {fused::kGlu, glu}};
  const auto found = all.find(op);
  return found == all.end() ? nullptr : found->second;
}

}  // namespace archsim::onnx_graph
