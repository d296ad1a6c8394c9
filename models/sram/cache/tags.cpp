#include "models/sram/cache/tags.h"

namespace archsim {

CacheTags::CacheTags(const Shape& shape)
    : shape_(shape), lines_(shape.sets * shape.ways, 0), turns_(lines_.size(), 0), dirty_(lines_.size(), 0) {}

std::size_t CacheTags::find(std::size_t first, std::uint64_t line) const {
  const std::uint64_t* const set = &lines_[first];
  for (unsigned way = 0; way < shape_.ways; ++way) {
    if (set[way] == line + 1) return first + way;
  }
  return kAbsent;
}

std::size_t CacheTags::victim(std::size_t first) const {
  const std::uint64_t* const turns = &turns_[first];
  unsigned oldest = 0;
  for (unsigned way = 1; way < shape_.ways; ++way) oldest = turns[way] < turns[oldest] ? way : oldest;
  return first + oldest;
}

CacheTags::Look CacheTags::use(std::uint64_t line, bool is_dirtied) {
  const std::size_t first = first_slot(line), found = find(first, line);
  ++turn_;
  if (found != kAbsent) {
    if (shape_.replacement == Replacement::lru) turns_[found] = turn_;
    dirty_[found] |= static_cast<std::uint8_t>(is_dirtied);
    return {.slot = found, .is_hit = true};
  }
  const std::size_t slot = victim(first);
  const Look look{.slot = slot, .displaces_dirty = dirty_[slot] != 0, .displaced = lines_[slot] - 1};
  lines_[slot] = line + 1;
  turns_[slot] = turn_;
  dirty_[slot] = static_cast<std::uint8_t>(is_dirtied);
  return look;
}

CacheTags::Look CacheTags::use_if_present(std::uint64_t line) {
  const std::size_t found = find(first_slot(line), line);
  if (found == kAbsent) return {};
  if (shape_.replacement == Replacement::lru) turns_[found] = ++turn_;
  return {.slot = found, .is_hit = true};
}

}  // namespace archsim
