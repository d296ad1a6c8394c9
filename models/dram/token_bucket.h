// A regulator of traffic: so many bytes a second, and so many at once after a pause.
//
// What has been admitted by time t after the first is at most depth + rate * t, and one access more. (The generic cell rate
// algorithm of ITU-T I.371 in its virtual-scheduling form; the regulators of Arm's QoS-400 bound rate and burst alike.)
#pragma once

#include <algorithm>
#include <cstdint>

#include "arch/units/quantity.h"

namespace archsim {

class TokenBucket {
 public:
  TokenBucket(Bandwidth rate, Bytes depth)
      : of_a_byte_ps_(1e12 / rate.value), depth_ps_(static_cast<double>(depth.value) * of_a_byte_ps_) {}

  /// When `bytes` that come at `arrival` may go.
  Time admit(Time arrival, std::uint64_t bytes) {
    const auto at = static_cast<double>(arrival.value);
    const double goes = std::max(at, due_ps_ - depth_ps_);
    due_ps_ = std::max(due_ps_, goes) + static_cast<double>(bytes) * of_a_byte_ps_;
    return std::max(arrival, Time(static_cast<std::uint64_t>(goes)));
  }

 private:
  double of_a_byte_ps_, depth_ps_;
  double due_ps_ = 0.0;  // when all that was admitted would have gone at the rate
};

}  // namespace archsim
