// A cache as a textbook has it: sets of lines in the order of their turns. What the model is held to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <vector>

#include "models/sram/cache/params.h"

namespace archsim {

class PlainCache {
 public:
  PlainCache(std::uint64_t sets, const CacheParams& params) : params_(params), sets_(sets) {}

  /// The bytes [first, first + bytes), line by line.
  void access(std::uint64_t first, std::uint64_t bytes, bool is_write) {
    for (std::uint64_t line = first / params_.line.value; line * params_.line.value < first + bytes; ++line) {
      touch(line, is_write, covers(first, bytes, line));
    }
  }

  std::uint64_t hits = 0, misses = 0, writebacks = 0, fetches = 0;

 private:
  struct Entry {
    std::uint64_t line;
    bool is_dirty;
  };

  bool covers(std::uint64_t first, std::uint64_t bytes, std::uint64_t line) const {
    return first <= line * params_.line.value && (line + 1) * params_.line.value <= first + bytes;
  }

  void touch(std::uint64_t line, bool is_write, bool is_covered) {
    std::list<Entry>& set = sets_[line % sets_.size()];  // the next to go stands first
    const bool goes_through = is_write && params_.write == WritePolicy::write_through;
    const auto found = std::find_if(set.begin(), set.end(), [&](const Entry& entry) { return entry.line == line; });
    if (found != set.end()) {
      ++hits;
      found->is_dirty |= is_write && !goes_through;
      if (params_.replacement == Replacement::lru) set.splice(set.end(), set, found);
      return;
    }
    ++misses;
    if (goes_through) return;
    if (set.size() == params_.ways) {
      writebacks += set.front().is_dirty ? 1 : 0;
      set.pop_front();
    }
    set.push_back({line, is_write});
    fetches += is_covered && is_write ? 0 : 1;
  }

  CacheParams params_;
  std::vector<std::list<Entry>> sets_;
};

}  // namespace archsim
