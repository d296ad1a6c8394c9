// Properties of the accelerator's params: none is dead, and better hardware is never slower.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "arch/describe/table.h"
#include "tests/fresh_kernel.h"
#include "tests/models/accel/commands.h"

namespace archsim {
namespace {

/// A program that uses every function and engine; tiles go load, array, vector, store with two buffers.
AcceleratorStreams everything() {
  std::vector<Command> load, array, vector, store;
  std::mt19937 random(7);
  // Behind each other as fast as they are fetched.
  load.assign(100, command(Signal{.semaphore = 0, .first = 0, .count = 1}));
  for (std::uint32_t i = 0; i < 2 * kVectorFunctions; ++i) {
    const auto function = static_cast<VectorFunction>(i % kVectorFunctions);
    Vector work = bf16_vector(function, 20, 300);
    if (function == VectorFunction::softmax_step) {
      work.source[1] = {.address = LocalAddress::scratchpad(1 << 19), .pitch = 8, .dtype = Dtype::fp32};
      work.source[2] = {.address = LocalAddress::accumulator(0), .pitch = 256, .dtype = Dtype::fp32};
      work.integer0 = 64;
    }
    Matmul matmul = int8_matmul(static_cast<std::uint32_t>(1 + random() % 200), 200, 100, static_cast<Dataflow>(i % 2));
    if (i % 4 == 1) matmul.w_grouping.is_two_of_four = true;
    if (i % 4 == 3) matmul.w_dtype = Dtype::int4;
    Dma out = dense(2048, 1 << 20);
    if (i % 3 == 0) out.convert = Convert::requantize;
    const auto in = command(dense(1000 + random() % 20000));
    load.push_back(i < 2 ? in : after(in, Engine::array, i - 1));
    array.push_back(after(command(matmul), Engine::load, i + 1));
    vector.push_back(after(command(work), Engine::array, i + 1));
    store.push_back(after(command(out), Engine::vector, i + 1));
  }
  return streams({{Engine::load, load}, {Engine::array, array}, {Engine::vector, vector}, {Engine::store, store}});
}

AloneSetup limited(const SystolicParams& params) {
  AloneSetup setup{.params = params};
  setup.memory.latency = 300_ns;
  setup.memory.bandwidth = Bandwidth(40e9);
  return setup;
}

class Knobs : public FreshKernel {
 protected:
  AloneResult run(const AloneSetup& setup) {
    TearDown();
    SetUp();
    return run_alone(setup, everything());
  }
  Time time(const AloneSetup& setup) {
    const auto result = run(setup);
    EXPECT_TRUE(result.has_finished) << (result.fault ? result.fault->what : "");
    return result.time;
  }
  /// Everything that a run shows.
  std::string outcome(const SystolicParams& params) {
    const auto result = run(limited(params));
    std::string text = std::to_string(result.time.value) + (result.fault ? result.fault->what : "");
    for (const auto& [key, value] : result.report.stats) text += ' ' + std::to_string(value);
    for (const EngineReport& engine : result.report.engines) text += ' ' + std::to_string(engine.busy.value);
    return text;
  }
};

TEST_F(Knobs, NoneIsDead) {
  const std::map<std::string, std::string> others = {{"rows", "32"},
                                                     {"cols", "32"},
                                                     {"dtypes", "{int8: 0.5}"},
                                                     {"sparsity", "{two_of_four: 2}"},
                                                     {"weight_decoder", "false"},
                                                     {"dataflows", "[weight_stationary]"},
                                                     {"overlap", "none"},
                                                     {"scratchpad.capacity", "1 MiB"},
                                                     {"scratchpad.banks", "1"},
                                                     {"scratchpad.port_width", "16 B"},
                                                     {"accumulator", "32 KiB"},
                                                     {"vector_lanes", "64"},
                                                     {"vector_startup", "100 cycles"},
                                                     {"requantizing_store", "false"},
                                                     {"dma.outstanding", "4"},
                                                     {"dma.burst", "256 B"},
                                                     {"dma.setup", "300 cycles"},
                                                     {"dma.descriptors", "1"},
                                                     {"smmu.entries", "2"},
                                                     {"smmu.page", "4 KiB"},
                                                     {"smmu.walk", "10 cycles"},
                                                     {"queue_depth", "2"}};
  const ParamTable table = ParamTable::of<SystolicParams>();
  SystolicParams usual;
  usual.smmu.entries = 1;  // so that its other params do something
  const std::string standard = outcome(usual);
  for (const auto& [path, entry] : table.leaves()) {
    const bool is_vector_function = path.starts_with("vector_cycles.");
    ASSERT_TRUE(is_vector_function || others.count(path) == 1) << path << " is not tried";
    Diagnostics problems;
    const auto value = parse_yaml(make_source("test", is_vector_function ? "50" : others.at(path)), problems);
    AnyParams params = AnyParams::of(usual);
    ASSERT_TRUE(value && table.set(params, path, *value, problems)) << path << render(problems);
    EXPECT_NE(outcome(params.get<SystolicParams>()), standard) << path;
  }
}

TEST_F(Knobs, BetterHardwareIsNeverSlower) {
  const SystolicParams usual;
  const Time standard = time(limited(usual));
  const auto with = [&](auto change) {
    SystolicParams params = usual;
    change(params);
    return time(limited(params));
  };
  EXPECT_LE(with([](auto& p) { p.vector_lanes *= 2; }), standard);
  EXPECT_LE(with([](auto& p) { p.scratchpad.banks *= 2; }), standard);
  EXPECT_LE(with([](auto& p) { p.scratchpad.port_width = 128_B; }), standard);
  EXPECT_LE(with([](auto& p) { p.dma.outstanding *= 2; }), standard);
  EXPECT_LE(with([](auto& p) { p.dma.descriptors *= 2; }), standard);
  EXPECT_LE(with([](auto& p) { p.dma.setup = 0_cycles; }), standard);
  EXPECT_LE(with([](auto& p) { p.dtypes[Dtype::int8] = 2.0; }), standard);
  EXPECT_GE(with([](auto& p) { p.overlap = Overlap::none; }), standard);

  AloneSetup other = limited(usual);
  other.clock = 1500_MHz;
  EXPECT_LT(time(other), standard);
  other = limited(usual);
  other.memory.latency = 600_ns;
  EXPECT_GT(time(other), standard);
  other = limited(usual);
  other.memory.bandwidth = Bandwidth(10e9);
  EXPECT_GT(time(other), standard);
}

}  // namespace
}  // namespace archsim
