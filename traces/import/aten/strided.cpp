#include "traces/import/aten/strided.h"

#include <utility>

namespace archsim {

std::int64_t product(const Sizes& sizes) {
  std::int64_t all = 1;
  for (const auto size : sizes) all *= size;
  return all;
}

std::int64_t Strided::elements() const { return product(shape); }

bool Strided::is_plain() const {
  std::int64_t stride = 1;
  for (std::size_t d = rank(); d-- > 0;) {
    if (shape[d] != 1 && strides[d] != stride) return false;
    stride *= shape[d];
  }
  return offset == 0;
}

Sizes plain_strides(const Sizes& shape) {
  Sizes strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

Strided plain(std::uint32_t base, Sizes shape) {
  Sizes strides = plain_strides(shape);
  return {base, 0, std::move(shape), std::move(strides)};
}

std::optional<std::size_t> axis_of(std::int64_t axis, std::size_t rank) {
  const auto extent = static_cast<std::int64_t>(rank);
  if (axis < -extent || axis >= extent) return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + extent : axis);
}

Strided permuted(const Strided& x, const std::vector<std::size_t>& order) {
  Strided y{x.base, x.offset, {}, {}};
  for (const auto from : order) {
    y.shape.push_back(x.shape[from]);
    y.strides.push_back(x.strides[from]);
  }
  return y;
}

Strided swapped(const Strided& x, std::size_t a, std::size_t b) {
  Strided y = x;
  std::swap(y.shape[a], y.shape[b]);
  std::swap(y.strides[a], y.strides[b]);
  return y;
}

Strided narrowed(const Strided& x, std::size_t axis, std::int64_t begin, std::int64_t size, std::int64_t step) {
  Strided y = x;
  y.offset += begin * x.strides[axis];
  y.shape[axis] = size;
  y.strides[axis] *= step;
  return y;
}

Strided without_axis(const Strided& x, std::size_t axis) {
  Strided y = x;
  y.shape.erase(y.shape.begin() + static_cast<std::ptrdiff_t>(axis));
  y.strides.erase(y.strides.begin() + static_cast<std::ptrdiff_t>(axis));
  return y;
}

std::optional<Strided> expanded(const Strided& x, const Sizes& shape) {
  if (shape.size() < x.rank()) return std::nullopt;
  Strided y{x.base, x.offset, shape, Sizes(shape.size(), 0)};
  const std::size_t added = shape.size() - x.rank();
  for (std::size_t d = 0; d < x.rank(); ++d) {
    if (x.shape[d] == shape[added + d]) {
      y.strides[added + d] = x.strides[d];
    } else if (x.shape[d] != 1) {
      return std::nullopt;
    }
  }
  return y;
}

std::optional<Strided> reshaped(const Strided& x, const Sizes& shape) {
  if (product(shape) != x.elements()) return std::nullopt;
  // Axes of x that lie one in the other are joined, and the new ones are cut out of the joined runs from behind.
  Strided y{x.base, x.offset, shape, Sizes(shape.size(), 0)};
  std::size_t left = shape.size();
  for (std::size_t d = x.rank(); d-- > 0;) {
    std::int64_t run = x.shape[d];
    const std::int64_t stride = x.strides[d];
    if (run == 1) continue;
    while (d > 0 && (x.shape[d - 1] == 1 || x.strides[d - 1] == run * stride)) {
      run *= x.shape[d - 1];
      --d;
    }
    std::int64_t filled = 1;
    while (left > 0 && (filled < run || shape[left - 1] == 1)) {
      --left;
      y.strides[left] = filled * stride;
      filled *= shape[left];
    }
    if (filled != run) return std::nullopt;
  }
  return y;
}

}  // namespace archsim
