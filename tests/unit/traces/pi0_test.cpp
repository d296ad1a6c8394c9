// What pi0 is made of, and its knobs. Its stages stand beside the reference in zoo_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "arch/workload/count.h"
#include "arch/workload/graph.h"
#include "tests/source_dir.h"
#include "traces/generate/generate.h"

namespace archsim {
namespace {

const std::string kRoot = ARCHSIM_SOURCE_DIR;

Trace pi0(const std::vector<std::string>& settings = {}) {
  auto trace = build_trace(kRoot + "/traces/workloads/pi0.yaml", settings);
  EXPECT_TRUE(trace) << render(trace.diagnostics());
  return *std::move(trace);
}

TEST(Pi0, ParametersAreTheSumOfItsParts) {
  const std::uint64_t siglip = 412'442'352;
  const std::uint64_t head = 1152 * 2048 + 2048;
  const std::uint64_t trunk = 1'981'884'416;
  const std::uint64_t embedding = std::uint64_t{257'152} * 2048;
  const std::uint64_t expert = 311'464'960;
  const std::uint64_t projections = (32 * 1024 + 1024) * 2                     // state, action in
                                    + 2048 * 1024 + 1024 + 1024 * 1024 + 1024  // time MLP
                                    + 1024 * 32 + 32;                          // action out
  const auto counts = count(pi0());
  EXPECT_EQ(counts.parameters, siglip + head + trunk + embedding + expert + projections);
  EXPECT_EQ(counts.parameters, 3'238'048'528U);
}

TEST(Pi0, TotalsAndCache) {
  const auto counts = count(pi0());
  const auto& stages = counts.stages;
  EXPECT_EQ(counts.macs, 3 * stages[1].once.macs + stages[2].once.macs + 10 * stages[3].once.macs);
  EXPECT_EQ(counts.kv_cache_bytes, 18U * 816 * 2 * 256 * 2);  // layers, tokens, K and V, head, bytes of bf16
  // What the last prefix layer does after its keys and values: queries, attention, output, feed-forward.
  const std::uint64_t dead =
      816ULL * 2048 * 2048 + 2ULL * 8 * 816 * 816 * 256 + 816ULL * 2048 * 2048 + 3ULL * 816 * 2048 * 16384;
  EXPECT_EQ(counts.dead_macs, dead);
}

TEST(Pi0, EveryOperatorOfTheReferenceIsThere) {
  std::map<OperatorType, std::uint64_t> executed;
  const auto trace = pi0();
  const auto where = positions(trace);
  for (std::size_t i = 0; i < where.size(); ++i) executed[trace.operators[i].type] += where[i].instances;
  const std::uint64_t cameras = 3, vision = 27, layers = 18, steps = 10;
  EXPECT_EQ(executed[OperatorType::attention], cameras * vision + layers + steps * layers);
  EXPECT_EQ(executed[OperatorType::layernorm], cameras * (2 * vision + 1));
  EXPECT_EQ(executed[OperatorType::rmsnorm], 2 * layers + 1 + steps * (2 * layers + 1));
  EXPECT_EQ(executed[OperatorType::rope], 2 * layers + steps * 2 * layers);
  EXPECT_EQ(executed[OperatorType::glu], layers + steps * layers);
  EXPECT_EQ(executed[OperatorType::gelu], cameras * vision);
  EXPECT_EQ(executed[OperatorType::silu], steps);
  EXPECT_EQ(executed[OperatorType::sincos], steps);
  EXPECT_EQ(executed[OperatorType::axpy], steps);
  EXPECT_EQ(executed[OperatorType::embedding], 1U);
  EXPECT_EQ(executed[OperatorType::patchify], cameras);
  EXPECT_EQ(executed[OperatorType::image_preprocess], cameras);
  EXPECT_EQ(executed[OperatorType::tokenize], 1U);
  EXPECT_EQ(executed[OperatorType::action_postprocess], 1U);
  EXPECT_EQ(executed[OperatorType::linear], cameras * (1 + 4 * vision + 1) + 7 * layers + steps * (5 + 7 * layers));
}

// An operator is dead exactly if no path leads from it to an output, a cache that is read, or the flow state.
TEST(Pi0, DeadWorkIsWhatNobodyUses) {
  const auto trace = pi0();
  const auto graph = operator_graph(trace);
  std::set<std::uint32_t> live;
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < trace.operators.size(); ++i) {
    for (const auto& use : trace.operators[i].outputs) {
      if (trace.tensors[use.tensor].role == Role::output) open.push_back(i);
    }
  }
  while (!open.empty()) {
    const auto at = open.back();
    open.pop_back();
    if (!live.insert(at).second) continue;
    for (const auto& edge : boost::make_iterator_range(boost::in_edges(at, graph))) {
      if (graph[edge].kind == Dependence::read_after_write) {
        open.push_back(static_cast<std::uint32_t>(boost::source(edge, graph)));
      }
    }
  }
  for (std::uint32_t i = 0; i < trace.operators.size(); ++i) {
    EXPECT_EQ(trace.operators[i].dead, !live.contains(i)) << trace.operators[i].name;
  }
}

TEST(Pi0, Int8StoresWeightsAndActivationsInOneByte) {
  const auto bf16 = count(pi0());
  const auto trace = pi0({"dtype=int8"});
  const auto int8 = count(trace);
  EXPECT_EQ(int8.macs, bf16.macs);
  EXPECT_EQ(int8.parameters, bf16.parameters);
  EXPECT_EQ(int8.kv_cache_bytes, bf16.kv_cache_bytes);
  // Norm weights stay bf16 (one byte more each), biases are int32 (three bytes more).
  const std::uint64_t norms = (27 * 4 + 2) * 1152 + 37 * 2048 + 37 * 1024;
  const std::uint64_t biases = 1152 + 27 * (3 * 1152 + 1152 + 4304 + 1152) + 2048 + 4 * 1024 + 32;
  EXPECT_EQ(int8.weight_bytes, int8.parameters + norms + 3 * biases);
  for (const auto& op : trace.operators) {
    if (op.type != OperatorType::attention) continue;
    for (const auto& use : op.inputs) EXPECT_EQ(trace.tensors[use.tensor].dtype, Dtype::bf16) << op.name;
  }
}

TEST(Pi0, ItsParametersDoWhatTheySay) {
  const auto base = count(pi0());
  EXPECT_EQ(count(pi0({"steps=5"})).macs, base.macs - 5 * base.stages[3].once.macs);
  EXPECT_EQ(count(pi0({"cameras=2"})).stages[1].repeat, 2U);
  EXPECT_EQ(count(pi0({"layers=9"})).kv_cache_bytes, base.kv_cache_bytes / 2);
  EXPECT_LT(count(pi0({"vision_layers=20"})).stages[1].once.macs, base.stages[1].once.macs);
  EXPECT_EQ(count(pi0({"language_tokens=200"})).kv_cache_bytes, 18U * (768 + 200) * 2 * 256 * 2);
  EXPECT_LT(count(pi0({"action_horizon=10"})).stages[3].once.macs, base.stages[3].once.macs);
  EXPECT_EQ(count(pi0({"image_size=448"})).kv_cache_bytes, 18U * (3 * 32 * 32 + 48) * 2 * 256 * 2);
  EXPECT_GT(count(pi0({"frame_width=1280"})).stages[0].once.activation_bytes, base.stages[0].once.activation_bytes);
  EXPECT_GT(count(pi0({"frame_height=720"})).stages[0].once.activation_bytes, base.stages[0].once.activation_bytes);
}

TEST(Pi0, TwoInferencesAreTwiceTheWorkOnTheSameWeights) {
  const auto once = count(pi0());
  const auto trace = pi0({"inferences=2"});
  const auto twice = count(trace);
  EXPECT_EQ(twice.macs, 2 * once.macs);
  EXPECT_EQ(twice.parameters, once.parameters);
  EXPECT_EQ(twice.executed_operators, 2 * once.executed_operators);
  EXPECT_EQ(trace.stages.at(5).name, "preprocess@2");
}

}  // namespace
}  // namespace archsim
