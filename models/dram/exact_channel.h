// One DRAM channel (HBM: one pseudo-channel), command by command.
//
// Models:     every timing of the standard between commands, of banks, bank groups, ranks and buses; the controller that the
//             params describe; refresh; derating above 85 degrees C; power-down with its exit.
// Leaves out: the host side's clock crossing and PHY delays, modes and training, refresh while powered down (it goes on as if
//             awake), self-refresh, errors and their correction.
// Numbers:    configs/dram/*.yaml, configs/dram/controllers/*.yaml.
// Checked by: tests/models/dram (closed forms, command traces), scripts/validate memory (three reference simulators).
#pragma once

#include <memory>

#include "models/dram/controller/scheduler.h"

namespace archsim {

class ExactChannel {
 public:
  ExactChannel(const DramStandard& standard, const ControllerParams& params, BurstSink& sink,
               DramTemperature temperature = DramTemperature::normal);

  /// Until the source has no more and nothing is left to do; the slot after the last command.
  Slot run(BurstSource& source);

  const DramCounts& counts() const { return device_.counts(); }
  const ExactTiming& timing() const { return device_.timing(); }
  void log_to(std::vector<LoggedCommand>* log) { device_.log_to(log); }
  Slot powered_down() const { return scheduler_->powered_down(); }

 private:
  ControllerParams params_;
  DramDevice device_;
  std::unique_ptr<DramScheduler> scheduler_;
};

}  // namespace archsim
