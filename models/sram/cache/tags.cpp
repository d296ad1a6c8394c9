#include "models/sram/cache/tags.h"

#include <algorithm>
#include <bit>

namespace archsim {

CacheTags::CacheTags(const Shape& shape)
    : shape_(shape),
      is_power_of_two_(std::has_single_bit(shape.sets)),
      lines_(shape.sets * shape.ways, 0),
      order_(lines_.size()) {
  for (std::size_t slot = 0; slot < order_.size(); ++slot) order_[slot] = static_cast<std::uint8_t>(slot % shape.ways);
}

unsigned CacheTags::find(std::size_t first, std::uint64_t line) const {
  const std::uint64_t* const set = &lines_[first];
  const std::uint64_t wanted = line + 1;
  for (unsigned way = 0; way < shape_.ways; ++way) {
    if (set[way] >> 1 == wanted) return way;
  }
  return kAbsent;
}

void CacheTags::move_to_front(std::size_t first, unsigned place) {
  std::uint8_t* const order = &order_[first];
  const std::uint8_t way = order[place];
  std::copy_backward(order, order + place, order + place + 1);
  order[0] = way;
}

void CacheTags::use_way(std::size_t first, unsigned way) {
  if (shape_.replacement != Replacement::lru) return;
  unsigned place = 0;
  while (order_[first + place] != way) ++place;
  move_to_front(first, place);
}

CacheTags::Look CacheTags::use(std::uint64_t line, bool is_dirtied) {
  const std::size_t first = set_of(line) * shape_.ways;
  const unsigned found = find(first, line);
  if (found != kAbsent) {
    use_way(first, found);
    lines_[first + found] |= static_cast<std::uint64_t>(is_dirtied);
    return {.slot = first + found, .is_hit = true};
  }
  const unsigned last = shape_.ways - 1;
  std::uint64_t& entry = lines_[first + order_[first + last]];
  const Look look{
      .slot = first + order_[first + last], .displaces_dirty = (entry & 1) != 0, .displaced = (entry >> 1) - 1};
  entry = (line + 1) << 1 | static_cast<std::uint64_t>(is_dirtied);
  move_to_front(first, last);
  return look;
}

CacheTags::Look CacheTags::use_if_present(std::uint64_t line) {
  const std::size_t first = set_of(line) * shape_.ways;
  const unsigned found = find(first, line);
  if (found == kAbsent) return {};
  use_way(first, found);
  return {.slot = first + found, .is_hit = true};
}

}  // namespace archsim
