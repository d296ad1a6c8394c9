// When which refresh is due, in the order in which they are to be done.
#pragma once

#include <deque>

#include "models/dram/controller/params.h"
#include "models/dram/exact/timing.h"

namespace archsim {

class RefreshTimer {
 public:
  RefreshTimer(const ExactTiming& timing, const ControllerParams& params);

  /// Makes pending what is due at `now`.
  void poll(Slot now) {
    while (next_due_ <= now) add();
  }
  Slot next_due() const { return next_due_; }

  bool is_pending() const { return !pending_.empty(); }
  /// The first one: whom it is for, and the command.
  const DramPlace& place() const { return pending_.front().at; }
  /// The first one is of another pseudo-channel.
  bool is_elsewhere() const { return pending_.front().is_elsewhere; }
  DramCommand command() const {
    return policy_ == RefreshPolicy::per_bank ? DramCommand::refresh_bank : DramCommand::refresh;
  }
  void done() { pending_.pop_front(); }
  /// Whether requests to `at` must wait for the first pending refresh.
  bool blocks(const DramPlace& at) const {
    if (pending_.empty()) return false;
    return policy_ == RefreshPolicy::per_bank ? at.bank == place().bank : at.rank == place().rank;
  }

 private:
  struct Pending {
    DramPlace at;
    bool is_elsewhere;
  };

  void add();

  RefreshPolicy policy_;
  unsigned ranks_, groups_, banks_, siblings_;
  Slot interval_, next_due_;
  unsigned next_ = 0;  // counts ranks, or banks in the order of groups, banks of a group, ranks
  std::deque<Pending> pending_;
};

}  // namespace archsim
