// What the engines of one accelerator share.
#pragma once

#include <array>
#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "arch/block/block.h"
#include "arch/block/build_context.h"
#include "arch/block/operator_log.h"
#include "arch/block/replayed.h"
#include "arch/block/timing/clock_grid.h"
#include "arch/block/what_if/what_if.h"
#include "models/accel/engine/scratchpad_ports.h"
#include "models/accel/tables.h"
#include "models/accel/timing/shape.h"
#include "models/stream/command_window.h"
#include "models/stream/doorbells.h"
#include "models/stream/memory_port.h"
#include "models/stream/semaphore_bank.h"
#include "models/stream/timed_counter.h"
#include "models/stream/translation.h"

namespace archsim {

struct Tile {
  Tile(const SystolicParams& params, const BuildContext& context);

  const SystolicParams params;
  const BuildContext context;
  const AcceleratorShape shape;
  const ClockGrid grid;
  const double cycle_ps;
  // With one resource doubled.
  const AcceleratorShape more_macs, more_lanes, wider_scratchpad;
  std::vector<std::uint64_t> csr;  // of every semaphore bank, as in BuildContext::semaphores

  std::array<TimedCounter, kEngines> progress;
  MemoryPort memory;
  SemaphoreBank semaphores;
  Requester doorbell_requester;
  Doorbells doorbells;
  Translation translation;
  ScratchpadPorts ports;
  CommandWindow window;
  SystolicStats stats;
  SystolicEvents events;

 private:
  /// A register write behind the semaphores.
  bool push(std::uint64_t offset, std::uint32_t value, Cycles when);

  std::unique_ptr<WhatIf> alone_;  // where nobody shares memory with it

 public:
  WhatIf& what_if;
};

/// What happens while it lives is its operator's: nobody else may count in between, so nothing in it waits.
class EventScope {
 public:
  EventScope(Tile& tile, std::uint32_t tag, std::uint64_t iteration)
      : tile_(tile), tag_(tag), iteration_(iteration), before_(counts()) {
    if (tile.context.replayed != nullptr) stats_before_ = tile.stats;
  }
  EventScope(const EventScope&) = delete;
  EventScope& operator=(const EventScope&) = delete;
  ~EventScope() {
    auto more = counts();
    for (std::size_t i = 0; i < more.size(); ++i) more[i] -= before_[i];
    tile_.context.log->events(tag_, iteration_, more);
    if (tile_.context.replayed != nullptr) count_copies();
  }

 private:
  using Counts = std::array<std::uint64_t, kMostAcceleratorEvents>;
  Counts counts() const { return std::bit_cast<Counts>(tile_.events); }
  void count_copies() const {
    const std::uint64_t copies = tile_.context.replayed->weight(tag_, iteration_) - 1;
    if (copies == 0) return;
    count_again(tile_.events, std::bit_cast<SystolicEvents>(before_), copies);
    count_again(tile_.stats, stats_before_, copies);
  }

  Tile& tile_;
  std::uint32_t tag_;
  std::uint64_t iteration_;
  Counts before_;
  SystolicStats stats_before_;
};

}  // namespace archsim
