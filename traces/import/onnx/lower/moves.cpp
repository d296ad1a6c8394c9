// Operators that move elements, or only name them differently.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "traces/import/onnx/lower/lower.h"
#include "traces/import/onnx/shape/operands.h"

namespace archsim::onnx_graph {
namespace {

using Wholes = std::vector<std::int64_t>;

void alias(Builder& builder, const Node& node) { builder.place(node.out[0], builder.at(node.in[0])); }

void transpose(Builder& builder, const Node& node) {
  const Placed x = builder.at(node.in[0]);
  const std::size_t rank = builder.value(node.in[0]).dims.size();
  Dims order = node.integers("perm");
  if (order.empty()) {
    for (std::size_t d = rank; d-- > 0;) order.push_back(static_cast<std::int64_t>(d));
  }
  for (auto& axis : order) axis = static_cast<std::int64_t>(Operands::axis(axis, rank));
  builder.place(node.out[0], {x.tensor, transposed(x.order, order)});
}

void reshape(Builder& builder, const Node& node) {
  const Value &from = builder.value(node.in[0]), &to = builder.value(node.out[0]);
  const Placed x = builder.at(node.in[0]);
  if (const auto order = reshaped(x.order, from.dims, to.dims)) return builder.place(node.out[0], {x.tensor, *order});
  const std::int64_t columns = to.dims.empty() ? 1 : to.dims.back();
  builder.place(node.out[0], {builder.in_order(node.in[0], natural(from.dims), columns), natural(to.dims)});
}

// `count` places of an axis from `begin` on.
void take(Builder& builder, const std::string& name, Id from, Id to, std::size_t axis, std::int64_t begin,
          const Dims& kept) {
  const Value& x = builder.value(from);
  const Placed placed = builder.at(from);
  const std::int64_t count = kept[axis];
  const Span span = span_of(placed.order, x.dims, axis);
  const bool is_rows = span.outer == 1;
  const auto own = static_cast<std::int64_t>(builder.columns(placed.tensor));
  // Whole rows if a row lies behind the axis, else a run of columns of each row.
  const std::int64_t columns = is_rows ? (span.inner % own == 0 ? own : span.inner) : span.extent * span.inner;
  const Index source = builder.as_matrix(placed.tensor, columns);
  const std::int64_t width = is_rows ? columns : count * span.inner;
  Order order;
  for (const auto each : placed.order) {
    if (kept[each] != 1) order.push_back(each);
  }
  // The value may have lost the axis: its places in the result are those that remain.
  const bool has_lost = builder.value(to).dims.size() < kept.size();
  if (has_lost) {
    order.erase(std::remove(order.begin(), order.end(), axis), order.end());
    for (auto& each : order) each -= each > axis ? 1 : 0;
  }
  const Index y = builder.result_like(to, order, width, source);
  const std::int64_t per = is_rows ? span.inner / columns : span.inner;
  builder.emit(name, OperatorType::slice, {source}, {y},
               {{"axis", std::int64_t{is_rows ? 0 : 1}}, {"begin", begin * per}});
}

// Places of an axis that are known, but lie apart.
void pick(Builder& builder, const std::string& name, Id from, Id to, std::size_t axis, const std::string& ids,
          std::int64_t count, const Order& result, Index id_tensor) {
  const Value& x = builder.value(from);
  const Placed placed = builder.at(from);
  const Span span = span_of(placed.order, x.dims, axis);
  const Index list = ids.empty() ? id_tensor : builder.constant_row(ids, count, Dtype::int32);
  const std::int64_t columns = span.inner > 1 ? span.inner : count;
  const Index y = builder.result_like(to, result, columns, placed.tensor);
  builder.emit(name, OperatorType::gather, {placed.tensor, list}, {y},
               {{"extents", Wholes{span.outer, span.extent, span.inner}}, {"axis", std::int64_t{1}}});
}

void slice(Builder& builder, const Node& node) {
  const auto parts = parts_of(Operands(const_cast<Graph&>(builder.graph()), node));
  const Dims& x = builder.value(node.in[0]).dims;
  std::vector<std::size_t> cut;
  for (std::size_t d = 0; d < parts.size(); ++d) {
    if (parts[d].count != x[d] || parts[d].step < 0) cut.push_back(d);
  }
  if (cut.empty()) return alias(builder, node);
  if (cut.size() > 1) throw Unfit{"cuts several axes at once"};
  const Part& part = parts[cut[0]];
  const Dims& kept = builder.value(node.out[0]).dims;
  if (part.step == 1) return take(builder, node.name, node.in[0], node.out[0], cut[0], part.begin, kept);
  pick(builder, node.name, node.in[0], node.out[0], cut[0], node.name + ".ids", part.count,
       builder.at(node.in[0]).order, 0);
}

void split(Builder& builder, const Node& node) {
  const Value& x = builder.value(node.in[0]);
  const std::size_t axis = axis_of(node, 0, x.dims.size());
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < node.out.size(); ++i) {
    if (node.out[i] == kAbsent) continue;
    const Dims& kept = builder.value(node.out[i]).dims;
    if (builder.is_used(node.out[i])) {
      const auto name = fmt::format("{}.{}", node.name, i);
      if (kept == x.dims) {
        builder.place(node.out[i], builder.at(node.in[0]));
      } else {
        take(builder, name, node.in[0], node.out[i], axis, begin, kept);
      }
    }
    begin += kept[axis];
  }
}

// Ids are a list, whatever axes the graph gives them.
Index list_of(Builder& builder, Id id) {
  const Value& ids = builder.value(id);
  const Placed placed = builder.at(id);
  const auto count = elements_of(ids.dims).value_or(1);
  const bool is_in_order = placed.order == natural(ids.dims);
  const Index list = is_in_order ? placed.tensor : builder.in_order(id, natural(ids.dims), count);
  return builder.as_shape(list, {static_cast<std::uint64_t>(count)});
}

void embed(Builder& builder, const Node& node) {
  const Value& table = builder.value(node.in[0]);
  const Index list = list_of(builder, node.in[1]);
  const Index rows = builder.stored(
      node.in[0], {static_cast<std::uint64_t>(table.dims[0]), static_cast<std::uint64_t>(table.dims[1])});
  const Index y = builder.result(node.out[0], natural(builder.value(node.out[0]).dims), table.dims[1]);
  builder.emit(node.name, OperatorType::embedding, {list, rows}, {y});
}

void gather(Builder& builder, const Node& node) {
  const Value &x = builder.value(node.in[0]), &ids = builder.value(node.in[1]);
  const std::size_t axis = axis_of(node, 0, x.dims.size());
  if (x.is_stored && x.dims.size() == 2 && axis == 0 && !ids.is_stored) return embed(builder, node);
  const auto known = ids.known;
  if (known && known->size() == 1) {
    std::int64_t begin = known->whole.empty() ? 0 : known->whole[0];
    if (begin < 0) begin += x.dims[axis];
    if (begin < 0 || begin >= x.dims[axis]) throw Unfit{"names a place beyond its axis"};
    Dims kept = x.dims;
    kept[axis] = 1;
    if (x.dims[axis] == 1) {
      Order order = builder.at(node.in[0]).order;
      for (auto& each : order) each = each > axis ? each + ids.dims.size() - 1 : each;
      return builder.place(node.out[0], {builder.at(node.in[0]).tensor, order});
    }
    if (ids.dims.size() <= 1) return take(builder, node.name, node.in[0], node.out[0], axis, begin, kept);
  }
  // The axis becomes those of the ids, in its place.
  Order order;
  const std::size_t more = ids.dims.size();
  for (const auto each : builder.at(node.in[0]).order) {
    if (each != axis) order.push_back(each < axis ? each : each + more - 1);
    for (std::size_t d = 0; each == axis && d < more; ++d) order.push_back(axis + d);
  }
  const std::int64_t count = elements_of(ids.dims).value_or(1);
  if (ids.is_stored) {
    return pick(builder, node.name, node.in[0], node.out[0], axis, node.name + ".ids", count, order, 0);
  }
  const Index list = list_of(builder, node.in[1]);
  pick(builder, node.name, node.in[0], node.out[0], axis, "", count, order, list);
}

// In which order a join's operands lie: like the first that has all of its axes.
Order order_of_join(Builder& builder, const Node& node) {
  const Dims& out = builder.value(node.out[0]).dims;
  const std::size_t longest = natural(out).size();
  for (const Id in : node.in) {
    if (!builder.is_stored(in) && builder.at(in).order.size() == longest) return builder.at(in).order;
  }
  return natural(out);
}

void concat(Builder& builder, const Node& node) {
  const Value& out = builder.value(node.out[0]);
  const std::size_t axis = axis_of(node, 0, out.dims.size());
  std::vector<Id> parts;
  for (const Id in : node.in) {
    if (elements_of(builder.value(in).dims).value_or(0) > 0) parts.push_back(in);
  }
  if (parts.size() == 1) return builder.place(node.out[0], builder.at(parts[0]));
  const Order order = order_of_join(builder, node);
  const Span span = span_of(order, out.dims, axis);
  const bool is_rows = span.outer == 1;
  std::int64_t columns = span.inner;
  for (const Id in : parts) {
    if (is_rows && !builder.is_stored(in)) {
      const auto own = static_cast<std::int64_t>(builder.columns(builder.at(in).tensor));
      if (span.inner % own == 0) columns = std::min(columns, own);
    }
  }
  std::vector<Index> operands;
  for (const Id in : parts) {
    const std::int64_t width = is_rows ? columns : builder.value(in).dims[axis] * span.inner;
    operands.push_back(builder.in_order(in, order, width));
  }
  const auto kind = [&](Index each) { return std::pair(builder.tensor(each).dtype, builder.tensor(each).scale); };
  const bool is_mixed =
      std::any_of(operands.begin(), operands.end(), [&](Index each) { return kind(each) != kind(operands[0]); });
  for (auto& operand : operands) {
    if (is_mixed) operand = builder.as_real(operand, out);
  }
  const Index y = builder.result_like(node.out[0], order, is_rows ? columns : span.extent * span.inner, operands[0]);
  builder.emit(node.name, OperatorType::concat, operands, {y}, {{"axis", std::int64_t{is_rows ? 0 : 1}}});
}

void expand(Builder& builder, const Node& node) {
  const Value &from = builder.value(node.in[0]), &to = builder.value(node.out[0]);
  if (elements_of(from.dims) == elements_of(to.dims)) {
    Order order = builder.at(node.in[0]).order;
    for (auto& axis : order) axis += to.dims.size() - from.dims.size();
    return builder.place(node.out[0], {builder.at(node.in[0]).tensor, order});
  }
  const Order order = natural(to.dims);
  const Index y = whole_operand_like(builder, node.in[0], to.dims, order, to.dims.back());
  builder.place(node.out[0], {y, order});
}

void tile(Builder& builder, const Node& node) {
  const Value &from = builder.value(node.in[0]), &to = builder.value(node.out[0]);
  if (from.dims == to.dims) return alias(builder, node);
  Wholes extents, result;
  for (std::size_t d = 0; d < from.dims.size(); ++d) {
    extents.insert(extents.end(), {1, from.dims[d]});
    result.insert(result.end(), {to.dims[d] / std::max<std::int64_t>(1, from.dims[d]), from.dims[d]});
  }
  const Index x = builder.in_order(node.in[0], natural(from.dims), from.dims.back());
  const Index y = builder.result_like(node.out[0], natural(to.dims), to.dims.back(), x);
  builder.emit(node.name, OperatorType::expand, {x}, {y}, {{"extents", extents}, {"result", result}});
}

void pad(Builder& builder, const Node& node) {
  const Value& from = builder.value(node.in[0]);
  const auto pads = wholes_of(builder, node, "pads", 1);
  if (std::all_of(pads.begin(), pads.end(), [](std::int64_t each) { return each == 0; })) return alias(builder, node);
  if (std::any_of(pads.begin(), pads.end(), [](std::int64_t each) { return each < 0; }))
    throw Unfit{"pads by less than 0"};
  const auto mode = node.text("mode", "constant");
  if (mode != "constant" && mode != "edge" && mode != "reflect") throw Unfit{fmt::format("has mode `{}`", mode)};
  const Placed x = builder.at(node.in[0]);
  Order order = x.order;
  // An axis of extent 1 that grows needs a place: outermost.
  for (std::size_t d = from.dims.size(); d-- > 0;) {
    if (from.dims[d] == 1 && pads[d] + pads[d + from.dims.size()] > 0) order.insert(order.begin(), d);
  }
  Wholes extents, begin, end;
  for (const auto axis : order) {
    extents.push_back(from.dims[axis]);
    begin.push_back(pads[axis]);
    end.push_back(pads[axis + from.dims.size()]);
  }
  const Dims& to = builder.value(node.out[0]).dims;
  const Index y = builder.result_like(node.out[0], order, order.empty() ? 1 : to[order.back()], x.tensor);
  Attributes attributes{{"extents", extents}, {"begin", begin}, {"end", end}, {"mode", mode}};
  const Id filler = node.input(2);
  double value = node.number("value", 0.0);
  if (filler != kAbsent) value = scalar_of(builder.value(filler)).value_or(0.0);
  if (mode == "constant" && value != 0.0) attributes["value"] = std::clamp(value, -65504.0, 65504.0);
  builder.emit(node.name, OperatorType::pad, {x.tensor}, {y}, attributes);
}

// [N, C, H, W] <-> blocks of places: what one axis holds of another.
void depth_to_space(Builder& builder, const Node& node) {
  const Dims &from = builder.value(node.in[0]).dims, &to = builder.value(node.out[0]).dims;
  const std::int64_t b = node.integer("blocksize", 1);
  const Index x = builder.in_order(node.in[0], {0, 2, 3, 1}, from[1]);
  const Index y = builder.result_like(node.out[0], {0, 2, 3, 1}, to[1], x);
  Wholes extents, order;
  if (node.op == "SpaceToDepth") {  // rows of the block, its columns, then channels
    extents = {from[0], from[2] / b, b, from[3] / b, b * from[1]};
    order = {0, 1, 3, 2, 4};
  } else if (node.text("mode", "DCR") == "DCR") {
    extents = {from[0], from[2], from[3], b, b * to[1]};
    order = {0, 1, 3, 2, 4};
  } else {
    extents = {from[0], from[2], from[3], to[1], b, b};
    order = {0, 1, 4, 2, 5, 3};
  }
  builder.emit(node.name, OperatorType::transpose, {x}, {y}, {{"extents", extents}, {"order", order}});
}

// The quantized tensor is read as it is: archsim's operators scale what they read.
void dequantize(Builder& builder, const Node& node) {
  const Placed x = builder.at(node.in[0]);
  if (builder.tensor(x.tensor).role == Role::input && builder.tensor(x.tensor).scale == 1.0) {
    builder.tensor(x.tensor).scale = std::max(1e-30, scalar_of(builder.value(node.in[1])).value_or(1.0));
    builder.tensor(x.tensor).dtype = Dtype::int8;
  }
  builder.place(node.out[0], x);
}

bool may_write_quantized(OperatorType type) {
  switch (type) {
    case OperatorType::linear:
    case OperatorType::matmul:
    case OperatorType::attention:
    case OperatorType::depthwise_conv:
    case OperatorType::avgpool:
    case OperatorType::relu:
    case OperatorType::add:
    case OperatorType::mul:
    case OperatorType::layernorm:
    case OperatorType::gelu:
    case OperatorType::silu:
    case OperatorType::sigmoid:
    case OperatorType::clip:
    case OperatorType::hard_swish:
    case OperatorType::reduce:
    case OperatorType::softmax:
      return true;
    default:
      return false;
  }
}

// Who makes the value writes it quantized, if nobody else reads it.
void quantize(Builder& builder, const Node& node) {
  const Placed x = builder.at(node.in[0]);
  const double scale = std::max(1e-30, scalar_of(builder.value(node.in[1])).value_or(1.0));
  Tensor& tensor = builder.tensor(x.tensor);
  const auto type = builder.writer_type(x.tensor);
  if (builder.is_read_once(node.in[0]) && type && may_write_quantized(*type) && is_floating(tensor.dtype)) {
    tensor.dtype = Dtype::int8;
    tensor.scale = scale;
    return builder.place(node.out[0], x);
  }
  if (tensor.dtype == Dtype::int8 && tensor.scale == scale) return builder.place(node.out[0], x);
  const Index y = builder.result(node.out[0], x.order, static_cast<std::int64_t>(builder.columns(x.tensor)));
  builder.tensor(y).dtype = Dtype::int8;
  builder.tensor(y).scale = scale;
  builder.emit(node.name, OperatorType::cast, {x.tensor}, {y});
}

}  // namespace

Lowering move_lowering(std::string_view op) {
  static const std::map<std::string_view, Lowering> all = {{"Identity", alias},
                                                           {"Dropout", alias},
                                                           {"Transpose", transpose},
                                                           {"Reshape", reshape},
                                                           {"Flatten", reshape},
                                                           {"Squeeze", reshape},
                                                           {"Unsqueeze", reshape},
                                                           {"Slice", slice},
                                                           {"Split", split},
                                                           {"Gather", gather},
                                                           {"Concat", concat},
                                                           {"Expand", expand},
                                                           {"Tile", tile},
                                                           {"Pad", pad},
                                                           {"DepthToSpace", depth_to_space},
                                                           {"SpaceToDepth", depth_to_space},
                                                           {"DequantizeLinear", dequantize},
                                                           {"QuantizeLinear", quantize}};
  const auto found = all.find(op);
  return found == all.end() ? nullptr : found->second;
}

}  // namespace archsim::onnx_graph
