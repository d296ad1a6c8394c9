// What the mapper refuses, and what it hands to the host, with the reasons.
#include <gmock/gmock.h>

#include "arch/mapping/map.h"
#include "tests/properties/mapping/machine.h"
#include "tests/random_trace/random_trace.h"
#include "tests/random_trace/trace_builder.h"

namespace archsim {
namespace {

using testing::HasSubstr;

// y[12, 40] = x[12, 24] w[24, 40], then its sine embedding is not needed by anyone.
Trace small_trace(OperatorType type) {
  TraceBuilder builder;
  builder.begin_stage("stage", 1);
  const auto make = [&](const char* name, Role role, std::vector<std::uint64_t> shape) {
    return use(builder.tensor({.name = name, .role = role, .shape = std::move(shape)}));
  };
  if (type == OperatorType::linear) {
    const auto x = make("x", Role::input, {12, 24}), w = make("w", Role::weight, {24, 40});
    builder.add(type, "linear", {x, w}, {make("y", Role::output, {12, 40})});
  } else {
    const auto t = make("t", Role::input, {3});
    builder.add(type, "sincos", {t}, {make("y", Role::output, {3, 8})}, {{"period_min", 0.1}, {"period_max", 10.0}});
  }
  builder.end_stage();
  return builder.take();
}

std::string error_of(const Checked<Program>& program) { return program ? "no error" : render(program.diagnostics()); }

TEST(MappingErrors, AScratchpadTooSmallSaysHowMuchIsNeeded) {
  const auto program = map(small_trace(OperatorType::linear), view_of({.scratchpad = 512}));
  // Half of it holds two rows of 8 bf16 elements, the other half four weight tiles of 8 x 8.
  const int arena = 2 * 64, ring = 4 * 8 * 8 * 2;
  EXPECT_THAT(error_of(program),
              HasSubstr("scratchpad of `npu0` is too small for any tile of operator `stage.linear_0`"));
  EXPECT_THAT(error_of(program),
              HasSubstr(std::to_string(2 * std::max(arena, ring)) + " bytes are needed, it has 512"));
  EXPECT_TRUE(map(small_trace(OperatorType::linear), view_of({.scratchpad = 1024}))) << "the bytes asked for suffice";
}

TEST(MappingErrors, AnAccumulatorTooSmallSaysHowMuchIsNeeded) {
  const auto program = map(small_trace(OperatorType::linear), view_of({.accumulator = 16}));
  const int one_row = 8 * 4;
  EXPECT_THAT(error_of(program),
              HasSubstr("accumulator of `npu0` is too small for any tile of operator `stage.linear_0`"));
  EXPECT_THAT(error_of(program), HasSubstr(std::to_string(one_row) + " bytes are needed, it has 16"));
}

TEST(MappingErrors, AMemoryTooSmallSaysWhatTheTraceNeeds) {
  auto view = view_of({});
  view.dram.capacity = 1_KiB;
  const int x = 12 * 24 * 2, w = 24 * 40 * 2, y = 12 * 40 * 2;
  const auto in_bursts = [](int bytes) { return (bytes + 511) / 512 * 512; };
  EXPECT_THAT(error_of(map(small_trace(OperatorType::linear), view)),
              HasSubstr("memory `dram` is too small: the trace needs " +
                        std::to_string(in_bursts(x) + in_bursts(w) + in_bursts(y)) + " bytes there, it has 1024"));
}

TEST(MappingErrors, WhatNothingCanRunIsNamed) {
  auto view = view_of({.vector_lanes = 0});
  view.host.estimate = [](const Operator&, std::uint64_t) { return std::optional<Time>(); };
  const auto text = error_of(map(small_trace(OperatorType::sincos), view));
  EXPECT_THAT(text, HasSubstr("nothing in soc `test` can run operator `stage.sincos_0` (sincos)"));
  EXPECT_THAT(text, HasSubstr("npu0 has no vector unit, and the host `cpu` cannot run sincos either"));
}

TEST(HostFallback, SaysWhyAndMovesItsBytes) {
  auto view = view_of({});
  view.accelerators[0].vector_cycles_per_element.erase(VectorFunction::sincos);
  const auto program = map(small_trace(OperatorType::sincos), view);
  ASSERT_TRUE(program) << error_of(program);
  EXPECT_EQ(program->operators[0].runs_on, RunsOn::host);
  EXPECT_EQ(program->operators[0].why, "npu0 has no vector function sincos");
  ASSERT_EQ(program->host_operations.size(), 1U);
  const auto& transfers = program->host_operations[0].transfers;
  ASSERT_EQ(transfers.size(), 2U);
  EXPECT_EQ(transfers[0].bytes, 3U * 2U);
  EXPECT_EQ(transfers[1].bytes, 3U * 8U * 2U);
  EXPECT_TRUE(transfers[1].write);
}

TEST(Mapping, IsDeterministic) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto a = map(random_trace(seed), view_of({.accelerators = 2})),
               b = map(random_trace(seed), view_of({.accelerators = 2}));
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->host, b->host);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(a->accelerators[i].stream, b->accelerators[i].stream);
  }
}

}  // namespace
}  // namespace archsim
