// Operators that work along an axis: softmax, norms, reductions, rotary embeddings.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "traces/import/onnx/lower/lower.h"

namespace archsim::onnx_graph {
namespace {

// The axes from `first` on stand innermost, in order; or only that one.
struct Along {
  Order order;
  std::int64_t columns = 1;
};
Along along(const Dims& dims, std::size_t first, bool is_one_axis) {
  Along out;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (is_one_axis ? d != first : d < first) out.order.push_back(d);
  }
  for (std::size_t d = first; d < dims.size(); ++d) {
    if (is_one_axis && d != first) continue;
    out.order.push_back(d);
    out.columns *= dims[d];
  }
  if (out.columns == 0) throw Unfit{fmt::format("works along {}, which is empty", text_of(dims))};
  return out;
}

// Other axes may lie as they are.
Along along_in_place(Builder& builder, const Node& node, std::size_t first, bool is_one_axis) {
  const Dims& dims = builder.value(node.in[0]).dims;
  Along wanted = along(dims, first, is_one_axis);
  const Order last =
      only_long(Order(wanted.order.end() - (is_one_axis ? 1 : static_cast<std::ptrdiff_t>(dims.size() - first)),
                      wanted.order.end()),
                dims);
  const Order now = builder.at(node.in[0]).order;
  const bool is_last = now.size() >= last.size() && std::equal(last.rbegin(), last.rend(), now.rbegin());
  if (is_last) wanted.order = now;
  return wanted;
}

void softmax(Builder& builder, const Node& node) {
  const Value& x = builder.value(node.in[0]);
  const bool is_old = builder.graph().opset < 13 && !node.has("is_one_axis");
  const std::size_t axis = axis_of(node, is_old ? 1 : -1, x.dims.size());
  const Along at = along_in_place(builder, node, axis, !is_old);
  const Index from = builder.in_order(node.in[0], at.order, at.columns);
  const Index y = builder.result(node.out[0], at.order, at.columns);
  if (node.op == "Softmax") {
    builder.emit(node.name, OperatorType::softmax, {from}, {y});
    return;
  }
  const Tensor like = builder.tensor(y);
  const Index shares = builder.scratch(node.name + ".softmax", like.shape, like.dtype);
  builder.emit(node.name + ".softmax", OperatorType::softmax, {from}, {shares});
  builder.emit(node.name, OperatorType::log, {shares}, {y});
}

Index parameter(Builder& builder, Id id, std::int64_t columns, const char* otherwise, Dtype dtype) {
  if (id == kAbsent) return builder.constant_row(otherwise, columns, dtype);
  if (elements_of(builder.value(id).dims) != columns) {
    throw Unfit{fmt::format("has a parameter of {} for {} columns", text_of(builder.value(id).dims), columns)};
  }
  if (builder.is_stored(id)) return builder.stored(id, {static_cast<std::uint64_t>(columns)});
  return builder.as_matrix(builder.at(id).tensor, columns);
}

void norm(Builder& builder, const Node& node) {
  const Value &x = builder.value(node.in[0]), &out = builder.value(node.out[0]);
  const std::size_t axis = axis_of(node, -1, x.dims.size());
  const Along at = along_in_place(builder, node, axis, node.has("is_one_axis"));
  const Index from = builder.in_order(node.in[0], at.order, at.columns);
  const Index y = builder.result(node.out[0], at.order, at.columns);
  for (std::size_t i = 1; i < node.out.size(); ++i) {
    if (builder.is_used(node.out[i])) throw Unfit{"gives mean and variance"};
  }
  const Dtype dtype = builder.dtype_of(out);
  const bool is_layer = node.op == fused::kNormalize;
  std::vector<Index> inputs{from, parameter(builder, node.input(1), at.columns, "ones", dtype)};
  if (is_layer) inputs.push_back(parameter(builder, node.input(2), at.columns, "zeros", dtype));
  builder.emit(node.name, is_layer ? OperatorType::layernorm : OperatorType::rmsnorm, inputs, {y},
               {{"epsilon", node.number("epsilon", 1e-5)}});
}

// Statistics of whole groups of channels of one grid.
void group_norm(Builder& builder, const Node& node) {
  const Value &x = builder.value(node.in[0]), &out = builder.value(node.out[0]);
  if (x.dims.size() < 2) throw Unfit{fmt::format("normalizes {}", text_of(x.dims))};
  const std::int64_t batch = x.dims[0], channels = x.dims[1];
  const std::int64_t groups = node.op == "GroupNormalization" ? node.integer("num_groups", 1) : channels;
  Order order{0};
  for (std::size_t d = 2; d < x.dims.size(); ++d) order.push_back(d);
  order.push_back(1);
  const Index from = builder.in_order(node.in[0], order, channels);
  const Index y = builder.result(node.out[0], order, channels);
  const Dtype dtype = builder.dtype_of(out);
  const auto row = [&](std::size_t i) {
    const Id id = node.input(i);
    // Up to opset 20 a group norm has one parameter a group; it is spread over the channels when the model is loaded.
    if (id != kAbsent && builder.is_stored(id)) {
      return builder.stored(id, {static_cast<std::uint64_t>(channels)}, "channels");
    }
    return parameter(builder, id, channels, "ones", dtype);
  };
  Attributes attributes{{"groups", groups}, {"epsilon", node.number("epsilon", 1e-5)}};
  if (batch > 1) attributes["batch"] = batch;
  builder.emit(node.name, OperatorType::groupnorm, {from, row(1), row(2)}, {y}, attributes);
}

// With frozen statistics it is a factor and a sum for each channel.
void batch_norm(Builder& builder, const Node& node) {
  const Value& x = builder.value(node.in[0]);
  if (x.dims.size() < 2) throw Unfit{fmt::format("normalizes {}", text_of(x.dims))};
  const std::int64_t channels = x.dims[1];
  Order order{0};
  for (std::size_t d = 2; d < x.dims.size(); ++d) order.push_back(d);
  order.push_back(1);
  const Index from = builder.in_order(node.in[0], order, channels);
  const Index y = builder.result(node.out[0], order, channels);
  const Tensor like = builder.tensor(y);
  const Index scaled = builder.scratch(node.name + ".scaled", like.shape, like.dtype);
  const std::vector<std::uint64_t> row{static_cast<std::uint64_t>(channels)};
  builder.emit(node.name + ".scaled", OperatorType::mul, {from, builder.stored(node.input(1), row)}, {scaled});
  builder.emit(node.name, OperatorType::add, {scaled, builder.stored(node.input(2), row)}, {y});
}

void rope(Builder& builder, const Node& node) {
  const Value& x = builder.value(node.in[0]);
  const std::size_t last = x.dims.size() - 1;
  const std::int64_t head_dim = x.dims[last];
  // Heads of a query lie in one row if they can.
  Order order = x.dims.size() == 4 ? Order{0, 2, 1, 3} : natural(x.dims);
  const Order now = builder.at(node.in[0]).order;
  if (!now.empty() && now.back() == last) order = now;
  const auto own = static_cast<std::int64_t>(builder.columns(builder.at(node.in[0]).tensor));
  const std::int64_t columns = own % head_dim == 0 ? own : head_dim;
  const Index from = builder.in_order(node.in[0], order, columns);
  const Index y = builder.result(node.out[0], order, columns);
  // The base of the wavelengths is in tables that the graph keeps; it changes no count.
  builder.emit(node.name, OperatorType::rope, {from}, {y},
               {{"heads", columns / head_dim}, {"head_dim", head_dim}, {"theta", 10000.0}});
}

const char* function_of(std::string_view op) {
  if (op == "ReduceMean") return "mean";
  if (op == "ReduceMax") return "max";
  if (op == "ReduceMin") return "min";
  if (op == "ReduceProd") return "product";
  if (op == "ReduceL2" || op == "ReduceSumSquare") return "sum_of_squares";
  return "sum";
}

// One run of axes that lie together after another, innermost first.
void reduce(Builder& builder, const Node& node) {
  const Value& x = builder.value(node.in[0]);
  const auto axes = wholes_of(builder, node, "axes", 1);
  if (axes.empty() && node.integer("noop_with_empty_axes", 0) != 0)
    return builder.place(node.out[0], builder.at(node.in[0]));
  std::vector<bool> is_gone(x.dims.size(), axes.empty());
  for (const auto axis : axes)
    is_gone[static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(x.dims.size()) : axis)] = true;
  const Placed placed = builder.at(node.in[0]);
  Index from = placed.tensor;
  Order left = placed.order;
  std::string function = function_of(node.op);
  const bool is_root = node.op == "ReduceL2";
  std::vector<std::size_t> number(x.dims.size(), 0);  // of an axis in the result
  const bool keeps = node.integer("keepdims", 1) != 0;
  for (std::size_t d = 0, next = 0; d < x.dims.size(); ++d) number[d] = keeps ? d : is_gone[d] ? 0 : next++;
  const auto result_order = [&](const Order& order) {
    Order out;
    for (const auto axis : order) out.push_back(number[axis]);
    return out;
  };
  const bool has_work = std::any_of(left.begin(), left.end(), [&](std::size_t axis) { return is_gone[axis]; });
  if (!has_work && !is_root && function != "sum_of_squares") {
    return builder.place(node.out[0], {from, result_order(left)});
  }
  const Dtype dtype = builder.dtype_of(builder.value(node.out[0]));
  do {
    const auto end = std::find_if(left.rbegin(), left.rend(), [&](std::size_t axis) { return is_gone[axis]; }).base();
    auto begin = end;
    while (begin != left.begin() && is_gone[*(begin - 1)]) --begin;
    const std::int64_t outer = product(Order(left.begin(), begin), x.dims), extent = product(Order(begin, end), x.dims);
    const std::int64_t inner = product(Order(end, left.end()), x.dims);
    left.erase(begin, end);
    const bool is_last = std::none_of(left.begin(), left.end(), [&](std::size_t axis) { return is_gone[axis]; });
    const std::int64_t columns = inner > 1 ? inner : left.empty() ? 1 : x.dims[left.back()];
    const Index to = is_last && !is_root
                         ? builder.result(node.out[0], result_order(left), columns)
                         : builder.scratch(node.name + ".part", matrix_shape(outer * inner, columns), dtype);
    builder.emit(is_last && !is_root ? node.name : node.name + ".part", OperatorType::reduce, {from}, {to},
                 {{"extents", std::vector<std::int64_t>{outer, extent, inner}},
                  {"axis", std::int64_t{1}},
                  {"function", function}});
    if (function == "sum_of_squares") function = "sum";
    from = to;
  } while (std::any_of(left.begin(), left.end(), [&](std::size_t axis) { return is_gone[axis]; }));
  if (!is_root) return;
  const auto columns = static_cast<std::int64_t>(builder.columns(from));
  const Index y = builder.result(node.out[0], result_order(left), columns);
  builder.emit(node.name, OperatorType::sqrt, {from}, {y});
}

void search(Builder& builder, const Node& node) {
  if (node.op != "ArgMax") throw Unfit{"looks for the smallest"};
  const Value& x = builder.value(node.in[0]);
  const std::size_t axis = axis_of(node, 0, x.dims.size());
  const Along at = along_in_place(builder, node, axis, true);
  const Index from = builder.in_order(node.in[0], at.order, at.columns);
  Order order;
  const bool keeps = node.integer("keepdims", 1) != 0;
  for (const auto each : at.order) {
    if (each != axis) order.push_back(keeps || each < axis ? each : each - 1);
  }
  const Value& out = builder.value(node.out[0]);
  const Index y = builder.result(node.out[0], order, elements_of(out.dims).value_or(1));
  builder.tensor(y).shape = {builder.tensor(y).elements()};
  builder.emit(node.name, OperatorType::argmax, {from}, {y});
}

}  // namespace

Lowering row_lowering(std::string_view op) {
  static const std::map<std::string_view, Lowering> all = {{"Softmax", softmax},
                                                           {"LogSoftmax", softmax},
                                                           {fused::kNormalize, norm},
                                                           {fused::kRmsNorm, norm},
                                                           {"RMSNormalization", norm},
                                                           {"BatchNormalization", batch_norm},
                                                           {"GroupNormalization", group_norm},
                                                           {"InstanceNormalization", group_norm},
                                                           {fused::kRope, rope},
                                                           {"ReduceMean", reduce},
                                                           {"ReduceSum", reduce},
                                                           {"ReduceMax", reduce},
                                                           {"ReduceMin", reduce},
                                                           {"ReduceProd", reduce},
                                                           {"ReduceL2", reduce},
                                                           {"ReduceSumSquare", reduce},
                                                           {"ArgMax", search},
                                                           {"ArgMin", search}};
  const auto found = all.find(op);
  return found == all.end() ? nullptr : found->second;
}

}  // namespace archsim::onnx_graph
