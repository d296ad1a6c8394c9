// A DMA's requests: bursts in order, so many under way at most.
//
//   request(j) = max(request(j - 1) + interval, return(j - outstanding), start)
//   of a read:  return(j) = max(request(j) + latency + max(pass(j), port(j)), memory(j), return(j - 1) + port(j))
//   of a write: return(j) = max(sent(last beat of j) + latency + max(pass(j) - beats of j, 0), memory(j), return(j - 1))
//     and of its beats: read(b) = max(read(b - 1), start of its descriptor, sent(b - kFetchedAhead) + kFetchCycles) + port(b)
//                       sent(b) = max(request(j) + beats of j up to b, read(b), sent(b - 1) + 1)
//
// `latency` is the memory system's without the data, and `pass` the time in which a burst's data pass its slowest hop.
// `port` is a burst's or a beat's time in the local SRAM, a cycle a beat at least. A read's data cannot be there before memory
// sends them; a write's are fetched ahead of the request.
// `memory(j)` is when the memory system, which served the whole piece at once, delivered burst j: its bytes at one pace from its
// first data to its end. A long stream therefore runs at the least of the memory's rate, the port's and
// outstanding * burst / latency.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "arch/units/quantity.h"

namespace archsim {

/// Bytes of the largest transaction: long enough that its cost is small against its bytes, short enough that transfers of
/// several initiators interleave nearly as their bursts would.
constexpr std::uint64_t kLargestPiece = 32 << 10;

/// A part of a descriptor that is sent as one extent.
struct Piece {
  std::uint64_t base = 0;
  std::uint64_t row_bytes = 0;
  std::uint64_t rows = 1;
  std::int64_t pitch = 0;
  std::uint64_t run_offset = 0;  // bytes of its run in front of it

  std::uint64_t bytes() const { return row_bytes * rows; }
};

class BurstWindow {
 public:
  /// `interval`: from one request to the next, at least.
  BurstWindow(unsigned outstanding, Time interval) : returned_(outstanding, 0), interval_(interval.value) {}

  /// When the next burst can be requested, not before `from`.
  Time next_request(Time from) const {
    return Time(std::max({from.value, has_requested_ ? requested_ + interval_ : 0, returned_[head_]}));
  }

  /// How the memory system served a piece.
  struct Served {
    Time start = Time::zero();       // when it was asked
    Time first_data = Time::zero();  // when its first data moved
    Time done = Time::zero();
    Time latency = Time::zero();  // of a burst on an idle path, without the time in which its data pass
    Time whole = Time::zero();    // that time, for a burst of `whole_bytes`
    std::uint64_t whole_bytes = 0;
    std::uint64_t bytes = 0;  // of all its bursts
  };
  /// One burst's time at the memory port and in the local SRAM.
  struct Burst {
    std::uint64_t bytes = 0;
    Time port = Time::zero();
    std::span<const std::uint32_t> beats = {};  // of a write: the cycles that each beat takes in the local SRAM
  };
  /// When the last of `bursts` bursts is there; `next()` gives one after another.
  template <class Next>
  Time read(const Served& served, std::uint64_t bursts, Next next) {
    const Pace pass(served.whole, served.whole_bytes);
    return transfer(served, bursts, next, [&](const Burst& burst, std::uint64_t delivered) {
      const std::uint64_t port = burst.port.value;
      const std::uint64_t first = requested_ + served.latency.value;
      return std::max({first + std::max(pass.of(burst.bytes), port), delivered, last_return_ + port});
    });
  }
  /// The same for a write, whose data are fetched from `fetch_from(...)` on.
  template <class Next>
  Time write(const Served& served, std::uint64_t bursts, Next next) {
    const Pace pass(served.whole, served.whole_bytes);
    return transfer(served, bursts, next, [&](const Burst& burst, std::uint64_t delivered) {
      std::uint64_t offered = requested_;
      for (const std::uint32_t cycles : burst.beats) send_beat(cycles, offered += interval_);
      const std::uint64_t beats = burst.beats.size() * interval_;
      const std::uint64_t passed = sent_ + std::max(pass.of(burst.bytes), beats) - beats;
      return std::max({passed + served.latency.value, delivered, last_return_});
    });
  }
  /// The local SRAM is read for the next descriptor, not before `at`.
  void fetch_from(Time at) { fetched_ = std::max(fetched_, at.value); }

 private:
  /// Bytes to time.
  class Pace {
   public:
    Pace(Time time, std::uint64_t bytes) : of_a_byte_((time.value << kFraction) / std::max<std::uint64_t>(bytes, 1)) {}
    std::uint64_t of(std::uint64_t bytes) const { return (of_a_byte_ * bytes + kHalf) >> kFraction; }

   private:
    static constexpr unsigned kFraction =
        16;  // bits: the rounding of a byte's time, over a piece, is below a picosecond
    static constexpr std::uint64_t kHalf = std::uint64_t{1} << (kFraction - 1);
    static_assert(kLargestPiece >> kFraction == 0);
    std::uint64_t of_a_byte_;
  };

  /// Write data are fetched so many beats ahead of the last one that has gone, and take so long from the local SRAM to the port.
  static constexpr std::uint64_t kFetchedAhead = 8, kFetchCycles = 4;
  /// A beat that the local SRAM needs so many cycles for, and that may go at `offered`.
  void send_beat(std::uint32_t cycles, std::uint64_t offered) {
    std::uint64_t& gone = beats_gone_[next_beat_++ % kFetchedAhead];  // when the one eight before had gone
    fetched_ = std::max(fetched_, gone == 0 ? 0 : gone + kFetchCycles * interval_) + cycles * interval_;
    sent_ = std::max({offered, fetched_, sent_ + interval_});
    gone = sent_;
  }

  /// `returns(burst, delivered)` says when the burst that was requested last is back.
  template <class Next, class Returns>
  Time transfer(const Served& served, std::uint64_t bursts, Next& next, Returns returns) {
    const Time first = std::min(served.first_data, served.done);
    const Pace moves(served.done - first, served.bytes);
    std::uint64_t moved = 0;
    for (std::uint64_t i = 0; i < bursts; ++i) {
      const Burst burst = next();
      moved += burst.bytes;
      std::uint64_t& oldest = returned_[head_];
      requested_ = std::max({served.start.value, has_requested_ ? requested_ + interval_ : 0, oldest});
      has_requested_ = true;
      last_return_ = returns(burst, first.value + moves.of(moved));
      oldest = last_return_;
      if (++head_ == returned_.size()) head_ = 0;
    }
    last_return_ = std::max(last_return_, served.done.value);
    returned_[head_ == 0 ? returned_.size() - 1 : head_ - 1] = last_return_;
    return Time(last_return_);
  }

  std::vector<std::uint64_t> returned_;  // of the last `outstanding` bursts, picoseconds
  std::size_t head_ = 0;
  std::uint64_t interval_;
  std::uint64_t requested_ = 0, last_return_ = 0;
  // Of writes: when the last beat is there from the local SRAM, and goes.
  std::uint64_t fetched_ = 0, sent_ = 0, next_beat_ = 0;
  std::array<std::uint64_t, kFetchedAhead> beats_gone_{};
  bool has_requested_ = false;
};

}  // namespace archsim
