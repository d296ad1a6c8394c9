// A tensor's elements, in their order, seen as an array of other extents than the tensor's shape.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/workload/operator.h"

namespace archsim {

using Extents = std::vector<std::uint64_t>;

/// The attribute `name` as extents; empty if absent.
Extents extents_of(const Operator& op, std::string_view name);

/// The extents of the result of transpose, expand, reduce, gather (of `ids` places) or pad, seen like the operand.
Extents result_extents(const Operator& op, std::uint64_t ids = 0);

/// Counts through all places of an array, the last axis fastest.
class Places {
 public:
  explicit Places(Extents extents) : extents_(std::move(extents)), place_(extents_.size(), 0) {}
  const Extents& place() const { return place_; }
  void next();

 private:
  Extents extents_, place_;
};

/// The number of a place in an array of `extents`.
std::uint64_t index_of(const Extents& place, const Extents& extents);

}  // namespace archsim
