// Which copies of a tensor a use touches while loops run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "arch/workload/trace.h"

namespace archsim {

/// Copies low .. high - 1 along one copy dimension.
struct CopyRange {
  std::uint64_t low = 0;
  std::uint64_t high = 1;
  friend bool operator==(const CopyRange&, const CopyRange&) = default;
};

using CopyBox = std::vector<CopyRange>;

/// What `use` touches while all loops run; `held`, if given, stays at one iteration, taken as the first.
CopyBox copies_touched(const Trace& trace, const TensorUse& use, std::optional<std::uint32_t> held = std::nullopt);
bool overlap(const CopyBox& a, const CopyBox& b);
/// Number of copies in at least one of `boxes`. Cost depends on the number of boxes, not of copies.
std::uint64_t copies_in_union(const std::vector<CopyBox>& boxes);

}  // namespace archsim
