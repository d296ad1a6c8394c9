// What the core has done, as the SoC's reports want it: follows each stream by the completions that the core shows.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "arch/block/build_context.h"
#include "arch/block/operator_log.h"
#include "arch/block/timing/clock_grid.h"
#include "arch/program/sequencer.h"
#include "models/accel/tables.h"
#include "models/accel/timing/shape.h"
#include "models/stream/timeline.h"

namespace archsim {

class Ledger {
 public:
  Ledger(const SystolicParams& params, const BuildContext& context);

  /// A work command of `engine` has completed at `edge`.
  void complete(Engine engine, std::uint64_t edge);
  /// The accelerator's semaphore `semaphore` was raised by another block at `edge`.
  void raised(std::size_t semaphore, std::uint64_t edge);
  /// All streams have ended: their last waits count.
  void end(std::uint64_t edge);

  /// Every stream has ended or waits for what others have not done yet, so that nothing can happen inside.
  bool is_blocked() const;
  std::uint64_t completions() const;
  std::array<std::uint64_t, kEngines> completed() const;
  const SystolicStats& stats() const { return stats_; }
  const SystolicEvents& events() const { return events_; }
  SystolicStats& stats() { return stats_; }
  std::vector<EngineReport> engines(Time elapsed) const;

 private:
  struct Stream {
    Sequencer sequencer;
    Timeline timeline;
    std::vector<std::uint64_t> times;  // of completions
    std::uint64_t ready = 0;
    WaitReason reason = WaitReason::dependency;
  };

  /// Passes waits and signals in front of the next work command, which could then begin at `ready`.
  void skip_to_work(Stream& stream);
  bool is_blocked(const Stream& stream) const;
  void raise_own(const Stream& stream, const Signal& signal);
  void wait_for(Stream& stream, const std::vector<std::uint64_t>& times, std::uint32_t value, WaitReason reason);
  void count_matmul(const Matmul& matmul, std::uint64_t busy_cycles);
  std::uint64_t count_dma(Engine engine, const Dma& dma);

  const BuildContext* context_;
  AcceleratorShape shape_;
  ClockGrid grid_;
  std::vector<Stream> streams_;
  std::vector<std::vector<std::uint64_t>> semaphores_;  // when each was raised
  SystolicStats stats_;
  SystolicEvents events_;
};

}  // namespace archsim
