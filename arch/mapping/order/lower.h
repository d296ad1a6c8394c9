// Tapes become streams: waits between engines, loops with registers, semaphores; and the host's stream.
#pragma once

#include "arch/mapping/emit/tape.h"
#include "arch/mapping/order/memory_order.h"
#include "arch/program/program.h"

namespace archsim {

struct LoweringInput {
  const Trace& trace;
  const Schedule& schedule;
  const MemoryPlan& memory;
  const MemoryOrder& order;
  std::uint16_t accelerators = 0;
  LaunchMode launch = LaunchMode::whole_graph;
};

Checked<AcceleratorStreams> lower_tape(const LoweringInput& input, const Tape& tape, std::uint16_t accelerator);

struct HostSide {
  std::vector<Command> stream;
  std::vector<HostWork> operations;
};
Checked<HostSide> lower_host(const LoweringInput& input);

}  // namespace archsim
