#include "models/roofline/bound.h"

#include <gtest/gtest.h>

#include "tests/models/roofline/small_machine.h"
#include "tests/models/roofline/trace_builder.h"

namespace archsim {
namespace {

constexpr double kMacsPerSecond = 100e9;
constexpr double kBytesPerSecond = 1e9;
constexpr double kOnChip = 800.0 + 200.0 + 2 * 2 * 10 * 10;  // scratchpad, accumulator, two bf16 weights an element

// The bound rounds down by one part in a billion.
void expect_seconds(Time time, double expected) { EXPECT_NEAR(seconds(time), expected, 2e-9 * expected + 1e-12); }

Time end_of(const Bound& bound, std::uint32_t op, std::uint64_t iteration = 0) {
  for (const auto& entry : bound.operators) {
    if (entry.operator_index == op && entry.iteration == iteration) return entry.end;
  }
  ADD_FAILURE() << "operator " << op << " has no instance " << iteration;
  return Time::zero();
}

TEST(Bound, ComputeBoundLinearTakesItsMacsAtPeak) {
  TraceBuilder b;
  b.begin_stage(1);
  b.linear(b.tensor(Role::input, {1000, 100}), 10);
  b.end_stage();
  auto machine = small_machine();
  machine.dram.peak = Bandwidth(1e15);
  expect_seconds(bound(b.trace(), machine).time, 1000.0 * 100 * 10 / kMacsPerSecond);
}

TEST(Bound, MemoryBoundLinearTakesItsBytesAtPeak) {
  TraceBuilder b;
  b.begin_stage(1);
  b.linear(b.tensor(Role::input, {2, 100}), 1000);
  b.end_stage();
  const double input = 2 * 100 * 2, weight = 100 * 1000 * 2;
  expect_seconds(bound(b.trace(), small_machine()).time, (input + weight) / kBytesPerSecond);
}

TEST(Bound, WorkOfIndependentBranchesAddsUpInTheWholeOnly) {
  TraceBuilder b;
  b.begin_stage(1);
  const auto x = b.tensor(Role::input, {1000, 100});
  b.linear(x, 10);
  b.linear(x, 30);
  b.end_stage();
  auto machine = small_machine();
  machine.dram.peak = Bandwidth(1e15);
  const auto found = bound(b.trace(), machine);
  const double narrow = 1000.0 * 100 * 10 / kMacsPerSecond, wide = 1000.0 * 100 * 30 / kMacsPerSecond;
  expect_seconds(end_of(found, 0), narrow);
  expect_seconds(end_of(found, 1), wide);
  expect_seconds(found.time, narrow + wide);
  expect_seconds(found.stages[0], narrow + wide);
}

TEST(Bound, ReaderOfOneSplitOutputWaitsForItsColumnsOnly) {
  TraceBuilder b;
  b.begin_stage(1);
  const auto x = b.tensor(Role::input, {1000, 100});
  const auto first = b.tensor(Role::activation, {1000, 10}), second = b.tensor(Role::activation, {1000, 30});
  b.add(OperatorType::linear, {x, b.tensor(Role::weight, {100, 40})}, {first, second});
  b.add(OperatorType::scale, {first}, {b.tensor(Role::activation, {1000, 10})});
  b.end_stage();
  auto machine = small_machine();
  machine.dram.peak = Bandwidth(1e15);
  const auto found = bound(b.trace(), machine);
  expect_seconds(end_of(found, 1), 1000.0 * 100 * 10 / kMacsPerSecond);
  expect_seconds(found.time, 1000.0 * 100 * 40 / kMacsPerSecond);
}

TEST(Bound, DeadWorkCountsInTheWholeButNotForThoseBehindIt) {
  TraceBuilder b;
  b.begin_stage(1);
  const auto x = b.tensor(Role::input, {1000, 100});
  const auto y = b.linear(x, 100);
  b.linear(y, 50);
  b.op(1).dead = true;
  b.linear(y, 10);
  b.end_stage();
  auto machine = small_machine();
  machine.dram.peak = Bandwidth(1e15);
  const auto found = bound(b.trace(), machine);
  const double live = 1000.0 * 100 * (100 + 10) / kMacsPerSecond;
  expect_seconds(end_of(found, 2), live);
  expect_seconds(found.time, live + 1000.0 * 100 * 50 / kMacsPerSecond);
}

TEST(Bound, VectorLanesAreAResourceOfTheirOwn) {
  TraceBuilder b;
  b.begin_stage(1);
  const auto x = b.tensor(Role::input, {1000, 100});
  b.add(OperatorType::rmsnorm, {x, b.tensor(Role::weight, {100})}, {b.tensor(Role::activation, {1000, 100})});
  b.add(OperatorType::glu, {x, x}, {b.tensor(Role::activation, {1000, 100})}, {{"activation", std::string("gelu")}});
  b.end_stage();
  auto machine = small_machine();
  machine.dram.peak = Bandwidth(1e15);
  const double lanes = 10 * 1e9;
  const double norm = 1000.0 * 100 * 2 / lanes, gated = 1000.0 * 100 * 6 / lanes;
  expect_seconds(bound(b.trace(), machine).time, norm + gated);
}

TEST(Bound, HostOperationsAreBarriersAndShareOneHost) {
  TraceBuilder b;
  b.begin_stage(1);
  const auto image = b.tensor(Role::input, {1000, 100});
  std::vector<TensorUse> encoded;
  for (int i = 0; i < 3; ++i) {
    const auto pixels = b.tensor(Role::activation, {1000, 100});
    b.add(OperatorType::image_preprocess, {image}, {pixels});
    encoded.push_back(b.linear(pixels, 100));
  }
  const auto joined = b.tensor(Role::activation, {3000, 100});
  b.add(OperatorType::concat, encoded, {joined}, {{"axis", std::int64_t{0}}});
  const auto last = b.add(OperatorType::action_postprocess, {joined}, {b.tensor(Role::output, {3000, 100})});
  b.end_stage();
  auto machine = small_machine();
  machine.dram.peak = Bandwidth(1e15);
  const double linear = 1000.0 * 100 * 100 / kMacsPerSecond, host = 1e-3;
  auto found = bound(b.trace(), machine);
  ASSERT_LT(linear, host);
  expect_seconds(end_of(found, last), 3 * host + host);  // the host is the bottleneck

  machine.accelerators[0].clock = 10_MHz;  // now the array is: it starts after the first image
  found = bound(b.trace(), machine);
  expect_seconds(end_of(found, last), host + 3 * 100 * linear + host);
}

// `steps` iterations, each x -> attention over itself -> linear -> linear -> x, with 10 rows of 20.
struct Steps {
  explicit Steps(std::uint32_t steps) {
    const auto x = b.tensor(Role::input, {10, 20});
    b.begin_stage(steps);
    const auto mixed = b.tensor(Role::activation, {10, 20});
    const auto key = b.linear(x, 20);
    b.add(OperatorType::attention, {x, key, key}, {mixed},
          {{"heads", std::int64_t{1}}, {"kv_heads", std::int64_t{1}}, {"head_dim", std::int64_t{20}}});
    const auto wide = b.linear(mixed, 300);
    const auto narrow = b.linear(wide, 20);
    b.add(OperatorType::scale, {narrow}, {x}, {{"factor", 0.5}});
    b.end_stage();
  }
  static constexpr double kKey = 20 * 20 * 2, kUp = 20 * 300 * 2, kDown = 300 * 20 * 2, kInput = 10 * 20 * 2;
  TraceBuilder b;
};

TEST(Bound, RepeatFetchesSharedWeightsAgainBeyondTheChip) {
  // A later step's key projection may begin before the step before has ended, row by row; attention and what follows may not.
  const double again = Steps::kUp + Steps::kDown - kOnChip;
  const double first = Steps::kInput + Steps::kKey + Steps::kUp + Steps::kDown;
  ASSERT_GT(again, 0.0);
  for (const std::uint32_t steps : {1U, 2U, 4U, 20U}) {
    const Steps repeated(steps);
    expect_seconds(bound(repeated.b.trace(), small_machine()).time, (first + (steps - 1) * again) / kBytesPerSecond);
  }
}

TEST(Bound, RepeatFetchesSharedWeightsOnceIfTheyFit) {
  const Steps repeated(10);
  auto machine = small_machine();
  machine.accelerators[0].scratchpad = 1_MiB;
  machine.accelerators[0].macs_per_pe[Dtype::bf16] = 1e9;
  machine.accelerators[0].vector_lanes = 1'000'000'000;
  const double once = Steps::kInput + Steps::kKey + Steps::kUp + Steps::kDown;
  expect_seconds(bound(repeated.b.trace(), machine).time, once / kBytesPerSecond);
}

TEST(Bound, IterationsThatDoNotNeedEachOtherFetchOnce) {
  TraceBuilder b;
  const auto weight = b.tensor(Role::weight, {100, 1000});
  b.begin_stage(5);
  const auto x = b.copied(Role::input, {2, 100}, Dtype::bf16, 0);
  const auto y = b.copied(Role::activation, {2, 1000}, Dtype::bf16, 0);
  b.add(OperatorType::linear, {x, weight}, {y});
  b.end_stage();
  const auto found = bound(b.trace(), small_machine());
  const double weights = 100 * 1000 * 2, rows = 2 * 100 * 2;
  expect_seconds(found.time, (weights + 5 * rows) / kBytesPerSecond);
  // Any of them may be the first.
  for (std::uint64_t i = 0; i < 5; ++i) EXPECT_LE(seconds(end_of(found, 0, i)), (weights + rows) / kBytesPerSecond);
}

TEST(Bound, MaskedScoresAreNotWork) {
  const auto of = [](const Attributes& mask) {
    TraceBuilder b;
    b.begin_stage(1);
    const auto x = b.tensor(Role::input, {100, 20});
    Attributes attributes = {{"heads", std::int64_t{2}}, {"kv_heads", std::int64_t{2}}, {"head_dim", std::int64_t{10}}};
    attributes.insert(mask.begin(), mask.end());
    b.add(OperatorType::attention, {x, x, x}, {b.tensor(Role::activation, {100, 20})}, attributes);
    b.end_stage();
    auto machine = small_machine();
    machine.dram.peak = Bandwidth(1e15);
    machine.accelerators[0].vector_lanes = 1'000'000'000;
    return bound(b.trace(), machine).time;
  };
  const double mac_pairs = 2 * 2 * 10 / kMacsPerSecond;  // two products, two heads, ten elements
  expect_seconds(of({}), 100 * 100 * mac_pairs);
  expect_seconds(of({{"mask", std::string("causal")}}), 100 * 101 / 2 * mac_pairs);
  expect_seconds(of({{"mask", std::string("blocks")}, {"blocks", std::vector<std::int64_t>{1, 99}}}),
                 (1 * 1 + 99 * 100) * mac_pairs);
}

TEST(Bound, UnequalAcceleratorsAreNotCountedTwice) {
  TraceBuilder b;
  b.begin_stage(1);
  b.linear(b.tensor(Role::input, {1000, 100}, Dtype::int8), 10, Dtype::int8);
  b.linear(b.tensor(Role::input, {1000, 100}), 10);
  b.end_stage();
  auto machine = small_machine();
  machine.dram.peak = Bandwidth(1e15);
  machine.accelerators.push_back(machine.accelerators[0]);
  machine.accelerators[0].macs_per_pe = {{Dtype::int8, 1.0}};
  machine.accelerators[1].macs_per_pe = {{Dtype::int8, 1.0}, {Dtype::bf16, 1.0}};
  // int8 can use both, bf16 the second only. Best is to keep each its own:
  const double optimum = 1000.0 * 100 * 10 / kMacsPerSecond;
  const auto time = seconds(bound(b.trace(), machine).time);
  EXPECT_LE(time, optimum);
  EXPECT_GE(time, 0.99 * optimum);
}

}  // namespace
}  // namespace archsim
