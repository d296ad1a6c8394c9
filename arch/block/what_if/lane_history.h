// The latest moments at which a counter was counted, in every lane.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/machine/lanes.h"

namespace archsim {

class LaneHistory {
 public:
  void push(const Lanes& when) {
    if (kept_.size() < kKept) {
      kept_.push_back(when);
    } else {
      kept_[pushed_ % kKept] = when;
    }
    ++pushed_;
  }
  std::uint64_t size() const { return pushed_; }

  /// Nothing waits for what was counted so long ago that it is forgotten: whoever counts stops for want of buffers before.
  const Lanes& operator[](std::uint64_t index) const {
    static const Lanes long_ago(0.0);
    return index >= pushed_ || index + kept_.size() < pushed_ ? long_ago : kept_[index % kKept];
  }

 private:
  static constexpr std::uint64_t kKept = 4096;
  std::vector<Lanes> kept_;
  std::uint64_t pushed_ = 0;
};

}  // namespace archsim
