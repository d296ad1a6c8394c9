// Matrix products and attention.
#include <fmt/format.h>

#include "traces/import/aten/call.h"

namespace archsim {
namespace {

/// x times a matrix of parameters [K, N], with or without a bias, as rows.
Strided product_with(Call& call, const Strided& x, const TensorUse& weight, std::int64_t columns, Sizes shape,
                     std::optional<std::size_t> bias) {
  std::vector<TensorUse> inputs = {call.builder.use(x, rows_and_columns(x.shape)), weight};
  const Sizes rows = {product(shape) / columns, columns};
  if (bias) inputs.push_back(call.parameters(*bias, {columns}));
  const auto y = call.builder.emit(OperatorType::linear, std::move(inputs), rows, call.result_type());
  return plain(y.base, std::move(shape));
}

/// Whether the last two axes lie the other way round.
bool is_transposed(const Strided& x) {
  const auto r = x.rank();
  return x.strides[r - 2] == 1 && x.strides[r - 1] != 1;
}

/// a[.., M, K] times b[.., K, N], both of the same batch.
Strided batched(Call& call, const Strided& a, const Strided& b, const Sizes& shape) {
  const bool transposed = is_transposed(b);
  const auto b_as_read = transposed ? swapped(b, b.rank() - 2, b.rank() - 1) : b;
  Attributes attributes;
  if (transposed) attributes["transpose_b"] = true;
  return call.builder.emit(OperatorType::matmul,
                           {call.builder.use(a, a.shape), call.builder.use(b_as_read, b_as_read.shape)}, shape,
                           call.result_type(), std::move(attributes));
}

Strided widened(const Strided& x, const Sizes& shape) {
  Sizes wanted(shape.begin(), shape.end() - 2);
  wanted.insert(wanted.end(), x.shape.end() - 2, x.shape.end());
  const auto y = expanded(x, wanted);
  if (!y) throw NotExpressible{"has operands whose batches do not fit together"};
  return *y;
}

/// The product by which it can be expressed best: with parameters, of matrices, or of a batch of them.
Strided times(Call& call, Strided a, Strided b, std::optional<std::size_t> bias = {}) {
  if (a.rank() == 0 || b.rank() == 0) throw NotExpressible{"multiplies a tensor without dimensions"};
  Sizes shape = call.output().shape;
  if (a.rank() == 1) a = *expanded(a, {1, a.shape[0]});
  if (b.rank() == 1) b = permuted(*expanded(b, {1, b.shape[0]}), {1, 0});
  if (a.shape.back() != b.shape[b.rank() - 2]) throw NotExpressible{"multiplies matrices that do not fit together"};
  const auto columns = b.shape.back();
  if (b.rank() == 2 && call.builder.is_external(b)) {
    return product_with(call, a, call.builder.use(b, b.shape, Role::weight), columns, shape, bias);
  }
  Strided y{};
  if (b.rank() == 2 && a.rank() > 2) {
    const auto rows = rows_and_columns(a.shape);
    const auto flat = reshaped(a, rows);
    const auto x = flat ? *flat : a;
    // What cannot be seen as rows is made so by the use itself.
    const bool transposed = is_transposed(b);
    const auto b_as_read = transposed ? swapped(b, 0, 1) : b;
    Attributes attributes;
    if (transposed) attributes["transpose_b"] = true;
    y = call.builder.emit(OperatorType::matmul,
                          {call.builder.use(x, rows), call.builder.use(b_as_read, b_as_read.shape)}, {rows[0], columns},
                          call.result_type(), std::move(attributes));
  } else {
    Sizes whole = shape;
    if (whole.size() < 2) whole = {a.shape[a.rank() - 2], columns};
    y = batched(call, widened(a, whole), widened(b, whole), whole);
  }
  y = plain(y.base, shape);
  return bias ? elementwise(call, OperatorType::add, {y, call.in(*bias)}, shape) : y;
}

void lower_linear(Call& call) {
  const auto weight = call.in(1);
  if (weight.rank() != 2) throw NotExpressible{"has a weight that is no matrix"};
  const auto bias = call.has_tensor(2) ? std::optional<std::size_t>(2) : std::nullopt;
  call.result(times(call, call.in(0), permuted(weight, {1, 0}), bias));
}

void lower_matmul(Call& call) { call.result(times(call, call.in(0), call.in(1))); }

/// bias + a b, each times its factor. A row of parameters is the product's own bias.
void lower_addmm(Call& call) {
  if (call.number(3, 1.0) != 1.0 || call.number(4, 1.0) != 1.0) throw NotExpressible{"has factors other than 1"};
  const auto bias = call.in(0);
  const bool is_row = bias.elements() == call.output().shape.back() && call.builder.is_external(bias);
  if (is_row && call.builder.is_external(call.in(2)) && call.in(2).rank() == 2) {
    return call.result(times(call, call.in(1), call.in(2), std::size_t{0}));
  }
  const auto y = times(call, call.in(1), call.in(2));
  call.result(elementwise(call, OperatorType::add, {y, bias}, call.output().shape));
}

/// [batch, heads, rows, head_dim] -> rows of all heads side by side.
TensorUse heads_as_columns(Call& call, const Strided& x) {
  return call.builder.use(permuted(x, {0, 2, 1, 3}), {x.shape[0] * x.shape[2], x.shape[1] * x.shape[3]});
}

/// scaled_dot_product_attention(q, k, v, mask, dropout, is_causal, scale, ...) and its kernels, whose arguments differ.
void attention(Call& call, std::size_t causal, std::size_t scale) {
  std::vector<Strided> qkv = {call.in(0), call.in(1), call.in(2)};
  for (auto& x : qkv) {
    if (x.rank() == 3) x = *expanded(x, {1, x.shape[0], x.shape[1], x.shape[2]});
    if (x.rank() != 4) throw NotExpressible{"attends over a tensor of other than 3 or 4 dimensions"};
  }
  const auto& [batch, heads, queries, head_dim] =
      std::tuple(qkv[0].shape[0], qkv[0].shape[1], qkv[0].shape[2], qkv[0].shape[3]);
  for (std::size_t i : {std::size_t{1}, std::size_t{2}}) {
    if (qkv[i].shape[3] != head_dim || qkv[i].shape[0] != batch) {
      throw NotExpressible{"has queries, keys and values of different batch or head size"};
    }
  }
  Attributes attributes = {{"heads", heads}, {"kv_heads", qkv[1].shape[1]}, {"head_dim", head_dim}};
  if (batch > 1) attributes["batch"] = batch;
  if (call.flag(causal)) attributes["mask"] = std::string("causal");
  if (call.has_number(scale)) attributes["scale"] = call.number(scale, 1.0);
  const auto y = call.builder.emit(
      OperatorType::attention,
      {heads_as_columns(call, qkv[0]), heads_as_columns(call, qkv[1]), heads_as_columns(call, qkv[2])},
      {batch * queries, heads * head_dim}, call.result_type(), std::move(attributes));
  const auto seen = permuted(plain(y.base, {batch, queries, heads, head_dim}), {0, 2, 1, 3});
  const auto& wanted = call.output();
  call.builder.bind(wanted, wanted.shape.size() == 3 ? without_axis(seen, 0) : seen);
}

void lower_attention(Call& call) { attention(call, 5, 6); }
// (q, k, v, dropout, is_causal, return_debug_mask, scale)
void lower_flash_attention(Call& call) { attention(call, 4, 6); }
// (q, k, v, dropout, is_causal, attn_mask, scale)
void lower_flash_attention_for_cpu(Call& call) { attention(call, 4, 6); }
// (q, k, v, attn_bias, compute_log_sumexp, dropout, is_causal, scale)
void lower_efficient_attention(Call& call) { attention(call, 6, 7); }

}  // namespace

const std::vector<AtenOperator>& aten_products() {
  static const std::vector<AtenOperator> all = {
      {"linear", lower_linear},
      {"matmul", lower_matmul},
      {"mm", lower_matmul},
      {"bmm", lower_matmul},
      {"mv", lower_matmul},
      {"addmm", lower_addmm},
      {"baddbmm", lower_addmm},
      {"scaled_dot_product_attention", lower_attention},
      {"_scaled_dot_product_attention_math", lower_attention},
      {"_scaled_dot_product_flash_attention", lower_flash_attention},
      {"_scaled_dot_product_flash_attention_for_cpu", lower_flash_attention_for_cpu},
      {"_scaled_dot_product_efficient_attention", lower_efficient_attention}};
  return all;
}

}  // namespace archsim
