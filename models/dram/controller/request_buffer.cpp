#include "models/dram/controller/request_buffer.h"

#include <algorithm>

namespace archsim {

RequestBuffer::RequestBuffer(const ControllerParams& params, DramDevice& device, BurstSink& sink)
    : DramScheduler(params, device, sink),
      reads_(timing_.bank_count(), params.read_entries),
      writes_(timing_.bank_count(), params.write_entries),
      banks_(timing_.bank_count()),
      changed_(timing_.bank_count()),
      activates_(timing_.bank_count()),
      precharges_(timing_.bank_count()),
      columns_(timing_.bank_count()) {
  opened_.reserve(timing_.bank_count());
}

bool RequestBuffer::has_room(bool is_write, unsigned bursts) const {
  return is_write ? writes_.size() + bursts <= params_.write_entries : reads_.size() + bursts <= params_.read_entries;
}

bool RequestBuffer::is_drained() const { return reads_waiting_ + writes_waiting_ == 0; }

void RequestBuffer::accept(const Burst& burst) {
  const auto same = [&](const Burst& write) { return write.address == burst.address; };
  const bool is_waiting = !writes_.empty() && writes_.find(burst.at.bank, same) != WaitingBursts::kNone;
  if (is_waiting) return forward(burst);  // of two writes the later one is all that has to be written
  ++(burst.is_write ? writes_waiting_ : reads_waiting_);
  (burst.is_write ? writes_ : reads_).push(burst);
  if (burst.is_write == is_writing_) changed_.insert(burst.at.bank);
}

bool RequestBuffer::issue(Slot now, BurstSource&) {
  if (timing_.splits_activate || timing_.syncs_data_clock) return issue_split(now);
  if (timing_.buses == 1) return issue_on(Bus::any, now);
  const bool column = issue_on(Bus::columns, now);
  const bool row = issue_on(Bus::rows, now);
  return column || row;
}

bool RequestBuffer::issue_on(Bus bus, Slot now) {
  if (bus != Bus::rows) {
    if (const auto choice = choose_opened(now)) return perform(*choice, now), true;
  }
  if (bus != Bus::columns && refresh_.is_pending() && issue_refresh(now)) return true;
  const auto choice = choose_waiting(bus, now);
  if (!choice) return false;
  perform(*choice, now);
  return true;
}

bool RequestBuffer::issue_split(Slot now) {
  if (activating_ && activate_by_ <= now) return send_second_activate(now), true;
  if (synced_) {
    const Slot slot = device_.earliest(synced_->command, burst_of(*synced_).at, now);
    if (slot > now) return wake_at(slot), false;
    perform_column(*synced_, now);
    synced_.reset();
    return true;
  }
  auto choice = choose_opened(now);
  if (!choice && refresh_.is_pending() && issue_refresh(now)) return true;
  if (!choice) choice = choose_waiting(Bus::any, now);
  if (!choice) return activating_ ? (send_second_activate(now), true) : false;
  const bool starts_clock = timing_.syncs_data_clock && is_column(choice->command) && now >= data_clock_until_;
  if (!starts_clock) return perform(*choice, now), true;
  // The slot after the start is the burst's own: the last slot for the second activate must not be lost to it.
  if (activating_ && activate_by_ <= now + 1) return send_second_activate(now), true;
  device_.issue(DramCommand::sync, burst_of(*choice).at, now);
  synced_ = choice;
  return true;
}

void RequestBuffer::send_second_activate(Slot now) {
  device_.issue(DramCommand::activate_second, activating_->at, now);
  changed_.insert(activating_->at.bank);
  add_opened(*activating_);
  activating_.reset();
}

bool RequestBuffer::issue_refresh(Slot now) {
  if (refresh_.is_elsewhere()) return refresh_elsewhere(now);
  const DramPlace& at = refresh_.place();
  const bool is_one = refresh_.command() == DramCommand::refresh_bank;
  const bool must_close = is_one ? device_.state(at.bank) != DramDevice::Row::closed : device_.open_banks(at.rank) > 0;
  if (must_close) {
    for (const Burst& burst : opened_) {
      if (refresh_.blocks(burst.at)) return false;
    }
    if (activating_ && refresh_.blocks(activating_->at)) return false;
  }
  const DramCommand close = is_one ? DramCommand::precharge : DramCommand::precharge_all;
  const DramCommand command = must_close ? close : refresh_.command();
  const Slot slot = device_.earliest(command, at, now);
  if (slot > now) return wake_at(slot), false;
  device_.issue(command, at, now);
  changed_.join(waiting().banks());
  if (!must_close) refresh_.done();
  return true;
}

std::optional<RequestBuffer::Choice> RequestBuffer::choose_opened(Slot now) {
  if (opened_.empty()) return std::nullopt;
  if (opened_not_before_ > now) return wake_at(opened_not_before_), std::nullopt;
  std::optional<Choice> best;
  Slot not_before = kNever;
  for (Index i = 0; i < opened_.size(); ++i) {
    const Slot slot = device_.earliest(opened_[i].command(), opened_[i].at, now);
    if (slot > now) {
      not_before = std::min(not_before, slot);
    } else if (!best || opened_[i].arrival < opened_[best->index].arrival) {
      best = Choice{true, i, opened_[i].command()};
    }
  }
  if (!best) wake_at(opened_not_before_ = not_before);
  return best;
}

std::optional<RequestBuffer::Choice> RequestBuffer::choose_waiting(Bus bus, Slot now) {
  if (refresh_.is_pending() && timing_.ranks == 1 && refresh_.command() == DramCommand::refresh) return std::nullopt;
  turn_bus();
  changed_.for_each([this](unsigned bank) { find_candidates(bank); });
  changed_.clear();
  std::uint64_t oldest = WaitingBursts::kNoAge;
  Choice best = {};
  if (bus != Bus::rows) choose_among(columns_, column_command(), now, best, oldest);
  if (bus != Bus::columns) {
    if (!activating_) choose_among(activates_, DramCommand::activate, now, best, oldest);
    choose_among(precharges_, DramCommand::precharge, now, best, oldest);
  }
  return oldest == WaitingBursts::kNoAge ? std::nullopt : std::optional(best);
}

void RequestBuffer::choose_among(Candidates& candidates, DramCommand command, Slot now, Choice& best,
                                 std::uint64_t& oldest) {
  if (candidates.banks.empty()) return;
  if (candidates.not_before > now) return wake_at(candidates.not_before);
  const Slot anywhere = device_.earliest_anywhere(command, now);
  if (anywhere > now) return wake_at(candidates.not_before = anywhere);
  const bool is_of_column = is_column(command);
  Slot not_before = kNever;
  bool is_any_left = false;
  candidates.banks.for_each([&](unsigned index) {
    const Bank& bank = banks_[index];
    const Index burst = is_of_column ? bank.column : bank.row;
    const DramPlace& at = waiting()[burst].at;
    if (refresh_.is_pending() && refresh_.blocks(at)) return void(is_any_left = true);
    const Slot slot = device_.earliest(command, at, now);
    if (slot > now) return void(not_before = std::min(not_before, slot));
    is_any_left = true;
    const std::uint64_t age = is_of_column ? bank.column_age : bank.row_age;
    if (age > oldest) return;
    oldest = age;
    best = {false, burst, command};
  });
  if (!is_any_left) candidates.not_before = not_before;
  wake_at(not_before);
}

void RequestBuffer::find_candidates(unsigned index) {
  Bank& bank = banks_[index];
  const DramDevice::Row state = device_.state(index);
  bank.row = bank.column = WaitingBursts::kNone;
  if (state == DramDevice::Row::closed) bank.row = waiting().first(index);
  if (state == DramDevice::Row::open) find_row_and_column(index);
  bank.row_age = waiting().age(bank.row);
  bank.column_age = waiting().age(bank.column);
  const bool is_closed = state == DramDevice::Row::closed;
  put_candidate(activates_, DramCommand::activate, index, is_closed ? bank.row : WaitingBursts::kNone);
  put_candidate(precharges_, DramCommand::precharge, index, is_closed ? WaitingBursts::kNone : bank.row);
  put_candidate(columns_, column_command(), index, bank.column);
}

void RequestBuffer::put_candidate(Candidates& candidates, DramCommand command, unsigned bank, Index burst) {
  candidates.banks.put(bank, burst != WaitingBursts::kNone);
  if (burst == WaitingBursts::kNone || candidates.not_before == 0) return;
  candidates.not_before = std::min(candidates.not_before, device_.earliest(command, waiting()[burst].at, 0));
}

void RequestBuffer::find_row_and_column(unsigned index) {
  Bank& bank = banks_[index];
  const WaitingBursts& bursts = waiting();
  const std::uint32_t row = device_.row(index);
  const Index hit = bursts.find(index, [row](const Burst& burst) { return burst.at.row == row; });
  const Index conflict = bursts.find(index, [row](const Burst& burst) { return burst.at.row != row; });
  const bool hit_is_first = bursts.age(hit) < bursts.age(conflict);
  const bool is_kept = bank.opened > 0;  // for the burst that opened it
  const bool is_capped =
      !is_kept && params_.row_hit_cap > 0 && device_.columns_since_activate(index) >= params_.row_hit_cap;
  if (conflict != WaitingBursts::kNone && !is_kept && (is_capped || !params_.prefers_row_hits || !hit_is_first)) {
    bank.row = conflict;
  }
  if (hit_is_first || !is_capped) bank.column = hit;
}

void RequestBuffer::perform(const Choice& choice, Slot now) {
  if (is_column(choice.command)) return perform_column(choice, now);
  const DramPlace at = burst_of(choice).at;
  device_.issue(choice.command, at, now);
  changed_.insert(at.bank);
  if (choice.command != DramCommand::activate) return;
  const Burst burst = waiting().take(choice.index);
  ++banks_[at.bank].opened;
  if (!timing_.splits_activate) return add_opened(burst);
  activating_ = burst;
  activate_by_ = now + timing_.second_activate_within;
}

void RequestBuffer::perform_column(const Choice& choice, Slot now) {
  const Burst burst = choice.is_opened ? opened_[choice.index] : waiting().take(choice.index);
  if (choice.is_opened) {
    opened_.erase(opened_.begin() + static_cast<std::ptrdiff_t>(choice.index));
    --banks_[burst.at.bank].opened;
  }
  changed_.insert(burst.at.bank);
  serve(burst, now, closes_with(burst));
  const Slot latency = burst.is_write ? timing_.write_latency : timing_.read_latency;
  data_clock_until_ = std::max(data_clock_until_, now + latency + timing_.burst + timing_.data_clock_runs_on);
}

bool RequestBuffer::closes_with(const Burst& burst) const {
  const unsigned bank = burst.at.bank;
  if (params_.page == PagePolicy::open || banks_[bank].opened > 0) return false;
  const auto hits = [&](const Burst& other) { return other.at.row == burst.at.row; };
  if (reads_.find(bank, hits) != WaitingBursts::kNone || writes_.find(bank, hits) != WaitingBursts::kNone) return false;
  const bool others = reads_.first(bank) != WaitingBursts::kNone || writes_.first(bank) != WaitingBursts::kNone;
  return params_.page == PagePolicy::closed || others;
}

void RequestBuffer::turn_bus() {
  const std::size_t writes = writes_.size();
  if (!is_writing_) {
    if (writes >= params_.write_high || reads_.empty()) turn_to(true);
  } else if (writes <= params_.write_low && !reads_.empty()) {
    turn_to(false);
  }
}

}  // namespace archsim
