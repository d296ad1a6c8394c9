#include "models/stream/translation.h"

#include <algorithm>

namespace archsim {

bool Translation::look_up(std::uint64_t page) {
  const auto found = std::find(pages_.begin(), pages_.end(), page);
  const bool is_there = found != pages_.end();
  if (is_there) {
    std::rotate(pages_.begin(), found, found + 1);
  } else {
    if (pages_.size() == entries_) pages_.pop_back();
    pages_.insert(pages_.begin(), page);
  }
  return is_there;
}

Time Translation::translate(const Piece& piece, Time at) {
  if (entries_ == 0) return at;
  Time known = at;
  std::uint64_t row = piece.base;
  for (std::uint64_t i = 0; i < piece.rows; ++i, row += static_cast<std::uint64_t>(piece.pitch)) {
    const std::uint64_t last = (row + piece.row_bytes - 1) / page_bytes_;
    for (std::uint64_t page = row / page_bytes_; page <= last; ++page) {
      if (!pages_.empty() && pages_.front() == page) continue;
      if (look_up(page)) continue;
      ++walks_;
      walker_free_ = std::max(walker_free_, at) + walk_;
      known = walker_free_;
    }
  }
  return known;
}

}  // namespace archsim
