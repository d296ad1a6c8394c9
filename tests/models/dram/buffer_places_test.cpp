// The buffer's places beside a sorted list of all times at which bursts leave.
#include "models/dram/buffer_places.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <vector>

namespace archsim {
namespace {

class PlainPlaces {
 public:
  void add(Cycles last, Cycles apart, std::uint64_t bursts) {
    for (std::uint64_t i = 0; i < bursts; ++i) {
      const std::uint64_t before = apart.value * (bursts - 1 - i);
      leave_.push_back(last.value - std::min(last.value, before));
    }
    std::sort(leave_.begin(), leave_.end(), std::greater<>());
    if (leave_.size() > BufferPlaces::kPlaces) leave_.resize(BufferPlaces::kPlaces);
  }
  Cycles free_for(std::uint64_t others) const {
    const std::uint64_t i = BufferPlaces::kPlaces - 1 - std::min(others, BufferPlaces::kPlaces - 1);
    return Cycles(i < leave_.size() ? leave_[i] : 0);
  }

 private:
  std::vector<std::uint64_t> leave_;  // the last ones first
};

TEST(BufferPlaces, AreThoseOfAPlainListForStreamsAndSingleBursts) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    BufferPlaces places;
    PlainPlaces plain;
    std::uint64_t now = 1000;
    for (int i = 0; i < 60; ++i) {
      const Cycles last(now + random() % 400), apart(random() % 9);
      const std::uint64_t bursts = random() % 3 == 0 ? 32 + random() % 40 : random() % 6;
      places.add(last, apart, bursts);
      plain.add(last, apart, bursts);
      for (const std::uint64_t others : {0, 1, 7, 31, 50}) EXPECT_EQ(places.free_for(others), plain.free_for(others));
      now += random() % 100;
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace archsim
