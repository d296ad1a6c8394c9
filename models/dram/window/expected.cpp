#include <algorithm>

#include "models/dram/window/window.h"

namespace archsim {

Slot ControllerWindow::expected_end(const Run& run) const {
  const ExactTiming& t = timing();
  if (is_streaming_) {
    const Slot through = columns_end() + t.read_latency;
    const Slot refresh = t.precharge_all_to_refresh + t.refresh_to_activate + t.activate_to_read;
    return refresh_due_ + t.burst <= columns_end() ? through + refresh : through;
  }
  const Slot bus = device_.earliest_anywhere(DramCommand::read, from_);
  Slot last = bus + (waiting_[0] + opened_ - std::min(waiting_[0] + opened_, 1U)) * t.burst;
  const std::uint64_t unit = std::uint64_t{1} << unit_shift_;
  const std::uint64_t groups =
      std::min<std::uint64_t>(t.groups, ((run.first + run.count - 1) >> unit_shift_) - (run.first >> unit_shift_) + 1);
  for (std::uint64_t k = 0; k < groups; ++k) {
    const std::uint64_t burst = run.first + run.count - 1 - std::min(run.count - 1, k * unit);
    last = std::max(last, last_column_of(banks_[group_of(burst) * t.banks + run.bank]));
  }
  if (is_writing_ && waiting_[1] > WindowParams::kWriteLow)
    last += (waiting_[1] - WindowParams::kWriteLow) * t.burst + t.write_to_read;
  if (last >= refresh_due_) last += t.precharge_all_to_refresh + t.refresh_to_activate + t.activate_to_read;
  return last + t.read_latency + t.burst;
}

/// Of the reads that wait for the bank, as far as its own rows allow.
Slot ControllerWindow::last_column_of(const Bank& bank) const {
  const ExactTiming& t = timing();
  Slot at = device_.earliest(DramCommand::read, bank.at, from_);
  if (is_activating_ && activating_ == bank.at.bank) at = std::max(at, from_ + 1);
  std::uint32_t row = device_.row(bank.at.bank);
  bool is_open = device_.state(bank.at.bank) != DramDevice::Row::closed;
  bool is_first = true;
  for (Index i = bank.head[0]; i != kNone; i = pieces_[i].next) {
    const Piece& piece = pieces_[i];
    if (!is_open || piece.row != row) {
      const Slot activate = !is_first ? at + t.read_to_precharge + t.precharge_to_activate
                            : is_open
                                ? device_.earliest(DramCommand::precharge, bank.at, from_) + t.precharge_to_activate
                                : device_.earliest(DramCommand::activate, bank.at, from_);
      at = activate + t.activate_to_read;
      is_open = true;
      row = piece.row;
    } else if (!is_first || bank.is_opened) {
      at += t.read_to_read_group;
    }
    at += (piece.count - 1) * t.read_to_read_group;
    is_first = false;
  }
  return at;
}

}  // namespace archsim
