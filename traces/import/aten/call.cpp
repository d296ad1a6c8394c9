#include "traces/import/aten/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace archsim {

bool Call::has_tensor(std::size_t i) const { return value(i) && std::holds_alternative<AtenTensor>(*value(i)); }

const AtenTensor& Call::tensor(std::size_t i) const {
  if (!has_tensor(i)) throw NotExpressible{fmt::format("has no tensor as argument {}", i)};
  return std::get<AtenTensor>(*value(i));
}

const std::vector<AtenTensor>& Call::list(std::size_t i) const {
  if (!value(i) || !std::holds_alternative<std::vector<AtenTensor>>(*value(i))) {
    throw NotExpressible{fmt::format("has no list of tensors as argument {}", i)};
  }
  return std::get<std::vector<AtenTensor>>(*value(i));
}

std::int64_t Call::integer(std::size_t i, std::int64_t otherwise) const {
  const auto* integer = value(i) ? std::get_if<std::int64_t>(value(i)) : nullptr;
  return integer ? *integer : otherwise;
}

bool Call::has_number(std::size_t i) const {
  return value(i) && (std::holds_alternative<double>(*value(i)) || std::holds_alternative<std::int64_t>(*value(i)));
}

double Call::number(std::size_t i, double otherwise) const {
  const auto* number = value(i) ? std::get_if<double>(value(i)) : nullptr;
  if (number) return *number;
  return has_number(i) ? static_cast<double>(std::get<std::int64_t>(*value(i))) : otherwise;
}

bool Call::flag(std::size_t i) const {
  const auto* flag = value(i) ? std::get_if<bool>(value(i)) : nullptr;
  return flag ? *flag : integer(i, 0) != 0;
}

std::string_view Call::text(std::size_t i) const {
  const auto* text = value(i) ? std::get_if<std::string>(value(i)) : nullptr;
  return text ? std::string_view(*text) : std::string_view{};
}

Sizes Call::sizes(std::size_t i) const {
  if (value(i) && std::holds_alternative<Sizes>(*value(i))) return std::get<Sizes>(*value(i));
  if (value(i) && std::holds_alternative<std::int64_t>(*value(i))) return {std::get<std::int64_t>(*value(i))};
  return {};
}

Sizes Call::pair(std::size_t i, std::int64_t otherwise) const {
  const auto found = sizes(i);
  if (found.empty()) return {otherwise, otherwise};
  if (found.size() > 2) throw NotExpressible{"works on more than two dimensions"};
  return {found.front(), found.back()};
}

std::size_t Call::axis(std::size_t i, std::int64_t otherwise, std::size_t rank) const {
  const auto found = axis_of(integer(i, otherwise), rank);
  if (!found) throw NotExpressible{fmt::format("has no axis {}", integer(i, otherwise))};
  return *found;
}

const AtenTensor& Call::output(std::size_t i) const {
  const auto all = outputs();
  if (i >= all.size()) throw NotExpressible{"has no result"};
  return *all[i];
}

void Call::result(const Strided& value) {
  if (in_place_) builder.overwrite(tensor(0), value);
  builder.bind(output(), value);
}

TensorUse Call::parameters(std::size_t i, const Sizes& shape) {
  if (!has_tensor(i)) return builder.constant(shape, result_type());
  const auto x = in(i);
  if (x.elements() != product(shape))
    throw NotExpressible{fmt::format("has parameters of another size in argument {}", i)};
  return builder.use(x, shape, Role::weight);
}

Sizes rows_and_columns(const Sizes& shape) {
  if (shape.empty()) return {1, 1};
  if (shape.back() == 0) throw NotExpressible{"has a tensor without elements"};
  return {product(shape) / shape.back(), shape.back()};
}

std::vector<std::size_t> inverse(const std::vector<std::size_t>& order) {
  std::vector<std::size_t> out(order.size());
  for (std::size_t d = 0; d < order.size(); ++d) out[order[d]] = d;
  return out;
}

std::vector<std::size_t> order_with_last(std::size_t axis, std::size_t rank) {
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < rank; ++d) {
    if (d != axis) order.push_back(d);
  }
  order.push_back(axis);
  return order;
}

namespace {

/// The axes as the elements lie, outermost first, of the operand that has all of them.
std::vector<std::size_t> order_of(const AtenBuilder& builder, const std::vector<Strided>& operands) {
  std::vector<std::size_t> order(operands.front().rank());
  std::iota(order.begin(), order.end(), 0);
  for (const auto& x : operands) {
    const bool is_full = std::find(x.strides.begin(), x.strides.end(), 0) == x.strides.end();
    if (builder.is_external(x) || !is_full) continue;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return x.shape[a] > 1 && x.shape[b] > 1 && x.strides[a] > x.strides[b];
    });
    break;
  }
  return order;
}

/// The operand as one row, if it repeats along all axes but the last.
std::optional<Strided> as_row(Strided x) {
  if (x.rank() < 2) return std::nullopt;
  bool repeats = false;
  for (std::size_t d = 0; d + 1 < x.rank(); ++d) {
    if (x.shape[d] > 1 && x.strides[d] != 0) return std::nullopt;
    repeats = repeats || x.shape[d] > 1;
    x.shape[d] = 1;
  }
  return repeats ? std::optional(x) : std::nullopt;
}

}  // namespace

Strided elementwise(Call& call, OperatorType type, std::vector<Strided> operands, const Sizes& shape,
                    Attributes attributes) {
  auto& builder = call.builder;
  bool any_written = false;
  for (auto& x : operands) {
    const auto full = expanded(x, shape);
    if (!full) throw NotExpressible{"has operands whose shapes do not fit together"};
    x = *full;
    any_written = any_written || !builder.is_external(x);
  }
  const auto order = order_of(builder, operands);
  const auto lying = permuted(operands.front(), order).shape;
  std::vector<TensorUse> uses;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto x = permuted(operands[i], order);
    // A parameter stands beside something computed: the first operand alone may be what comes in.
    const auto role = any_written || i > 0 ? Role::weight : Role::input;
    const auto row = i > 0 ? as_row(x) : std::nullopt;
    uses.push_back(row ? builder.use(*row, {1, lying.back()}, role) : builder.use(x, rows_and_columns(lying), role));
  }
  auto y = builder.emit(type, std::move(uses), rows_and_columns(lying), call.result_type(), std::move(attributes));
  return permuted(plain(y.base, lying), inverse(order));
}

Strided with_constant(Call& call, OperatorType type, const Strided& x) {
  const auto shape = rows_and_columns(x.shape);
  auto y =
      call.builder.emit(type, {call.builder.use(x, shape), call.builder.constant({1, shape[1]}, call.result_type())},
                        shape, call.result_type());
  return plain(y.base, x.shape);
}

}  // namespace archsim
