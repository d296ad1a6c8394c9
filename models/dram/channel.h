// One DRAM channel: banks, data bus and refresh, booked a row at a time. No SystemC in here.
//
// Address within the channel, from the least significant bit (bg64 of the reference streams): byte of a 64 B unit, bank group,
// rest of the column, bank, row. So a stripe, one row of the same bank in every group, is contiguous, and a stream over it
// takes the groups in turn.
//
// The data bus is booked in command time: a read that is booked at t has its data at t + RL. A booked time is a busy bus, or a
// refresh with what it costs around it.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/block/timing/calendar.h"
#include "arch/units/power_of_two.h"
#include "models/dram/buffer_places.h"
#include "models/dram/standard.h"

namespace archsim {

constexpr std::uint64_t kUnitBytes = 64;  // of a bank group before the next one's turn

/// A standard in clocks.
struct ChannelTiming {
  explicit ChannelTiming(const DramStandard& standard);

  unsigned groups, banks;
  std::uint64_t burst_bytes, unit_bursts, stripe_bytes;
  PowerOfTwo of_groups, of_banks, of_burst, of_unit, of_stripe;  // the five above, to divide by
  Cycles burst, rl, wl, rcd_read, rcd_write, rp, ras, rc;
  Cycles four_activates;  // four of them take so much of the power budget: tFAW, or more if tRRD is longer
  Cycles row_commands,
      column_command;  // of the command bus: to close and open a row, to read or write; none if rows have their own
  Cycles ccd_l, rtp, wr, wtr_s, wtr_l, rtw, refi, rfc;

  /// The bus is lost from the last command that may go before a refresh to the first after it.
  Cycles refresh_window() const { return rtp - std::min(rtp, burst) + rp + rfc + rcd_read; }
  /// A read of `bursts` from a closed bank until its last data, nothing else under way.
  Cycles data_time(std::uint64_t bursts) const;  // from the first one's data to the last one's
  Cycles idle_read(std::uint64_t bursts) const;
  Cycles idle_write(std::uint64_t bursts) const;
};

struct ChannelCounts {
  std::uint64_t reads = 0, writes = 0;  // bursts
  std::uint64_t activates = 0, precharges = 0;
};

class Channel {
 public:
  explicit Channel(const ChannelTiming& timing);

  struct Service {
    Cycles first, last;             // when the first burst is through, and the last
    Cycles accepted;                // when the first burst found a place in the buffer
    Cycles taken = Cycles::zero();  // that nobody else could have the channel
  };
  /// The bytes [first, end) of the channel's own address space; all of them asked for at `arrival`.
  Service serve(Cycles arrival, std::uint64_t first, std::uint64_t end, bool is_write);
  void drop_before(Cycles now);

  const ChannelCounts& counts() const { return counts_; }
  /// All-bank refreshes up to `elapsed`.
  std::uint64_t refreshes(Cycles elapsed) const { return elapsed / timing_.refi; }

  /// Where the time went while something was asked for. In this order of precedence: what is busy does not wait.
  struct Shares {
    Cycles busy = Cycles::zero(), turnaround = Cycles::zero(), refresh = Cycles::zero();
    Cycles asked = Cycles::zero();  // all of it; what is left of it waited for rows
  };
  const Shares& shares() const { return shares_; }

 private:
  struct Bank {
    std::uint64_t row = ~std::uint64_t{0};
    std::uint64_t epoch = 0;  // the number of refreshes before it was opened; a refresh closes it
    Cycles activated = Cycles::zero();
    Cycles precharge = Cycles::zero();  // the earliest
  };
  /// The part of an access within one stripe.
  struct Run {
    std::uint64_t row, bank;
    std::uint64_t first_unit, units, bursts;
    bool is_write;
    bool is_of_one_bank = false;  // the units are those of the first one's bank
    std::uint64_t groups(const ChannelTiming& timing) const {
      return is_of_one_bank ? 1 : std::min<std::uint64_t>(units, timing.groups);
    }
  };
  /// Rows that were opened for a run.
  struct Opened {
    Cycles ready;          // when the first command may go, so that every bank is ready in its turn
    std::uint64_t misses;  // banks whose row had to be opened
  };

  Service serve_run(Cycles arrival, const Run& run);
  /// A run that is shorter than the buffer, bank by bank: each goes when its row is open, whatever the others wait for.
  Service serve_by_bank(Cycles arrival, const Run& run);
  bool misses_a_row(const Run& run, std::uint64_t epoch) const;
  Opened open_rows(Cycles arrival, const Run& run, std::uint64_t epoch);
  void open(Bank& bank, std::uint64_t row, Cycles from, std::uint64_t epoch);
  /// Between the last command and the run's first, if they differ in direction.
  Cycles turnaround(const Run& run, const Opened& opened) const;
  Cycles turn_to(bool write, bool same_group) const;
  void reserve_refreshes(Cycles earliest, Cycles length);
  void leave_buffer(const Run& run, const Opened& opened, Cycles begin, Cycles last_command, std::uint64_t after);
  /// The bursts of a transfer until `end` that are left after the last refresh that it meets; all without one.
  std::uint64_t bursts_after_refresh(const Run& run, Cycles begin, Cycles end) const;
  void close_run(const Run& run, std::uint64_t assumed_epoch, Cycles begin, Cycles end, Cycles last_command,
                 std::uint64_t after);
  /// Returns what the run takes of the channel's time: its transfer and, if the channel had other work, all that comes between.
  Cycles account(Cycles arrival, Cycles end, Cycles busy, Cycles turnaround);
  std::size_t bank_of(const Run& run, std::uint64_t k) const {
    return run.bank * timing_.groups + timing_.of_groups.remainder(run.first_unit + k);
  }
  Bank& bank(const Run& run, std::uint64_t k) { return banks_[bank_of(run, k)]; }
  std::uint64_t epoch_at(Cycles time) const {
    if (time.value - epoch_begin_ >= timing_.refi.value) {
      epoch_ = time / timing_.refi;
      epoch_begin_ = epoch_ * timing_.refi.value;
    }
    return epoch_;
  }
  /// When banks may be activated again after the refresh that began the epoch.
  Cycles after_refresh(std::uint64_t epoch) const {
    return epoch == 0 ? Cycles::zero() : timing_.refi * epoch + timing_.rp + timing_.rfc;
  }

  ChannelTiming timing_;
  std::vector<Bank> banks_;
  Calendar<Cycles> bus_;
  Calendar<Cycles> commands_;   // of short runs; a long one's data take longer than its commands
  Calendar<Cycles> activates_;  // in quarters of a clock, so that a fourth of tFAW is a whole number
  BufferPlaces places_;
  std::uint64_t next_refresh_ = 1;
  mutable std::uint64_t epoch_ = 0, epoch_begin_ = 0;  // the last that was asked for: most are the same
  bool last_is_write_ = false, last_was_gathered_ = false;
  std::uint64_t last_group_ = 0;
  Cycles asked_until_ = Cycles::zero();
  ChannelCounts counts_;
  Shares shares_;
};

}  // namespace archsim
