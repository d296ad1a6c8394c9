#include "models/dram/controller/bank_machines.h"

#include <algorithm>

namespace archsim {

BankMachines::BankMachines(const ControllerParams& params, DramDevice& device, BurstSink& sink)
    : DramScheduler(params, device, sink), machines_(timing_.bank_count()), changed_(timing_.bank_count()) {
  for (Machine& machine : machines_) {
    machine.reads.reserve(params.read_entries);
    machine.writes.reserve(params.write_entries);
  }
  busy_.reserve(timing_.bank_count());
}

bool BankMachines::has_room(bool, unsigned bursts) const {
  return reads_waiting_ + bursts <= params_.read_entries && writes_waiting_ + bursts <= params_.write_entries;
}

void BankMachines::accept(const Burst& burst) {
  ++(burst.is_write ? writes_waiting_ : reads_waiting_);
  Machine& machine = machines_[burst.at.bank];
  if (machine.reads.empty() && machine.writes.empty()) busy_.push_back(burst.at.bank);
  (gathers_writes() && burst.is_write ? machine.writes : machine.reads).push_back(burst);
  turn_bus();
  evaluate(burst.at.bank);
}

const Burst* BankMachines::next_request(Machine& machine, unsigned bank) const {
  const std::vector<Burst>& requests = waiting(machine);
  if (requests.empty()) return nullptr;
  if (device_.state(bank) != DramDevice::Row::closed) {
    for (const Burst& request : requests) {
      if (request.at.row == device_.row(bank)) return &request;
    }
  }
  return &requests.front();
}

void BankMachines::evaluate(unsigned bank) {
  Machine& machine = machines_[bank];
  machine.next.reset();
  machine.not_before = 0;
  const Burst* request = next_request(machine, bank);
  if (request == nullptr || refresh_.blocks(request->at)) return;
  if (!machine.keeps_current || request->at.row == device_.row(bank)) machine.current = *request;
  const Burst& current = *machine.current;
  machine.at = current.at;
  // An activate of two commands counts as one here: its row is there when tRCD says so.
  if (device_.state(bank) == DramDevice::Row::closed) {
    machine.next = DramCommand::activate;
  } else if (device_.row(bank) != current.at.row) {
    machine.next = DramCommand::precharge;
  } else {
    machine.next = current.command();
    const Burst& first = waiting(machine).front();
    const bool is_capped = params_.row_hit_cap > 0 && device_.columns_since_activate(bank) >= params_.row_hit_cap;
    if (is_capped && device_.row(bank) != first.at.row && !machine.keeps_current) {
      machine.current = first;
      machine.next = DramCommand::precharge;
    }
  }
}

void BankMachines::evaluate_changed() {
  changed_.for_each([this](unsigned bank) { evaluate(bank); });
  changed_.clear();
}

DramCommand BankMachines::refresh_step() const {
  const DramPlace& at = refresh_.place();
  if (refresh_.command() == DramCommand::refresh_bank) {
    const bool is_open = device_.state(at.bank) != DramDevice::Row::closed;
    return is_open ? DramCommand::precharge : DramCommand::refresh_bank;
  }
  return device_.open_banks(at.rank) > 0 ? DramCommand::precharge_all : DramCommand::refresh;
}

std::optional<BankMachines::Choice> BankMachines::choose(Slot now, bool rows, bool columns) {
  std::optional<Choice> best;
  const auto consider = [&](unsigned bank, DramCommand command, Slot slot, std::uint64_t age) {
    const Slot end = slot + timing_.length(command);
    if (!best || end < best->end || (end == best->end && age < best->age)) best = Choice{bank, command, slot, end, age};
  };
  if (refresh_.is_pending() && !refresh_.is_elsewhere() && rows) {
    const DramCommand command = refresh_step();
    consider(kRefresh, command, device_.earliest(command, refresh_.place(), now), 0);
  }
  for (const unsigned bank : busy_) {
    Machine& machine = machines_[bank];
    if (!machine.next || (is_column(*machine.next) ? !columns : !rows) || refresh_.blocks(machine.at)) continue;
    // A slot never gets earlier, so what was too late to be chosen may be so without being looked at.
    if (best && machine.not_before + timing_.length(*machine.next) > best->end) continue;
    machine.not_before = device_.earliest(*machine.next, machine.at, now);
    consider(bank, *machine.next, machine.not_before, machine.current->tag + 1);
  }
  return best;
}

std::optional<BankMachines::Choice> BankMachines::choose_any(Slot now) {
  if (timing_.buses == 1) return choose(now, true, true);
  const auto row = choose(now, true, false), column = choose(now, false, true);
  if (!row || !column) return row ? row : column;
  if (row->slot != column->slot) return row->slot < column->slot ? row : column;
  return row->age < column->age ? row : column;
}

bool BankMachines::issue(Slot now, BurstSource& source) {
  if (refresh_.is_pending() && refresh_.is_elsewhere() && refresh_elsewhere(now)) return all_changed(), true;
  evaluate_changed();
  bool issued = false;
  for (unsigned bus = 0; bus < timing_.buses; ++bus) {
    const auto choice = choose_any(now);
    if (!choice) return issued;
    if (choice->slot > now) return wake_at(choice->slot), issued;
    perform(*choice, now, source);
    evaluate_changed();
    issued = true;
  }
  return issued;
}

void BankMachines::perform(const Choice& choice, Slot now, BurstSource& source) {
  if (choice.bank == kRefresh) {
    const DramPlace at = refresh_.place();
    device_.issue(choice.command, at, now);
    all_changed();
    if (choice.command == DramCommand::refresh || choice.command == DramCommand::refresh_bank) return refresh_.done();
    for (Machine& machine : machines_) machine.keeps_current = machine.keeps_current && !refresh_.blocks(machine.at);
    return;
  }
  Machine& machine = machines_[choice.bank];
  changed_.insert(choice.bank);
  if (is_column(choice.command)) {
    serve_current(choice.bank, now);
    admit(now, source);
    return;
  }
  device_.issue(choice.command, machine.at, now);
  machine.keeps_current = choice.command == DramCommand::activate;
}

void BankMachines::serve_current(unsigned bank, Slot now) {
  Machine& machine = machines_[bank];
  const Burst burst = *machine.current;
  machine.current.reset();
  machine.next.reset();
  machine.keeps_current = false;
  auto& list = gathers_writes() && burst.is_write ? machine.writes : machine.reads;
  list.erase(std::find_if(list.begin(), list.end(), [&](const Burst& other) { return other.tag == burst.tag; }));
  serve(burst, now, closes_with(machine, burst));
  if (machine.reads.empty() && machine.writes.empty()) busy_.erase(std::find(busy_.begin(), busy_.end(), bank));
  turn_bus();
}

bool BankMachines::closes_with(const Machine& machine, const Burst& burst) const {
  if (params_.page == PagePolicy::open) return false;
  bool others = false;
  for (const std::vector<Burst>* list : {&machine.reads, &machine.writes}) {
    for (const Burst& other : *list) {
      if (other.at.row == burst.at.row) return false;
      others = true;
    }
  }
  return params_.page == PagePolicy::closed || others;
}

void BankMachines::turn_bus() {
  const bool was_writing = is_writing_;
  if (!is_writing_) {
    is_writing_ = writes_waiting_ >= params_.write_high || reads_waiting_ == 0;
  } else if (writes_waiting_ <= params_.write_low && reads_waiting_ != 0) {
    is_writing_ = false;
  }
  if (is_writing_ != was_writing) all_changed();
}

}  // namespace archsim
