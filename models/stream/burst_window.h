// A DMA's requests: bursts in order, so many under way at most.
//
//   request(j) = max(request(j - 1) + interval, return(j - outstanding), start)
//   of a read:  return(j) = max(request(j) + latency - whole + port(j), memory(j), return(j - 1) + port(j))
//   of a write: read(j)   = max(read(j - 1), start of its descriptor, when the beat kFetchedAhead before has gone) + port(j)
//               sent(j)   = max(request(j) + beats(j), read(j), sent(j - 1) + beats(j))
//               return(j) = max(sent(j) + latency - whole, memory(j), return(j - 1))
//
// `latency` is that of a whole burst of the piece, and holds its beats, `whole`; the first and the last burst of a row may be shorter.
// `beats` is burst j's time at the memory port, `port` its time in the local SRAM, which is longer where that is slower. A read's
// data cannot be there before memory sends them; a write's are fetched ahead of the request.
// `memory(j)` is when the memory system, which served the whole piece at once, delivered burst j: its bytes at one pace from its
// first data to its end. A long stream therefore runs at the least of the memory's rate, the port's and
// outstanding * burst / latency.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
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
    Time latency = Time::zero();  // of one whole burst on an idle path
    Time whole = Time::zero();    // the part of it that a whole burst's beats take
    std::uint64_t bytes = 0;      // of all its bursts

    std::uint64_t before_beats() const { return latency.value - std::min(whole.value, latency.value); }
  };
  /// One burst's time at the memory port and in the local SRAM.
  struct Burst {
    std::uint64_t bytes = 0;
    Time beats = Time::zero();
    Time port = Time::zero();
  };
  /// When the last of `bursts` bursts is there; `next()` gives one after another.
  template <class Next>
  Time read(const Served& served, std::uint64_t bursts, Next next) {
    return transfer(served, bursts, next, [&](const Burst& burst, std::uint64_t delivered) {
      const std::uint64_t port = burst.port.value;
      return std::max({requested_ + served.before_beats() + port, delivered, last_return_ + port});
    });
  }
  /// The same for a write, whose data are fetched from `fetch_from(...)` on.
  template <class Next>
  Time write(const Served& served, std::uint64_t bursts, Next next) {
    return transfer(served, bursts, next, [&](const Burst& burst, std::uint64_t delivered) {
      const std::uint64_t beats = burst.beats.value;
      fetch(burst);
      sent_ = std::max({requested_ + beats, fetched_, sent_ + beats});
      writes_[next_write_] = {sent_, beats_};
      next_write_ = (next_write_ + 1) % writes_.size();
      return std::max({sent_ + served.before_beats(), delivered, last_return_});
    });
  }
  /// The local SRAM is read for the next descriptor, not before `at`.
  void fetch_from(Time at) { fetched_ = std::max(fetched_, at.value); }

 private:
  /// Write data are fetched so many beats ahead of the last one that has gone, and take so long from the local SRAM to the port.
  static constexpr std::uint64_t kFetchedAhead = 8, kFetchCycles = 4;
  struct Write {
    std::uint64_t sent = 0, beats = 0;  // its last beat, and all beats up to it
  };
  /// When beat number `beat`, counted in time, may be fetched: it then comes to the port as if it were fetched now.
  std::uint64_t queue_has_room(std::uint64_t beat) const {
    const std::uint64_t ahead = kFetchedAhead * interval_;
    if (beat <= ahead) return 0;
    // The burst with the beat that must have gone: the earliest one that ends there or behind.
    for (std::size_t back = writes_.size(); back > 0; --back) {
      const Write& write = writes_[(next_write_ + writes_.size() - back) % writes_.size()];
      if (write.beats >= beat - ahead) return write.sent - (write.beats - (beat - ahead)) + kFetchCycles * interval_;
    }
    return 0;
  }
  /// Looks at the first and the last beat only.
  void fetch(const Burst& burst) {
    const std::uint64_t beats = burst.beats.value, port = burst.port.value;
    if (sent_ + kFetchCycles * interval_ <= fetched_) {  // all before have gone
      fetched_ += port;
    } else {
      const std::uint64_t whole = std::max(fetched_, queue_has_room(beats_ + interval_)) + port;
      fetched_ = std::max(whole, queue_has_room(beats_ + beats) + port * interval_ / beats);
    }
    beats_ += beats;
  }

  /// `returns(burst, delivered)` says when the burst that was requested last is back.
  template <class Next, class Returns>
  Time transfer(const Served& served, std::uint64_t bursts, Next& next, Returns returns) {
    constexpr unsigned kFraction =
        16;  // bits: a piece's bytes times the rounding of a byte's time stay below a picosecond
    static_assert(kLargestPiece >> kFraction == 0);
    const std::uint64_t first = std::min(served.first_data, served.done).value;
    const std::uint64_t of_a_byte =
        ((served.done.value - first) << kFraction) / std::max<std::uint64_t>(served.bytes, 1);
    std::uint64_t moved = 0;  // time, since the first data
    for (std::uint64_t i = 0; i < bursts; ++i) {
      const Burst burst = next();
      moved += of_a_byte * burst.bytes;
      std::uint64_t& oldest = returned_[head_];
      requested_ = std::max({served.start.value, has_requested_ ? requested_ + interval_ : 0, oldest});
      has_requested_ = true;
      last_return_ = returns(burst, first + (moved >> kFraction));
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
  std::uint64_t fetched_ = 0, sent_ = 0, beats_ = 0;  // of writes: local data, their last beat, all beats
  std::array<Write, kFetchedAhead> writes_{};
  std::size_t next_write_ = 0;
  bool has_requested_ = false;
};

}  // namespace archsim
