// What the RTL refuses, the model refuses: error register and interrupt there, a fault here, for the same command.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "models/accel/bench/alone.h"
#include "tests/fresh_kernel.h"
#include "tests/rtl/beside_functional.h"
#include "tests/rtl/other_cores.h"

namespace archsim {
namespace {

using rtl::registers::ErrorCode;

constexpr std::uint64_t kBase = AloneSetup::kMemoryBase, kSize = 1 << 20;

Dma dma(const std::function<void(Dma&)>& change) {
  Dma dma{.memory_address = kBase, .row_bytes = 64};
  change(dma);
  return dma;
}

Matmul matmul(const std::function<void(Matmul&)>& change) {
  Matmul matmul{.w = LocalAddress::scratchpad(1024),
                .out = LocalAddress::accumulator(0),
                .m = 8,
                .k = 8,
                .n = 8,
                .a_pitch = 8,
                .w_pitch = 8,
                .out_pitch = 32};
  change(matmul);
  return matmul;
}

class RtlErrors : public FreshKernel {
 protected:
  /// As the second command of its stream, behind a legal one.
  void expect_alike(Engine engine, const Payload& payload, ErrorCode code) {
    AcceleratorStreams streams;
    auto& stream = streams.stream[static_cast<std::size_t>(engine)];
    if (engine != Engine::array) stream.push_back({.payload = dma([](Dma&) {})});
    if (engine == Engine::array) stream.push_back({.payload = matmul([](Matmul&) {})});
    stream.push_back({.payload = payload});
    const std::string what = to_text(stream.back());
    for (auto& each : streams.stream) each.push_back({.payload = Halt{}});

    TearDown();
    SetUp();
    AloneSetup alone{.params = params_of(small_core())};
    alone.memory.size = kSize;
    const AloneResult model = run_alone(alone, streams);
    ASSERT_TRUE(model.fault) << what;
    const auto kind = code == ErrorCode::illegal_command ? FaultKind::illegal_command : FaultKind::bad_address;
    EXPECT_EQ(model.fault->kind, kind) << what << ": " << model.fault->what;

    rtl::Bench bench(bench_setup({.name = "dram", .base = kBase, .bytes = kSize}, {}), rtl::encode(streams));
    const rtl::BenchResult rtl = bench.run();
    ASSERT_TRUE(rtl.error) << what;
    EXPECT_FALSE(rtl.finished) << what;
    EXPECT_TRUE(rtl.interrupted) << what;
    EXPECT_EQ(rtl.error->code, code) << what;
    EXPECT_EQ(rtl.error->stream, static_cast<unsigned>(engine)) << what;
    EXPECT_EQ(rtl.error->index, 1U) << what;
  }
};

TEST_F(RtlErrors, IllegalCommands) {
  const auto code = ErrorCode::illegal_command;
  expect_alike(Engine::array, dma([](Dma&) {}), code);
  expect_alike(Engine::load, matmul([](Matmul&) {}), code);
  expect_alike(Engine::array, matmul([](Matmul& m) { m.k = 0; }), code);
  expect_alike(Engine::array, matmul([](Matmul& m) { m.a_dtype = Dtype::bf16; }), code);
  expect_alike(Engine::array, matmul([](Matmul& m) { m.dataflow = Dataflow::input_stationary; }), code);
  expect_alike(Engine::array, matmul([](Matmul& m) { m.out = LocalAddress::scratchpad(0); }), code);
  expect_alike(Engine::load, dma([](Dma& d) { d.rows = 0; }), code);
  expect_alike(Engine::load, dma([](Dma& d) { d.convert = Convert::requantize; }), code);
  expect_alike(Engine::store, dma([](Dma& d) {
                 d.rows = 3;
                 d.local_row_pitch = 64;
               }),
               code);
  expect_alike(Engine::load, WaitSemaphore{.semaphore = 100, .value = 1}, code);
  expect_alike(Engine::store, Signal{.semaphore = 0, .first = 90, .count = 1}, code);
}

TEST_F(RtlErrors, AddressesOutOfRangeAndWithoutAlignment) {
  const auto code = ErrorCode::bad_address;
  expect_alike(Engine::load, dma([](Dma& d) { d.memory_address = 0x1000; }), code);
  expect_alike(Engine::store, dma([](Dma& d) { d.memory_address = kBase + kSize - 63; }), code);
  expect_alike(Engine::load, dma([](Dma& d) {
                 d.rows = 3;
                 d.memory_row_pitch = -4096;
                 d.local_row_pitch = 64;
               }),
               code);
  expect_alike(Engine::load, dma([](Dma& d) { d.local = LocalAddress::scratchpad((64 << 10) - 63); }), code);
  expect_alike(Engine::load, dma([](Dma& d) {
                 d.rows = 2;
                 d.memory_row_pitch = 64;
                 d.local_row_pitch = 63;
               }),
               code);
  // Four bytes an element, misaligned.
  expect_alike(Engine::store, dma([](Dma& d) {
                 d.convert = Convert::requantize;
                 d.local = LocalAddress::accumulator(2);
               }),
               code);
  expect_alike(Engine::array, matmul([](Matmul& m) { m.a = LocalAddress::scratchpad((64 << 10) - 60); }), code);
  expect_alike(Engine::array, matmul([](Matmul& m) { m.out = LocalAddress::accumulator(2); }), code);
  expect_alike(Engine::array, matmul([](Matmul& m) { m.out_pitch = 28; }), code);
}

TEST(RtlErrorsAlone, AnIllegalOpcodeIsNeitherDecodedNorExecuted) {
  rtl::EncodedStreams streams = rtl::encode({});
  streams[0].front()[0] = 0x7F;
  EXPECT_FALSE(decode(streams[0].front()).command);
  rtl::Bench bench(bench_setup({.name = "dram", .base = kBase, .bytes = kSize}, {}), streams);
  const rtl::BenchResult result = bench.run();
  ASSERT_TRUE(result.error);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.error->code, ErrorCode::illegal_command);
}

TEST(RtlErrorsAlone, ABitOutsideEveryFieldIsIllegal) {
  rtl::EncodedStreams streams = rtl::encode({});
  streams[3].front()[15] = std::uint64_t{1} << 63;
  EXPECT_FALSE(decode(streams[3].front()).command);
  rtl::Bench bench(bench_setup({.name = "dram", .base = kBase, .bytes = kSize}, {}), streams);
  const rtl::BenchResult result = bench.run();
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->code, ErrorCode::illegal_command);
  EXPECT_EQ(result.error->stream, 3U);
}

TEST(RtlErrorsAlone, AnAnswerWithAnErrorStopsTheCore) {
  AcceleratorStreams streams;
  streams.stream[0] = {{.payload = dma([](Dma& d) { d.memory_address = kBase + kSize; })}, {.payload = Halt{}}};
  // Its registers say that there is memory; nobody is there.
  auto setup = bench_setup({.name = "dram", .base = kBase, .bytes = kSize}, {});
  setup.declared_bytes = 2 * kSize;
  rtl::Bench bench(setup, rtl::encode(streams));
  const rtl::BenchResult result = bench.run();
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->code, ErrorCode::bus);
}

/// A command that a host pushes into a full queue, or into a stream that fetches.
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
