#include "arch/block/timing/calendar.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "arch/units/quantity.h"

namespace archsim {
namespace {

using Booking = Calendar<Cycles>::Booking;

void expect(const Booking& booking, std::uint64_t begin, std::uint64_t end) {
  EXPECT_EQ(booking.begin, Cycles(begin));
  EXPECT_EQ(booking.end, Cycles(end));
}

TEST(Calendar, BookingsQueueBehindEachOther) {
  Calendar<Cycles> calendar;
  expect(calendar.book(10_cycles, 5_cycles), 10, 15);
  expect(calendar.book(10_cycles, 5_cycles), 15, 15 + 5);
  expect(calendar.book(12_cycles, 1_cycles), 20, 21);
}

TEST(Calendar, AnEarlierBookingFillsTheGapsBeforeALaterOne) {
  Calendar<Cycles> calendar;
  calendar.book(100_cycles, 10_cycles);
  calendar.book(120_cycles, 10_cycles);
  expect(calendar.book(0_cycles, 50_cycles), 0, 50);
  expect(calendar.book(95_cycles, 12_cycles), 95, 110 + (12 - 5));  // 5 before the first, the rest behind it
  expect(calendar.book(95_cycles, 4_cycles), 117, 130 + (4 - 3));
}

TEST(Calendar, ASlowStreamTakesTheLatestTimeThatKeepsUp) {
  Calendar<Cycles> calendar;
  expect(calendar.book_within(0_cycles, 100_cycles, 30_cycles), 0, 100);  // takes 70..100
  expect(calendar.book_within(0_cycles, 100_cycles, 30_cycles), 0, 100);  // takes 40..70
  expect(calendar.book_within(0_cycles, 10_cycles, 10_cycles), 0, 10);    // a quick one is not held up
  expect(calendar.book_within(0_cycles, 100_cycles, 40_cycles), 10, 100 + (40 - 30));
}

// Against a bitmap of cycles.
TEST(Calendar, RandomBookingsEqualABitmap) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    Calendar<Cycles> calendar;
    std::vector<bool> taken(4000, false);
    std::uint64_t now = 0;
    for (int i = 0; i < 60; ++i) {
      now += random() % 8;
      calendar.drop_before(Cycles(now));
      const std::uint64_t first = now + random() % 150, length = 1 + random() % 30;
      const std::uint64_t last = first + length + random() % 60;
      std::uint64_t free = 0;
      for (auto t = first; t < last; ++t) free += taken[t] ? 0 : 1;
      EXPECT_EQ(calendar.free_within(Cycles(first), Cycles(last)), Cycles(free));
      if (i % 2 == 1 && free >= length) {
        auto begin = first;
        while (taken[begin]) ++begin;
        expect(calendar.book_within(Cycles(first), Cycles(last), Cycles(length)), begin, last);
        std::uint64_t left = length;
        for (auto t = last; left > 0; --t) {
          if (!taken[t - 1]) taken[t - 1] = true, --left;
        }
        continue;
      }
      std::uint64_t left = length, begin = 0, t = first;
      for (; left > 0; ++t) {
        if (taken[t]) continue;
        if (left == length) begin = t;
        taken[t] = true;
        --left;
      }
      const Booking booking = i % 2 == 1 ? calendar.book_within(Cycles(first), Cycles(last), Cycles(length))
                                         : calendar.book(Cycles(first), Cycles(length));
      expect(booking, begin, t);
    }
  }
}

}  // namespace
}  // namespace archsim
