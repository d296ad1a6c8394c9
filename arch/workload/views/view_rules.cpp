#include <fmt/format.h>

#include <algorithm>

#include "arch/workload/rules/operand_check.h"
#include "arch/workload/views/rules.h"
#include "arch/workload/views/view.h"

namespace archsim {
namespace {

constexpr auto kNumbers = {Dtype::int8, Dtype::bf16, Dtype::fp16, Dtype::fp32, Dtype::int32, Dtype::uint8};

// Without overflow: extents come from a file.
bool covers(const Extents& extents, std::uint64_t elements) {
  std::uint64_t left = elements;
  for (const auto extent : extents) {
    if (extent == 0 || left % extent != 0) return false;
    left /= extent;
  }
  return left == 1;
}

bool operand_is_covered(OperandCheck& check) {
  const Extents extents = extents_of(check.op(), "extents");
  const auto& x = check.input(0);
  return check.holds(covers(extents, x.elements()),
                     fmt::format("cannot see `{}` of {} as {}", x.name, text_of(x.shape), text_of(extents)));
}

bool has_axis(OperandCheck& check) {
  const auto axis = check.op().integer("axis", 0);
  const Extents extents = extents_of(check.op(), "extents");
  return check.holds(axis < static_cast<std::int64_t>(extents.size()),
                     fmt::format("has no axis {} in {}", axis, text_of(extents)));
}

void result_fits(OperandCheck& check, const Extents& wanted) {
  const auto& y = check.output();
  check.holds(covers(wanted, y.elements()),
              fmt::format("writes {}, but its output `{}` is declared {}", text_of(wanted), y.name, text_of(y.shape)));
}

void check_transpose(OperandCheck& check) {
  check.output_is_same_kind(0);
  if (!operand_is_covered(check)) return;
  const auto order = check.op().integers("order");
  std::vector<std::int64_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool is_permutation = sorted.size() == extents_of(check.op(), "extents").size();
  for (std::size_t d = 0; d < sorted.size(); ++d) is_permutation &= sorted[d] == static_cast<std::int64_t>(d);
  if (!check.holds(is_permutation, "needs an `order` with each axis of its `extents` once")) return;
  result_fits(check, result_extents(check.op()));
}

void check_expand(OperandCheck& check) {
  check.output_is_same_kind(0);
  if (!operand_is_covered(check)) return;
  const Extents from = extents_of(check.op(), "extents"), to = extents_of(check.op(), "result");
  bool fits = from.size() == to.size();
  for (std::size_t d = 0; fits && d < from.size(); ++d) fits = from[d] == to[d] || from[d] == 1;
  if (check.holds(fits, fmt::format("cannot repeat {} to {}", text_of(from), text_of(to)))) result_fits(check, to);
}

void check_reduce(OperandCheck& check) {
  check.input_dtype_is(0, kNumbers);
  check.output_dtype_is(kNumbers);
  if (operand_is_covered(check) && has_axis(check)) result_fits(check, result_extents(check.op()));
}

void check_gather(OperandCheck& check) {
  check.output_is_same_kind(0);
  check.input_dtype_is(1, {Dtype::int32, Dtype::uint8});
  if (operand_is_covered(check) && has_axis(check)) {
    result_fits(check, result_extents(check.op(), check.input(1).elements()));
  }
}

void check_pad(OperandCheck& check) {
  check.output_is_same_kind(0);
  if (!operand_is_covered(check)) return;
  const auto rank = extents_of(check.op(), "extents").size();
  const bool is_whole = check.op().integers("begin").size() == rank && check.op().integers("end").size() == rank;
  if (check.holds(is_whole, "needs `begin` and `end` for each axis")) result_fits(check, result_extents(check.op()));
}

void check_resize(OperandCheck& check) {
  check.input_dtype_is(0, kNumbers);
  check.output_is_same_kind(0);
  const auto extent = [&](std::string_view name) { return static_cast<std::uint64_t>(check.op().integer(name, 1)); };
  const auto places = extent("height") * extent("width");
  const auto rows = OperandCheck::rows(check.input(0)), columns = OperandCheck::columns(check.input(0));
  if (!check.holds(rows % places == 0,
                   fmt::format("cannot see {} rows as grids of {} x {}", rows, extent("height"), extent("width")))) {
    return;
  }
  check.output_is({rows / places * extent("to_height") * extent("to_width"), columns});
}

AttributeRule integers(std::string_view name, std::string_view meaning, std::int64_t low = 1) {
  return {.name = name, .kind = AttributeKind::integers, .required = true, .meaning = meaning, .low = low};
}

AttributeRule integer(std::string_view name, std::string_view meaning, std::int64_t low, std::int64_t high) {
  return {.name = name, .kind = AttributeKind::integer, .required = true, .meaning = meaning, .low = low, .high = high};
}

AttributeRule choice(std::string_view name, std::string_view meaning, bool required,
                     std::vector<std::string_view> choices) {
  return {.name = name,
          .kind = AttributeKind::text,
          .required = required,
          .meaning = meaning,
          .choices = std::move(choices)};
}

}  // namespace

std::vector<OperatorRule> view_rules() {
  const auto extents = integers("extents", "what the operand is seen as");
  const auto axis = integer("axis", "of the extents", 0, 63);
  constexpr std::int64_t kSide = 1 << 20;
  return {
      {.type = OperatorType::transpose,
       .signature = "one input and one output",
       .attributes = {extents, integers("order", "axis d of the result is axis order[d] of the operand", 0)},
       .check = check_transpose},
      {.type = OperatorType::expand,
       .signature = "one input and one output",
       .attributes = {extents, integers("result", "extents of the result")},
       .check = check_expand},
      {.type = OperatorType::reduce,
       .signature = "one input and one output",
       .attributes = {extents, axis,
                      choice("function", "what is made of the axis", true,
                             {"sum", "mean", "max", "min", "product", "sum_of_squares"})},
       .check = check_reduce},
      {.type = OperatorType::gather,
       .signature = "inputs x and ids, and one output",
       .inputs = {2, 2},
       .attributes = {extents, axis},
       .check = check_gather},
      {.type = OperatorType::pad,
       .signature = "one input and one output",
       .attributes = {extents,
                      integers("begin", "places added in front of each axis", 0),
                      integers("end", "places added behind each axis", 0),
                      choice("mode", "what the added places hold; constant if absent", false,
                             {"constant", "edge", "reflect"}),
                      {.name = "value", .kind = AttributeKind::number, .meaning = "of mode constant; 0 if absent"}},
       .check = check_pad},
      {.type = OperatorType::resize,
       .signature = "one input and one output",
       .attributes = {integer("height", "rows of the grid", 1, kSide),
                      integer("width", "columns of the grid", 1, kSide),
                      integer("to_height", "rows of the result", 1, kSide),
                      integer("to_width", "columns of the result", 1, kSide),
                      choice("mode", "between the places", true, {"nearest", "linear", "cubic"})},
       .check = check_resize},
  };
}

}  // namespace archsim
