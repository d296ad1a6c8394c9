// One channel of a DMA: a transfer each period, in pieces. No SystemC in here.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "models/dma/shape.h"
#include "models/dma/tables.h"

namespace archsim {

class DmaChannel {
 public:
  DmaChannel(const DmaParams& params, unsigned index, std::uint64_t base);

  unsigned priority() const { return priority_; }
  bool is_fenced() const { return is_fenced_; }
  /// Of what it writes: how often, and from one place to the next.
  unsigned copies() const { return copies_; }
  std::uint64_t copy_pitch() const { return copy_pitch_; }
  Time due() const { return due_; }
  /// Has begun with the transfer that is due, and not sent all of it.
  bool is_under_way() const { return pieces_.has_value(); }
  /// From when on its next request can be made, but for the DMA's own limits; the transfer has begun.
  Time ready() const;
  void begin(Time at, Time setup);

  struct Request {
    Piece piece;
    bool is_write = false;
  };
  /// The next one of the transfer under way.
  Request next();
  /// The request that came from next() is answered at `returned`; true: that was the last of the transfer.
  bool answered(const Request& request, Time returned);
  /// When all that it has sent is answered.
  Time complete() const { return complete_; }
  /// Of the transfer under way, or the last one.
  Time began_due() const { return began_due_; }
  Time period() const { return period_; }
  /// What the transfer under way does next.
  bool writes_next() const;

 private:
  bool is_copy() const { return reads_ && writes_; }

  bool reads_, writes_;
  TransferShape shape_;
  std::uint64_t largest_, source_, destination_;
  Time period_;
  unsigned priority_;
  bool is_fenced_;
  unsigned copies_;
  std::uint64_t copy_pitch_;

  Time due_ = Time::zero(), began_due_ = Time::zero(), begun_ = Time::zero(), complete_ = Time::zero();
  std::optional<Pieces> pieces_;
  struct Fetched {
    Piece piece;
    Time there;
  };
  static constexpr std::size_t kBuffers = 2;  // pieces of a copy that were asked for and not yet written
  std::deque<Fetched> fetched_;
};

}  // namespace archsim
