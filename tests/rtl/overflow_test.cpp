// A command that a host pushes into a full queue, or into a stream that fetches: error register and interrupt in the RTL, a fault in
// the model, for the same command of the same stream.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models/accel/bench/alone.h"
#include "tests/fresh_kernel.h"
#include "tests/rtl/beside_functional.h"
#include "tests/rtl/other_cores.h"

namespace archsim {
namespace {

using rtl::registers::ErrorCode;

class RtlOverflow : public FreshKernel {
 protected:
  /// The first one waits for a doorbell that nobody rings.
  static std::vector<EncodedCommand> commands(std::size_t loops) {
    std::vector<EncodedCommand> commands{
        encode({.payload = WaitSemaphore{.semaphore = 1, .value = kCounterStart + 1}})};
    for (std::size_t i = 0; i < loops; ++i) {
      commands.push_back(encode({.payload = LoopBegin{.count = 1}}));
      commands.push_back(encode({.payload = EndLoop{}}));
    }
    constexpr std::size_t kEnough = 40;
    while (commands.size() < kEnough) {
      commands.push_back(encode({.payload = WaitSemaphore{.semaphore = 0, .value = kCounterStart}}));
    }
    return commands;
  }

  static rtl::BenchError push_into_rtl(const rtl::BuiltCore& core, unsigned stream, bool is_fed,
                                       const std::vector<EncodedCommand>& commands) {
    using namespace rtl::registers;
    rtl::Bench bench(bench_setup({.name = "dram", .base = AloneSetup::kMemoryBase, .bytes = 1 << 20}, {.core = &core}),
                     rtl::encode({}));
    bench.write_register(kInterruptEnable, kErrorInterrupt);
    bench.write_register(kControl, kStart | (is_fed ? 1U << (kFedByHost + stream) : 0U));
    for (const EncodedCommand& command : commands) {
      for (std::uint32_t word = 0; word < 32; ++word) {
        bench.write_register(kWindow + 128 * stream + 4 * word,
                             static_cast<std::uint32_t>(command[word / 2] >> (word % 2 * 32)));
      }
      const std::uint32_t error = bench.read_register(kError);
      if (error == 0) continue;
      EXPECT_EQ(bench.read_register(kInterrupt) & kErrorInterrupt, kErrorInterrupt);
      return {.code = static_cast<ErrorCode>(error & 0xFF),
              .stream = (error >> 8) & 3,
              .index = bench.read_register(kErrorIndex)};
    }
    return {};
  }

  void expect_alike(const rtl::BuiltCore& core, Engine engine, bool is_fed, std::size_t loops, std::size_t index) {
    TearDown();
    SetUp();
    const auto stream = static_cast<unsigned>(engine);
    const std::string what = fmt::format("{}, {} loops, {}", name_of(engine), loops, rtl::parameter_text(core.params));
    AloneSetup alone{.params = params_of(core)};
    alone.fed_by_host[stream] = is_fed;
    for (const EncodedCommand& command : commands(loops)) alone.pushes.push_back({engine, command});
    alone.push_interval = 10_ns;
    const AloneResult model = run_alone(alone, {});
    ASSERT_TRUE(model.fault) << what;
    EXPECT_EQ(model.fault->kind, FaultKind::queue_overflow) << what << ": " << model.fault->what;
    const std::string place = fmt::format("{} command {}: ", name_of(engine), index);
    EXPECT_EQ(model.fault->what.substr(0, place.size()), place) << what;

    const rtl::BenchError error = push_into_rtl(core, stream, is_fed, commands(loops));
    EXPECT_EQ(error.code, ErrorCode::queue_overflow) << what;
    EXPECT_EQ(error.stream, stream) << what;
    EXPECT_EQ(error.index, index) << what;
  }
};

TEST_F(RtlOverflow, APushIntoAFullQueue) {
  std::vector<const rtl::BuiltCore*> cores{&small_core()};
  for (const rtl::BuiltCore& core : rtl::other_cores()) cores.push_back(&core);
  constexpr std::size_t kInThePipeline = 3;
  for (const rtl::BuiltCore* core : cores) {
    const std::size_t places = kInThePipeline + core->params.queue_depth;
    for (const Engine engine : {Engine::load, Engine::array, Engine::vector, Engine::store}) {
      expect_alike(*core, engine, true, 0, places);
      // Loop commands behind a command that waits are executed, and need no place.
      expect_alike(*core, engine, true, 2, places + 4);
    }
  }
}

TEST_F(RtlOverflow, APushIntoAStreamThatFetches) {
  for (const Engine engine : {Engine::load, Engine::array, Engine::vector, Engine::store}) {
    expect_alike(small_core(), engine, false, 0, 0);
  }
}

}  // namespace
}  // namespace archsim
