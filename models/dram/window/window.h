// The bursts that the default controller (configs/dram/controllers/default.yaml) sees at once, and the commands that it gives for
// them: what RequestBuffer does with one rank, open rows and all-bank refresh, for accesses that come as runs.
//
// Time goes on only as far as it must for a run to enter, so what waits is still open to what comes later. Bursts of one run in one
// bank are counted, not listed. A run that has the window for itself and streams is not followed burst by burst (stream.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "models/dram/exact/device.h"

namespace archsim {

/// configs/dram/controllers/default.yaml; a test holds them to it.
struct WindowParams {
  static constexpr unsigned kEntries = 32;  // of reads, and of writes
  static constexpr unsigned kRowHitCap = 64, kWriteHigh = 26, kWriteLow = 6;
};

class ControllerWindow {
 public:
  explicit ControllerWindow(const ExactTiming& timing);

  /// Consecutive bursts in one row of the same bank of every group.
  struct Run {
    std::uint32_t row;
    std::uint32_t bank;          // of each group
    std::uint64_t first, count;  // bursts, counted through the groups in units of 64 B
    bool is_write;
  };
  struct Entered {
    Slot first, last;  // when its first and its last burst found a place
  };
  /// Whose first burst is offered at `arrival`, or behind the runs before it.
  Entered enter(const Run& run, Slot arrival);
  /// When the data of `run`, reads that were the last to enter, will be through if nothing else comes: near, not exact.
  Slot expected_end(const Run& run) const;
  /// Goes on until nothing waits; the end of the last data, at the device.
  Slot drain();

  const DramCounts& counts() const { return device_.counts(); }

  /// Where the time went while something waited, in slots; what is left of `asked` waited for rows.
  struct Shares {
    Slot busy = 0, turnaround = 0, refresh = 0, asked = 0;
  };
  const Shares& shares() const { return shares_; }

 private:
  using Index = std::uint8_t;
  static constexpr Index kNone = 0xff;
  static constexpr std::uint64_t kNoAge = ~std::uint64_t{0};

  /// Bursts of a run that wait for one bank.
  struct Piece {
    std::uint64_t age, next_age;  // of its first burst, and of the one that may still join
    std::uint32_t row, count;
    std::uint16_t phase, next_phase;  // of these bursts in their unit
    Index next;                       // piece of the bank, of the same direction
  };
  /// Commands that may go next, at most one of each to a bank; reads and writes of the direction that is served.
  enum List : unsigned { opened_reads, opened_writes, columns, activates, precharges, lists };
  struct Candidate {
    Slot ready;         // as far as the bank goes
    std::uint32_t age;  // modulo 2^24
    std::uint16_t bank, group;
  };
  struct Candidates {
    std::vector<Candidate> all;
    Slot ready = kNever;  // none is before
  };
  static constexpr std::uint16_t kNowhere = 0xffff;
  struct Bank {
    DramPlace at;
    std::array<Index, 2> head = {kNone, kNone}, tail = {kNone, kNone};  // of reads and of writes
    Index hit = kNone, row = kNone;                                     // pieces of the candidates
    bool is_opened = false, opened_is_write = false;                    // a burst's activate went
    std::uint64_t opened_age = 0;
    std::array<std::uint16_t, lists> place = {kNowhere, kNowhere, kNowhere, kNowhere, kNowhere};
  };
  /// Of what may go first: how many slots from `from_` on, then what goes first in one slot (opened bursts, columns where they have
  /// a bus of their own, the rest), then age. Ages count modulo 2^24, so once in so many bursts two go in the wrong order.
  using Key = std::uint64_t;
  static constexpr unsigned kOrderShift = 24, kSlotShift = 26;
  static constexpr Key kNoKey = ~Key{0};
  static std::uint32_t modulo(std::uint64_t age) { return static_cast<std::uint32_t>(age) & ((1U << kOrderShift) - 1); }
  struct Choice {
    Key key = kNoKey;
    Slot slot = kNever;
    std::uint16_t bank = 0;
    List list = lists;  // none: a refresh, or the second activate
  };

  /// Columns that go one after the other.
  struct Columns {
    Slot begin, end;
  };
  struct Stream {
    Run run;  // what is left of it
    Slot begin;
  };
  bool enter_stream(const Run& run, Slot arrival, Entered& entered);
  Entered finish_entry(Entered entered);
  bool finish_before(const Run& run, Slot slot);
  bool are_banks_free(const Run& run, Slot slot) const;
  Slot start_of_run() const;
  bool may_follow(const Run& run, Slot slot, Slot apart) const;
  bool opens_in_time(const Run& run, Slot enters, Slot apart) const;
  void begin_run(const Run& run, Slot slot, Slot apart);
  void settle_columns(Slot slot);
  Slot open_rows(const Run& run, Slot enters, Slot apart, const Columns& beside);
  void open_row(Bank& bank, Slot from, const Columns& beside);
  Slot beside_columns(Slot slot, Slot length, const Columns& beside) const;
  void refresh_stream(Slot slot);
  void leave_stream(Slot slot);
  bool becomes_stream(const Run& run, std::uint64_t left);
  Slot columns_end() const { return stream_.begin + stream_.run.count * timing().burst; }
  std::uint64_t groups_of(std::uint64_t first_unit, std::uint64_t last_unit) const {
    return std::min<std::uint64_t>(timing().groups, last_unit - first_unit + 1);
  }
  std::uint64_t bank_index(const Run& run, std::uint64_t burst) const {
    return group_of(burst) * timing().banks + run.bank;
  }

  Slot last_column_of(const Bank& bank) const;
  void advance_to(Slot slot);
  void step();
  void choose();
  template <DramCommand command>
  void choose_from(List list, Key order, Choice& best);
  Choice best_opened();
  void choose_other();
  void perform();
  void activate(Bank& bank, Slot slot);
  void precharge(Bank& bank, Slot slot);
  template <DramCommand command>
  void perform_column(Bank& bank, bool was_opened, Slot slot);
  void perform_refresh(Slot slot);
  void send_second_activate(Slot slot);
  void add_opened(Bank& bank);
  void went(Slot slot) {
    last_ = slot;
    from_ = timing().buses == 1 ? slot + 1 : slot;
  }
  void count_columns(bool is_write, Slot first, Slot last, std::uint64_t count);
  void join(const Run& run, std::uint64_t burst, Slot slot);
  Piece& piece_for(Bank& bank, const Run& run, std::uint64_t phase);
  /// Takes the first burst of the piece; the piece goes with its last one.
  void take(Bank& bank, bool is_write, Index index);
  void step_age(std::uint64_t& age, std::uint16_t& phase) const;
  void find_candidates(Bank& bank);
  void find_rows(Bank& bank, Index first);
  template <DramCommand command>
  void put(List list, Bank& bank, std::uint64_t age);
  void remove(List list, Bank& bank);
  void find_all_candidates();
  bool must_turn() const {
    return is_writing_ ? waiting_[1] <= WindowParams::kWriteLow && waiting_[0] > 0
                       : waiting_[1] >= WindowParams::kWriteHigh || waiting_[0] == 0;
  }
  bool is_idle() const { return waiting_[0] + waiting_[1] + opened_ == 0 && !is_activating_; }
  std::uint64_t group_of(std::uint64_t burst) const { return (burst >> unit_shift_) & (timing().groups - 1); }
  const ExactTiming& timing() const { return device_.timing(); }

  DramDevice device_;
  unsigned group_shift_;  // groups
  unsigned unit_shift_;   // bursts of a unit of 64 B
  std::uint64_t skip_;    // from a unit's last burst to the first one of the bank's next unit
  std::vector<Bank> banks_;
  std::array<Candidates, lists> candidates_;
  std::array<Piece, 2 * WindowParams::kEntries> pieces_;
  std::array<Index, 2 * WindowParams::kEntries> free_;
  unsigned free_count_ = 2 * WindowParams::kEntries;
  std::array<unsigned, 2> waiting_ = {}, piece_count_ = {};
  unsigned opened_ = 0;
  bool is_writing_ = false;
  std::uint64_t next_age_ = 0;
  Slot next_entry_ = 0, refresh_due_;
  Slot last_ = 0, from_ = 0;    // of the last command, and from which the next one may go
  bool is_refreshing_ = false;  // the choice is a refresh
  bool is_activating_ = false;
  unsigned activating_ = 0;  // bank
  Slot activate_by_ = 0, data_clock_until_ = 0;
  Choice choice_;
  bool has_choice_ = false;
  bool is_streaming_ = false;
  Stream stream_ = {};
  Slot row_free_ = 0;  // of a stream's commands to rows
  Slot asked_until_ = 0, end_ = 0;
  bool last_is_write_ = false, was_refreshed_ = false;
  Shares shares_;
};

}  // namespace archsim
