// A machine a bank works on one request, a row hit first; of the machines' commands the one goes that is over first.
//
// Models:     read and write entries counted apart, writes gathered between two watermarks (or served with the reads), a request
//             kept once its row was opened, the choice among the banks by end of command and then by age, row and column
//             commands in one clock where there are two buses, all banks closed at once for a refresh.
// Leaves out: postponed and pulled-in refreshes.
// Numbers:    configs/dram/controllers/*.yaml.
// Checked by: tests/models/dram, scripts/validate memory (DRAMSys v5.1).
#pragma once

#include <optional>
#include <vector>

#include "models/dram/controller/scheduler.h"
#include "models/dram/controller/waiting/bank_set.h"

namespace archsim {

class BankMachines final : public DramScheduler {
 public:
  BankMachines(const ControllerParams& params, DramDevice& device, BurstSink& sink);

  bool is_drained() const override { return reads_waiting_ + writes_waiting_ == 0; }

 private:
  struct Machine {
    std::vector<Burst> reads, writes;  // if writes are not gathered, all are in `reads`
    std::optional<Burst> current;
    std::optional<DramCommand> next;
    DramPlace at = {};
    Slot not_before = 0;  // of `next`, as last seen
    bool keeps_current = false;
  };
  struct Choice {
    unsigned bank;  // kRefresh: the refresh's
    DramCommand command;
    Slot slot, end;
    std::uint64_t age;
  };
  static constexpr unsigned kRefresh = ~0U;

  bool has_room(bool is_write, unsigned bursts) const override;
  void accept(const Burst& burst) override;
  bool issue(Slot now, BurstSource& source) override;

  bool gathers_writes() const { return params_.write_high > 0; }
  std::vector<Burst>& waiting(Machine& machine) const {
    return gathers_writes() && is_writing_ ? machine.writes : machine.reads;
  }
  const Burst* next_request(Machine& machine, unsigned bank) const;
  void evaluate(unsigned bank);
  void evaluate_changed();
  void all_changed() {
    for (const unsigned bank : busy_) changed_.insert(bank);
  }
  DramCommand refresh_step() const;
  /// The best command of a bus; wakes for the others.
  std::optional<Choice> choose(Slot now, bool rows, bool columns);
  std::optional<Choice> choose_any(Slot now);
  void perform(const Choice& choice, Slot now, BurstSource& source);
  void serve_current(unsigned bank, Slot now);
  bool closes_with(const Machine& machine, const Burst& burst) const;
  void turn_bus();

  std::vector<Machine> machines_;
  std::vector<unsigned> busy_;  // banks with waiting requests
  BankSet changed_;             // banks whose next command must be found anew
  bool is_writing_ = false;
};

}  // namespace archsim
