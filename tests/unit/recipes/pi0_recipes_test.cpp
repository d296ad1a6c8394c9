// pi0 and the other workloads in the shipped recipes: what is stored how, in closed form.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "arch/workload/count.h"
#include "arch/workload/rules/validate.h"
#include "tests/source_dir.h"
#include "traces/file/trace_reader.h"
#include "traces/file/write_trace.h"
#include "traces/generate/generate.h"

namespace archsim {
namespace {

constexpr const char* kShipped[] = {"bf16", "int8", "fp8", "nvfp4", "w4a16"};

std::string workload(const std::string& name) {
  return std::string(ARCHSIM_SOURCE_DIR) + "/traces/workloads/" + name + ".yaml";
}

Trace built(const std::string& name, const std::string& recipe, const std::vector<std::string>& settings = {}) {
  auto trace = build_trace(workload(name), settings, recipe);
  EXPECT_TRUE(trace) << name << " " << recipe << "\n" << render(trace.diagnostics());
  return trace ? *std::move(trace) : Trace{};
}

// pi0's weight matrices of linear layers, [inputs, outputs] and how many there are.
struct Matrices {
  std::uint64_t inputs, outputs, count;
  std::uint64_t elements() const { return inputs * outputs * count; }
};
const std::vector<Matrices>& linears() {
  static const std::vector<Matrices> all{{588, 1152, 1},   {1152, 3 * 1152, 27}, {1152, 1152, 27},  {1152, 4304, 27},
                                         {4304, 1152, 27}, {1152, 2048, 1},      {2048, 2048, 18},  {2048, 256, 36},
                                         {2048, 2048, 18}, {2048, 16384, 36},    {16384, 2048, 18}, {1024, 2048, 18},
                                         {1024, 256, 36},  {2048, 1024, 18},     {1024, 4096, 36},  {4096, 1024, 18},
                                         {32, 1024, 2},    {2048, 1024, 1},      {1024, 1024, 1},   {1024, 32, 1}};
  return all;
}

// Embeddings and positions, norms and biases: bf16 where a recipe says nothing else.
std::uint64_t other_weights(const TraceCounts& counts) {
  std::uint64_t others = counts.parameters;
  for (const auto& each : linears()) others -= each.elements();
  return others;
}

TEST(Pi0InRecipes, Bf16IsTwiceItsParameters) {
  const auto counts = count(built("pi0", "bf16"));
  EXPECT_EQ(counts.weight_bytes, 2 * counts.parameters);
  EXPECT_EQ(counts.casts, 0U);
}

TEST(Pi0InRecipes, Fp8StoresMatricesInAByteAndCachesToo) {
  const auto bf16 = count(built("pi0", "bf16")), counts = count(built("pi0", "fp8"));
  std::uint64_t wanted = 2 * other_weights(counts);
  for (const auto& each : linears()) wanted += each.elements();
  EXPECT_EQ(counts.weight_bytes, wanted);
  EXPECT_EQ(counts.kv_cache_bytes, bf16.kv_cache_bytes / 2);
  EXPECT_EQ(counts.macs, bf16.macs);
}

TEST(Pi0InRecipes, Nvfp4AddsAScaleToSixteenElementsAndOneToATensor) {
  const auto counts = count(built("pi0", "nvfp4"));
  std::uint64_t wanted = 2 * other_weights(counts);
  for (const auto& each : linears()) {
    const bool fits = each.inputs % 16 == 0;
    wanted += fits ? each.elements() / 2 + each.elements() / 16 + each.count * 4 : each.elements() * 2;
  }
  EXPECT_EQ(counts.weight_bytes, wanted);
  EXPECT_GT(counts.casts, 0U);
}

TEST(Pi0InRecipes, W4a16AddsAScaleToEachGroup) {
  const auto counts = count(built("pi0", "w4a16"));
  std::uint64_t wanted = 2 * other_weights(counts);
  for (const auto& each : linears()) {
    const std::uint64_t group = each.inputs % 128 == 0 ? 128 : each.inputs % 16 == 0 ? 16 : 0;
    wanted += group > 0 ? each.elements() / 2 + each.elements() / group * 2 : each.elements() * 2;
  }
  EXPECT_EQ(counts.weight_bytes, wanted);
  EXPECT_EQ(counts.casts, 0U);
}

TEST(Pi0InRecipes, OnlyTheFlowStateIsQuantizedInInt8) {
  const auto trace = built("pi0", "int8");
  std::set<std::string> casts;
  for (const auto& op : trace.operators) {
    if (op.type == OperatorType::cast) casts.insert(op.name);
  }
  EXPECT_EQ(casts, (std::set<std::string>{"flow_step.action_in.quantize"}));
  EXPECT_EQ(trace.parameters.at("dtype"), "int8");
}

TEST(Pi0InRecipes, ACastIsSharedByReadersOfOneValue) {
  const auto trace = built("pi0", "nvfp4");
  std::size_t prefill = 0;  // of one layer of the prefix: queries, keys and values share one, gate and up another
  for (const auto& op : trace.operators) {
    if (op.type == OperatorType::cast && op.name.starts_with("prefix_prefill.layer.")) ++prefill;
  }
  EXPECT_EQ(prefill, 4U);
}

TEST(Recipes, DtypeOfAWorkloadMeansTheRecipeOfThatName) {
  for (const char* recipe : {"int8", "fp8", "w4a16"}) {
    const auto by_parameter = build_trace(workload("tiny"), {std::string("dtype=") + recipe, "width=32", "mlp=64"});
    ASSERT_TRUE(by_parameter) << render(by_parameter.diagnostics());
    const auto by_option = built("tiny", recipe, {"width=32", "mlp=64"});
    const auto folder = std::filesystem::path(testing::TempDir());
    const auto a = write_trace(*by_parameter, (folder / "a.trace").string());
    const auto b = write_trace(by_option, (folder / "b.trace").string());
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->digest, b->digest) << recipe;
  }
}

TEST(Recipes, EveryWorkloadTakesEveryShippedOne) {
  for (const auto& file : std::filesystem::directory_iterator(std::string(ARCHSIM_SOURCE_DIR) + "/traces/workloads")) {
    if (file.path().extension() != ".yaml") continue;
    const auto name = file.path().stem().string();
    const auto plain = built(name, "");
    for (const char* recipe : kShipped) {
      const auto trace = built(name, recipe);
      EXPECT_EQ(count(trace).macs, count(plain).macs) << name << " " << recipe;
      EXPECT_TRUE(problems_of(trace).empty()) << name << " " << recipe;
    }
  }
}

TEST(Recipes, GroupsAndSparsityComeBackFromAFile) {
  auto trace = built("pi0", "w4a16", {"layers=2", "vision_layers=2"});
  for (auto& tensor : trace.tensors) {
    if (tensor.dtype == Dtype::int4) tensor.grouping.is_two_of_four = true;
  }
  const auto path = (std::filesystem::path(testing::TempDir()) / "grouped.trace").string();
  ASSERT_TRUE(write_trace(trace, path));
  const auto read = read_trace(path);
  ASSERT_TRUE(read) << render(read.diagnostics());
  for (std::size_t t = 0; t < trace.tensors.size(); ++t) {
    EXPECT_EQ(read->tensors[t].grouping, trace.tensors[t].grouping) << trace.tensors[t].name;
  }
}

}  // namespace
}  // namespace archsim
