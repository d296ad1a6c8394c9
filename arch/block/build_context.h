// What the SoC hands to a block that is being built.
//
// A model of the catalog is constructed as Model(const sc_core::sc_module_name&, const Model::Params&, const BuildContext&). What the
// pointers name outlives the block.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "arch/machine/memory_map.h"
#include "arch/program/program.h"
#include "arch/units/quantity.h"
#include "arch/workload/trace.h"

namespace archsim {

class FaultSink;
class OperatorLog;
class Replayed;
class WhatIf;
class WorkEnd;

struct BuildContext {
  std::string name;                     // "npu0"
  Frequency clock = Frequency::zero();  // of a block without a clock of its own: zero
  std::uint64_t seed = 1;               // the run's; a generator is seeded from (seed, name)
  FaultSink* faults = nullptr;
  OperatorLog* log = nullptr;
  WhatIf* what_if = nullptr;
  WorkEnd* work = nullptr;       // for blocks that go on until the others have done their work; null: there is none
  Replayed* replayed = nullptr;  // of a sampled run; null: everything is executed
  const MemoryMap* map = nullptr;
  const Fabric* fabric = nullptr;  // for the interconnect; complete when it is built, which is last

  // For accelerators and the host. Semaphores are doorbells: a Signal is a posted write of 4 bytes to `csr` of the block that it
  // goes to, at offset 4 * semaphore.
  const Program* program = nullptr;
  const Trace* trace = nullptr;
  unsigned accelerator = 0;   // an accelerator's index in Program::accelerators
  unsigned accelerators = 0;  // how many there are; the host's semaphore has this number
  // The block whose operators semaphore s counts and whose bank is number s: the accelerators in order, then the host.
  std::vector<std::string> semaphores;
  // Of an accelerator: streams whose commands the host pushes, through the block's registers; the others are the program's.
  std::array<bool, kEngines> fed_by_host{};
};

}  // namespace archsim
