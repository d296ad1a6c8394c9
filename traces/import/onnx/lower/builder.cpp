#include "traces/import/onnx/lower/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace archsim::onnx_graph {
namespace {

std::string printable(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c <= ' ' || c >= 0x7F; }, '_');
  return name.empty() ? "unnamed" : name;
}

// Room for names with a number behind them.
constexpr std::size_t kLongestName = 200;

}  // namespace

std::vector<std::uint64_t> matrix_shape(std::int64_t elements, std::int64_t columns) {
  return {static_cast<std::uint64_t>(elements / columns), static_cast<std::uint64_t>(columns)};
}

Builder::Builder(const Graph& graph, std::optional<Dtype> dtype)
    : graph_(graph), dtype_(dtype), uses_(graph.values.size(), 0) {
  for (const Node& each : graph.nodes) {
    for (const Id in : each.in) {
      if (in != kAbsent) ++uses_[static_cast<std::size_t>(in)];
    }
  }
  for (const Id out : graph.outputs) ++uses_[static_cast<std::size_t>(out)];
  find_caches();
}

// Keys or values of earlier tokens, [batch, heads, tokens, elements]: an input to which a join adds tokens, and that nothing else reads.
void Builder::find_caches() {
  is_cache_.assign(graph_.values.size(), false);
  for (const Node& each : graph_.nodes) {
    const Id first = each.input(0);
    const std::int64_t axis = each.integer("axis", 0);
    if (each.op != "Concat" || first == kAbsent || each.in.size() != 2 || (axis != 2 && axis != -2)) continue;
    const Value& value = graph_[first];
    is_cache_[static_cast<std::size_t>(first)] =
        value.is_input && is_real(value.type) && value.dims.size() == 4 && is_read_once(first);
  }
}

const Value& Builder::value(Id id) const {
  if (id == kAbsent) throw Unfit{"lacks an operand"};
  return graph_[id];
}

Dtype Builder::dtype_of(const Value& value) const {
  switch (value.type) {
    case Type::fp32:
      return dtype_.value_or(Dtype::fp32);
    case Type::fp16:
      return dtype_.value_or(Dtype::fp16);
    case Type::bf16:
      return dtype_.value_or(Dtype::bf16);
    case Type::int8:
    case Type::int4:
    case Type::uint4:
      return Dtype::int8;
    case Type::uint8:
      return value.scale > 0.0 ? Dtype::int8 : Dtype::uint8;
    case Type::boolean:
      return Dtype::uint8;
    case Type::int32:
    case Type::int64:
      return Dtype::int32;
    default:
      throw Unfit{fmt::format("works on `{}`, whose elements are {}", value.name, name_of(value.type)),
                  "export the model in float, float16 or bfloat16"};
  }
}

std::string Builder::unique(std::string name, std::map<std::string, int>& taken) const {
  name = printable(std::move(name)).substr(0, kLongestName);
  int& count = taken[name];
  std::string candidate = name;
  while (count++ > 0) {
    candidate = fmt::format("{}_{}", name, count);
    if (taken.emplace(candidate, 1).second) break;
  }
  return candidate;
}

Index Builder::add(Tensor tensor) {
  tensor.name = unique(tensor.name, tensor_names_);
  trace_.tensors.push_back(std::move(tensor));
  return static_cast<Index>(trace_.tensors.size() - 1);
}

void Builder::place_input(Id id) {
  const Value& value = graph_[id];
  const auto elements = elements_of(value.dims).value_or(0);
  if (elements == 0) throw Unfit{fmt::format("reads `{}`, which is empty", value.name)};
  if (is_cache_[static_cast<std::size_t>(id)]) {
    const auto shape = matrix_shape(elements, value.dims[1] * value.dims[3]);
    const Index cache = add({.name = value.name, .role = Role::kv_cache, .shape = shape, .dtype = dtype_of(value)});
    return place(id, {cache, only_long({0, 2, 1, 3}, value.dims)});
  }
  std::vector<std::uint64_t> shape{static_cast<std::uint64_t>(elements)};  // ids are a list
  if (!is_whole(value.type)) shape = matrix_shape(elements, value.dims.empty() ? 1 : value.dims.back());
  place(id, {add({.name = value.name, .role = Role::input, .shape = shape, .dtype = dtype_of(value)}),
             natural(value.dims)});
}

const Placed& Builder::at(Id id) {
  if (id == kAbsent) throw Unfit{"lacks an operand"};
  const auto found = placed_.find(id);
  if (found != placed_.end()) return found->second;
  const Value& value = graph_[id];
  if (value.is_stored) {
    const auto elements = elements_of(value.dims).value_or(0);
    if (elements == 0) throw Unfit{fmt::format("reads `{}`, which is empty", value.name)};
    place(id, {stored(id, matrix_shape(elements, value.dims.empty() ? 1 : value.dims.back())), natural(value.dims)});
  } else if (value.is_input) {
    place_input(id);
  } else {
    throw Unfit{fmt::format("reads `{}`, which could not be made", value.name)};
  }
  return placed_.at(id);
}

Index Builder::as_shape(Index from, std::vector<std::uint64_t> shape) {
  if (trace_.tensors[from].shape == shape) return from;
  const auto [found, is_new] = reshaped_.try_emplace({from, shape}, 0);
  if (!is_new) return found->second;
  const Tensor like = trace_.tensors[from];
  const Index to = scratch(like.name + ".view", std::move(shape), like.dtype, like.scale);
  emit(node + ".view", OperatorType::reshape, {from}, {to});
  return reshaped_[{from, trace_.tensors[to].shape}] = to;
}

Index Builder::as_matrix(Index from, std::int64_t columns) {
  return as_shape(from, matrix_shape(static_cast<std::int64_t>(trace_.tensors[from].elements()), columns));
}

Index Builder::in_order(Id id, const Order& order, std::int64_t columns) {
  const Value& value = graph_[id];
  const Order wanted = only_long(order, value.dims);
  const Placed placed = at(id);
  if (placed.order == wanted) return as_matrix(placed.tensor, columns);
  if (value.is_stored) {
    const auto elements = elements_of(value.dims).value_or(0);
    return stored(id, matrix_shape(elements, columns), fmt::format("{}", fmt::join(wanted, "_")));
  }
  const auto [found, is_new] = ordered_.try_emplace({id, wanted}, 0);
  if (!is_new) return as_matrix(found->second, columns);
  std::vector<std::int64_t> extents, axes;
  for (const auto axis : placed.order) extents.push_back(value.dims[axis]);
  for (const auto axis : wanted) {
    axes.push_back(std::find(placed.order.begin(), placed.order.end(), axis) - placed.order.begin());
  }
  const Tensor like = trace_.tensors[placed.tensor];
  const auto shape = matrix_shape(static_cast<std::int64_t>(like.elements()), columns);
  const Index to = scratch(value.name + ".layout", shape, like.dtype, like.scale);
  emit(node + ".layout", OperatorType::transpose, {placed.tensor}, {to}, {{"extents", extents}, {"order", axes}});
  return ordered_[{id, wanted}] = to;
}

Index Builder::as_real(Index from, const Value& value) {
  if (is_floating(trace_.tensors[from].dtype)) return from;
  Value meant = value;
  if (!is_real(meant.type)) meant.type = Type::fp32;
  const Tensor like = trace_.tensors[from];
  const Index to = scratch(like.name + ".real", like.shape, dtype_of(meant));
  emit(node + ".real", OperatorType::cast, {from}, {to});
  return to;
}

Index Builder::stored(Id id, std::vector<std::uint64_t> shape, const std::string& layout) {
  const Value& value = this->value(id);
  const Dtype dtype = dtype_of(value);
  const double scale = dtype == Dtype::int8 && value.scale > 0.0 ? value.scale : 1.0;
  return stored_as(id, std::move(shape), dtype, scale, layout);
}

Index Builder::stored_as(Id id, std::vector<std::uint64_t> shape, Dtype dtype, double scale,
                         const std::string& layout) {
  const Value& value = this->value(id);
  if (value.type == Type::fp64 && value.is_weight) dtype_of(value);
  const auto key = fmt::format("{}:{}:{}:{}:{}", id, fmt::join(shape, "x"), archsim::name_of(dtype), scale, layout);
  const auto [found, is_new] = stored_.try_emplace(key, 0);
  if (is_new) {
    found->second = add({.name = value.name,
                         .role = value.is_weight ? Role::weight : Role::constant,
                         .shape = std::move(shape),
                         .dtype = dtype,
                         .scale = scale});
  }
  return found->second;
}

Index Builder::constant_row(const std::string& what, std::int64_t columns, Dtype dtype) {
  const auto [found, is_new] = stored_.try_emplace(fmt::format("{}:{}:{}", what, columns, archsim::name_of(dtype)), 0);
  if (is_new) {
    found->second =
        add({.name = what, .role = Role::constant, .shape = {static_cast<std::uint64_t>(columns)}, .dtype = dtype});
  }
  return found->second;
}

Index Builder::scratch(const std::string& name, std::vector<std::uint64_t> shape, Dtype dtype, double scale) {
  return add({.name = name, .shape = std::move(shape), .dtype = dtype, .scale = scale});
}

Index Builder::result(Id id, Order order, std::int64_t columns) {
  const Value& value = graph_[id];
  const auto elements = elements_of(value.dims).value_or(0);
  if (elements == 0) throw Unfit{fmt::format("makes `{}`, which is empty", value.name)};
  const Index index = scratch(value.name, matrix_shape(elements, columns), dtype_of(value));
  place(id, {index, only_long(order, value.dims)});
  return index;
}

Index Builder::result_like(Id id, Order order, std::int64_t columns, Index like) {
  const Index index = result(id, std::move(order), columns);
  trace_.tensors[index].dtype = trace_.tensors[like].dtype;
  trace_.tensors[index].scale = trace_.tensors[like].scale;
  return index;
}

Operator& Builder::emit(const std::string& name, OperatorType type, const std::vector<Index>& inputs,
                        const std::vector<Index>& outputs, Attributes attributes) {
  Operator op{.name = unique(name, operator_names_), .type = type, .attributes = std::move(attributes)};
  for (const Index input : inputs) op.inputs.push_back({input, {}});
  for (const Index output : outputs) {
    op.outputs.push_back({output, {}});
    writers_[output] = trace_.operators.size();
  }
  trace_.operators.push_back(std::move(op));
  return trace_.operators.back();
}

std::optional<OperatorType> Builder::writer_type(Index tensor) const {
  const auto found = writers_.find(tensor);
  if (found == writers_.end()) return std::nullopt;
  return trace_.operators[found->second].type;
}

}  // namespace archsim::onnx_graph
