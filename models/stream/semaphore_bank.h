// A block's semaphores and the CSR port through which others count them up: a write of 4 bytes at 4 * semaphore is a doorbell and adds
// 1, whatever it carries; a read there gives the value. What lies behind them is the block's.
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>
#include <utility>
#include <vector>

#include "arch/block/block.h"
#include "arch/block/build_context.h"
#include "arch/block/timing/clock_grid.h"
#include "arch/block/what_if/what_if.h"
#include "models/stream/timed_counter.h"

namespace archsim {

/// Of one semaphore.
constexpr std::uint64_t kSemaphoreBytes = 4;

/// Where the banks of the accelerators and of the host lie, in the order of BuildContext::semaphores.
std::vector<std::uint64_t> csr_bases(const BuildContext& context);

class SemaphoreBank : public sc_core::sc_module {
 public:
  struct Place {
    std::size_t number = 0;  // among the banks
    std::uint64_t base = 0;  // where its registers lie in the memory map
  };
  /// Counts in edges of `grid`. `what_if` may be null.
  SemaphoreBank(const sc_core::sc_module_name& name, const ClockGrid& grid, std::size_t semaphores, const Place& place,
                WhatIf* what_if);

  /// A write of 4 bytes behind the bank, at this offset from its base. False: there is no register.
  using OtherRegisters = std::function<bool(std::uint64_t offset, std::uint32_t value, Cycles when)>;
  void on_other_write(OtherRegisters others) { others_ = std::move(others); }

  TargetPort* socket() { return &socket_; }
  TimedCounter& operator[](std::size_t semaphore) { return semaphores_[semaphore]; }
  const TimedCounter& operator[](std::size_t semaphore) const { return semaphores_[semaphore]; }
  std::size_t size() const { return semaphores_.size(); }

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  tlm_utils::simple_target_socket<SemaphoreBank> socket_;
  ClockGrid grid_;
  std::vector<TimedCounter> semaphores_;
  Place place_;
  WhatIf* what_if_;
  OtherRegisters others_;
};

}  // namespace archsim
