// A window on a written tensor becomes slices, a transposition and a repetition, in this order, as far as each is needed.
#include <algorithm>
#include <numeric>

#include "traces/import/aten/builder.h"

namespace archsim {
namespace {

// An axis of the elements as they lie: `size` of `full` places from `begin` on.
struct Axis {
  std::int64_t size = 1, stride = 1, full = 1, begin = 0;
  std::size_t in_view = 0;  // its axis of the window
};

std::vector<Axis> axes_of(const Strided& x) {
  std::vector<Axis> axes;
  for (std::size_t d = 0; d < x.rank(); ++d) {
    if (x.shape[d] > 1 && x.strides[d] > 0) axes.push_back({x.shape[d], x.strides[d], 1, 0, d});
  }
  std::stable_sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.stride > b.stride; });
  return axes;
}

/// How much there is of each axis, and where the window begins; each must hold a whole number of the next.
void place(std::vector<Axis>& axes, std::int64_t elements, std::int64_t offset) {
  if (axes.empty() || axes.back().stride > 1) axes.push_back({1, 1, 1, 0, axes.empty() ? 0 : axes.back().in_view});
  std::int64_t outside = elements;
  for (auto& axis : axes) {
    if (outside % axis.stride != 0) throw NotExpressible{"looks at a tensor through a window that overlaps itself"};
    axis.full = outside / axis.stride;
    axis.begin = offset / axis.stride;
    offset %= axis.stride;
    outside = axis.stride;
    if (axis.begin + axis.size > axis.full)
      throw NotExpressible{"looks at a tensor through a window that overlaps itself"};
  }
}

std::vector<std::int64_t> sizes_of(const std::vector<Axis>& axes) {
  std::vector<std::int64_t> sizes;
  for (const auto& axis : axes) sizes.push_back(axis.size);
  return sizes;
}

}  // namespace

std::uint32_t AtenBuilder::rearranged(const Strided& x, const Sizes& shape) {
  auto axes = axes_of(x);
  place(axes, bases_[x.base].elements, x.offset);
  const auto dtype = bases_[x.base].dtype;
  auto tensor = bases_[x.base].tensor;
  for (std::size_t d = 0; d < axes.size(); ++d) {
    if (axes[d].size == axes[d].full) continue;
    std::int64_t before = 1, behind = 1;
    for (std::size_t i = 0; i < d; ++i) before *= axes[i].size;
    for (std::size_t i = d + 1; i < axes.size(); ++i) behind *= axes[i].full;
    // Rows if nothing stands before the axis, else columns.
    const bool rows = before == 1;
    tensor = as_shape(tensor, rows ? Sizes{axes[d].full, behind} : Sizes{before, axes[d].full * behind});
    tensor = add_operator(OperatorType::slice, {{tensor, {}}},
                          rows ? Sizes{axes[d].size, behind} : Sizes{before, axes[d].size * behind}, dtype,
                          {{"axis", std::int64_t{rows ? 0 : 1}}, {"begin", axes[d].begin * (rows ? 1 : behind)}});
  }
  // As they lie -> as the window has them.
  std::vector<std::int64_t> order(axes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return axes[static_cast<std::size_t>(a)].in_view < axes[static_cast<std::size_t>(b)].in_view;
  });
  const bool repeats = product(sizes_of(axes)) != x.elements();
  if (!std::is_sorted(order.begin(), order.end())) {
    Sizes moved;
    for (const auto from : order) moved.push_back(axes[static_cast<std::size_t>(from)].size);
    tensor = add_operator(OperatorType::transpose, {{tensor, {}}}, repeats ? moved : shape, dtype,
                          {{"extents", sizes_of(axes)}, {"order", order}});
  }
  if (!repeats) return as_shape(tensor, shape);
  Sizes extents;
  for (std::size_t d = 0; d < x.rank(); ++d) extents.push_back(x.strides[d] == 0 ? 1 : x.shape[d]);
  return add_operator(OperatorType::expand, {{tensor, {}}}, shape, dtype, {{"extents", extents}, {"result", x.shape}});
}

}  // namespace archsim
