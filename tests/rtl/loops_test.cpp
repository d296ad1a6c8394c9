// Loops take as long in the model as in the RTL: their jumps, the ends that restore registers, and queues that are short.
#include <gtest/gtest.h>

#include "models/accel/cosim/cosim.h"
#include "tests/fresh_kernel.h"
#include "tests/rtl/beside_functional.h"
#include "tests/rtl/other_cores.h"

namespace archsim {
namespace {

constexpr MemoryRange kMemory{.name = "dram", .base = 0x8000'0000, .bytes = 1 << 20};

/// Loops of short matmuls that wait for nothing: issue is what takes the time.
struct Loops {
  std::uint32_t outer = 3, inner = 4, matmuls = 1, strides = 0, size = 1;
};

Program program_of(const Loops& loops) {
  Program program;
  program.accelerators.resize(1);
  auto& streams = program.accelerators.front().stream;
  streams[0].push_back({.payload = WaitSemaphore{.semaphore = 1, .value = kCounterStart + 1}});
  streams[0].push_back({.payload = Dma{.memory_address = kMemory.base, .row_bytes = 4096}});
  Command first{.payload = Matmul{.out = LocalAddress::accumulator(0), .m = 1, .k = 1, .n = 1}};
  first.wait_for[0] = kCounterStart + 1;
  streams[1].push_back(first);
  streams[1].push_back({.payload = LoopBegin{.count = loops.outer}});
  for (std::uint32_t i = 0; i < loops.strides; ++i) {
    streams[1].push_back({.payload = Stride{static_cast<std::uint8_t>(loop_register::kFirstAddress + i), 8}});
  }
  streams[1].push_back({.payload = LoopBegin{.count = loops.inner}});
  for (std::uint32_t i = 0; i < loops.matmuls; ++i) {
    streams[1].push_back({.payload = Matmul{.out = LocalAddress::accumulator(64 * i),
                                            .m = loops.size,
                                            .k = loops.size,
                                            .n = loops.size,
                                            .a_pitch = loops.size,
                                            .w_pitch = loops.size,
                                            .out_pitch = 4 * loops.size,
                                            .dataflow = Dataflow::output_stationary}});
  }
  streams[1].push_back({.payload = EndLoop{}});
  streams[1].push_back({.payload = EndLoop{}});
  for (auto& stream : streams) stream.push_back({.payload = Halt{}});
  program.host.push_back({.payload = Signal{.semaphore = 1, .first = 0, .count = 1}});
  program.host.push_back({.payload = Halt{}});
  return program;
}

class RtlLoops : public FreshKernel {
 protected:
  void expect_alike(const rtl::BuiltCore& core, const Loops& loops) {
    TearDown();
    SetUp();
    const Program program = program_of(loops);
    const CosimRequest request{
        .params = params_of(core), .clock = 500_MHz, .core = &core, .program = &program, .memory = kMemory};
    const CosimResult result = cosim(request);
    const std::string what = fmt::format("{} x {} x {} matmuls of {}, {} strides, {}", loops.outer, loops.inner,
                                         loops.matmuls, loops.size, loops.strides, rtl::parameter_text(core.params));
    ASSERT_EQ(result.problem, "") << what;
    for (std::size_t i = 0; i < result.commands.size(); ++i) {
      const CosimCommand& command = result.commands[i];
      if (command.model.engine != Engine::array) continue;
      EXPECT_EQ(command.model.cycles, command.rtl.cycles) << i << " " << what;
    }
  }
};

TEST_F(RtlLoops, OfShortCommands) {
  std::vector<const rtl::BuiltCore*> cores{&small_core()};
  for (const rtl::BuiltCore& core : rtl::other_cores()) cores.push_back(&core);
  for (const rtl::BuiltCore* core : cores) {
    for (const std::uint32_t matmuls : {1U, 2U, 5U}) {
      for (const std::uint32_t strides : {0U, 3U}) {
        expect_alike(*core, {.matmuls = matmuls, .strides = strides});
      }
    }
    expect_alike(*core, {.outer = 6, .inner = 1, .matmuls = 1, .strides = 7});
    expect_alike(*core, {.matmuls = 3, .size = 12});
  }
}

}  // namespace
}  // namespace archsim
