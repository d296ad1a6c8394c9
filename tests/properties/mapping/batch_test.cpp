// Repeats done at once, and linears side by side, compute what the trace means.
#include <gmock/gmock.h>

#include <cmath>

#include "arch/mapping/batch/batched_trace.h"
#include "arch/mapping/map.h"
#include "arch/program/functional/compare.h"
#include "arch/soc/batched_runs.h"
#include "tests/properties/mapping/machine.h"
#include "tests/random_trace/trace_builder.h"

namespace archsim {
namespace {

constexpr std::uint64_t kRows = 12, kWidth = 16;
constexpr std::uint32_t kCameras = 3, kLayers = 2;

struct Encoder {
  Dtype dtype = Dtype::bf16;
  bool splits = true;         // one product for q, k and v, or one for each
  bool is_recurrent = false;  // each camera begins with what the one before left
};

// A small vision encoder, once a camera: an embedding whose positions are the same for all cameras, layers, and a head whose
// results are read camera by camera.
class EncoderTrace {
 public:
  explicit EncoderTrace(const Encoder& wanted) : wanted_(wanted) {}

  Trace make() {
    builder_.begin_stage("vision", kCameras);
    const std::uint32_t camera = builder_.loop();
    const auto patches = use(tensor("patches", Role::input, {kRows, 24}, {kCameras}), camera);
    const auto h = use(tensor("h", Role::activation, {kRows, kWidth}));
    const auto embedded = linear("embed", patches, kWidth);
    builder_.add(OperatorType::add, "position", {embedded, weight("positions", {kRows, kWidth})}, {h});
    if (wanted_.is_recurrent) {
      const auto state = use(tensor("state", Role::kv_cache, {kRows, kWidth}));
      builder_.add(OperatorType::add, "remember", {h, state}, {state});
    }
    const std::uint32_t layer = builder_.begin_repeat("layer", kLayers);
    const auto attended = attention(normed(h), layer);
    const auto projected = linear("o", attended, kWidth, layer);
    builder_.add(OperatorType::add, "residual", {h, projected}, {h});
    const auto up = linear("up", normed(h), 40, layer);
    const auto activated = use(tensor("activated", Role::activation, {kRows, 40}));
    builder_.add(OperatorType::gelu, "gelu", {up}, {activated});
    const auto down = linear("down", activated, kWidth, layer);
    builder_.add(OperatorType::add, "mlp_residual", {h, down}, {h});
    builder_.end_repeat();
    const auto tokens = tensor("tokens", Role::activation, {kRows, 32}, {kCameras});
    builder_.add(OperatorType::linear, "head", {normed(h), weight("head_weight", {kWidth, 32})}, {use(tokens, camera)});
    builder_.end_stage();
    builder_.begin_stage("read", 1);
    std::vector<TensorUse> all;
    for (std::uint32_t c = 0; c < kCameras; ++c) all.push_back({tokens, {{.offset = c}}});
    builder_.add(OperatorType::concat, "join", all, {use(tensor("y", Role::output, {kCameras * kRows, 32}))},
                 {{"axis", std::int64_t{0}}});
    builder_.end_stage();
    return builder_.take();
  }

 private:
  std::uint32_t tensor(const std::string& name, Role role, std::vector<std::uint64_t> shape,
                       std::vector<std::uint32_t> copies = {}) {
    // Activations reach to 8, and products keep their size, so that nothing saturates.
    const double of_int8 = role == Role::weight ? 1.0 / (73.0 * std::sqrt(static_cast<double>(shape[0]))) : 1.0 / 16.0;
    const double scale = wanted_.dtype == Dtype::int8 ? of_int8 : 1.0;
    return builder_.tensor({.name = builder_.unique(name),
                            .role = role,
                            .shape = std::move(shape),
                            .dtype = wanted_.dtype,
                            .scale = scale,
                            .copies = std::move(copies)});
  }
  TensorUse weight(const std::string& name, std::vector<std::uint64_t> shape) {
    return use(tensor(name, Role::weight, std::move(shape)));
  }
  TensorUse weight(const std::string& name, std::vector<std::uint64_t> shape, std::uint32_t layer) {
    return use(tensor(name, Role::weight, std::move(shape), {kLayers}), layer);
  }
  TensorUse linear(const std::string& name, const TensorUse& x, std::uint64_t columns,
                   std::optional<std::uint32_t> layer = std::nullopt) {
    const std::uint64_t depth = builder_.of(x).shape.back();
    const auto w =
        layer ? weight(name + "_weight", {depth, columns}, *layer) : weight(name + "_weight", {depth, columns});
    const auto y = use(tensor(name + "_out", Role::activation, {kRows, columns}));
    builder_.add(OperatorType::linear, name, {x, w}, {y});
    return y;
  }
  TensorUse normed(const TensorUse& x) {
    const auto y = use(tensor("normed", Role::activation, {kRows, kWidth}));
    Tensor gamma{.name = builder_.unique("gamma"), .role = Role::weight, .shape = {kWidth}, .dtype = Dtype::bf16};
    builder_.add(OperatorType::rmsnorm, "norm", {x, use(builder_.tensor(std::move(gamma)))}, {y}, {{"epsilon", 1e-6}});
    return y;
  }
  TensorUse attention(const TensorUse& x, std::uint32_t layer) {
    std::vector<TensorUse> parts;
    for (const char* name : {"q", "k", "v"}) {
      if (!wanted_.splits) {
        parts.push_back(linear(name, x, kWidth, layer));
      } else {
        parts.push_back(use(tensor(name, Role::activation, {kRows, kWidth})));
      }
    }
    if (wanted_.splits)
      builder_.add(OperatorType::linear, "qkv", {x, weight("qkv_weight", {kWidth, 3 * kWidth}, layer)}, parts);
    const auto y = use(tensor("attended", Role::activation, {kRows, kWidth}));
    builder_.add(OperatorType::attention, "attention", parts, {y},
                 {{"heads", std::int64_t{2}}, {"kv_heads", std::int64_t{2}}, {"head_dim", std::int64_t{8}}});
    return y;
  }

  Encoder wanted_;
  TraceBuilder builder_;
};

const Operator& find(const Trace& trace, const std::string& part) {
  for (const auto& op : trace.operators) {
    if (op.name.find(part) != std::string::npos) return op;
  }
  ADD_FAILURE() << part;
  return trace.operators[0];
}
const OperatorMapping& mapping_of(const Trace& trace, const Program& program, const std::string& part) {
  return program.operators[static_cast<std::size_t>(&find(trace, part) - trace.operators.data())];
}

// Results of fused operators stay on chip in fp32.
std::set<std::uint32_t> kept_on_chip(const Trace& trace, const Program& program) {
  std::set<std::uint32_t> tensors;
  for (std::uint32_t op = 0; op < trace.operators.size(); ++op) {
    for (std::uint32_t later = op + 1; later < trace.operators.size(); ++later) {
      if (program.operators[later].lead != program.operators[op].lead) continue;
      for (const auto& use : trace.operators[op].outputs) tensors.insert(use.tensor);
    }
  }
  return tensors;
}

Program expect_equivalent(const Trace& trace, const TestMachine& machine, const MappingOptions& options = {}) {
  const MachineView view = view_of(machine);
  auto program = map(trace, view, options);
  EXPECT_TRUE(program) << render(program.diagnostics());
  if (!program) return {};
  EXPECT_THAT(check_equivalence(
                  trace, *program, limits_of(view),
                  {.wide = kept_on_chip(trace, *program), .tolerance = {.root_mean_square = 0.05, .largest = 0.2}}),
              testing::IsEmpty());
  return *std::move(program);
}

constexpr TestMachine kOne{.accelerators = 1}, kFour{.accelerators = 4}, kWithoutL2{.accelerators = 3, .l2 = 0};

TEST(Batch, CamerasAreEncodedAtOnce) {
  for (const Dtype dtype : {Dtype::bf16, Dtype::int8}) {
    for (const bool splits : {true, false}) {
      const Trace trace = EncoderTrace({.dtype = dtype, .splits = splits}).make();
      for (const auto& machine : {kOne, kFour, kWithoutL2}) {
        SCOPED_TRACE(std::string(name_of(dtype)) + (splits ? " split" : " apart"));
        const Program program = expect_equivalent(trace, machine);
        const Batch up = mapping_of(trace, program, ".up").batch;
        EXPECT_EQ(up.count, kCameras);
        EXPECT_EQ(up.inner, kLayers);
        EXPECT_EQ(mapping_of(trace, program, ".attention").batch.count, kCameras);
        // Positions are the same for all cameras, but rows differ.
        EXPECT_EQ(mapping_of(trace, program, ".position").batch.count, 1U);
      }
    }
  }
}

TEST(Batch, CanBeSwitchedOff) {
  const Trace trace = EncoderTrace({}).make();
  const Program program = expect_equivalent(trace, kFour, {.batch_repeats = false});
  for (const auto& mapping : program.operators) EXPECT_EQ(mapping.batch.count, 1U);
}

TEST(Batch, LeavesARepeatAloneThatNeedsTheOneBefore) {
  const Trace trace = EncoderTrace({.is_recurrent = true}).make();
  EXPECT_FALSE(batched(unbatched(trace), trace.stages[0].repeat.loop));
  const Program program = expect_equivalent(trace, kFour);
  for (const auto& mapping : program.operators) EXPECT_EQ(mapping.batch.count, 1U);
}

TEST(Batch, LayersAreNoBatch) {
  const Trace trace = EncoderTrace({}).make();
  const auto& layers = std::get<Repeat>(trace.stages[0].repeat.body[2]);
  ASSERT_EQ(trace.loops[layers.loop].count, kLayers);
  EXPECT_FALSE(batched(unbatched(trace), layers.loop));
}

TEST(Siblings, StandSideBySide) {
  const Trace trace = EncoderTrace({.splits = false}).make();
  for (const auto& machine : {kOne, kFour, kWithoutL2}) {
    const Program program = expect_equivalent(trace, machine);
    for (const char* name : {".k", ".v"}) EXPECT_EQ(mapping_of(trace, program, name).why, "linear_siblings") << name;
    const Program apart = expect_equivalent(trace, machine, {.fuse = {.linear_siblings = false}});
    for (const char* name : {".k", ".v"}) EXPECT_EQ(mapping_of(trace, apart, name).why, "") << name;
  }
}

TEST(BatchedRuns, AreRunsOfTheTrace) {
  Program program;
  program.operators = {{.batch = {.count = 3, .inner = 2}}, {}};
  OperatorRun together{.operator_index = 0, .iteration = 1, .start = 5_ns, .end = 9_ns, .dram_bytes = 100};
  together.array_busy = Time(8);
  const OperatorRun alone{.operator_index = 1, .iteration = 4, .start = 1_ns, .end = 2_ns, .dram_bytes = 7};
  const auto runs = of_the_trace({together, alone}, program);
  ASSERT_EQ(runs.size(), 4U);
  std::uint64_t bytes = 0, busy = 0;
  for (std::uint64_t camera = 0; camera < 3; ++camera) {
    EXPECT_EQ(runs[camera].iteration, camera * 2 + 1);  // the second layer of each camera
    EXPECT_EQ(runs[camera].end, 9_ns);
    bytes += runs[camera].dram_bytes;
    busy += runs[camera].array_busy.value;
  }
  EXPECT_EQ(bytes, 100U);
  EXPECT_EQ(busy, 8U);
  EXPECT_EQ(runs[3].iteration, 4U);
  EXPECT_EQ(runs[3].dram_bytes, 7U);
}

}  // namespace
}  // namespace archsim
