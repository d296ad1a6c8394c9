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
  static constexpr std::size_t kAbsent = ~std::size_t{0};
  std::size_t first_slot(std::uint64_t line) const { return line % shape_.sets * shape_.ways; }
  std::size_t find(std::size_t first, std::uint64_t line) const;
  /// The slot to take in a full set or not: an empty one, or the one whose turn it is.
  std::size_t victim(std::size_t first) const;

  Shape shape_;
  // By slot: a set's ways stand together.
  std::vector<std::uint64_t> lines_;  // number + 1; 0: empty
  std::vector<std::uint64_t> turns_;  // of the use (lru) or the fetch (fifo); an empty slot's is 0, the lowest
  std::vector<std::uint8_t> dirty_;
  std::uint64_t turn_ = 0;
};

}  // namespace archsim
