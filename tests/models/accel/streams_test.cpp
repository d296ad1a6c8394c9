// Streams, counters, semaphores, attribution: what the engines do with each other.
#include <gtest/gtest.h>

#include "tests/fresh_kernel.h"
#include "tests/models/accel/commands.h"

namespace archsim {
namespace {

using AcceleratorStreamsTest = FreshKernel;

constexpr std::uint64_t kSetup = 32, kLatency = 100;

AloneSetup plain() {
  AloneSetup setup;
  setup.memory.latency = 100_ns;
  return setup;
}

std::uint64_t loaded(std::uint64_t bytes) { return kSetup + kLatency + bytes / 64; }

/// 64 x 64 x 64 on the default array: preload, stream, drain.
constexpr std::uint64_t kMatmul = 64 + 64 + 126;

TEST_F(AcceleratorStreamsTest, AMatmulStartsWhenItsOperandsAreThere) {
  const auto result =
      run_alone(plain(), streams({{Engine::load, {command(dense(4096))}},
                                  {Engine::array, {after(command(int8_matmul(64, 64, 64)), Engine::load, 1)}}}));
  EXPECT_EQ(result.last(Engine::array).value, loaded(4096) + kMatmul);
  const EngineReport& array = result.engine(Engine::array);
  EXPECT_EQ(wait_of(array, "load"), Time(loaded(4096) * 1000));
  EXPECT_EQ(array.busy, Time(kMatmul * 1000));
  EXPECT_EQ(sum_of(array), result.time);
}

TEST_F(AcceleratorStreamsTest, AChainRunsInItsOrder) {
  const Vector vector = bf16_vector(VectorFunction::add, 64, 64);
  const auto result =
      run_alone(plain(), streams({{Engine::load, {command(dense(4096), 7)}},
                                  {Engine::array, {after(command(int8_matmul(64, 64, 64), 7), Engine::load, 1)}},
                                  {Engine::vector, {after(command(vector, 7), Engine::array, 1)}},
                                  {Engine::store, {after(command(dense(512), 7), Engine::vector, 1)}}}));
  const std::uint64_t startup = 16, rows = 64;
  EXPECT_EQ(result.last(Engine::store).value, loaded(4096) + kMatmul + startup + rows + loaded(512));
  ASSERT_EQ(result.operators.size(), 1U);
  EXPECT_EQ(result.operators[0].operator_index, 7U);
  EXPECT_EQ(result.operators[0].array_busy, Time(kMatmul * 1000));
  EXPECT_EQ(result.operators[0].dram_bytes, 4096U + 512);
  EXPECT_EQ(result.operators[0].end, Time(result.last(Engine::store).value * 1000));
}

TEST_F(AcceleratorStreamsTest, DoubleBufferingHidesTheLoads) {
  // Tile i is loaded while tile i - 1 is multiplied; buffer i % 2 is free when matmul i - 2 is done.
  std::vector<Command> load, array;
  constexpr std::uint32_t kTiles = 20;
  for (std::uint32_t i = 0; i < kTiles; ++i) {
    load.push_back(i < 2 ? command(dense(4096)) : after(command(dense(4096)), Engine::array, i - 1));
    array.push_back(after(command(int8_matmul(400, 64, 64)), Engine::load, i + 1));
  }
  const auto result = run_alone(plain(), streams({{Engine::load, load}, {Engine::array, array}}));
  EXPECT_EQ(result.last(Engine::array).value, loaded(4096) + 64 + kTiles * 400 + 126);
}

TEST_F(AcceleratorStreamsTest, LoopsRepeatWithStrides) {
  std::vector<Command> load{command(LoopBegin{.count = 3}), command(Stride{.register_index = 7, .stride = 1 << 20})};
  load.push_back(command(LoopBegin{.count = 4}));
  load.push_back(command(Stride{.register_index = 7, .stride = 4096}));
  Dma dma = dense(4096);
  dma.address_register = 7;
  load.push_back(command(dma, 3));
  load.push_back(command(EndLoop{}));
  load.push_back(command(EndLoop{}));
  const auto result = run_alone(plain(), streams({{Engine::load, load}}));
  EXPECT_EQ(result.completions[0].size(), 12U);
  EXPECT_EQ(result.requested.read, 12U * 4096);
  ASSERT_EQ(result.operators.size(), 12U);
  EXPECT_EQ(result.operators[11].iteration, 2U * 4 + 3);
}

TEST_F(AcceleratorStreamsTest, WaitedForCountsMoveWithTheIteration) {
  std::vector<Command> load{command(LoopBegin{.count = 5}), command(dense(4096)), command(EndLoop{})};
  std::vector<Command> array{command(LoopBegin{.count = 5}),
                             command(Stride{.register_index = loop_register::kProgress, .stride = 1}),
                             after(command(int8_matmul(64, 64, 64)), Engine::load, 1), command(EndLoop{})};
  const auto result = run_alone(plain(), streams({{Engine::load, load}, {Engine::array, array}}));
  EXPECT_EQ(result.last(Engine::array), result.last(Engine::load) + Cycles(kMatmul));
}

TEST_F(AcceleratorStreamsTest, SemaphoresHoldAStreamUntilTheyAreRung) {
  AloneSetup setup = plain();
  setup.doorbells = {{5000_ns, 1}, {9000_ns, 1}};
  const auto wait = command(WaitSemaphore{.semaphore = 1, .value = kCounterStart + 2});
  const auto result = run_alone(setup, streams({{Engine::array, {wait, command(int8_matmul(64, 64, 64))}}}));
  // The wait takes its cycle of issue.
  EXPECT_EQ(result.last(Engine::array).value, 9000 + 1 + kMatmul);
  EXPECT_EQ(wait_of(result.engine(Engine::array), "host"), 9001_ns);
}

TEST_F(AcceleratorStreamsTest, ASignalFollowsWhatWentBeforeAndHoldsNothingUp) {
  const auto signal = command(Signal{.semaphore = 0, .first = 0, .count = 1, .to_host = true});
  const auto own = command(WaitSemaphore{.semaphore = 0, .value = kCounterStart + 1});
  const auto result = run_alone(
      plain(), streams({{Engine::array, {command(int8_matmul(64, 64, 64)), signal, command(int8_matmul(64, 64, 64))}},
                        {Engine::vector, {own, command(bf16_vector(VectorFunction::copy, 1, 1))}}}));
  ASSERT_EQ(result.host_doorbells.size(), 1U);
  EXPECT_EQ(result.host_doorbells[0], Time(kMatmul * 1000));
  EXPECT_EQ(result.last(Engine::array).value, kMatmul + 64);
  EXPECT_EQ(result.last(Engine::vector).value, kMatmul + 1 + 16 + 1);
  EXPECT_EQ(wait_of(result.engine(Engine::vector), "dependency"), Time((kMatmul + 1) * 1000));
}

TEST_F(AcceleratorStreamsTest, ADeadlockSaysWhoWaitsForWhom) {
  AloneSetup setup = plain();
  setup.doorbells = {{100_ns, 1}};
  const auto result = run_alone(
      setup, streams({{Engine::load, {command(dense(512)), after(command(dense(512)), Engine::array, 1)}},
                      {Engine::array, {after(command(int8_matmul(1, 1, 1)), Engine::load, 2)}},
                      {Engine::store,
                       {command(WaitSemaphore{.semaphore = 1, .value = kCounterStart + 3}), command(dense(512))}}}));
  EXPECT_FALSE(result.has_finished);
  EXPECT_FALSE(result.fault);
  EXPECT_EQ(result.waiting, (std::vector<std::string>{"load waits for array command 1, which is at 0",
                                                      "array waits for load command 2, which is at 1",
                                                      "store waits for cpu's operator 3, which is at 1"}));
}

TEST_F(AcceleratorStreamsTest, EveryEnginesSharesSumToTheElapsedTime) {
  std::vector<Command> load, array, vector, store;
  for (std::uint32_t i = 0; i < 40; ++i) {
    load.push_back(i < 2 ? command(dense(700 * (i + 1)))
                         : after(command(dense(700 * (i % 7 + 1))), Engine::array, i - 1));
    array.push_back(after(command(int8_matmul(10 * i + 1, 65, 33)), Engine::load, i + 1));
    vector.push_back(after(command(bf16_vector(VectorFunction::softmax, 3 + i, 100)), Engine::array, i + 1));
    store.push_back(after(command(dense(300, 1 << 20)), Engine::vector, i + 1));
  }
  AloneSetup setup = plain();
  setup.clock = 1200_MHz;
  const auto result = run_alone(
      setup, streams({{Engine::load, load}, {Engine::array, array}, {Engine::vector, vector}, {Engine::store, store}}));
  ASSERT_TRUE(result.has_finished);
  for (const EngineReport& engine : result.report.engines) EXPECT_EQ(sum_of(engine), result.time) << engine.name;
  std::uint64_t macs = 0;
  for (std::uint64_t i = 0; i < 40; ++i) macs += (10 * i + 1) * 65 * 33;
  EXPECT_EQ(result.event("mac_int8"), macs);
  EXPECT_EQ(result.stat("macs"), static_cast<double>(macs));
  EXPECT_EQ(result.stat("commands"), 160.0);
  for (const OperatorRun& run : result.operators) EXPECT_LE(run.start, run.end);
}

TEST_F(AcceleratorStreamsTest, ASharedScratchpadStretchesWhatDoesNotFit) {
  AloneSetup setup = plain();
  setup.params.scratchpad.banks = 1;  // 64 bytes a cycle in all
  setup.params.vector_lanes = 16;
  const Vector vector = bf16_vector(VectorFunction::add, 1000, 16);
  const std::uint64_t alone = 16 + 1000 * 3 * 32 / 64;
  const auto quiet = run_alone(setup, streams({{Engine::vector, {command(vector)}}}));
  EXPECT_EQ(quiet.last(Engine::vector).value, alone);
  TearDown();
  SetUp();
  const auto busy = run_alone(
      setup, streams({{Engine::array, {command(int8_matmul(1500, 64, 64))}}, {Engine::vector, {command(vector)}}}));
  EXPECT_GT(busy.last(Engine::vector).value, alone + alone / 2);
  EXPECT_GT(busy.stat("stretched_cycles"), 0.0);
}

TEST_F(AcceleratorStreamsTest, EqualRunsAreEqual) {
  const auto program = [] {
    return streams({{Engine::load, repeated(dense(5000), 20)},
                    {Engine::array, {after(command(int8_matmul(100, 100, 100)), Engine::load, 20)}}});
  };
  const auto first = run_alone(plain(), program());
  TearDown();
  SetUp();
  const auto second = run_alone(plain(), program());
  EXPECT_EQ(first.time, second.time);
  EXPECT_EQ(first.completions, second.completions);
}

}  // namespace
}  // namespace archsim
