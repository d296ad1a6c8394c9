// A program on the RTL and on the functional executor: the same bytes in memory?
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "accel-rtl/dv/bench.h"
#include "arch/program/check/check.h"
#include "arch/program/encoding.h"
#include "arch/program/functional/machine.h"
#include "tests/random_program/random_program.h"

namespace archsim {

inline const rtl::BuiltCore& small_core() { return rtl::built_cores().front(); }

struct Surroundings {
  std::uint64_t latency = 20;
  double pauses = 0.0;
  std::uint64_t seed = 1;
  const rtl::BuiltCore* core = &small_core();
};

inline rtl::BenchSetup bench_setup(const MemoryRange& memory, const Surroundings& around) {
  rtl::BenchSetup setup{.core = around.core, .pauses = {.share = around.pauses, .seed = around.seed}};
  setup.fetch_latency = 1 + around.seed % 3;
  setup.memory = {.latency = around.latency,
                  .port_bytes = around.core->params.port_bytes,
                  .base = memory.base,
                  .size = memory.bytes,
                  .csr_base = 0x1001'0000,
                  .csr_size = 0x1'0000,
                  .is_hasty = around.seed % 2 == 1};
  return setup;
}

/// Empty if the RTL ends with the bytes that the functional executor ends with, else what is wrong.
inline std::string beside_functional(const RandomProgram& work, const Surroundings& around) {
  const MemoryRange& range = work.limits.memories.front();
  const auto mistakes = check_program(work.program, work.limits);
  if (!mistakes.empty()) return "an illegal program: " + mistakes.front();
  const Trace none;
  FunctionalMachine machine(none, work.program, work.limits);
  machine.memory().write(range.base, work.memory);
  const FunctionalResult expected = machine.run(around.seed);
  if (!expected.finished) return "the functional executor: " + expected.report;

  rtl::Bench bench(bench_setup(range, around), rtl::encode(work.program.accelerators.front()));
  bench.memory().write(range.base, work.memory);
  const rtl::BenchResult result = bench.run();
  if (result.error) {
    const auto& stream = work.program.accelerators.front().stream[result.error->stream];
    const std::size_t index = result.error->index;
    return fmt::format("error {} at {} of the {} stream: {}", static_cast<unsigned>(result.error->code), index,
                       name_of(static_cast<Engine>(result.error->stream)),
                       index < stream.size() ? to_text(stream[index]) : "");
  }
  if (!result.finished) return fmt::format("it has not finished after {} cycles", result.cycles);
  std::vector<std::byte> wanted(range.bytes), given(range.bytes);
  machine.memory().read(range.base, wanted);
  bench.memory().read(range.base, given);
  std::size_t wrong = 0, first = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == given[i]) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0) return {};
  return fmt::format("{} bytes differ, the first at {:#x}: {:#x} instead of {:#x}", wrong, range.base + first,
                     static_cast<unsigned>(given[first]), static_cast<unsigned>(wanted[first]));
}

}  // namespace archsim
