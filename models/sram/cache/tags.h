// Which lines a slice of a cache holds. No SystemC in here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/sram/cache/params.h"

namespace archsim {

class CacheTags {
 public:
  struct Shape {
    std::uint64_t sets = 1;
    unsigned ways = 1;
    Replacement replacement = Replacement::lru;
  };
  explicit CacheTags(const Shape& shape);

  struct Look {
    std::size_t slot = 0;  // where the line is now; of a miss that took none: nothing
    bool is_hit = false;
    bool displaces_dirty = false;
    std::uint64_t displaced = 0;  // that line's number
  };
  /// `line` is used, and then is dirty if `is_dirtied`. A miss takes it in.
  Look use(std::uint64_t line, bool is_dirtied);
  /// Used if it is there; nothing is taken in. Dirtiness stays.
  Look use_if_present(std::uint64_t line);

  std::size_t slots() const { return lines_.size(); }

 private:
  static constexpr unsigned kAbsent = ~0U;
  std::uint64_t set_of(std::uint64_t line) const {
    return is_power_of_two_ ? line & (shape_.sets - 1) : line % shape_.sets;
  }
  /// The way that has the line.
  unsigned find(std::size_t first, std::uint64_t line) const;
  /// The way that stands `place`th in its set's order is the last one to go now.
  void move_to_front(std::size_t first, unsigned place);
  void use_way(std::size_t first, unsigned way);

  Shape shape_;
  bool is_power_of_two_;  // the number of sets, which then need no division
  // By slot: a set's ways stand together.
  std::vector<std::uint64_t> lines_;  // (number + 1) * 2, and 1 if it is dirty; 0: empty
  // By set and place: its ways, the one that goes next standing last. Ways that were never used stand behind all others.
  std::vector<std::uint8_t> order_;
};

}  // namespace archsim
