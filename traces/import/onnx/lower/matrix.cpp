// Products: linear, matmul, attention.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "traces/import/onnx/lower/lower.h"
#include "traces/import/onnx/lower/product.h"

namespace archsim::onnx_graph {

Index multipliable(Builder& builder, Index x, const Value& weight, const Value& meant) {
  const Tensor& tensor = builder.tensor(x);
  if (tensor.dtype == Dtype::int8 && builder.dtype_of(weight) == Dtype::int8) return x;
  return builder.as_real(x, meant);
}

Index stored_bias(Builder& builder, Id bias, std::int64_t columns, Index x, Index weight) {
  const std::vector<std::uint64_t> shape{static_cast<std::uint64_t>(columns)};
  const Tensor operand = builder.tensor(x), filter = builder.tensor(weight);
  if (operand.dtype == Dtype::int8) {
    return builder.stored_as(bias, shape, Dtype::int32, operand.scale * filter.scale);
  }
  return builder.stored_as(bias, shape, operand.dtype, 1.0);
}

void emit_linear(Builder& builder, const std::string& name, const Linear& linear, Index y) {
  const Value& weight = builder.value(linear.weight);
  const Tensor x = builder.tensor(linear.x);
  const bool is_quantized = x.dtype == Dtype::int8;
  const std::vector<std::uint64_t> shape{static_cast<std::uint64_t>(linear.inputs),
                                         static_cast<std::uint64_t>(linear.outputs)};
  // A quantized weight of real numbers is unpacked when the model is loaded.
  const Index filter = builder.stored_as(linear.weight, shape, x.dtype,
                                         is_quantized && weight.scale > 0.0 ? weight.scale : 1.0, linear.layout);
  std::vector<Index> inputs{linear.x, filter};
  if (linear.bias != kAbsent) inputs.push_back(stored_bias(builder, linear.bias, linear.outputs, linear.x, filter));
  builder.emit(name, OperatorType::linear, inputs, {y});
}

namespace {

// Leading axes of extent 1 do not count.
std::size_t long_rank(const Dims& dims) {
  std::size_t at = 0;
  while (at + 2 < dims.size() && dims[at] == 1) ++at;
  return dims.size() - at;
}

void with_weight(Builder& builder, const Node& node) {
  const Value &x = builder.value(node.in[0]), &w = builder.value(node.in[1]), &y = builder.value(node.out[0]);
  const std::size_t rank = x.dims.size(), last = rank - 1;
  const bool is_column = w.dims.size() == 1;
  const std::int64_t inputs = x.dims[last], outputs = is_column ? 1 : w.dims.back();
  // The axis that is summed over must be innermost; the others may lie as they like.
  Order order = builder.at(node.in[0]).order;
  if (inputs != 1 && (order.empty() || order.back() != last)) {
    order.erase(std::remove(order.begin(), order.end(), last), order.end());
    order.push_back(last);
  }
  Index from = builder.in_order(node.in[0], order, inputs);
  from = multipliable(builder, from, w, y);
  if (inputs != 1) order.pop_back();
  // Leading axes of extent 1 of the weight may give the result more axes than x has.
  const std::size_t front = y.dims.size() + (is_column ? 1 : 0) - rank;
  for (auto& axis : order) axis += front;
  if (!is_column) order.push_back(y.dims.size() - 1);
  const Index to = builder.result(node.out[0], order, outputs);
  emit_linear(builder, node.name,
              {.x = from, .weight = node.in[1], .bias = node.input(2), .inputs = inputs, .outputs = outputs}, to);
}

// W x: the columns of x are rows in memory, and so are those of the result.
void with_weight_in_front(Builder& builder, const Node& node) {
  const Value &w = builder.value(node.in[0]), &x = builder.value(node.in[1]), &y = builder.value(node.out[0]);
  const std::size_t rank = x.dims.size();
  const std::int64_t inputs = x.dims[rank - 2], outputs = w.dims[w.dims.size() - 2];
  Order order = with_last(x.dims, rank - 2);
  Index from = builder.in_order(node.in[1], order, inputs);
  from = multipliable(builder, from, w, y);
  const std::size_t front = y.dims.size() - rank;
  for (auto& axis : order) axis += front;
  const Index to = builder.result(node.out[0], order, outputs);
  emit_linear(builder, node.name,
              {.x = from, .weight = node.in[0], .layout = "transposed", .inputs = inputs, .outputs = outputs}, to);
}

std::vector<std::uint64_t> batched(std::int64_t batch, std::int64_t rows, std::int64_t columns) {
  std::vector<std::uint64_t> shape;
  if (batch > 1) shape.push_back(static_cast<std::uint64_t>(batch));
  shape.push_back(static_cast<std::uint64_t>(rows));
  shape.push_back(static_cast<std::uint64_t>(columns));
  return shape;
}

// An operand of a product of batches, with the batch axes of the result.
Index batch_operand(Builder& builder, Id id, const Dims& whole, const Order& order, std::int64_t columns) {
  return whole_operand_like(builder, id, whole, order, columns);
}

void of_batches(Builder& builder, const Node& node) {
  const Value& y = builder.value(node.out[0]);
  Dims a = builder.value(node.in[0]).dims, b = builder.value(node.in[1]).dims;
  if (a.size() < 2 || b.size() < 2) throw Unfit{"multiplies a vector that is made at run time"};
  const std::int64_t m = a[a.size() - 2], k = a.back(), n = b.back();
  Dims batch(y.dims.begin(), y.dims.end() - 2);
  const std::int64_t count = elements_of(batch).value_or(1);
  Dims whole_a = batch, whole_b = batch;
  whole_a.insert(whole_a.end(), {m, k});
  whole_b.insert(whole_b.end(), {k, n});
  const std::size_t rank = y.dims.size();
  const bool has_rows_last = [&] {
    if (builder.is_stored(node.in[1]) || k == 1 || n == 1) return false;
    const Order& order = builder.at(node.in[1]).order;
    return !order.empty() && order.back() == b.size() - 2;
  }();
  const Order plain = natural(whole_a);
  const Order turned = only_long(with_last(whole_b, rank - 2), whole_b);
  Index left = batch_operand(builder, node.in[0], whole_a, plain, k);
  Index right = has_rows_last ? batch_operand(builder, node.in[1], whole_b, turned, k)
                              : batch_operand(builder, node.in[1], whole_b, natural(whole_b), n);
  if (builder.tensor(left).dtype != builder.tensor(right).dtype) {
    left = builder.as_real(left, y);
    right = builder.as_real(right, y);
  }
  left = builder.as_shape(left, batched(count, m, k));
  right = builder.as_shape(right, has_rows_last ? batched(count, n, k) : batched(count, k, n));
  const Index product = builder.scratch(y.name, batched(count, m, n), builder.dtype_of(y));
  Attributes attributes;
  if (has_rows_last) attributes["transpose_b"] = true;
  builder.emit(node.name, OperatorType::matmul, {left, right}, {product}, attributes);
  builder.place(node.out[0], {builder.as_matrix(product, n), natural(y.dims)});
}

void matmul(Builder& builder, const Node& node) {
  const Dims &a = builder.value(node.in[0]).dims, &b = builder.value(node.in[1]).dims;
  if (builder.is_stored(node.in[1]) && !builder.is_stored(node.in[0]) && long_rank(b) <= 2 && a.size() >= 1) {
    return with_weight(builder, node);
  }
  if (builder.is_stored(node.in[0]) && long_rank(a) == 2 && a.size() >= 2 && b.size() >= 2) {
    return with_weight_in_front(builder, node);
  }
  of_batches(builder, node);
}

void gemm(Builder& builder, const Node& node) {
  const Value& y = builder.value(node.out[0]);
  const bool at = node.integer("transA", 0) != 0, bt = node.integer("transB", 0) != 0;
  const std::int64_t inputs = builder.value(node.in[0]).dims[at ? 0 : 1], outputs = y.dims[1];
  if (!builder.is_stored(node.in[1])) throw Unfit{"multiplies two operands that are made at run time", "MatMul can"};
  const Order order = at ? Order{1, 0} : Order{0, 1};
  const Index x = multipliable(builder, builder.in_order(node.in[0], order, inputs), builder.value(node.in[1]), y);
  const Id bias = node.input(2);
  const bool is_bias =
      bias != kAbsent && builder.is_stored(bias) && (elements_of(builder.value(bias).dims) == outputs || outputs == 1);
  const bool is_plain = bias == kAbsent || is_bias;
  const Index to =
      is_plain ? builder.result(node.out[0], {0, 1}, outputs)
               : builder.scratch(y.name + ".product", matrix_shape(y.dims[0] * outputs, outputs), builder.dtype_of(y));
  emit_linear(builder, node.name,
              {.x = x,
               .weight = node.in[1],
               .layout = bt ? "transposed" : "",
               .bias = is_bias ? bias : kAbsent,
               .inputs = inputs,
               .outputs = outputs},
              to);
  if (is_plain) return;
  const Index more = operand_like(builder, bias, y.dims, natural(y.dims), outputs);
  builder.emit(node.name + ".bias", OperatorType::add, {to, more}, {builder.result(node.out[0], {0, 1}, outputs)});
}

// q [B,H,S,E] lies as rows of all heads of a query: [B*S, H*E].
Order heads_in_rows(std::size_t rank, bool is_transposed) {
  const Order axes = rank == 4 ? Order{0, 2, 1, 3} : rank == 3 ? Order{1, 0, 2} : Order{0, 1};
  if (!is_transposed) return axes;
  return rank == 4 ? Order{0, 3, 1, 2} : rank == 3 ? Order{2, 0, 1} : Order{1, 0};
}

void attention(Builder& builder, const Node& node) {
  const Dims &q = builder.value(node.in[0]).dims, &v = builder.value(node.in[2]).dims;
  const std::size_t rank = q.size();
  const bool is_transposed = node.integer("key_is_transposed", 0) != 0;
  const std::int64_t heads = rank > 2 ? q[rank - 3] : 1, kv_heads = rank > 2 ? v[rank - 3] : 1;
  const std::int64_t batch = rank == 4 ? q[0] : 1, head_dim = q.back();
  const Order order = heads_in_rows(rank, false);
  std::vector<Index> operands{builder.in_order(node.in[0], order, heads * head_dim),
                              builder.in_order(node.in[1], heads_in_rows(rank, is_transposed), kv_heads * head_dim),
                              builder.in_order(node.in[2], order, kv_heads * head_dim)};
  const auto dtype = [&](std::size_t i) { return builder.tensor(operands[i]).dtype; };
  const bool is_mixed = dtype(0) != dtype(1) || dtype(0) != dtype(2);
  for (auto& operand : operands) {
    if (is_mixed) operand = builder.as_real(operand, builder.value(node.out[0]));
  }
  const Index y = builder.result(node.out[0], order, heads * head_dim);
  Attributes attributes{{"heads", heads}, {"kv_heads", kv_heads}, {"head_dim", head_dim}};
  const double scale = std::abs(node.number("scale", 1.0));
  if (std::isfinite(scale) && scale > 0.0) attributes["scale"] = scale;
  if (batch > 1) attributes["batch"] = batch;
  if (node.text("mask", "none") == "causal") attributes["mask"] = std::string("causal");
  builder.emit(node.name, OperatorType::attention, operands, {y}, attributes);
}

}  // namespace

Lowering matrix_lowering(std::string_view op) {
  static const std::map<std::string_view, Lowering> all = {
      {"MatMul", matmul}, {"Gemm", gemm}, {fused::kAttention, attention}};
  const auto found = all.find(op);
  return found == all.end() ? nullptr : found->second;
}

}  // namespace archsim::onnx_graph
