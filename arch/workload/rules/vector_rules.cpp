#include <fmt/format.h>

#include "arch/workload/rules/operand_rules.h"

namespace archsim {
namespace {

constexpr auto kValues = {Dtype::int8, Dtype::bf16, Dtype::fp16, Dtype::fp32, Dtype::fp8_e4m3, Dtype::fp8_e5m2};

}  // namespace

void check_norm(OperandCheck& check) {
  const auto columns = OperandCheck::columns(check.input(0));
  check.input_dtype_is(0, kValues);
  check.output_dtype_is(kValues);
  check.output_has_shape_of_input(0);
  for (std::size_t i = 1; i < check.inputs(); ++i) {
    check.input_is_row(i, columns);
    check.input_dtype_is(i, kValues);
  }
}

void check_groupnorm(OperandCheck& check) {
  check_norm(check);
  const auto groups = static_cast<std::uint64_t>(check.op().integer("groups", 1));
  const auto batch = static_cast<std::uint64_t>(check.op().integer("batch", 1));
  const auto rows = OperandCheck::rows(check.input(0)), columns = OperandCheck::columns(check.input(0));
  check.holds(columns % groups == 0, fmt::format("cannot part {} columns into {} groups", columns, groups));
  check.holds(rows % batch == 0, fmt::format("cannot split {} rows over a batch of {}", rows, batch));
}

void check_rope(OperandCheck& check) {
  const auto heads = static_cast<std::uint64_t>(check.op().integer("heads", 1));
  const auto head_dim = static_cast<std::uint64_t>(check.op().integer("head_dim", 2));
  check.input_dtype_is(0, kValues);
  check.output_dtype_is(kValues);
  check.holds(head_dim % 2 == 0, fmt::format("rotates pairs, but head_dim is {}", head_dim));
  check.input_columns_are(0, heads * head_dim);
  check.output_has_shape_of_input(0);
}

void check_elementwise(OperandCheck& check) {
  check.input_dtype_is(0, kValues);
  check.output_dtype_is(kValues);
  check.output_has_shape_of_input(0);
  if (check.inputs() < 2) return;
  check.input_dtype_is(1, kValues);
  const auto& b = check.input(1);
  const auto columns = OperandCheck::columns(check.input(0));
  const bool is_row = OperandCheck::rows(b) == 1 && OperandCheck::columns(b) == columns;
  if (!is_row) check.input_is(1, check.input(0).shape);
}

void check_same_shapes(OperandCheck& check) {
  check.input_dtype_is(0, kValues);
  check.output_dtype_is(kValues);
  check.output_has_shape_of_input(0);
  for (std::size_t i = 1; i < check.inputs(); ++i) {
    check.input_dtype_is(i, kValues);
    check.input_is(i, check.input(0).shape);
  }
}

void check_cast(OperandCheck& check) { check.output_has_shape_of_input(0); }

void check_concat(OperandCheck& check) {
  const auto axis = static_cast<std::size_t>(check.op().integer("axis", 0));
  Shape wanted = check.input(0).shape;
  if (!check.holds(axis < wanted.size(), fmt::format("has no axis {} in {}", axis, text_of(wanted)))) return;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < check.inputs(); ++i) {
    if (!check.input_rank_is(i, wanted.size())) return;
    Shape like_first = wanted;
    like_first[axis] = check.input(i).shape[axis];
    check.input_is(i, like_first);
    check.output_is_same_kind(i);
    sum += check.input(i).shape[axis];
  }
  wanted[axis] = sum;
  check.output_is(wanted);
}

void check_slice(OperandCheck& check) {
  const auto axis = static_cast<std::size_t>(check.op().integer("axis", 0));
  const auto begin = static_cast<std::uint64_t>(check.op().integer("begin", 0));
  const Shape& x = check.input(0).shape;
  const Shape& y = check.output().shape;
  check.output_is_same_kind(0);
  if (!check.holds(axis < x.size() && x.size() == y.size(),
                   fmt::format("cannot take {} from {} along axis {}", text_of(y), text_of(x), axis))) {
    return;
  }
  Shape wanted = x;
  wanted[axis] = y[axis];
  check.output_is(wanted);
  check.holds(begin + y[axis] <= x[axis],
              fmt::format("takes {} from {} on, but there are {}", y[axis], begin, x[axis]));
}

void check_sincos(OperandCheck& check) {
  const auto& y = check.output();
  if (!check.input_rank_is(0, 1)) return;
  check.output_dtype_is(kValues);
  check.holds(y.shape.size() == 2 && y.shape[1] % 2 == 0,
              fmt::format("writes half sines and half cosines, so `{}` cannot be {}", y.name, text_of(y.shape)));
  check.output_is({check.input(0).shape[0], y.shape.back()});
}

void check_broadcast(OperandCheck& check) {
  check.input_is_row(0, OperandCheck::columns(check.output()));
  check.output_is_same_kind(0);
}

void check_patchify(OperandCheck& check) {
  if (!check.input_rank_is(0, 3)) return;
  const auto patch = static_cast<std::uint64_t>(check.op().integer("patch", 1));
  const auto& image = check.input(0).shape;
  if (!check.holds(image[0] % patch == 0 && image[1] % patch == 0,
                   fmt::format("cannot cut {} into patches of {} x {}", text_of(image), patch, patch))) {
    return;
  }
  check.output_is({image[0] / patch * (image[1] / patch), patch * patch * image[2]});
  check.output_is_same_kind(0);
}

void check_embedding(OperandCheck& check) {
  check.input_dtype_is(0, {Dtype::int32});
  check.input_is_stored(1, "table");
  check.input_dtype_is(1, kValues);
  check.output_dtype_is(kValues);
  if (!check.input_rank_is(0, 1) || !check.input_rank_is(1, 2)) return;
  check.output_is({check.input(0).shape[0], check.input(1).shape[1]});
}

void check_image_preprocess(OperandCheck& check) {
  if (!check.input_rank_is(0, 3)) return;
  const auto& image = check.output();
  check.input_dtype_is(0, {Dtype::uint8});
  check.output_dtype_is(kValues);
  if (!check.holds(image.shape.size() == 3,
                   fmt::format("writes an image of height, width and channels, not {}", text_of(image.shape)))) {
    return;
  }
  check.output_is({image.shape[0], image.shape[1], check.input(0).shape[2]});
}

void check_tokenize(OperandCheck& check) {
  check.input_dtype_is(0, {Dtype::uint8});
  check.input_rank_is(0, 1);
  check.output_dtype_is({Dtype::int32});
  check.holds(check.output().shape.size() == 1, "writes a list of token ids");
}

void check_action_postprocess(OperandCheck& check) {
  check.input_dtype_is(0, kValues);
  check.output_dtype_is(kValues);
  check.output_has_shape_of_input(0);
}

}  // namespace archsim
