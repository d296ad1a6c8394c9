#include "models/dram/window/window.h"

#include <algorithm>
#include <bit>

namespace archsim {

ControllerWindow::ControllerWindow(const ExactTiming& timing)
    : device_(timing),
      group_shift_(static_cast<unsigned>(std::countr_zero(timing.groups))),
      unit_shift_(timing.burst_bytes >= 64 ? 0U : static_cast<unsigned>(std::countr_zero(64 / timing.burst_bytes))),
      skip_(((std::uint64_t{timing.groups} - 1) << unit_shift_) + 1),
      banks_(timing.banks_of_rank()),
      refresh_due_(timing.refresh_interval - 1) {
  for (unsigned i = 0; i < banks_.size(); ++i) {
    banks_[i].at.bank = static_cast<std::uint16_t>(i);
    banks_[i].at.group = static_cast<std::uint16_t>(i / timing.banks);
  }
  for (Candidates& candidates : candidates_) candidates.all.reserve(banks_.size());
  for (unsigned i = 0; i < free_.size(); ++i) free_[i] = static_cast<Index>(i);
}

template <DramCommand command>
inline void ControllerWindow::put(List list, Bank& bank, std::uint64_t age) {
  Candidates& candidates = candidates_[list];
  std::uint16_t& place = bank.place[list];
  const Slot ready = device_.earliest_of_bank(command, bank.at.bank);
  candidates.ready = std::min(candidates.ready, ready);
  if (place == kNowhere) {
    place = static_cast<std::uint16_t>(candidates.all.size());
    candidates.all.push_back({ready, modulo(age), bank.at.bank, bank.at.group});
  } else {
    candidates.all[place] = {ready, modulo(age), bank.at.bank, bank.at.group};
  }
}

inline void ControllerWindow::remove(List list, Bank& bank) {
  std::uint16_t& place = bank.place[list];
  if (place == kNowhere) return;
  std::vector<Candidate>& candidates = candidates_[list].all;
  candidates[place] = candidates.back();
  banks_[candidates[place].bank].place[list] = place;
  candidates.pop_back();
  place = kNowhere;
}

void ControllerWindow::step_age(std::uint64_t& age, std::uint16_t& phase) const {
  if ((++phase >> unit_shift_) == 0) {
    ++age;
  } else {
    phase = 0;
    age += skip_;
  }
}

inline void ControllerWindow::take(Bank& bank, bool is_write, Index index) {
  Piece& piece = pieces_[index];
  --waiting_[is_write];
  if (--piece.count > 0) return step_age(piece.age, piece.phase);
  Index before = kNone;
  for (Index i = bank.head[is_write]; i != index; i = pieces_[i].next) before = i;
  (before == kNone ? bank.head[is_write] : pieces_[before].next) = piece.next;
  if (bank.tail[is_write] == index) bank.tail[is_write] = before;
  free_[free_count_++] = index;
  --piece_count_[is_write];
}

ControllerWindow::Entered ControllerWindow::enter(const Run& run, Slot arrival) {
  Entered entered{};
  if (enter_stream(run, arrival, entered)) return entered;
  const unsigned side = run.is_write ? 1 : 0;
  for (std::uint64_t i = 0; i < run.count; ++i) {
    Slot slot = std::max(arrival, next_entry_);
    if (waiting_[side] == WindowParams::kEntries) {
      if (i >= WindowParams::kEntries && becomes_stream(run, run.count - i)) return finish_entry(entered);
      while (waiting_[side] == WindowParams::kEntries) step();
      slot = std::max(slot, last_ + 1);
    }
    advance_to(slot);
    join(run, run.first + i, slot);
    next_entry_ = slot + 1;
    if (i == 0) entered.first = slot;
    entered.last = slot;
  }
  return entered;
}

/// Of a run that has become a stream: its last burst finds a place when the stream goes no further than the window.
ControllerWindow::Entered ControllerWindow::finish_entry(Entered entered) {
  const Slot window = (WindowParams::kEntries - 1) * timing().burst;
  refresh_stream(columns_end() - window);
  entered.last = std::max(next_entry_, columns_end() - window);
  next_entry_ = entered.last + 1;
  return entered;
}

Slot ControllerWindow::drain() {
  if (is_streaming_) {
    refresh_stream(kNever - 1);
    leave_stream(kNever);
  }
  while (!is_idle()) step();
  return end_;
}

void ControllerWindow::advance_to(Slot slot) {
  while (true) {
    if (!has_choice_) {
      // What enters in the next slot is there before the controller chooses again.
      if (from_ >= slot) return;
      choose();
    }
    if (choice_.slot >= slot) return;
    perform();
  }
}

void ControllerWindow::step() {
  if (!has_choice_) choose();
  perform();
}

template <DramCommand command>
inline void ControllerWindow::choose_from(List list, Key order, Choice& best) {
  Candidates& candidates = candidates_[list];
  if (candidates.all.empty()) return;
  const Slot from = from_, floor = std::max(device_.earliest_anywhere(command, from), candidates.ready);
  if ((floor - from) << kSlotShift > best.key) return;
  const Slot align = command == DramCommand::precharge ? 0 : timing().edges - 1;
  const Candidate* chosen = nullptr;
  Key key = best.key;
  Slot ready = kNever;
  for (const Candidate& candidate : candidates.all) {
    ready = std::min(ready, candidate.ready);
    Slot slot = std::max(candidate.ready, floor);
    if (command != DramCommand::precharge) {
      slot = std::max(slot, device_.earliest_of_group(command, candidate.group));
      slot = (slot + align) & ~align;
    }
    const Key other = ((slot - from) << kSlotShift) | order | candidate.age;
    chosen = other < key ? &candidate : chosen;
    key = std::min(other, key);
  }
  candidates.ready = ready;
  if (chosen != nullptr) best = {key, from + (key >> kSlotShift), chosen->bank, list};
}

inline ControllerWindow::Choice ControllerWindow::best_opened() {
  Choice best;
  choose_from<DramCommand::read>(opened_reads, 0, best);
  choose_from<DramCommand::write>(opened_writes, 0, best);
  return best;
}

void ControllerWindow::choose() {
  if (must_turn()) {
    is_writing_ = !is_writing_;
    find_all_candidates();
  }
  has_choice_ = true;
  const Key first = Key{1} << kOrderShift, row = Key{timing().buses} << kOrderShift;
  // Rows first: where one can go at once, the columns are mostly not even looked at.
  Choice best;
  if (!is_activating_) choose_from<DramCommand::activate>(activates, row, best);
  choose_from<DramCommand::precharge>(precharges, row, best);
  if (is_writing_) {
    choose_from<DramCommand::write>(columns, first, best);
  } else {
    choose_from<DramCommand::read>(columns, first, best);
  }
  choose_from<DramCommand::read>(opened_reads, 0, best);
  choose_from<DramCommand::write>(opened_writes, 0, best);
  choice_ = best;
  if (is_activating_ || (best.list > opened_writes && best.slot >= refresh_due_)) choose_other();
}

/// A second activate is due, or a refresh.
void ControllerWindow::choose_other() {
  is_refreshing_ = false;
  // Nothing goes before a refresh that is due but what was opened.
  const bool is_due = choice_.list > opened_writes && choice_.slot >= refresh_due_;
  if (is_due) choice_ = best_opened();
  if (is_activating_) {
    const Slot second = device_.earliest_on_bus(DramCommand::activate_second, from_);
    if (choice_.slot > second || second >= activate_by_) choice_ = {.slot = second};
  } else if (is_due && choice_.list == lists) {
    const DramCommand command = device_.open_banks(0) > 0 ? DramCommand::precharge_all : DramCommand::refresh;
    choice_.slot = device_.earliest(command, {}, std::max(from_, refresh_due_));
    is_refreshing_ = true;
  }
}

void ControllerWindow::perform() {
  has_choice_ = false;
  const Slot slot = choice_.slot;
  Bank& bank = banks_[choice_.bank];
  switch (choice_.list) {
    case opened_reads:
      return perform_column<DramCommand::read>(bank, true, slot);
    case opened_writes:
      return perform_column<DramCommand::write>(bank, true, slot);
    case columns:
      return is_writing_ ? perform_column<DramCommand::write>(bank, false, slot)
                         : perform_column<DramCommand::read>(bank, false, slot);
    case activates:
      return activate(bank, slot);
    case precharges:
      return precharge(bank, slot);
    case lists:
      return is_refreshing_ ? perform_refresh(slot) : send_second_activate(slot);
  }
}

inline void ControllerWindow::precharge(Bank& bank, Slot slot) {
  went(slot);
  device_.issue(DramCommand::precharge, bank.at, slot);
  find_candidates(bank);
}

inline void ControllerWindow::activate(Bank& bank, Slot slot) {
  went(slot);
  const Index index = bank.row;
  bank.at.row = pieces_[index].row;
  device_.issue(DramCommand::activate, bank.at, slot);
  bank.opened_age = pieces_[index].age;
  bank.opened_is_write = is_writing_;
  take(bank, is_writing_, index);
  remove(activates, bank);
  bank.row = kNone;
  if (!timing().splits_activate) return add_opened(bank);
  is_activating_ = true;
  activating_ = bank.at.bank;
  activate_by_ = slot + timing().second_activate_within;
}

void ControllerWindow::send_second_activate(Slot slot) {
  Bank& bank = banks_[activating_];
  went(slot);
  device_.issue(DramCommand::activate_second, bank.at, slot);
  is_activating_ = false;
  add_opened(bank);
}

void ControllerWindow::add_opened(Bank& bank) {
  bank.is_opened = true;
  ++opened_;
  if (bank.opened_is_write) {
    put<DramCommand::write>(opened_writes, bank, bank.opened_age);
  } else {
    put<DramCommand::read>(opened_reads, bank, bank.opened_age);
  }
  if (bank.head[is_writing_] != kNone) find_candidates(bank);
}

template <DramCommand command>
inline void ControllerWindow::perform_column(Bank& bank, bool was_opened, Slot slot) {
  constexpr bool is_write = command == DramCommand::write;
  if (timing().syncs_data_clock && slot >= data_clock_until_) {
    // The slot after the start is the burst's own: the last slot for the second activate must not be lost to it.
    if (is_activating_ && activate_by_ <= slot + 1) return send_second_activate(slot);
    device_.issue(DramCommand::sync, bank.at, slot);
    slot = device_.earliest(command, bank.at, slot + 1);
  }
  went(slot);
  device_.issue(command, bank.at, slot);
  count_columns(is_write, slot, slot, 1);
  if (was_opened) {
    bank.is_opened = false;
    --opened_;
    remove(is_write ? opened_writes : opened_reads, bank);
    if (bank.head[is_writing_] != kNone) find_candidates(bank);
    return;
  }
  const Index index = bank.hit;
  // Nothing else changes for a bank with one piece left.
  const bool stays = pieces_[index].count > 1 && bank.head[is_write] == bank.tail[is_write];
  take(bank, is_write, index);
  if (!stays) return find_candidates(bank);
  candidates_[columns].all[bank.place[columns]].age = modulo(pieces_[index].age);
}

void ControllerWindow::count_columns(bool is_write, Slot first, Slot last, std::uint64_t count) {
  const Slot end = last + (is_write ? timing().write_latency : timing().read_latency) + timing().burst;
  end_ = std::max(end_, end);
  data_clock_until_ = std::max(data_clock_until_, end + timing().data_clock_runs_on);
  const Slot gap = first - std::min(first, asked_until_);
  if (was_refreshed_) {
    shares_.refresh += gap;
  } else if (is_write != last_is_write_) {
    shares_.turnaround += gap;
  }
  const Slot until = last + timing().burst;
  shares_.busy += timing().burst * count;
  if (until > asked_until_) shares_.asked += until - asked_until_;
  asked_until_ = std::max(asked_until_, until);
  last_is_write_ = is_write;
  was_refreshed_ = false;
}

void ControllerWindow::perform_refresh(Slot slot) {
  const bool closes = device_.open_banks(0) > 0;
  went(slot);
  device_.issue(closes ? DramCommand::precharge_all : DramCommand::refresh, {}, slot);
  if (!closes) refresh_due_ += timing().refresh_interval;
  was_refreshed_ = !is_idle();
  find_all_candidates();
}

void ControllerWindow::join(const Run& run, std::uint64_t burst, Slot slot) {
  const std::uint64_t group = group_of(burst), index = group * timing().banks + run.bank;
  Bank& bank = banks_[index];
  const unsigned side = run.is_write ? 1 : 0;
  if (is_idle()) asked_until_ = std::max(asked_until_, slot);
  // The choice stays what it was unless this one comes into question.
  const bool may_turn = waiting_[side] == 0 || waiting_[1] + 1 >= WindowParams::kWriteHigh;
  ++waiting_[side];
  const unsigned pieces = piece_count_[side];
  Piece& piece = piece_for(bank, run, burst & ((std::uint64_t{1} << unit_shift_) - 1));
  ++piece.count;
  step_age(piece.next_age, piece.next_phase);
  ++next_age_;
  from_ = std::max(from_, slot);
  if (may_turn) has_choice_ = false;
  if (pieces == piece_count_[side]) return;
  if (run.is_write == is_writing_) {
    find_candidates(bank);
    has_choice_ = false;
  }
}

ControllerWindow::Piece& ControllerWindow::piece_for(Bank& bank, const Run& run, std::uint64_t phase) {
  const unsigned side = run.is_write ? 1 : 0;
  const Index tail = bank.tail[side];
  if (tail != kNone && pieces_[tail].row == run.row && pieces_[tail].next_age == next_age_ &&
      pieces_[tail].next_phase == phase) {
    return pieces_[tail];
  }
  const Index index = free_[--free_count_];
  const auto place = static_cast<std::uint16_t>(phase);
  pieces_[index] = {next_age_, next_age_, run.row, 0, place, place, kNone};
  (tail == kNone ? bank.head[side] : pieces_[tail].next) = index;
  bank.tail[side] = index;
  ++piece_count_[side];
  return pieces_[index];
}

void ControllerWindow::find_all_candidates() {
  for (Bank& bank : banks_) {
    if (bank.head[0] != kNone || bank.head[1] != kNone) find_candidates(bank);
  }
}

void ControllerWindow::find_candidates(Bank& bank) {
  const Index first = bank.head[is_writing_];
  const DramDevice::Row state = device_.state(bank.at.bank);
  bank.hit = bank.row = kNone;
  if (first != kNone && state == DramDevice::Row::open) return find_rows(bank, first);
  remove(columns, bank);
  remove(precharges, bank);
  if (first == kNone || state == DramDevice::Row::activating) return remove(activates, bank);
  bank.row = first;
  put<DramCommand::activate>(activates, bank, pieces_[first].age);
}

void ControllerWindow::find_rows(Bank& bank, Index first) {
  const std::uint32_t row = device_.row(bank.at.bank);
  Index hit = kNone, conflict = kNone;
  for (Index i = first; i != kNone && (hit == kNone || conflict == kNone); i = pieces_[i].next) {
    Index& found = pieces_[i].row == row ? hit : conflict;
    if (found == kNone) found = i;
  }
  const bool hit_is_first = hit == first;
  const bool is_capped = !bank.is_opened && device_.columns_since_activate(bank.at.bank) >= WindowParams::kRowHitCap;
  remove(activates, bank);
  if (conflict != kNone && !bank.is_opened && (is_capped || !hit_is_first)) {
    bank.row = conflict;
    put<DramCommand::precharge>(precharges, bank, pieces_[conflict].age);
  } else {
    remove(precharges, bank);
  }
  if (hit != kNone && (hit_is_first || !is_capped)) {
    bank.hit = hit;
    is_writing_ ? put<DramCommand::write>(columns, bank, pieces_[hit].age)
                : put<DramCommand::read>(columns, bank, pieces_[hit].age);
  } else {
    remove(columns, bank);
  }
}

}  // namespace archsim
