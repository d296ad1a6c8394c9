#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "arch/workload/rules/operand_rules.h"

namespace archsim {
namespace {

constexpr auto kMatrixDtypes = {Dtype::int8,     Dtype::bf16,     Dtype::fp16,  Dtype::fp32,  Dtype::int4,
                                Dtype::fp8_e4m3, Dtype::fp8_e5m2, Dtype::mxfp8, Dtype::mxfp4, Dtype::nvfp4};
// Whose elements have addresses of their own, so that any part of a matrix can be taken.
constexpr auto kPlainMatrixDtypes = {Dtype::int8, Dtype::bf16,     Dtype::fp16,
                                     Dtype::fp32, Dtype::fp8_e4m3, Dtype::fp8_e5m2};
// An int8 product accumulates in int32, which may be written as such or rescaled to anything narrower.
constexpr auto kMatrixResults = {Dtype::int8,  Dtype::bf16,     Dtype::fp16,    Dtype::fp32,
                                 Dtype::int32, Dtype::fp8_e4m3, Dtype::fp8_e5m2};

void check_split_outputs(OperandCheck& check, std::uint64_t columns) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < check.outputs(); ++i) {
    const auto& y = check.output(i);
    sum += OperandCheck::columns(y);
    check.output_dtype_is(kMatrixResults, i);
    Shape wanted = check.input(0).shape;
    wanted.back() = y.shape.back();
    check.output_is(wanted, i);
  }
  check.holds(sum == columns, fmt::format("splits {} columns over outputs that have {} together", columns, sum));
}

bool check_mask(OperandCheck& check, std::uint64_t queries) {
  const auto mask = check.op().text("mask", "none");
  const auto blocks = check.op().integers("blocks");
  if (mask != "blocks") return check.holds(blocks.empty(), "has `blocks`, which only mask `blocks` reads");
  const auto sum = std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0});
  return check.holds(sum == static_cast<std::int64_t>(queries),
                     fmt::format("has blocks of {} queries together, but there are {}", sum, queries));
}

void check_segments(OperandCheck& check, std::uint64_t kv_columns, std::uint64_t batch) {
  for (std::size_t i = 1; i < check.inputs(); i += 2) {
    if (!check.input_columns_are(i, kv_columns) || !check.input_columns_are(i + 1, kv_columns)) continue;
    const auto keys = OperandCheck::rows(check.input(i));
    check.input_rows_are(i + 1, keys);
    check.input_decodes_to(i, 0);
    check.inputs_have_same_dtype(i, i + 1);
    check.holds(keys % batch == 0, fmt::format("cannot split {} keys over a batch of {}", keys, batch));
  }
}

}  // namespace

void check_bias(OperandCheck& check, std::uint64_t columns) {
  check.input_is_row(2, columns);
  check.input_is_stored(2, "bias");
  if (check.input(0).dtype != Dtype::int8 && check.input(0).dtype != Dtype::int4) {
    check.input_dtype_is(2, {Dtype::bf16, Dtype::fp16, Dtype::fp32});
    return;
  }
  if (!check.input_dtype_is(2, {Dtype::int32})) return;
  // The bias starts the accumulator, so it is counted in the accumulator's own unit.
  const double wanted = check.input(0).scale * check.input(1).scale;
  const double found = check.input(2).scale;
  check.holds(std::abs(found - wanted) <= 1e-9 * wanted,
              fmt::format("needs its int32 bias `{}` to have scale {} (x times weight), but it is {}",
                          check.input(2).name, wanted, found));
}

void check_linear(OperandCheck& check) {
  if (!check.input_rank_is(1, 2)) return;
  const auto& weight = check.input(1);
  check.input_is_stored(1, "weight");
  check.input_dtype_is(0, kMatrixDtypes);
  check.input_decodes_to(1, 0);
  if (!check.input_columns_are(0, weight.shape[0])) return;
  if (check.inputs() == 3) check_bias(check, weight.shape[1]);
  if (check.outputs() > 1) {
    check_split_outputs(check, weight.shape[1]);
    return;
  }
  Shape wanted = check.input(0).shape;
  wanted.back() = weight.shape[1];
  check.output_is(wanted);
  check.output_dtype_is(kMatrixResults);
}

void check_matmul(OperandCheck& check) {
  const Shape& a = check.input(0).shape;
  const Shape& b = check.input(1).shape;
  check.input_dtype_is(0, kPlainMatrixDtypes);
  check.inputs_have_same_dtype(0, 1);
  check.output_dtype_is(kMatrixResults);
  if (!check.holds(a.size() >= 2 && b.size() == a.size(),
                   fmt::format("needs two operands of the same number (2 or more) of dimensions, not {} and {}",
                               text_of(a), text_of(b)))) {
    return;
  }
  const std::size_t last = a.size() - 1;
  const bool transposed = check.op().flag("transpose_b", false);
  const auto n = transposed ? b[last - 1] : b[last];
  Shape wanted = a;
  wanted[last - 1] = transposed ? n : a[last];
  wanted[last] = transposed ? a[last] : n;
  if (!check.input_is(1, wanted)) return;
  Shape product = a;
  product[last] = n;
  check.output_is(product);
}

void check_attention(OperandCheck& check) {
  const auto& op = check.op();
  const auto heads = static_cast<std::uint64_t>(op.integer("heads", 1));
  const auto kv_heads = static_cast<std::uint64_t>(op.integer("kv_heads", 1));
  const auto head_dim = static_cast<std::uint64_t>(op.integer("head_dim", 1));
  const auto batch = static_cast<std::uint64_t>(op.integer("batch", 1));
  check.input_dtype_is(0, kPlainMatrixDtypes);
  check.output_dtype_is(kMatrixResults);
  if (!check.holds(check.inputs() % 2 == 1, "has a key segment without its values")) return;
  check.holds(heads % kv_heads == 0, fmt::format("cannot share {} key heads among {} query heads", kv_heads, heads));
  if (!check.input_columns_are(0, heads * head_dim)) return;
  check.output_has_shape_of_input(0);
  const auto queries = OperandCheck::rows(check.input(0));
  if (!check.holds(queries % batch == 0, fmt::format("cannot split {} queries over a batch of {}", queries, batch))) {
    return;
  }
  check_mask(check, queries / batch);
  check_segments(check, kv_heads * head_dim, batch);
}

}  // namespace archsim
