// The bound played from a tape is the bound, on machines that the tape was not recorded on.
#include "models/roofline/recorded.h"

#include <gtest/gtest.h>

#include "tests/models/roofline/random_trace.h"
#include "tests/models/roofline/small_machine.h"

namespace archsim {
namespace {

void expect_the_same(const StageBounds& played, const Bound& bound, unsigned seed) {
  // Sums are taken in another order.
  const auto expect_near = [&](double value, double expected) {
    EXPECT_NEAR(value, expected, 2.0 + 1e-12 * expected) << "seed " << seed;
  };
  const auto number = [](Time time) { return static_cast<double>(time.value); };
  expect_near(number(played.time), number(bound.time));
  ASSERT_EQ(played.stages.size(), bound.stages.size());
  for (std::size_t s = 0; s < bound.stages.size(); ++s) {
    expect_near(number(played.stages[s]), number(bound.stages[s]));
    expect_near(static_cast<double>(played.dram_bytes[s]), static_cast<double>(bound.dram_bytes[s]));
  }
}

TEST(RecordedBound, IsTheBoundOnEveryMachine) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    const auto trace = random_trace(random);
    RecordedBound recorded(trace);
    for (int i = 0; i < 12; ++i) {
      auto machine = small_machine();
      const auto pick = [&](unsigned low, unsigned high) {
        return std::uniform_int_distribution<unsigned>(low, high)(random);
      };
      machine.dram.peak = Bandwidth(1e7 * pick(1, 1000));
      machine.accelerators[0].rows = pick(1, 200);
      machine.accelerators[0].vector_lanes = pick(0, 3);  // without lanes much falls to the host
      machine.accelerators[0].scratchpad = Bytes(pick(1, 100000));
      const auto host = machine.host.estimate;
      const double slower = pick(1, 50) * 0.1;
      machine.host.estimate = [host, slower](const Operator& op, std::uint64_t elements) {
        auto time = host(op, elements);
        if (time) time = Time(static_cast<std::uint64_t>(static_cast<double>(time->value) * slower));
        return time;
      };
      if (i % 3 == 2) machine.accelerators.push_back(machine.accelerators[0]);
      expect_the_same(recorded(machine), bound(trace, machine), seed);
    }
  }
}

TEST(RecordedBound, HostOperationsThatEndInAnotherOrderAreRecordedAnew) {
  TraceBuilder b;
  b.begin_stage(1);
  const auto image = b.tensor(Role::input, {1000, 100}), text = b.tensor(Role::input, {10, 100});
  const auto pixels = b.tensor(Role::activation, {1000, 100}), words = b.tensor(Role::activation, {10, 100});
  b.add(OperatorType::image_preprocess, {image}, {pixels});
  b.add(OperatorType::action_postprocess, {text}, {words});
  b.linear(b.linear(pixels, 100), 100);
  b.linear(words, 50);
  b.end_stage();
  RecordedBound recorded(b.trace());
  for (const bool image_first : {true, false, true}) {
    auto machine = small_machine();
    machine.host.estimate = [&](const Operator& op, std::uint64_t) -> std::optional<Time> {
      return (op.type == OperatorType::image_preprocess) == image_first ? 1_ms : 3_ms;
    };
    expect_the_same(recorded(machine), bound(b.trace(), machine), image_first ? 1 : 0);
  }
}

}  // namespace
}  // namespace archsim
