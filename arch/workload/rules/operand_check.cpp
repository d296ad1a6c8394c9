#include "arch/workload/rules/operand_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace archsim {
namespace {

std::string text_of(std::initializer_list<Dtype> dtypes) {
  std::string out;
  for (const auto dtype : dtypes) {
    if (!out.empty()) out += ", ";
    out += name_of(dtype);
  }
  return out;
}

bool is_among(Dtype dtype, std::initializer_list<Dtype> allowed) {
  return std::find(allowed.begin(), allowed.end(), dtype) != allowed.end();
}

}  // namespace

std::string text_of(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

OperandCheck::OperandCheck(const Trace& trace, std::uint32_t index, const std::vector<std::int64_t>& producers,
                           Problems& problems)
    : trace_(trace), index_(index), operator_(trace.operators[index]), producers_(producers), problems_(problems) {}

std::uint64_t OperandCheck::rows(const Tensor& tensor) { return tensor.elements() / tensor.shape.back(); }
std::uint64_t OperandCheck::columns(const Tensor& tensor) { return tensor.shape.back(); }

bool OperandCheck::holds(bool condition, std::string message, std::string help) {
  if (!condition) {
    problems_.push_back({fmt::format("operator `{}` ({}) {}", operator_.name, name_of(operator_.type), message),
                         std::move(help), index_, std::nullopt});
  }
  return condition;
}

bool OperandCheck::wrong_input(std::size_t i, const std::string& wanted) {
  const auto& tensor = input(i);
  const auto found = text_of(tensor.shape);
  std::string but = fmt::format("but it is {}", found);
  if (producers_[i] >= 0) {
    but = fmt::format("but `{}` writes {}", trace_.operators[static_cast<std::size_t>(producers_[i])].name, found);
  }
  problems_.push_back({fmt::format("operator `{}` needs `{}` to be {}, {}", operator_.name, tensor.name, wanted, but),
                       fmt::format("`{}` is declared as {}", tensor.name, found), index_, std::nullopt});
  return false;
}

bool OperandCheck::input_is(std::size_t i, const Shape& wanted) {
  return input(i).shape == wanted || wrong_input(i, text_of(wanted));
}

bool OperandCheck::output_is(const Shape& wanted, std::size_t i) {
  const auto& tensor = output(i);
  return tensor.shape == wanted || holds(false, fmt::format("writes {}, but its output `{}` is declared {}",
                                                            text_of(wanted), tensor.name, text_of(tensor.shape)));
}

bool OperandCheck::input_rank_is(std::size_t i, std::size_t rank) {
  return input(i).shape.size() == rank || wrong_input(i, fmt::format("of {} dimensions", rank));
}

bool OperandCheck::input_columns_are(std::size_t i, std::uint64_t wanted) {
  Shape shape = input(i).shape;
  if (shape.back() == wanted) return true;
  shape.back() = wanted;
  return wrong_input(i, text_of(shape));
}

bool OperandCheck::input_rows_are(std::size_t i, std::uint64_t wanted) {
  return rows(input(i)) == wanted || wrong_input(i, text_of({wanted, columns(input(i))}));
}

bool OperandCheck::output_has_shape_of_input(std::size_t i) { return output_is(input(i).shape); }

bool OperandCheck::input_is_row(std::size_t i, std::uint64_t wanted) {
  const auto& tensor = input(i);
  return (rows(tensor) == 1 && columns(tensor) == wanted) || wrong_input(i, text_of({wanted}));
}

bool OperandCheck::input_is_stored(std::size_t i, std::string_view what) {
  const auto role = input(i).role;
  return role == Role::weight || role == Role::constant ||
         holds(false, fmt::format("needs its {} `{}` to be a weight or a constant, but its role is {}", what,
                                  input(i).name, name_of(role)));
}

bool OperandCheck::input_dtype_is(std::size_t i, std::initializer_list<Dtype> allowed) {
  const auto dtype = input(i).dtype;
  return is_among(dtype, allowed) || holds(false, fmt::format("cannot read `{}` as {}", input(i).name, name_of(dtype)),
                                           fmt::format("it takes {}; operator `cast` converts", text_of(allowed)));
}

bool OperandCheck::output_dtype_is(std::initializer_list<Dtype> allowed, std::size_t i) {
  const auto dtype = output(i).dtype;
  return is_among(dtype, allowed) ||
         holds(false, fmt::format("cannot write `{}` as {}", output(i).name, name_of(dtype)),
               fmt::format("it writes {}; operator `cast` converts", text_of(allowed)));
}

bool OperandCheck::inputs_have_same_dtype(std::size_t a, std::size_t b) {
  return input(a).dtype == input(b).dtype ||
         holds(false,
               fmt::format("mixes `{}` ({}) with `{}` ({})", input(a).name, name_of(input(a).dtype), input(b).name,
                           name_of(input(b).dtype)),
               "operator `cast` converts");
}

bool decodes_to(Dtype weight, Dtype x) {
  if (weight == x) return true;
  const auto is_integer = [](Dtype dtype) { return dtype == Dtype::int8 || dtype == Dtype::int4; };
  const bool is_known = weight != Dtype::int32 && weight != Dtype::uint8;
  return is_known && is_plain(x) && bits(weight) < bits(x) && (is_integer(weight) || !is_integer(x));
}

bool OperandCheck::input_decodes_to(std::size_t a, std::size_t b) {
  return decodes_to(input(a).dtype, input(b).dtype) || inputs_have_same_dtype(b, a);
}

bool OperandCheck::output_is_same_kind(std::size_t i) {
  const auto& x = input(i);
  const auto& y = output();
  if (!holds(is_plain(x.dtype),
             fmt::format("cannot move parts of `{}`, whose {} elements have no addresses of their own", x.name,
                         name_of(x.dtype)),
             "operator `cast` converts")) {
    return false;
  }
  return (x.dtype == y.dtype && x.scale == y.scale) ||
         holds(false,
               fmt::format("moves elements as they are, but `{}` is {} of scale {} and `{}` is {} of scale {}", x.name,
                           name_of(x.dtype), x.scale, y.name, name_of(y.dtype), y.scale),
               "operator `cast` converts");
}

}  // namespace archsim
