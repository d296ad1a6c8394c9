#include "models/dram/controller/bank_queues.h"

#include <algorithm>
#include <array>

namespace archsim {

BankQueues::BankQueues(const ControllerParams& params, DramDevice& device, BurstSink& sink)
    : DramScheduler(params, device, sink), queues_(timing_.bank_count()) {
  reads_.reserve(params.read_entries);
  writes_.reserve(params.write_entries);
  for (Queue& queue : queues_) queue.bursts.reserve(params.bank_entries);
}

void BankQueues::accept(const Burst& burst) {
  const auto same = [&](const Burst& write) { return write.is_write && write.address == burst.address; };
  if (!burst.is_write && writes_waiting_ > 0) {
    const auto& queue = queues_[burst.at.bank].bursts;
    const bool is_waiting =
        std::any_of(writes_.begin(), writes_.end(), same) || std::any_of(queue.begin(), queue.end(), same);
    if (is_waiting) return forward(burst);
  }
  ++(burst.is_write ? writes_waiting_ : reads_waiting_);
  (burst.is_write ? writes_ : reads_).push_back(burst);
  is_stuck_ = false;
}

bool BankQueues::issue(Slot now, BurstSource&) {
  bool issued = refresh_.is_pending() && issue_refresh(now);
  bool was_column = false;
  if (!issued) {
    const auto choice = next_choice(now);
    if (choice) {
      perform(*choice, now);
      was_column = is_column(choice->command);
      issued = true;
    }
  }
  if (issued && timing_.buses == 2) {
    const auto second = next_choice(now);
    if (second && is_column(second->command) != was_column) perform(*second, now);
  }
  const bool moved = move();
  return issued || moved;
}

bool BankQueues::issue_refresh(Slot now) {
  if (refresh_.is_elsewhere()) return refresh_elsewhere(now);
  const DramPlace& at = refresh_.place();
  const bool is_one = refresh_.command() == DramCommand::refresh_bank;
  const unsigned first = is_one ? at.bank : at.rank * timing_.banks_of_rank();
  const unsigned count = is_one ? 1 : timing_.banks_of_rank();
  bool is_closed = true;
  for (unsigned bank = first; bank < first + count; ++bank) {
    if (device_.state(bank) == DramDevice::Row::closed) continue;
    is_closed = false;
    DramPlace place = at;
    place.bank = static_cast<std::uint16_t>(bank);
    place.group = static_cast<std::uint16_t>(bank / timing_.banks);
    const Slot slot = device_.earliest(DramCommand::precharge, place, now);
    if (slot <= now) {
      queues_[bank].not_before = none_before_ = 0;
      return device_.issue(DramCommand::precharge, place, now), true;
    }
    wake_at(slot);
  }
  if (!is_closed) return false;
  const Slot slot = device_.earliest(refresh_.command(), at, now);
  if (slot > now) return wake_at(slot), false;
  device_.issue(refresh_.command(), at, now);
  refresh_.done();
  return true;
}

std::optional<BankQueues::Choice> BankQueues::next_choice(Slot now) {
  if (in_queues_ == 0) return std::nullopt;
  if (none_before_ > now) return wake_at(none_before_), std::nullopt;
  Slot none_before = kNever;
  const auto count = static_cast<unsigned>(queues_.size());
  unsigned bank = turn_;
  for (unsigned i = 0; i < count; ++i) {
    bank = bank + 1 == count ? 0 : bank + 1;
    Queue& queue = queues_[bank];
    if (queue.bursts.empty() || refresh_.blocks(queue.bursts.front().at)) continue;
    if (queue.not_before <= now) {
      const auto choice = first_ready(bank, now);
      if (choice) return turn_ = bank, choice;
    }
    none_before = std::min(none_before, queue.not_before);
  }
  if (!refresh_.is_pending()) none_before_ = none_before;
  if (none_before != kNever) wake_at(none_before);
  return std::nullopt;
}

std::optional<BankQueues::Choice> BankQueues::first_ready(unsigned bank, Slot now) {
  Queue& queue = queues_[bank];
  const DramDevice::Row state = device_.state(bank);
  Slot not_before = kNever;
  std::array<Slot, 2> columns = {kNever, kNever};  // of reads and writes: the same for all of a bank
  for (std::size_t i = 0; i < queue.bursts.size(); ++i) {
    const Burst& burst = queue.bursts[i];
    const bool hits = state != DramDevice::Row::closed && device_.row(bank) == burst.at.row;
    const DramCommand command = state == DramDevice::Row::closed ? DramCommand::activate
                                : hits                           ? burst.command()
                                                                 : DramCommand::precharge;
    if (!hits && (i > 0 || (command == DramCommand::precharge && !may_close(queue)))) continue;
    Slot& known = columns[burst.is_write ? 1 : 0];
    if (hits && known != kNever) continue;
    const Slot slot = device_.earliest(command, burst.at, now);
    if (slot <= now) return Choice{bank, i, command};
    not_before = std::min(not_before, slot);
    if (hits) known = slot;
  }
  queue.not_before = not_before;
  return std::nullopt;
}

bool BankQueues::may_close(const Queue& queue) const {
  const unsigned bank = queue.bursts.front().at.bank;
  if (params_.row_hit_cap > 0 && device_.columns_since_activate(bank) >= params_.row_hit_cap) return true;
  const auto hits = [&](const Burst& burst) { return burst.at.row == device_.row(bank); };
  return std::none_of(queue.bursts.begin(), queue.bursts.end(), hits);
}

void BankQueues::perform(const Choice& choice, Slot now) {
  Queue& queue = queues_[choice.bank];
  const Burst burst = queue.bursts[choice.index];
  queue.not_before = none_before_ = 0;
  if (!is_column(choice.command)) return device_.issue(choice.command, burst.at, now);
  queue.bursts.erase(queue.bursts.begin() + static_cast<std::ptrdiff_t>(choice.index));
  --in_queues_;
  is_stuck_ = false;
  serve(burst, now, closes_with(queue, burst));
}

bool BankQueues::closes_with(const Queue& queue, const Burst& burst) const {
  if (params_.page == PagePolicy::open) return false;
  const auto hits = [&](const Burst& other) { return other.at.row == burst.at.row; };
  if (std::any_of(queue.bursts.begin(), queue.bursts.end(), hits)) return false;
  return params_.page == PagePolicy::closed || !queue.bursts.empty();
}

bool BankQueues::move() {
  if (is_stuck_) return false;
  if (draining_ == 0) {
    const bool is_idle = writes_.size() > params_.write_low && in_queues_ == 0;
    if (writes_.size() >= params_.write_high || is_idle) draining_ = writes_.size();
  }
  std::vector<Burst>& from = draining_ > 0 ? writes_ : reads_;
  for (auto it = from.begin(); it != from.end(); ++it) {
    Queue& queue = queues_[it->at.bank];
    if (queue.bursts.size() >= params_.bank_entries) continue;
    const Burst burst = *it;
    if (burst.is_write) {
      const auto reads_it = [&](const Burst& read) { return read.address == burst.address && !read.is_write; };
      const bool is_read_first = std::any_of(reads_.begin(), reads_.end(), reads_it) ||
                                 std::any_of(queue.bursts.begin(), queue.bursts.end(), reads_it);
      if (is_read_first) return draining_ = 0, false;
      --draining_;
    }
    queue.bursts.push_back(burst);
    queue.not_before = none_before_ = 0;
    ++in_queues_;
    from.erase(it);
    return true;
  }
  is_stuck_ = true;
  return false;
}

}  // namespace archsim
