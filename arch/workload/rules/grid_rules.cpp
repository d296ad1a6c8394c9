// Operators that see rows as the places of a grid, and those that only change a shape or search.
#include <fmt/format.h>

#include "arch/workload/rules/operand_rules.h"

namespace archsim {
namespace {

constexpr auto kValues = {Dtype::int8, Dtype::bf16, Dtype::fp16, Dtype::fp32, Dtype::fp8_e4m3, Dtype::fp8_e5m2};

// Rows of x are one or more whole grids; the result has a row for each place of the window.
void check_window(OperandCheck& check, bool joins) {
  const auto window = window_of(check.op());
  for (const auto* name : {"kernel", "stride", "padding"}) {
    if (!check.holds(check.op().integers(name).size() == 2,
                     fmt::format("needs {} for rows and for columns: two numbers", name))) {
      return;
    }
  }
  if (!check.input_rank_is(0, 2)) return;
  const auto rows = OperandCheck::rows(check.input(0)), columns = OperandCheck::columns(check.input(0));
  const auto places = window.height * window.width;
  const auto grid = fmt::format("{} x {}", window.height, window.width);
  if (!check.holds(rows % places == 0, fmt::format("cannot see {} rows as grids of {}", rows, grid))) return;
  if (!check.holds(window.fits(), fmt::format("has a kernel larger than its grid of {}", grid))) return;
  check.output_is({rows / places * window.rows() * window.columns(), joins ? window.area() * columns : columns});
}

}  // namespace

void check_reshape(OperandCheck& check) {
  const auto elements = check.input(0).elements();
  check.holds(check.output().elements() == elements,
              fmt::format("cannot make {} of {}: they differ in elements", text_of(check.output().shape),
                          text_of(check.input(0).shape)));
  check.output_is_same_kind(0);
}

void check_pixel_shuffle(OperandCheck& check) {
  if (!check.input_rank_is(0, 2)) return;
  const auto factor = static_cast<std::uint64_t>(check.op().integer("factor", 1));
  const auto width = static_cast<std::uint64_t>(check.op().integer("width", 1));
  const auto rows = OperandCheck::rows(check.input(0)), columns = OperandCheck::columns(check.input(0));
  if (!check.holds(
          width % factor == 0 && rows % (width * factor) == 0,
          fmt::format("cannot join {} x {} neighbours of {} rows, {} to a line", factor, factor, rows, width))) {
    return;
  }
  check.output_is({rows / (factor * factor), columns * factor * factor});
  check.output_is_same_kind(0);
}

void check_im2col(OperandCheck& check) {
  check_window(check, true);
  check.output_is_same_kind(0);
}

void check_maxpool(OperandCheck& check) {
  check.input_dtype_is(0, kValues);
  check_window(check, false);
  check.output_is_same_kind(0);
}

void check_avgpool(OperandCheck& check) {
  check.input_dtype_is(0, kValues);
  check.output_dtype_is(kValues);
  check_window(check, false);
}

void check_depthwise_conv(OperandCheck& check) {
  check.input_is_stored(1, "weight");
  check.input_dtype_is(0, kValues);
  check.output_dtype_is(kValues);
  check.inputs_have_same_dtype(0, 1);
  const auto channels = OperandCheck::columns(check.input(0));
  check.input_is(1, {window_of(check.op()).area(), channels});
  if (check.inputs() == 3) check_bias(check, channels);
  check_window(check, false);
}

void check_argmax(OperandCheck& check) {
  check.input_dtype_is(0, kValues);
  check.output_dtype_is({Dtype::int32});
  check.output_is({OperandCheck::rows(check.input(0))});
}

}  // namespace archsim
