// Runs that have the window for themselves: their columns go one after the other, and what comes before and between them (rows
// that are closed and opened, refreshes) is found in closed form.
#include <algorithm>

#include "models/dram/window/window.h"

namespace archsim {

bool ControllerWindow::enter_stream(const Run& run, Slot arrival, Entered& entered) {
  const Slot burst = timing().burst, window = (WindowParams::kEntries - 1) * burst;
  Slot slot = std::max(arrival, next_entry_), apart = 1;
  if (is_streaming_) {
    const Slot room = columns_end() - std::min(columns_end(), window);
    if (room > slot) slot = room, apart = burst;
    refresh_stream(slot);
    if (!may_follow(run, slot, apart)) {
      leave_stream(slot);
      advance_to(slot);
    }
  } else {
    advance_to(slot);
  }
  if (!is_streaming_) {
    if (run.count < std::uint64_t{timing().groups} << unit_shift_ || refresh_due_ < slot + start_of_run() ||
        !finish_before(run, slot))
      return false;
    is_streaming_ = true;
    stream_ = {run, std::max(slot, asked_until_)};
    stream_.run.count = 0;
    asked_until_ = stream_.begin;
  }
  begin_run(run, slot, apart);
  const std::uint64_t behind = run.count - std::min<std::uint64_t>(run.count, WindowParams::kEntries);
  entered.first = slot;
  entered.last = std::max(slot + (run.count - behind - 1) * apart, behind == 0 ? 0 : columns_end() - window);
  refresh_stream(entered.last);
  entered.last = std::max(entered.last, behind == 0 ? 0 : columns_end() - window);
  next_entry_ = entered.last + 1;
  return true;
}

/// What still waits goes first, if it is of the run's direction; else false.
bool ControllerWindow::finish_before(const Run& run, Slot slot) {
  if (is_idle()) return is_writing_ = run.is_write, true;
  if (run.count < WindowParams::kEntries && !are_banks_free(run, slot)) return false;
  if (waiting_[run.is_write ? 0 : 1] > 0 || (opened_ > 0 && is_writing_ != run.is_write)) return false;
  if (waiting_[0] + waiting_[1] + opened_ > WindowParams::kEntries / 2) return false;
  const Slot before = from_;
  while (!is_idle()) step();
  from_ = before;
  is_writing_ = run.is_write;
  has_choice_ = false;
  return true;
}

/// Whether no row that the run needs is waited for, for another one's sake.
bool ControllerWindow::are_banks_free(const Run& run, Slot slot) const {
  for (std::uint64_t k = 0; k < timing().groups; ++k) {
    const Bank& bank = banks_[bank_index(run, run.first + (k << unit_shift_))];
    const unsigned index = bank.at.bank;
    if (bank.head[0] != kNone || bank.head[1] != kNone || bank.is_opened) return false;
    const bool is_closed = device_.state(index) == DramDevice::Row::closed;
    if (!is_closed && device_.row(index) == run.row) continue;
    if (device_.earliest_of_bank(is_closed ? DramCommand::activate : DramCommand::precharge, index) > slot)
      return false;
  }
  return true;
}

/// That long a run takes to begin, if all its rows must be closed and opened; a refresh in it is left to the single commands.
Slot ControllerWindow::start_of_run() const {
  const ExactTiming& t = timing();
  return t.activate_to_precharge + t.precharge_to_activate + t.activate_to_read +
         t.groups * std::max(t.four_activates / 4, t.activate_to_activate_rank);
}

bool ControllerWindow::may_follow(const Run& run, Slot slot, Slot apart) const {
  const Run& before = stream_.run;
  if (run.is_write != before.is_write || slot >= columns_end()) return false;
  if (refresh_due_ < columns_end() + start_of_run()) return false;
  const bool is_long = run.count >= WindowParams::kEntries;
  if (run.bank != before.bank || run.row == before.row) return is_long || opens_in_time(run, slot, apart);
  // What follows in the same banks may close the rows early if they have been hit too often.
  const std::uint64_t each = (before.count >> unit_shift_) / timing().groups + 1;
  return is_long && device_.columns_since_activate(static_cast<unsigned>(bank_index(before, before.first))) +
                            (each << unit_shift_) <=
                        WindowParams::kRowHitCap;
}

/// Whether the rows of a run that is shorter than the window are open before its turn comes. If not, later ones may go first.
bool ControllerWindow::opens_in_time(const Run& run, Slot enters, Slot apart) const {
  const ExactTiming& t = timing();
  const DramCommand column = run.is_write ? DramCommand::write : DramCommand::read;
  const Slot to_column = run.is_write ? t.activate_to_write : t.activate_to_read;
  const std::uint64_t first_unit = run.first >> unit_shift_;
  const std::uint64_t groups = groups_of(first_unit, (run.first + run.count - 1) >> unit_shift_);
  if (groups < 2 && t.groups > 1) return false;
  Slot activate = device_.earliest_of_rank(DramCommand::activate, 0);
  for (std::uint64_t k = 0; k < groups; ++k) {
    const std::uint64_t burst = std::max(run.first, (first_unit + k) << unit_shift_);
    const auto index = static_cast<unsigned>(bank_index(run, burst));
    const Slot due = columns_end() + (burst - run.first) * t.burst;
    if (device_.state(index) != DramDevice::Row::closed && device_.row(index) == run.row) {
      if (device_.earliest_of_bank(column, index) > due) return false;
      continue;
    }
    // What the bank itself makes wait, later ones could overtake; what the order of activates does, they cannot.
    const Slot entry = enters + (burst - run.first) * apart;
    Slot from = entry, of_bank = device_.earliest_of_bank(DramCommand::activate, index);
    if (device_.state(index) != DramDevice::Row::closed) {
      const Slot closes = device_.earliest_of_bank(DramCommand::precharge, index);
      from = std::max(entry, closes) + t.precharge_to_activate;
      if (closes > entry) of_bank = std::max(of_bank, from);
    }
    const bool is_of_bank = of_bank > std::max(activate, from - (of_bank == from ? 1 : 0));
    activate = std::max({activate, from, of_bank});
    if (is_of_bank && activate + to_column > due) return false;
    activate += std::max(t.activate_to_activate_rank, t.four_activates / 4);
  }
  return true;
}

/// The run's bursts find places from `slot` on, one every `apart`.
void ControllerWindow::begin_run(const Run& run, Slot slot, Slot apart) {
  const Columns beside = {stream_.begin, columns_end()};
  const Slot before = last_;
  settle_columns(kNever);
  stream_ = {run, open_rows(run, slot, apart, beside)};
  last_ = std::max(before, std::min(last_, slot));
  from_ = std::max(from_, slot);
}

/// Columns that go before `slot` are done; the device is told of the last one of each group.
void ControllerWindow::settle_columns(Slot slot) {
  Run& run = stream_.run;
  if (run.count == 0 || slot <= stream_.begin) return;
  const Slot burst = timing().burst;
  std::uint64_t done = run.count;
  if (slot < columns_end()) done = (slot - stream_.begin + burst - 1) / burst;
  const std::uint64_t unit = std::uint64_t{1} << unit_shift_, end = run.first + done;
  const std::uint64_t last_unit = (end - 1) >> unit_shift_, first_unit = run.first >> unit_shift_;
  const DramCommand command = run.is_write ? DramCommand::write : DramCommand::read;
  for (std::uint64_t k = groups_of(first_unit, last_unit); k > 0; --k) {
    const std::uint64_t of_group = last_unit - (k - 1);
    const std::uint64_t last = std::min(end, (of_group + 1) << unit_shift_) - 1;
    // Of each unit of the group the whole, but for the first and the last burst of the run.
    const std::uint64_t units = (of_group - first_unit) >> group_shift_;
    const std::uint64_t first = std::max(run.first, (of_group - units * timing().groups) << unit_shift_);
    const std::uint64_t bursts = last - first + 1 - units * (timing().groups - 1) * unit;
    const DramPlace& at = banks_[bank_index(run, last)].at;
    device_.columns_of_bank(command, at, stream_.begin + (last - run.first) * burst, bursts);
  }
  const Slot last_at = stream_.begin + (done - 1) * burst;
  device_.columns_of_rank(command, last_at);
  count_columns(run.is_write, stream_.begin, last_at, done);
  last_ = std::max(last_, last_at);
  run.first += done;
  run.count -= done;
  stream_.begin += done * burst;
}

/// When the columns of `run` begin, as if they went one after the other to its end.
Slot ControllerWindow::open_rows(const Run& run, Slot enters, Slot apart, const Columns& beside) {
  const ExactTiming& t = timing();
  const DramCommand column = run.is_write ? DramCommand::write : DramCommand::read;
  const Slot in_one_group = std::max(t.burst, run.is_write ? t.write_to_write_group : t.read_to_read_group);
  const std::uint64_t first_unit = run.first >> unit_shift_;
  const std::uint64_t groups = groups_of(first_unit, (run.first + run.count - 1) >> unit_shift_);
  Slot now = std::max({enters, beside.end, device_.earliest_of_rank(column, 0)});
  const Slot soonest = now;
  std::uint64_t done = 0;
  for (std::uint64_t k = 0; k < groups; ++k) {
    const std::uint64_t burst = std::max(run.first, (first_unit + k) << unit_shift_);
    Bank& bank = banks_[bank_index(run, burst)];
    bank.at.row = run.row;
    if (!device_.is_hit(bank.at)) open_row(bank, enters + (burst - run.first) * apart, beside);
    const Slot ready = device_.earliest_of_bank(column, bank.at.bank);
    if (ready <= now) continue;
    // Meanwhile those go whose rows are open, as far as the window holds them.
    if (k > 0) {
      const std::uint64_t held = k * WindowParams::kEntries / groups;
      done = std::max(done, std::min(held, done + (ready - now) / (k == 1 ? in_one_group : t.burst)));
    }
    now = ready;
  }
  const Slot begin = std::max(soonest, now - std::min(now, done * t.burst));
  return (begin + t.edges - 1) & ~Slot{t.edges - 1};
}

void ControllerWindow::open_row(Bank& bank, Slot from, const Columns& beside) {
  const ExactTiming& t = timing();
  const unsigned index = bank.at.bank;
  if (device_.state(index) != DramDevice::Row::closed) {
    const Slot slot = std::max({from, device_.earliest_of_bank(DramCommand::precharge, index),
                                device_.earliest_of_rank(DramCommand::precharge, 0)});
    device_.issue(DramCommand::precharge, bank.at, beside_columns(slot, t.precharge_length, beside));
  }
  const Slot slot = std::max({from, row_free_, device_.earliest_of_bank(DramCommand::activate, index),
                              device_.earliest_of_group(DramCommand::activate, bank.at.group),
                              device_.earliest_of_rank(DramCommand::activate, 0)});
  const Slot length = t.length(DramCommand::activate);
  const Slot at = (beside_columns(slot, length, beside) + t.edges - 1) & ~Slot{t.edges - 1};
  device_.issue(DramCommand::activate, bank.at, at);
  row_free_ = at + length;
  if (!t.splits_activate) return;
  const Slot second = beside_columns(row_free_, 1, beside);
  device_.issue(DramCommand::activate_second, bank.at, second);
  row_free_ = second + 1;
}

/// From `slot` on, when a command of `length` finds the bus free of the columns.
Slot ControllerWindow::beside_columns(Slot slot, Slot length, const Columns& beside) const {
  const ExactTiming& t = timing();
  if (t.buses == 2 || slot >= beside.end || slot + length <= beside.begin) return slot;
  slot = std::max(slot, beside.begin);
  const Slot inside = (slot - beside.begin) % t.burst;
  if (inside < t.column_length) return slot - inside + t.column_length;
  return inside + length <= t.burst ? slot : slot - inside + t.burst + t.column_length;
}

/// Refreshes up to `slot` that fall into the stream.
void ControllerWindow::refresh_stream(Slot slot) {
  while (refresh_due_ <= slot && refresh_due_ + timing().burst <= columns_end()) {
    settle_columns(refresh_due_);
    const Slot closes = std::max(refresh_due_, device_.earliest(DramCommand::precharge_all, {}, 0));
    device_.issue(DramCommand::precharge_all, {}, closes);
    const Slot refreshes = device_.earliest(DramCommand::refresh, {}, closes);
    device_.issue(DramCommand::refresh, {}, refreshes);
    refresh_due_ += timing().refresh_interval;
    was_refreshed_ = true;
    stream_.begin = open_rows(stream_.run, refreshes, 0, {refreshes, refreshes});
  }
}

/// What of the stream waits at `slot` does so burst by burst from now on.
void ControllerWindow::leave_stream(Slot slot) {
  settle_columns(slot);
  const Run run = stream_.run;
  stream_.run.count = 0;
  is_streaming_ = has_choice_ = false;
  from_ = std::max(from_, last_ + 1);
  for (std::uint64_t i = 0; i < run.count; ++i) join(run, run.first + i, from_);
}

/// `left` bursts of `run` have not entered; makes it a stream if the window holds nothing else, its rows are open and no refresh
/// is near.
bool ControllerWindow::becomes_stream(const Run& run, std::uint64_t left) {
  const unsigned side = run.is_write ? 1 : 0;
  const std::vector<Candidate>& hits = candidates_[columns].all;
  const std::uint64_t entered = run.count - left;
  if (hits.size() != piece_count_[side] || opened_ > 0 || is_activating_ || run.is_write != is_writing_) return false;
  if (entered < waiting_[side] || (run.is_write ? waiting_[0] > 0 : waiting_[1] >= WindowParams::kWriteHigh))
    return false;
  const Slot begin = device_.earliest_of_rank(run.is_write ? DramCommand::write : DramCommand::read, 0);
  if (!candidates_[activates].all.empty() || !candidates_[precharges].all.empty() || refresh_due_ <= begin)
    return false;
  for (const Candidate& hit : hits) {
    const Bank& bank = banks_[hit.bank];
    if ((hit.bank & (timing().banks - 1)) != run.bank || pieces_[bank.hit].row != run.row || hit.ready > begin)
      return false;
  }
  while (!hits.empty()) {
    Bank& bank = banks_[hits.back().bank];
    free_[free_count_++] = bank.hit;
    bank.head[side] = bank.tail[side] = bank.hit = kNone;
    bank.place[columns] = kNowhere;
    candidates_[columns].all.pop_back();
  }
  stream_ = {run, begin};
  stream_.run.first += entered - waiting_[side];
  stream_.run.count = left + waiting_[side];
  piece_count_[side] = waiting_[side] = 0;
  is_streaming_ = true;
  has_choice_ = false;
  return true;
}

}  // namespace archsim
