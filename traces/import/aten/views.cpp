// What moves nothing by itself, copies, casts, and joins.
#include <algorithm>

#include "traces/import/aten/call.h"

namespace archsim {
namespace {

/// Every result has the elements of the first argument, in its own shape.
void lower_reshape(Call& call) {
  const auto x = call.in(0);
  const auto& wanted = call.output().shape;
  if (x.elements() != product(wanted)) throw NotExpressible{"has a result of another size than its argument"};
  if (const auto y = reshaped(x, wanted)) return call.result(*y);
  // It cannot be seen so: PyTorch copies too.
  const auto copy =
      call.builder.emit(OperatorType::reshape, {call.builder.use(x, wanted)}, wanted, call.builder.dtype(x));
  call.result(copy);
}

void lower_permute(Call& call) {
  const auto x = call.in(0);
  std::vector<std::size_t> order;
  for (const auto axis : call.sizes(1)) {
    const auto found = axis_of(axis, x.rank());
    if (!found) throw NotExpressible{"has no such axis"};
    order.push_back(*found);
  }
  auto sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t d = 0; d < sorted.size(); ++d) {
    if (sorted[d] != d) throw NotExpressible{"has an order without each axis once"};
  }
  if (order.size() != x.rank()) throw NotExpressible{"has an order without each axis once"};
  call.result(permuted(x, order));
}

void lower_transpose(Call& call) {
  const auto x = call.in(0);
  call.result(swapped(x, call.axis(1, 0, x.rank()), call.axis(2, 1, x.rank())));
}

void lower_t(Call& call) {
  const auto x = call.in(0);
  call.result(x.rank() < 2 ? x : swapped(x, 0, 1));
}

void lower_expand(Call& call) {
  const auto y = expanded(call.in(0), call.output().shape);
  if (!y) throw NotExpressible{"repeats an axis of more than one element"};
  call.result(*y);
}

Strided checked_part(const Strided& x, std::size_t axis, std::int64_t begin, std::int64_t size, std::int64_t step = 1) {
  const auto extent = x.shape[axis];
  const bool fits = step >= 1 && step <= extent + 1 && begin >= 0 && size >= 0 && begin <= extent && size <= extent &&
                    (size == 0 || begin + (size - 1) * step < extent);
  if (!fits) throw NotExpressible{"takes more than there is"};
  return narrowed(x, axis, begin, size, step);
}

std::int64_t from_start(std::int64_t index, std::int64_t extent) { return index < 0 ? index + extent : index; }

// (x, axis, index)
void lower_select(Call& call) {
  const auto x = call.in(0);
  const auto axis = call.axis(1, 0, x.rank());
  call.result(without_axis(checked_part(x, axis, from_start(call.integer(2, 0), x.shape[axis]), 1), axis));
}

// (x, axis, begin, end, step); begin and end may lie outside
void lower_slice(Call& call) {
  const auto x = call.in(0);
  const auto axis = call.axis(1, 0, x.rank());
  const auto& wanted = call.output().shape;
  if (wanted.size() != x.rank()) throw NotExpressible{"has a result of other dimensions than its argument"};
  const auto begin = std::clamp<std::int64_t>(from_start(call.integer(2, 0), x.shape[axis]), 0, x.shape[axis]);
  call.result(checked_part(x, axis, begin, wanted[axis], call.integer(4, 1)));
}

// (x, axis, begin, size)
void lower_narrow(Call& call) {
  const auto x = call.in(0);
  const auto axis = call.axis(1, 0, x.rank());
  call.result(checked_part(x, axis, from_start(call.integer(2, 0), x.shape[axis]), call.integer(3, 1)));
}

/// Results lie one behind the other along the axis in place `place`.
void parts(Call& call, std::size_t place, bool drops_axis) {
  const auto x = call.in(0);
  const auto axis = call.axis(place, 0, x.rank());
  std::int64_t begin = 0;
  for (const auto* tensor : call.outputs()) {
    if (!drops_axis && tensor->shape.size() != x.rank()) throw NotExpressible{"has parts of other dimensions"};
    const auto size = drops_axis ? 1 : tensor->shape[axis];
    const auto part = checked_part(x, axis, begin, size);
    call.builder.bind(*tensor, drops_axis ? without_axis(part, axis) : part);
    begin += size;
  }
}
void lower_split(Call& call) { parts(call, 2, false); }  // (x, size or sizes, axis)
void lower_unbind(Call& call) { parts(call, 1, true); }  // (x, axis)

void lower_same(Call& call) { call.result(call.in(0)); }

/// A copy in the same type is the same value; in another one it is a cast.
void lower_to(Call& call) {
  const auto x = call.in(0);
  const auto& wanted = call.output();
  if (is_bookkeeping(call.tensor(0).type) && is_bookkeeping(wanted.type)) {
    if (call.tensor(0).type == wanted.type) return call.result(x);
    return call.builder.forget(wanted, false);
  }
  const auto dtype = call.result_type();
  if (dtype == call.builder.dtype(x)) return call.result(x);
  if (call.builder.is_external(x)) return call.builder.forget(wanted, false);  // it comes in as what it is cast to
  call.result(elementwise(call, OperatorType::cast, {x}, x.shape));
}

// (target, source): the target is the source from now on.
void lower_copy(Call& call) {
  const auto& target = call.tensor(0);
  auto source = expanded(call.in(1), target.shape);
  if (!source) throw NotExpressible{"copies from another shape"};
  if (dtype_of(target.type) != call.builder.dtype(*source)) {
    *source = elementwise(call, OperatorType::cast, {*source}, target.shape);
  }
  call.builder.overwrite(target, *source);
  call.builder.bind(call.output(), *source);
}

void join(Call& call, std::vector<Strided> all, std::size_t axis) {
  all.erase(std::remove_if(all.begin(), all.end(), [](const Strided& x) { return x.elements() == 0; }), all.end());
  if (all.empty()) throw NotExpressible{"joins nothing"};
  const auto& wanted = call.output().shape;
  std::int64_t before = 1, behind = 1;
  for (std::size_t d = 0; d < axis; ++d) before *= wanted[d];
  for (std::size_t d = axis + 1; d < wanted.size(); ++d) behind *= wanted[d];
  std::vector<TensorUse> inputs;
  const bool rows = before == 1;
  for (const auto& x : all) {
    inputs.push_back(call.builder.use(x, rows ? Sizes{x.shape[axis], behind} : Sizes{before, x.shape[axis] * behind}));
  }
  const auto y = call.builder.emit(OperatorType::concat, std::move(inputs),
                                   rows ? Sizes{wanted[axis], behind} : Sizes{before, wanted[axis] * behind},
                                   call.result_type(), {{"axis", std::int64_t{rows ? 0 : 1}}});
  call.result(plain(y.base, wanted));
}

bool joins_bookkeeping(Call& call) {
  if (!is_bookkeeping(call.output().type)) return false;
  call.builder.forget(call.output(), false);
  return true;
}

// (tensors, axis)
void lower_cat(Call& call) {
  if (joins_bookkeeping(call)) return;
  const auto rank = call.output().shape.size();
  const auto axis = call.axis(1, 0, rank);
  std::vector<Strided> all;
  for (const auto& tensor : call.list(0)) {
    const auto x = call.builder.at(tensor);
    if (x.elements() > 0 && x.rank() != rank) throw NotExpressible{"joins tensors of different dimensions"};
    all.push_back(x);
  }
  join(call, std::move(all), axis);
}

// (tensors, axis): along a new one
void lower_stack(Call& call) {
  if (joins_bookkeeping(call)) return;
  const auto rank = call.output().shape.size();
  const auto axis = call.axis(1, 0, rank);
  std::vector<Strided> all;
  for (const auto& tensor : call.list(0)) {
    auto x = call.builder.at(tensor);
    if (x.rank() + 1 != rank) throw NotExpressible{"stacks tensors of different dimensions"};
    x.shape.insert(x.shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
    x.strides.insert(x.strides.begin() + static_cast<std::ptrdiff_t>(axis), 1);
    all.push_back(std::move(x));
  }
  join(call, std::move(all), axis);
}

/// Gathering from ids and positions is bookkeeping; from anything else it is not known.
void lower_index(Call& call) {
  if (joins_bookkeeping(call)) return;
  throw NotExpressible{"gathers by computed places"};
}

}  // namespace

const std::vector<AtenOperator>& aten_views() {
  static const std::vector<AtenOperator> all = {{"view", lower_reshape},
                                                {"reshape", lower_reshape},
                                                {"_unsafe_view", lower_reshape},
                                                {"_reshape_alias", lower_reshape},
                                                {"flatten", lower_reshape},
                                                {"unflatten", lower_reshape},
                                                {"view_as", lower_reshape},
                                                {"squeeze", lower_reshape},
                                                {"unsqueeze", lower_reshape},
                                                {"permute", lower_permute},
                                                {"transpose", lower_transpose},
                                                {"swapaxes", lower_transpose},
                                                {"t", lower_t},
                                                {"expand", lower_expand},
                                                {"expand_as", lower_expand},
                                                {"broadcast_to", lower_expand},
                                                {"repeat", lower_expand},
                                                {"select", lower_select},
                                                {"slice", lower_slice},
                                                {"narrow", lower_narrow},
                                                {"split", lower_split},
                                                {"split_with_sizes", lower_split},
                                                {"unsafe_split", lower_split},
                                                {"chunk", lower_split},
                                                {"unsafe_chunk", lower_split},
                                                {"unbind", lower_unbind},
                                                {"contiguous", lower_same},
                                                {"clone", lower_same},
                                                {"detach", lower_same},
                                                {"alias", lower_same},
                                                {"dropout", lower_same},
                                                {"feature_dropout", lower_same},
                                                {"lift_fresh", lower_same},
                                                {"resolve_conj", lower_same},
                                                {"resolve_neg", lower_same},
                                                {"to", lower_to},
                                                {"_to_copy", lower_to},
                                                {"type_as", lower_to},
                                                {"copy_", lower_copy},
                                                {"cat", lower_cat},
                                                {"concat", lower_cat},
                                                {"stack", lower_stack},
                                                {"index", lower_index}};
  return all;
}

}  // namespace archsim
