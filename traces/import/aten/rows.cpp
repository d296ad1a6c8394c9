// Norms, softmax, reductions and gathers.
#include <algorithm>

#include "traces/import/aten/call.h"

namespace archsim {
namespace {

void lower_softmax(Call& call) {
  const auto x = call.in(0);
  if (x.rank() == 0) throw NotExpressible{"has no axis"};
  const auto order = order_with_last(call.axis(1, -1, x.rank()), x.rank());
  const auto moved = permuted(x, order);
  const auto y = call.builder.emit(OperatorType::softmax, {call.builder.use(moved, rows_and_columns(moved.shape))},
                                   rows_and_columns(moved.shape), call.result_type());
  call.result(permuted(plain(y.base, moved.shape), inverse(order)));
}

/// Over the last axes, as many as the normalized shape has; parameters from place 2 on.
void row_norm(Call& call, OperatorType type, std::size_t parameters, double epsilon) {
  const auto x = call.in(0);
  const auto columns = product(call.sizes(1));
  if (columns <= 0 || x.elements() % columns != 0) throw NotExpressible{"has no shape to normalize over"};
  const Sizes shape = {x.elements() / columns, columns};
  std::vector<TensorUse> inputs = {call.builder.use(x, shape)};
  for (std::size_t i = 0; i < parameters; ++i) inputs.push_back(call.parameters(2 + i, {columns}));
  const auto y = call.builder.emit(type, std::move(inputs), shape, call.result_type(), {{"epsilon", epsilon}});
  call.result(plain(y.base, x.shape));
}

void lower_layer_norm(Call& call) { row_norm(call, OperatorType::layernorm, 2, call.number(4, 1e-5)); }
// Without an epsilon it is that of the type; of fp32 2^-23.
void lower_rms_norm(Call& call) { row_norm(call, OperatorType::rmsnorm, 1, call.number(3, 1.1920929e-7)); }

Strided channels_last(const Strided& x) {
  if (x.rank() < 2) throw NotExpressible{"has no channels"};
  return permuted(x, order_with_last(1, x.rank()));
}

Strided channels_first(const Strided& x) { return permuted(x, inverse(order_with_last(1, x.rank()))); }

void group_norm(Call& call, std::int64_t groups, std::size_t gamma, double epsilon) {
  const auto x = channels_last(call.in(0));
  const auto shape = rows_and_columns(x.shape);
  Attributes attributes = {{"groups", groups}, {"epsilon", epsilon}, {"batch", x.shape[0]}};
  const auto y = call.builder.emit(
      OperatorType::groupnorm,
      {call.builder.use(x, shape), call.parameters(gamma, {shape[1]}), call.parameters(gamma + 1, {shape[1]})}, shape,
      call.result_type(), std::move(attributes));
  call.result(channels_first(plain(y.base, x.shape)));
}

void lower_group_norm(Call& call) { group_norm(call, call.integer(1, 1), 2, call.number(4, 1e-5)); }
// (x, gamma, beta, N, C, HxW, groups, epsilon)
void lower_native_group_norm(Call& call) { group_norm(call, call.integer(6, 1), 1, call.number(7, 1e-5)); }

/// Mean and variance are known, so that one factor and one term a channel are left, made of gamma and beta.
void lower_batch_norm(Call& call) {
  if (call.flag(5)) throw NotExpressible{"normalizes by the statistics of its batch: training"};
  const auto x = channels_last(call.in(0));
  const auto shape = rows_and_columns(x.shape);
  const auto scaled = call.builder.emit(
      OperatorType::mul, {call.builder.use(x, shape), call.parameters(1, {1, shape[1]})}, shape, call.result_type());
  const auto y =
      call.builder.emit(OperatorType::add, {call.builder.use(scaled, shape), call.parameters(2, {1, shape[1]})}, shape,
                        call.result_type());
  call.result(channels_first(plain(y.base, x.shape)));
}

void lower_embedding(Call& call) {
  const auto table = call.in(0), ids = call.in(1);
  if (table.rank() != 2) throw NotExpressible{"has a table that is no matrix"};
  if (!call.builder.is_external(table)) throw NotExpressible{"gathers from a table that is computed"};
  const auto y =
      call.builder.emit(OperatorType::embedding,
                        {call.builder.use(ids, {ids.elements()}), call.builder.use(table, table.shape, Role::weight)},
                        {ids.elements(), table.shape[1]}, call.result_type());
  call.result(plain(y.base, call.output().shape));
}

// (table, axis, ids): rows of a table, as `embedding` does it.
void lower_index_select(Call& call) {
  const auto table = call.in(0), ids = call.in(2);
  if (call.integer(1, 0) != 0 || table.rank() != 2 || !call.builder.is_external(table)) {
    throw NotExpressible{"gathers from something else than the rows of a table of parameters"};
  }
  const auto y =
      call.builder.emit(OperatorType::embedding,
                        {call.builder.use(ids, {ids.elements()}), call.builder.use(table, table.shape, Role::weight)},
                        {ids.elements(), table.shape[1]}, call.result_type());
  call.result(plain(y.base, call.output().shape));
}

/// The axes in place 1, or all; they are moved behind and reduced together.
void reduce(Call& call, const char* function) {
  const auto x = call.in(0);
  std::vector<bool> is_reduced(x.rank(), call.sizes(1).empty());
  for (const auto axis : call.sizes(1)) {
    const auto found = axis_of(axis, x.rank());
    if (!found) throw NotExpressible{"reduces along an axis that it does not have"};
    is_reduced[*found] = true;
  }
  std::vector<std::size_t> order;
  std::int64_t kept = 1;
  for (std::size_t d = 0; d < x.rank(); ++d) {
    if (!is_reduced[d]) order.push_back(d), kept *= x.shape[d];
  }
  for (std::size_t d = 0; d < x.rank(); ++d) {
    if (is_reduced[d]) order.push_back(d);
  }
  if (x.elements() == 0) throw NotExpressible{"has a tensor without elements"};
  const Sizes extents = {kept, x.elements() / kept};
  const auto y = call.builder.emit(
      OperatorType::reduce, {call.builder.use(permuted(x, order), extents)}, {kept, 1}, call.result_type(),
      {{"extents", extents}, {"axis", std::int64_t{1}}, {"function", std::string(function)}});
  call.result(plain(y.base, call.output().shape));
}

void lower_mean(Call& call) { reduce(call, "mean"); }
void lower_sum(Call& call) { reduce(call, "sum"); }
void lower_max(Call& call) { reduce(call, "max"); }
void lower_min(Call& call) { reduce(call, "min"); }

void lower_argmax(Call& call) {
  const auto x = call.in(0);
  if (x.rank() == 0 || call.axis(1, -1, x.rank()) + 1 != x.rank())
    throw NotExpressible{"looks along another axis than the last"};
  const auto shape = rows_and_columns(x.shape);
  const auto y = call.builder.emit(OperatorType::argmax, {call.builder.use(x, shape)}, {shape[0]}, Dtype::int32);
  call.result(plain(y.base, call.output().shape));
}

}  // namespace

const std::vector<AtenOperator>& aten_rows() {
  static const std::vector<AtenOperator> all = {{"softmax", lower_softmax},
                                                {"_softmax", lower_softmax},
                                                {"layer_norm", lower_layer_norm},
                                                {"native_layer_norm", lower_layer_norm},
                                                {"rms_norm", lower_rms_norm},
                                                {"_fused_rms_norm", lower_rms_norm},
                                                {"group_norm", lower_group_norm},
                                                {"native_group_norm", lower_native_group_norm},
                                                {"batch_norm", lower_batch_norm},
                                                {"_batch_norm_impl_index", lower_batch_norm},
                                                {"native_batch_norm", lower_batch_norm},
                                                {"cudnn_batch_norm", lower_batch_norm},
                                                {"embedding", lower_embedding},
                                                {"index_select", lower_index_select},
                                                {"mean", lower_mean},
                                                {"sum", lower_sum},
                                                {"amax", lower_max},
                                                {"amin", lower_min},
                                                {"argmax", lower_argmax}};
  return all;
}

}  // namespace archsim
