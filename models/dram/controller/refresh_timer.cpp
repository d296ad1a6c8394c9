#include "models/dram/controller/refresh_timer.h"

namespace archsim {

RefreshTimer::RefreshTimer(const ExactTiming& timing, const ControllerParams& params)
    : policy_(params.refresh),
      ranks_(timing.ranks),
      groups_(timing.groups),
      banks_(timing.banks),
      siblings_(params.commands_sibling_channels ? timing.pseudo_channels - 1 : 0) {
  // Ramulator's clock 1 is our slot 0, and a refresh is due when its clock says so.
  const bool counts_from_one = params.scheduler == SchedulerKind::request_buffer;
  const Slot all = timing.refresh_interval, one = timing.refresh_bank_interval;
  interval_ = (policy_ == RefreshPolicy::per_bank ? one : all) / ranks_;
  next_due_ = policy_ == RefreshPolicy::none || interval_ == 0 ? kNever : interval_ - (counts_from_one ? 1 : 0);
}

void RefreshTimer::add() {
  DramPlace at;
  if (policy_ == RefreshPolicy::per_bank) {
    const unsigned rank = next_ % ranks_, turn = next_ / ranks_;
    at.rank = static_cast<std::uint16_t>(rank);
    at.group = static_cast<std::uint16_t>(rank * groups_ + turn % groups_);
    at.bank = static_cast<std::uint16_t>(at.group * banks_ + turn / groups_ % banks_);
    next_ = (next_ + 1) % (ranks_ * groups_ * banks_);
  } else {
    at.rank = static_cast<std::uint16_t>(next_);
    at.group = static_cast<std::uint16_t>(next_ * groups_);
    at.bank = static_cast<std::uint16_t>(at.group * banks_);
    next_ = (next_ + 1) % ranks_;
  }
  pending_.push_back({at, false});
  for (unsigned i = 0; i < siblings_; ++i) pending_.push_back({at, true});
  next_due_ += interval_;
}

}  // namespace archsim
