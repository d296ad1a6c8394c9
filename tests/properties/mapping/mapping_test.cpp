// A mapped program computes what its trace means, on every machine and in every order that it allows.
#include <gmock/gmock.h>

#include "arch/mapping/map.h"
#include "arch/program/functional/compare.h"
#include "tests/properties/mapping/machine.h"
#include "tests/random_trace/random_trace.h"

namespace archsim {
namespace {

// Results of fused operators stay on chip in fp32.
std::set<std::uint32_t> kept_on_chip(const Trace& trace, const Program& program) {
  std::set<std::uint32_t> tensors;
  for (std::uint32_t op = 0; op < trace.operators.size(); ++op) {
    const auto& mapping = program.operators[op];
    for (std::uint32_t later = op + 1; later < trace.operators.size(); ++later) {
      if (program.operators[later].lead != mapping.lead) continue;
      for (const auto& use : trace.operators[op].outputs) tensors.insert(use.tensor);
    }
  }
  return tensors;
}

void expect_equivalent(const Trace& trace, const TestMachine& machine, const MappingOptions& options,
                       std::uint64_t seed) {
  const MachineView view = view_of(machine);
  const auto program = map(trace, view, options);
  ASSERT_TRUE(program) << "seed " << seed << "\n" << render(program.diagnostics());
  // Attention rounds p to bf16 (attention_test.cpp holds it to that); a few layers of int8 behind it make this larger.
  const Tolerance tolerance{.root_mean_square = 0.05, .largest = 0.2};
  EXPECT_THAT(check_equivalence(trace, *program, limits_of(view),
                                {.value_seed = seed,
                                 .order_seeds = {seed, seed + 1000},
                                 .wide = kept_on_chip(trace, *program),
                                 .tolerance = tolerance}),
              testing::IsEmpty())
      << "seed " << seed;
}

constexpr MappingOptions kNoFusion{.fuse = {.linear_activation = false, .linear_glu = false, .linear_residual = false}};
constexpr std::uint64_t kSeeds = 25;

TEST(Mapping, OneAcceleratorWithoutFusion) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    expect_equivalent(random_trace(seed, {.attention = false}), {}, kNoFusion, seed);
}

TEST(Mapping, OneAccelerator) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) expect_equivalent(random_trace(seed), {}, {}, seed);
}

TEST(Mapping, FourAccelerators) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    expect_equivalent(random_trace(seed), {.accelerators = 4}, {}, seed);
}

TEST(Mapping, ThreeAcceleratorsWithoutL2) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    expect_equivalent(random_trace(seed), {.accelerators = 3, .l2 = 0}, {}, seed);
}

TEST(Mapping, TinyScratchpads) {
  const TestMachine machine{.accelerators = 2, .side = 4, .scratchpad = 4096, .accumulator = 1024, .l2 = 2048};
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) expect_equivalent(random_trace(seed), machine, {}, seed);
}

TEST(Mapping, WithoutVectorUnit) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    expect_equivalent(random_trace(seed), {.accelerators = 2, .vector_lanes = 0}, {}, seed);
}

TEST(Mapping, LaunchedOneByOne) {
  for (const LaunchMode launch : {LaunchMode::command_queue, LaunchMode::host_driven}) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
      expect_equivalent(random_trace(seed), {.accelerators = 2}, {.launch = launch}, seed);
  }
}

TEST(Mapping, WithoutBf16) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    expect_equivalent(random_trace(seed), {.accelerators = 2, .bf16 = false}, {}, seed);
}

}  // namespace
}  // namespace archsim
