// Attention alone: masks, segments, shared key heads, batches, element types, tile sizes.
#include <gmock/gmock.h>

#include "arch/mapping/map.h"
#include "arch/program/functional/compare.h"
#include "tests/properties/mapping/machine.h"
#include "tests/random_trace/trace_builder.h"

namespace archsim {
namespace {

struct Case {
  std::int64_t queries = 13;
  std::vector<std::int64_t> keys{13};
  std::int64_t heads = 2, kv_heads = 1, head_dim = 8, batch = 1;
  std::string mask = "none";
  std::vector<std::int64_t> blocks;
  Dtype dtype = Dtype::bf16;
  bool is_turned = false;  // queries and the last segment's keys by a rotary embedding of their own
};

Trace attention_trace(const Case& c) {
  TraceBuilder builder;
  builder.begin_stage("stage", 1);
  const double scale = c.dtype == Dtype::int8 ? 1.0 / 64.0 : 1.0;
  const auto make = [&](const std::string& name, Role role, std::int64_t rows, std::int64_t columns) {
    Tensor tensor{.name = name, .role = role, .dtype = c.dtype, .scale = scale};
    tensor.shape = {static_cast<std::uint64_t>(rows * c.batch), static_cast<std::uint64_t>(columns)};
    return use(builder.tensor(std::move(tensor)));
  };
  const auto operand = [&](const std::string& name, std::int64_t rows, std::int64_t heads, bool is_turned) {
    const auto given = make(name, Role::input, rows, heads * c.head_dim);
    if (!is_turned) return given;
    const auto turned = make(name + "_turned", Role::activation, rows, heads * c.head_dim);
    builder.add(OperatorType::rope, "rope_" + name, {given}, {turned},
                {{"heads", heads}, {"head_dim", c.head_dim}, {"theta", 10000.0}, {"position", std::int64_t{3}}});
    return turned;
  };
  std::vector<TensorUse> inputs{operand("q", c.queries, c.heads, c.is_turned)};
  for (std::size_t s = 0; s < c.keys.size(); ++s) {
    inputs.push_back(operand("k" + std::to_string(s), c.keys[s], c.kv_heads, c.is_turned && s + 1 == c.keys.size()));
    inputs.push_back(make("v" + std::to_string(s), Role::input, c.keys[s], c.kv_heads * c.head_dim));
  }
  const auto y = make("y", Role::output, c.queries, c.heads * c.head_dim);
  Attributes attributes{
      {"heads", c.heads}, {"kv_heads", c.kv_heads}, {"head_dim", c.head_dim}, {"batch", c.batch}, {"mask", c.mask}};
  if (!c.blocks.empty()) attributes["blocks"] = c.blocks;
  builder.add(OperatorType::attention, "attention", inputs, {y}, attributes);
  builder.end_stage();
  return builder.take();
}

// The mappings of the operators, by their order.
std::vector<OperatorMapping> expect_equivalent(const Case& c, const TestMachine& machine,
                                               const MappingOptions& options = {}) {
  const Trace trace = attention_trace(c);
  const MachineView view = view_of(machine);
  const auto program = map(trace, view, options);
  EXPECT_TRUE(program) << render(program.diagnostics());
  if (!program) return {};
  EXPECT_EQ(program->operators.back().runs_on, RunsOn::array) << program->operators.back().why;
  // Only the rounding of p to bf16 differs.
  EXPECT_THAT(
      check_equivalence(trace, *program, limits_of(view), {.tolerance = {.root_mean_square = 0.006, .largest = 0.02}}),
      testing::IsEmpty());
  return program->operators;
}

std::vector<std::string> passes_of(const std::vector<OperatorMapping>& mappings) {
  std::vector<std::string> passes;
  for (const auto& mapping : mappings) passes.push_back(mapping.why);
  return passes;
}

// Large enough for all keys at once, and so small that keys and queries need several tiles.
constexpr TestMachine kLarge{.accelerators = 1};
constexpr TestMachine kFour{.accelerators = 4};
constexpr TestMachine kSmall{.accelerators = 3, .side = 4, .scratchpad = 2048, .accumulator = 640};

class Attention : public testing::TestWithParam<TestMachine> {};

TEST_P(Attention, WithoutMask) { expect_equivalent({}, GetParam()); }
TEST_P(Attention, OverTwoSegments) { expect_equivalent({.queries = 5, .keys = {17, 5}}, GetParam()); }
TEST_P(Attention, OfEveryHeadItsOwnKeys) { expect_equivalent({.heads = 4, .kv_heads = 4}, GetParam()); }
TEST_P(Attention, OfABatch) { expect_equivalent({.queries = 7, .keys = {9}, .batch = 3}, GetParam()); }
TEST_P(Attention, Causal) { expect_equivalent({.mask = "causal"}, GetParam()); }
TEST_P(Attention, CausalBehindACache) {
  expect_equivalent({.queries = 6, .keys = {11, 6}, .mask = "causal"}, GetParam());
}
TEST_P(Attention, InBlocks) {
  expect_equivalent({.queries = 9, .keys = {11, 9}, .mask = "blocks", .blocks = {1, 5, 3}}, GetParam());
}
TEST_P(Attention, OfInt8) { expect_equivalent({.dtype = Dtype::int8}, GetParam()); }
TEST_P(Attention, OfOneQuery) { expect_equivalent({.queries = 1, .keys = {19}, .heads = 4}, GetParam()); }

TEST_P(Attention, TurnsItsQueriesAndAFewNewKeys) {
  const Case c{.queries = 6, .keys = {11, 6}, .heads = 4, .is_turned = true};
  EXPECT_THAT(passes_of(expect_equivalent(c, GetParam())),
              testing::ElementsAre("attention_rope", "attention_rope", ""));
  EXPECT_THAT(passes_of(expect_equivalent(c, GetParam(), {.fuse = {.attention_rope = false}})), testing::Each(""));
}
TEST_P(Attention, TurnsTilesOfABatchByTheirRows) {
  expect_equivalent({.queries = 7, .keys = {9}, .heads = 6, .batch = 3, .is_turned = true}, GetParam());
}
TEST_P(Attention, TurnsCausalQueries) {
  expect_equivalent({.heads = 4, .mask = "causal", .is_turned = true}, GetParam());
}
// Every accelerator would turn all of them.
TEST(AttentionOnFour, LeavesManyKeysToTheVectorUnits) {
  EXPECT_THAT(passes_of(expect_equivalent({.is_turned = true}, kFour)), testing::ElementsAre("attention_rope", "", ""));
}

INSTANTIATE_TEST_SUITE_P(Machines, Attention, testing::Values(kLarge, kFour, kSmall),
                         [](const auto& machine) { return std::to_string(machine.param.accelerators); });

}  // namespace
}  // namespace archsim
