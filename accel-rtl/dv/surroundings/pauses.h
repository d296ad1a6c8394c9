// Random back-pressure: when a channel's ready, or its next valid, holds off. By seed.
#pragma once

#include <cstdint>
#include <random>

namespace archsim::rtl {

struct PauseParams {
  double share = 0.0;    // of the cycles in which a channel starts to hold off
  unsigned longest = 8;  // cycles
  std::uint64_t seed = 1;
};

/// One channel's.
class Pauses {
 public:
  Pauses(const PauseParams& params, std::uint64_t channel)
      : share_(params.share), longest_(params.longest), random_(params.seed * 0x9E37'79B9'7F4A'7C15 + channel) {}

  /// Asked once a cycle: does the channel hold off?
  bool holds_off() {
    if (share_ <= 0.0) return false;
    if (left_ > 0) {
      --left_;
      return true;
    }
    constexpr double kRange = 4294967296.0;
    if (static_cast<double>(random_() & 0xFFFF'FFFF) / kRange >= share_) return false;
    left_ = static_cast<unsigned>(random_() % longest_);
    return true;
  }

 private:
  double share_;
  unsigned longest_;
  unsigned left_ = 0;
  std::mt19937_64 random_;
};

}  // namespace archsim::rtl
