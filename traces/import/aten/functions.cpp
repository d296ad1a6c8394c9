// Elementwise operators.
#include <fmt/format.h>

#include <algorithm>

#include "traces/import/aten/call.h"

namespace archsim {
namespace {

/// What counts or decides is not computed with: a value that depends on it comes from outside.
bool is_about_integers(const Call& call) {
  for (const auto* values : {&call.node.inputs, &call.node.outputs}) {
    for (const auto* tensor : tensors_of(*values)) {
      if (!is_bookkeeping(tensor->type)) return false;
    }
  }
  return true;
}

void bookkeeping(Call& call) {
  for (const auto* tensor : call.outputs()) call.builder.forget(*tensor, false);
}

/// A number of Python's that PyTorch wrapped into a tensor without dimensions; the trace does not have its value.
bool is_wrapped_number(const AtenTensor& tensor) {
  return tensor.shape.empty() && (tensor.type == "double" || is_bookkeeping(tensor.type));
}

void needs_values(const Call& call) {
  for (const auto* tensor : tensors_of(call.node.inputs)) {
    if (is_wrapped_number(*tensor)) continue;
    if (is_bookkeeping(tensor->type) || dtype_of(tensor->type) == Dtype::uint8) {
      throw NotExpressible{fmt::format("computes with a tensor of `{}`", tensor->type)};
    }
  }
}

template <OperatorType type>
void lower_unary(Call& call) {
  needs_values(call);
  Attributes attributes;
  if (type == OperatorType::gelu && call.text(1) == "tanh") attributes["approximate"] = true;
  if (type == OperatorType::elu) attributes["alpha"] = call.number(1, 1.0);
  if (type == OperatorType::leaky_relu) attributes["alpha"] = call.number(1, 0.01);
  const auto x = call.in(0);
  call.result(elementwise(call, type, {x}, x.shape, std::move(attributes)));
}

Strided scaled(Call& call, const Strided& x, double factor) {
  return elementwise(call, OperatorType::scale, {x}, x.shape, {{"factor", factor}});
}

/// The other operand is a number.
Strided with_number(Call& call, OperatorType type, const Strided& x, double number) {
  if (type == OperatorType::mul) return scaled(call, x, number);
  if (type == OperatorType::div) {
    if (number == 0) throw NotExpressible{"divides by 0"};
    return scaled(call, x, 1 / number);
  }
  if (type == OperatorType::pow && number == 2) return elementwise(call, OperatorType::mul, {x, x}, x.shape);
  if (type == OperatorType::pow && number == 0.5) return elementwise(call, OperatorType::sqrt, {x}, x.shape);
  return with_constant(call, type, x);
}

/// add and sub have a factor of the second operand; add and mul may change their operands, so that the larger is first.
template <OperatorType type>
void lower_binary(Call& call) {
  if (is_about_integers(call)) return bookkeeping(call);
  needs_values(call);
  if (type == OperatorType::div && !call.text(2).empty()) throw NotExpressible{"divides and rounds"};
  if (!call.has_tensor(0)) throw NotExpressible{"has a number as first operand"};
  auto a = call.in(0);
  if (!call.has_tensor(1)) {
    if (!call.has_number(1)) throw NotExpressible{"has a second operand that is no tensor and no number"};
    return call.result(with_number(call, type, a, call.number(1, 0.0)));
  }
  if (is_wrapped_number(call.tensor(1))) return call.result(with_constant(call, type, a));
  auto b = call.in(1);
  const bool has_factor = type == OperatorType::add || type == OperatorType::sub;
  if (const double factor = has_factor ? call.number(2, 1.0) : 1.0; factor != 1.0) b = scaled(call, b, factor);
  const bool commutes = type == OperatorType::add || type == OperatorType::mul || type == OperatorType::maximum ||
                        type == OperatorType::minimum;
  const bool b_is_larger = b.elements() > a.elements() || (b.elements() == a.elements() &&
                                                           call.builder.is_external(a) && !call.builder.is_external(b));
  if (commutes && b_is_larger) std::swap(a, b);
  call.result(elementwise(call, type, {a, b}, call.output().shape));
}

void lower_negative(Call& call) { call.result(scaled(call, call.in(0), -1.0)); }

void lower_reverse_sub(Call& call) {
  if (is_about_integers(call)) return bookkeeping(call);
  needs_values(call);
  const auto a = scaled(call, call.in(0), -call.number(2, 1.0));
  if (call.has_tensor(1))
    return call.result(elementwise(call, OperatorType::add, {a, call.in(1)}, call.output().shape));
  call.result(with_constant(call, OperatorType::add, a));
}

void lower_rsqrt(Call& call) {
  const auto x = call.in(0);
  const auto root = elementwise(call, OperatorType::sqrt, {x}, x.shape);
  call.result(elementwise(call, OperatorType::reciprocal, {root}, x.shape));
}

void lower_clamp(Call& call) {
  if (is_about_integers(call)) return bookkeeping(call);
  needs_values(call);
  Attributes attributes;
  if (call.has_number(1)) attributes["low"] = call.number(1, 0.0);
  if (call.has_number(2)) attributes["high"] = call.number(2, 0.0);
  const auto x = call.in(0);
  call.result(elementwise(call, OperatorType::clip, {x}, x.shape, std::move(attributes)));
}

void lower_relu6(Call& call) {
  const auto x = call.in(0);
  call.result(elementwise(call, OperatorType::clip, {x}, x.shape, {{"low", 0.0}, {"high", 6.0}}));
}

/// (x, mask, value): value where the mask holds.
void lower_masked_fill(Call& call) {
  if (is_bookkeeping(call.tensor(0).type)) return bookkeeping(call);
  const auto x = call.in(0), mask = call.in(1);
  const auto shape = rows_and_columns(x.shape);
  const auto seen = expanded(mask, x.shape);
  if (!seen) throw NotExpressible{"has a mask whose shape does not fit"};
  const auto y =
      call.builder.emit(OperatorType::where,
                        {call.builder.use(*seen, shape), call.builder.constant({1, shape[1]}, call.result_type()),
                         call.builder.use(x, shape)},
                        shape, call.result_type());
  call.result(plain(y.base, x.shape));
}

void lower_where(Call& call) {
  if (is_bookkeeping(call.output().type)) return bookkeeping(call);
  const auto& wanted = call.output().shape;
  call.result(elementwise(call, OperatorType::where, {call.in(0), call.in(1), call.in(2)}, wanted));
}

/// Of whole numbers and truth values alone; of anything else it has no counterpart here.
void lower_bookkeeping(Call& call) {
  if (!is_about_integers(call)) throw NotExpressible{"is known for integers and truth values only"};
  bookkeeping(call);
}

/// Written from a number, not computed.
void lower_filled(Call& call) {
  for (const auto* tensor : call.outputs()) call.builder.forget(*tensor, true);
}

void lower_glu(Call& call) {
  const auto x = call.in(0);
  const auto axis = call.axis(1, -1, x.rank());
  const auto half = x.shape[axis] / 2;
  const auto value = narrowed(x, axis, 0, half), gate = narrowed(x, axis, half, half);
  const auto shape = rows_and_columns(value.shape);
  const auto y = call.builder.emit(OperatorType::glu, {call.builder.use(gate, shape), call.builder.use(value, shape)},
                                   shape, call.result_type(), {{"activation", std::string("sigmoid")}});
  call.result(plain(y.base, value.shape));
}

}  // namespace

const std::vector<AtenOperator>& aten_functions() {
  static const std::vector<AtenOperator> all = {{"gelu", lower_unary<OperatorType::gelu>},
                                                {"silu", lower_unary<OperatorType::silu>},
                                                {"relu", lower_unary<OperatorType::relu>},
                                                {"tanh", lower_unary<OperatorType::tanh>},
                                                {"sigmoid", lower_unary<OperatorType::sigmoid>},
                                                {"mish", lower_unary<OperatorType::mish>},
                                                {"exp", lower_unary<OperatorType::exp>},
                                                {"log", lower_unary<OperatorType::log>},
                                                {"sqrt", lower_unary<OperatorType::sqrt>},
                                                {"reciprocal", lower_unary<OperatorType::reciprocal>},
                                                {"erf", lower_unary<OperatorType::erf>},
                                                {"sin", lower_unary<OperatorType::sin>},
                                                {"cos", lower_unary<OperatorType::cos>},
                                                {"abs", lower_unary<OperatorType::abs>},
                                                {"elu", lower_unary<OperatorType::elu>},
                                                {"softplus", lower_unary<OperatorType::softplus>},
                                                {"hardswish", lower_unary<OperatorType::hard_swish>},
                                                {"leaky_relu", lower_unary<OperatorType::leaky_relu>},
                                                {"hardtanh", lower_clamp},
                                                {"relu6", lower_relu6},
                                                {"clamp", lower_clamp},
                                                {"rsqrt", lower_rsqrt},
                                                {"neg", lower_negative},
                                                {"glu", lower_glu},
                                                {"add", lower_binary<OperatorType::add>},
                                                {"sub", lower_binary<OperatorType::sub>},
                                                {"mul", lower_binary<OperatorType::mul>},
                                                {"div", lower_binary<OperatorType::div>},
                                                {"pow", lower_binary<OperatorType::pow>},
                                                {"maximum", lower_binary<OperatorType::maximum>},
                                                {"minimum", lower_binary<OperatorType::minimum>},
                                                {"rsub", lower_reverse_sub},
                                                {"masked_fill", lower_masked_fill},
                                                {"where", lower_where},
                                                {"arange", lower_filled},
                                                {"zeros", lower_filled},
                                                {"ones", lower_filled},
                                                {"full", lower_filled},
                                                {"zeros_like", lower_filled},
                                                {"ones_like", lower_filled},
                                                {"full_like", lower_filled},
                                                {"new_zeros", lower_filled},
                                                {"new_ones", lower_filled},
                                                {"new_full", lower_filled},
                                                {"scalar_tensor", lower_filled},
                                                {"fill_", lower_filled},
                                                {"zero_", lower_filled},
                                                {"lt", lower_bookkeeping},
                                                {"le", lower_bookkeeping},
                                                {"gt", lower_bookkeeping},
                                                {"ge", lower_bookkeeping},
                                                {"eq", lower_bookkeeping},
                                                {"ne", lower_bookkeeping},
                                                {"tril", lower_bookkeeping},
                                                {"triu", lower_bookkeeping},
                                                {"cumsum", lower_bookkeeping},
                                                {"remainder", lower_bookkeeping},
                                                {"floor_divide", lower_bookkeeping},
                                                {"logical_and", lower_bookkeeping},
                                                {"logical_or", lower_bookkeeping},
                                                {"logical_not", lower_bookkeeping},
                                                {"bitwise_and", lower_bookkeeping},
                                                {"bitwise_or", lower_bookkeeping},
                                                {"bitwise_not", lower_bookkeeping},
                                                {"all", lower_bookkeeping},
                                                {"any", lower_bookkeeping}};
  return all;
}

}  // namespace archsim
