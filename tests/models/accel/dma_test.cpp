#include <gtest/gtest.h>

#include "models/stream/burst_window.h"
#include "tests/fresh_kernel.h"
#include "tests/models/accel/commands.h"

namespace archsim {
namespace {

using AcceleratorDma = FreshKernel;

AloneSetup with_latency(Time latency) {
  AloneSetup setup;
  setup.memory.latency = latency;
  return setup;
}

TEST_F(AcceleratorDma, OneTransferIsSetUpLatencyAndPort) {
  const auto result = run_alone(with_latency(200_ns), streams({{Engine::load, {command(dense(4096))}}}));
  // Eight bursts, requested a cycle apart; the port takes 8 cycles for each.
  const std::uint64_t setup = 32, latency = 200, beats = 4096 / 64;
  EXPECT_EQ(result.last(Engine::load).value, setup + latency + beats);
}

TEST_F(AcceleratorDma, ASteadyStreamIsLimitedToItsWindowPerLatency) {
  const std::uint64_t descriptors = 64, bytes = 64 << 10;
  const auto result = run_alone(with_latency(500_ns), streams({{Engine::load, repeated(dense(bytes), descriptors)}}));
  const double window = 16 * 512, latency = 500e-9 + 8e-9;  // and a burst's beats
  const double rate =
      static_cast<double>(descriptors * bytes) / (static_cast<double>(result.last(Engine::load).value) * 1e-9);
  EXPECT_NEAR(rate / (window / latency), 1.0, 0.01);
}

TEST_F(AcceleratorDma, DescriptorsShareTheWindow) {
  // 8 KiB of outstanding bursts are eight descriptors of 1 KiB; more than that may be under way.
  AloneSetup setup = with_latency(500_ns);
  setup.params.dma.descriptors = 16;
  const std::uint64_t descriptors = 512, bytes = 1024;
  const auto result = run_alone(setup, streams({{Engine::load, repeated(dense(bytes), descriptors)}}));
  const double window = 16 * 512, latency = 500e-9 + 8e-9;  // and a burst's beats
  const double moved = static_cast<double>(descriptors * bytes);
  const double rate = moved / (static_cast<double>(result.last(Engine::load).value) * 1e-9);
  EXPECT_NEAR(rate / (window / latency), 1.0, 0.01);
}

TEST_F(AcceleratorDma, DescriptorsUnderWayLimitSmallTransfers) {
  AloneSetup setup = with_latency(500_ns);
  setup.params.dma.descriptors = 2;
  const std::uint64_t descriptors = 100;
  const auto result = run_alone(setup, streams({{Engine::load, repeated(dense(512), descriptors)}}));
  // Two every set-up and latency.
  EXPECT_NEAR(static_cast<double>(result.last(Engine::load).value), 50.0 * (32 + 500), 50.0 * 32);
}

TEST_F(AcceleratorDma, TheMemorysBandwidthLimits) {
  AloneSetup setup = with_latency(100_ns);
  setup.memory.bandwidth = Bandwidth(20e9);
  const std::uint64_t bytes = 1 << 20;
  const auto result = run_alone(setup, streams({{Engine::load, {command(dense(bytes))}}}));
  const double start = 32 + 100, transfer = static_cast<double>(bytes) / 20.0;
  EXPECT_NEAR(static_cast<double>(result.last(Engine::load).value), start + transfer, 0.01 * transfer);
}

TEST_F(AcceleratorDma, SmallDescriptorsCostTheirSetUp) {
  AloneSetup setup = with_latency(10_ns);
  const std::uint64_t descriptors = 50;
  const auto result = run_alone(setup, streams({{Engine::load, repeated(dense(64), descriptors)}}));
  EXPECT_NEAR(static_cast<double>(result.last(Engine::load).value), descriptors * 32 + 10, 4);
}

TEST_F(AcceleratorDma, LoadsAndStoresRunBesideEachOther) {
  const auto result = run_alone(with_latency(100_ns), streams({{Engine::load, {command(dense(1 << 20))}},
                                                               {Engine::store, {command(dense(1 << 20, 1 << 24))}}}));
  EXPECT_EQ(result.last(Engine::load), result.last(Engine::store));
  EXPECT_EQ(result.requested.read, 1U << 20);
  EXPECT_EQ(result.requested.written, 1U << 20);
  EXPECT_EQ(result.transactions, 2U * (1 << 20) / kLargestPiece);
}

TEST_F(AcceleratorDma, AStandardTargetGetsTheRowsOneByOne) {
  AloneSetup setup = with_latency(100_ns);
  setup.memory.knows_extents = false;
  const Dma rows{.memory_address = AloneSetup::kMemoryBase,
                 .row_bytes = 256,
                 .rows = 10,
                 .memory_row_pitch = 1024,
                 .local_row_pitch = 256};
  const auto result = run_alone(setup, streams({{Engine::load, {command(rows)}}}));
  EXPECT_TRUE(result.has_finished);
  EXPECT_EQ(result.transactions, 10U);
  EXPECT_GE(result.last(Engine::load).value, 32U + 10 * 100);
}

TEST_F(AcceleratorDma, SharesSayWhatATransferWaitedFor) {
  const auto result = run_alone(with_latency(500_ns), streams({{Engine::load, {command(dense(1 << 20))}}}));
  const EngineReport& load = result.engine(Engine::load);
  const Time port = Time((1 << 20) / 64 * 1000ULL);
  EXPECT_EQ(sum_of(load), result.time);
  EXPECT_EQ(load.busy, port);
  EXPECT_EQ(load.idle, Time::zero());
  EXPECT_EQ(wait_of(load, "dram") + wait_of(load, "dma") + load.busy, result.time);
  EXPECT_GT(wait_of(load, "dram"), Time::zero());
  EXPECT_EQ(sum_of(result.engine(Engine::array)), result.time);
  EXPECT_EQ(result.engine(Engine::array).idle, result.time);
}

TEST_F(AcceleratorDma, ARepeatedRowIsWrittenRowAfterRow) {
  const Dma bias{.memory_address = AloneSetup::kMemoryBase,
                 .local = LocalAddress::accumulator(0),
                 .row_bytes = 256,
                 .rows = 50,
                 .local_row_pitch = 256};
  const auto result = run_alone(with_latency(100_ns), streams({{Engine::load, {command(bias)}}}));
  EXPECT_EQ(result.last(Engine::load).value, 32U + 100 + 50 * 256 / 64);
  EXPECT_EQ(result.requested.read, 256U);
  EXPECT_EQ(result.event("accumulator_written"), 50U * 256);
}

TEST_F(AcceleratorDma, EdgesOfAnUnevenClockDoNotDrift) {
  AloneSetup setup = with_latency(50_ns);
  setup.clock = 1200_MHz;
  const std::uint64_t bytes = 1 << 20;
  const auto result = run_alone(setup, streams({{Engine::load, {command(dense(bytes))}}}));
  const double start = 32 + 60, transfer = static_cast<double>(bytes) / 64;
  EXPECT_NEAR(static_cast<double>(result.last(Engine::load).value), start + transfer, 0.001 * transfer);
}

}  // namespace
}  // namespace archsim
