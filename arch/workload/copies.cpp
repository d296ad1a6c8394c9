#include "arch/workload/copies.h"

#include <algorithm>
#include <utility>

namespace archsim {
namespace {

// The parts of `box` outside `cut`, as boxes that do not overlap.
void subtract(CopyBox box, const CopyBox& cut, std::vector<CopyBox>& out) {
  if (!overlap(box, cut)) {
    out.push_back(std::move(box));
    return;
  }
  for (std::size_t d = 0; d < box.size(); ++d) {
    if (box[d].low < cut[d].low) {
      CopyBox below = box;
      below[d].high = cut[d].low;
      out.push_back(std::move(below));
      box[d].low = cut[d].low;
    }
    if (box[d].high > cut[d].high) {
      CopyBox above = box;
      above[d].low = cut[d].high;
      out.push_back(std::move(above));
      box[d].high = cut[d].high;
    }
  }
}

std::uint64_t volume(const CopyBox& box) {
  std::uint64_t product = 1;
  for (const auto& range : box) product *= range.high - range.low;
  return product;
}

}  // namespace

CopyBox copies_touched(const Trace& trace, const TensorUse& use, std::optional<std::uint32_t> held) {
  CopyBox box;
  for (const auto& index : use.copy) {
    const bool runs = index.loop != CopyIndex::kFixed && index.loop != held;
    const std::uint64_t extent = runs ? trace.loops[index.loop].count : 1;
    box.push_back({index.offset, index.offset + extent});
  }
  return box;
}

bool overlap(const CopyBox& a, const CopyBox& b) {
  for (std::size_t d = 0; d < a.size(); ++d) {
    if (a[d].low >= b[d].high || b[d].low >= a[d].high) return false;
  }
  return true;
}

std::uint64_t copies_in_union(const std::vector<CopyBox>& boxes) {
  std::vector<CopyBox> disjoint;
  std::uint64_t total = 0;
  for (const auto& box : boxes) {
    std::vector<CopyBox> pieces{box};
    for (const auto& taken : disjoint) {
      std::vector<CopyBox> rest;
      for (auto& piece : pieces) subtract(std::move(piece), taken, rest);
      pieces = std::move(rest);
    }
    for (auto& piece : pieces) {
      total += volume(piece);
      disjoint.push_back(std::move(piece));
    }
  }
  return total;
}

}  // namespace archsim
