#include "models/dram/controller/request_buffer.h"

#include <algorithm>

namespace archsim {

RequestBuffer::RequestBuffer(const ControllerParams& params, DramDevice& device, BurstSink& sink)
    : DramScheduler(params, device, sink),
      opened_in_bank_(timing_.bank_count()),
      has_hit_(timing_.bank_count()),
      is_capped_(timing_.bank_count()) {
  reads_.reserve(params.read_entries);
  writes_.reserve(params.write_entries);
  opened_.reserve(timing_.bank_count());
}

bool RequestBuffer::has_room(bool is_write, unsigned bursts) const {
  return is_write ? writes_.size() + bursts <= params_.write_entries : reads_.size() + bursts <= params_.read_entries;
}

bool RequestBuffer::is_drained() const { return reads_waiting_ + writes_waiting_ == 0; }

void RequestBuffer::accept(const Burst& burst) {
  const auto same = [&](const Burst& write) { return write.address == burst.address; };
  const bool is_waiting = !writes_.empty() && std::any_of(writes_.begin(), writes_.end(), same);
  if (is_waiting) return forward(burst);  // of two writes the later one is all that has to be written
  ++(burst.is_write ? writes_waiting_ : reads_waiting_);
  (burst.is_write ? writes_ : reads_).push_back(burst);
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
    const Burst& burst = (*synced_->from)[synced_->index];
    const Slot slot = device_.earliest(synced_->command, burst.at, now);
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
  device_.issue(DramCommand::sync, (*choice->from)[choice->index].at, now);
  synced_ = choice;
  return true;
}

void RequestBuffer::send_second_activate(Slot now) {
  device_.issue(DramCommand::activate_second, activating_->at, now);
  opened_.push_back(*activating_);
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
  if (!must_close) refresh_.done();
  return true;
}

std::optional<RequestBuffer::Choice> RequestBuffer::choose_opened(Slot now) {
  std::optional<Choice> best;
  for (std::size_t i = 0; i < opened_.size(); ++i) {
    const Slot slot = device_.earliest(opened_[i].command(), opened_[i].at, now);
    if (slot > now) {
      wake_at(slot);
    } else if (!best || opened_[i].arrival < opened_[best->index].arrival) {
      best = Choice{&opened_, i, opened_[i].command()};
    }
  }
  return best;
}

std::optional<RequestBuffer::Choice> RequestBuffer::choose_waiting(Bus bus, Slot now) {
  if (refresh_.is_pending() && timing_.ranks == 1 && refresh_.command() == DramCommand::refresh) return std::nullopt;
  turn_bus();
  ++pass_;
  std::vector<Burst>& buffer = is_writing_ ? writes_ : reads_;
  for (std::size_t i = 0; i < buffer.size(); ++i) {
    const Burst& burst = buffer[i];
    const auto command = next_command(burst);
    if (!command) continue;
    if (bus != Bus::any && is_column(*command) != (bus == Bus::columns)) continue;
    const Slot slot = device_.earliest(*command, burst.at, now);
    if (slot <= now) return Choice{&buffer, i, *command};
    wake_at(slot);
  }
  return std::nullopt;
}

std::optional<DramCommand> RequestBuffer::next_command(const Burst& burst) {
  const unsigned bank = burst.at.bank;
  if (refresh_.blocks(burst.at)) return std::nullopt;
  switch (device_.state(bank)) {
    case DramDevice::Row::activating:
      return std::nullopt;
    case DramDevice::Row::closed:
      if (activating_) return std::nullopt;
      return DramCommand::activate;
    case DramDevice::Row::open:
      break;
  }
  if (device_.row(bank) == burst.at.row) {
    has_hit_[bank] = pass_;
    if (is_capped_[bank] == pass_) return std::nullopt;
    return burst.command();
  }
  if (!may_close(burst)) return std::nullopt;
  return DramCommand::precharge;
}

bool RequestBuffer::may_close(const Burst& burst) {
  const unsigned bank = burst.at.bank;
  if (opened_in_bank_[bank] > 0) return false;
  if (params_.row_hit_cap > 0 && device_.columns_since_activate(bank) >= params_.row_hit_cap) {
    is_capped_[bank] = pass_;
    return true;
  }
  return !params_.prefers_row_hits || has_hit_[bank] != pass_;
}

void RequestBuffer::perform(const Choice& choice, Slot now) {
  const Burst burst = (*choice.from)[choice.index];
  if (is_column(choice.command)) return perform_column(choice, now);
  device_.issue(choice.command, burst.at, now);
  if (choice.command != DramCommand::activate) return;
  choice.from->erase(choice.from->begin() + static_cast<std::ptrdiff_t>(choice.index));
  ++opened_in_bank_[burst.at.bank];
  if (!timing_.splits_activate) return opened_.push_back(burst);
  activating_ = burst;
  activate_by_ = now + timing_.second_activate_within;
}

void RequestBuffer::perform_column(const Choice& choice, Slot now) {
  const Burst burst = (*choice.from)[choice.index];
  if (choice.from == &opened_) --opened_in_bank_[burst.at.bank];
  choice.from->erase(choice.from->begin() + static_cast<std::ptrdiff_t>(choice.index));
  serve(burst, now, closes_with(burst));
  const Slot latency = burst.is_write ? timing_.write_latency : timing_.read_latency;
  data_clock_until_ = std::max(data_clock_until_, now + latency + timing_.burst + timing_.data_clock_runs_on);
}

bool RequestBuffer::closes_with(const Burst& burst) const {
  if (params_.page == PagePolicy::open || opened_in_bank_[burst.at.bank] > 0) return false;
  bool others = false;
  for (const std::vector<Burst>* buffer : {&reads_, &writes_}) {
    for (const Burst& other : *buffer) {
      if (other.at.bank != burst.at.bank) continue;
      if (other.at.row == burst.at.row) return false;
      others = true;
    }
  }
  return params_.page == PagePolicy::closed || others;
}

void RequestBuffer::turn_bus() {
  const std::size_t writes = writes_.size();
  if (!is_writing_) {
    is_writing_ = writes >= params_.write_high || reads_.empty();
  } else if (writes <= params_.write_low && !reads_.empty()) {
    is_writing_ = false;
  }
}

}  // namespace archsim
