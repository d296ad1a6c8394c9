// The host's one thread: it executes the host's stream.
#pragma once

#include <memory>
#include <string>

#include "arch/block/block.h"
#include "arch/block/build_context.h"
#include "arch/block/operator_log.h"
#include "arch/block/timing/clock_grid.h"
#include "arch/block/what_if/lane_window.h"
#include "arch/block/what_if/what_if.h"
#include "arch/program/sequencer.h"
#include "models/cpu/tables.h"
#include "models/stream/memory_port.h"
#include "models/stream/semaphore_bank.h"
#include "models/stream/timeline.h"

namespace archsim {

/// What it does, it does one after another, so its time needs no order of precedence.
class HostCore {
 public:
  HostCore(const ClusterParams& params, const BuildContext& context);

  MemoryPort& memory() { return memory_; }
  SemaphoreBank& semaphores() { return semaphores_; }
  const ClusterStats& stats() const { return stats_; }
  const ClusterEvents& events() const { return events_; }
  EngineReport report(Time elapsed) const { return timeline_.report("host", elapsed); }

  bool has_halted() const { return has_halted_; }
  /// What it waits for, one line; empty if it does not.
  std::string waiting() const;
  std::uint64_t progress() const { return stats_.operations.value + stats_.launches.value + stats_.interrupts.value; }
  Time busy_until() const { return busy_until_; }

 private:
  enum class Wait : std::uint8_t { launch, interrupt, accelerator, dram, sram, noc, dma };

  void run();
  bool step(const Command& command);
  bool step_for_all(const Command& command);
  bool await(const Command& command, const WaitSemaphore& wait);
  bool signal(const Command& command, const Signal& signal);
  bool operate(const HostWork& work);
  /// Reads or writes, one piece after another through the window of cache lines.
  bool transfer(const HostTransfer& transfer, OperatorLog::Span& span);
  /// Cleans or invalidates what accelerators share.
  void maintain(const HostTransfer& transfer, OperatorLog::Span& span);
  void account(const Requester::Reply& reply, Time returned);
  void transfer_again(const Requester::Reply& reply, std::uint64_t bursts, bool is_write);
  /// Each operation's computing in every lane.
  Lanes computing_again(const HostWork& work, Time computing) const;
  bool fault(FaultKind kind, const std::string& what);
  void wait_until(Time when, Wait reason);
  void sleep_until(Time when);

  const ClusterParams params_;
  const BuildContext context_;
  const ClockGrid grid_;
  const std::vector<std::uint64_t> csr_;
  MemoryPort memory_;
  SemaphoreBank semaphores_;
  Requester requester_;
  BurstWindow window_;
  Sequencer sequencer_;
  ClusterStats stats_;
  ClusterEvents events_;
  Timeline timeline_;
  std::unique_ptr<WhatIf> alone_;  // where nobody shares memory with it
  WhatIf& what_if_;
  LaneWindow lanes_window_;
  Lanes lanes_now_{0.0}, lanes_returned_{0.0};
  sc_core::sc_event published_;
  const WaitSemaphore* blocked_ = nullptr;
  Time busy_until_ = Time::zero();
  bool has_halted_ = false;
  std::uint64_t weight_ = 1;  // how often the current command counts
};

}  // namespace archsim
