// A tensor as PyTorch sees it: a window of extents and strides on elements that lie in a row. Rearrangements that move
// nothing become another window; what a consumer really needs is then made in one step, or found to be there already.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "traces/import/aten/node.h"

namespace archsim {

struct Strided {
  std::uint32_t base = 0;  // index into the builder's bases
  std::int64_t offset = 0;
  Sizes shape, strides;  // in elements; a stride of 0 repeats

  std::size_t rank() const { return shape.size(); }
  std::int64_t elements() const;
  /// Elements in order, one beside the other, and nothing before them.
  bool is_plain() const;
  friend bool operator==(const Strided&, const Strided&) = default;
};

std::int64_t product(const Sizes& sizes);
Sizes plain_strides(const Sizes& shape);
Strided plain(std::uint32_t base, Sizes shape);

/// Axis `axis` counted from the end if below 0; empty if there is none.
std::optional<std::size_t> axis_of(std::int64_t axis, std::size_t rank);

Strided permuted(const Strided& x, const std::vector<std::size_t>& order);
Strided swapped(const Strided& x, std::size_t a, std::size_t b);
/// `size` places along `axis` from `begin` on, each `step`th. Must lie within x.
Strided narrowed(const Strided& x, std::size_t axis, std::int64_t begin, std::int64_t size, std::int64_t step = 1);
/// Without an axis of extent 1.
Strided without_axis(const Strided& x, std::size_t axis);
/// Axes of extent 1 repeated, new ones in front; empty if the shapes do not allow it.
std::optional<Strided> expanded(const Strided& x, const Sizes& shape);
/// The same elements in another shape, if that moves nothing.
std::optional<Strided> reshaped(const Strided& x, const Sizes& shape);

}  // namespace archsim
