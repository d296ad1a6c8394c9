// Requests wait in one queue of reads and one of writes, move one a clock to a short queue of their bank, and go from there: the
// banks' queues take turns.
//
// Models:     both kinds of queue with their depths, the turn of the banks, row hits before an older conflict up to a cap, writes
//             moved in drains of all that wait, banks closed one by one for a refresh, row and column commands in one clock where
//             there are two buses, forwarding from waiting writes.
// Leaves out: merging of reads of one address.
// Numbers:    configs/dram/controllers/*.yaml.
// Checked by: tests/models/dram, scripts/validate memory (DRAMsim3).
#pragma once

#include <optional>
#include <vector>

#include "models/dram/controller/scheduler.h"

namespace archsim {

class BankQueues final : public DramScheduler {
 public:
  BankQueues(const ControllerParams& params, DramDevice& device, BurstSink& sink);

  bool is_drained() const override {
    return reads_waiting_ == 0 && in_queues_ == 0 && draining_ == 0 && writes_.size() <= params_.write_low;
  }

 private:
  struct Queue {
    std::vector<Burst> bursts;
    Slot not_before = 0;  // no command of it may go earlier, unless a burst joins
  };
  struct Choice {
    unsigned bank;
    std::size_t index;
    DramCommand command;
  };

  bool has_room(bool is_write, unsigned bursts) const override {
    return is_write ? writes_.size() + bursts <= params_.write_entries : reads_.size() + bursts <= params_.read_entries;
  }
  void accept(const Burst& burst) override;
  bool issue(Slot now, BurstSource& source) override;

  bool issue_refresh(Slot now);
  /// Of the next queue in turn that has one.
  std::optional<Choice> next_choice(Slot now);
  std::optional<Choice> first_ready(unsigned bank, Slot now);
  /// Whether its first burst, to another row than the open one, may close that.
  bool may_close(const Queue& queue) const;
  void perform(const Choice& choice, Slot now);
  bool closes_with(const Queue& queue, const Burst& burst) const;
  /// One request to the queue of its bank.
  bool move();

  std::vector<Burst> reads_, writes_;
  std::vector<Queue> queues_;
  unsigned turn_ = 0;
  bool is_stuck_ = false;  // nothing can move until a burst is accepted or goes
  Slot none_before_ = 0;   // no command of any queue may go earlier, unless something changes
  std::size_t in_queues_ = 0, draining_ = 0;
};

}  // namespace archsim
