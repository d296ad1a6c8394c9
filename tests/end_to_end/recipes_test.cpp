// A small pi0 in the shipped recipes on the edge SoC: what is fetched, how long it takes, and what cannot run.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/program_run/program.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kEveryDtype = "npu.dtypes={int8: 1, bf16: 1, fp8_e4m3: 1, nvfp4: 1}";

const Json& stage(const Json& run, const std::string& name) {
  for (const Json& row : run["stages"]) {
    if (row["name"] == name) return row;
  }
  ADD_FAILURE() << "no stage " << name;
  return run["stages"].front();
}

class InRecipes : public testing::Test {
 protected:
  std::string trace(const std::string& recipe) {
    const auto path = folder_.file(recipe.substr(recipe.rfind('/') + 1) + ".trace");
    const auto built =
        archsim_program({"trace", "build", "traces/workloads/pi0.yaml", "-o", path, "--recipe", recipe, "--set",
                         "cameras=1", "--set", "vision_layers=2", "--set", "layers=4", "--set", "steps=2"});
    EXPECT_EQ(built.status, 0) << built.err;
    return path;
  }
  Json run(const std::string& recipe, std::vector<std::string> settings = {kEveryDtype}) {
    Json found = run_json_of(kEdge, trace(recipe), settings);
    EXPECT_LE(found["roofline"]["bound_s"], found["time_s"]) << recipe;
    EXPECT_GE(found["roofline"]["efficiency"], 0.5) << recipe;
    return found;
  }
  std::string recipe_file(const std::string& name, const std::string& text) {
    const auto path = folder_.file(name + ".yaml");
    std::ofstream(path) << text;
    return path;
  }
  Json info(const std::string& recipe) {
    return Json::parse(archsim_program({"trace", "info", trace(recipe), "--format", "json"}).out);
  }

  TemporaryFolder folder_;
};

TEST_F(InRecipes, FewerBytesMakeTheFlowQuicker) {
  double last = 1.0;
  for (const char* recipe : {"bf16", "int8", "w4a16"}) {
    const double now = stage(run(recipe), "flow_step")["time_s"];
    EXPECT_LT(now, last) << recipe;
    last = now;
  }
  const double bf16 = stage(run("bf16"), "flow_step")["time_s"];
  EXPECT_LT(double(stage(run("nvfp4"), "flow_step")["time_s"]), bf16);
  EXPECT_LT(double(stage(run("fp8"), "flow_step")["time_s"]), bf16);
}

TEST_F(InRecipes, DramCarriesEveryWeightWithItsScales) {
  for (const char* recipe : {"bf16", "int8", "fp8", "nvfp4", "w4a16"}) {
    const Json found = run(recipe), counted = info(recipe);
    // All but embeddings of tokens that are not in the prompt, and nvfp4's scales of tensors.
    const double of_flow = stage(counted, "flow_step")["weight_bytes"];
    EXPECT_GE(double(stage(found, "flow_step")["dram_bytes"]), 0.999 * of_flow) << recipe;
    EXPECT_LE(double(stage(found, "flow_step")["dram_bytes"]), 2 * 1.35 * of_flow + 4e6) << recipe;
  }
}

TEST_F(InRecipes, WeightsOnlyInFourBitsRunAtTheRateOfBf16) {
  const double wide = stage(run("bf16"), "prefix_prefill")["time_s"],
               narrow = stage(run("w4a16"), "prefix_prefill")["time_s"];
  EXPECT_LT(narrow, 1.02 * wide);  // no decoding on the way that costs time
  const Json w4a16 = run("w4a16");
  EXPECT_GE(double(stage(w4a16, "prefix_prefill")["time_s"]),
            double(stage(w4a16, "prefix_prefill")["macs"]) / (4 * 64 * 64 * 1e9));
}

TEST_F(InRecipes, ADeclaredRateIsTheBoundsAndTheRuns) {
  const auto at = [&](const char* dtypes) { return run("nvfp4", {dtypes}); };
  const Json once = at("npu.dtypes={bf16: 1, nvfp4: 1}"), twice = at("npu.dtypes={bf16: 1, nvfp4: 2}");
  EXPECT_LT(double(stage(twice, "prefix_prefill")["time_s"]), 0.75 * double(stage(once, "prefix_prefill")["time_s"]));
  EXPECT_LT(twice["roofline"]["bound_s"], once["roofline"]["bound_s"]);
}

TEST_F(InRecipes, SparseWeightsAreSkippedWhereTheArrayCan) {
  const auto recipe = recipe_file("sparse",
                                  "recipe: sparse\nrules:\n  - {weight: int8, activation: int8, kv: bf16}\n"
                                  "  - {operators: [attention, rope, axpy], activation: bf16}\n"
                                  "  - {operators: [layernorm, rmsnorm], weight: bf16}\n"
                                  "  - {operators: [linear], weight: {dtype: int8, sparsity: \"2:4\"}}\n");
  const Json dense = run("int8"), plain = run(recipe),
             skipping = run(recipe, {kEveryDtype, "npu.sparsity={two_of_four: 2}"});
  EXPECT_EQ(plain["macs"], dense["macs"]);
  EXPECT_EQ(skipping["macs"], dense["macs"]);
  EXPECT_LT(double(stage(skipping, "prefix_prefill")["time_s"]),
            0.75 * double(stage(plain, "prefix_prefill")["time_s"]));
  // Half of the values, and a quarter of a byte to each of them.
  const double bytes = stage(plain, "flow_step")["dram_bytes"], before = stage(dense, "flow_step")["dram_bytes"];
  EXPECT_NEAR(bytes / before, 0.625, 0.06);
}

TEST_F(InRecipes, WhatNoArrayMultipliesIsRefusedWithOperatorTypeAndLine) {
  const auto said = [&](const std::string& recipe, const std::string& soc, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run", "--config", soc, "--trace", trace(recipe)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = archsim_program(arguments);
    EXPECT_EQ(result.status, 2) << result.err;
    return result.err;
  };
  const auto edge = said("nvfp4", kEdge, {});
  EXPECT_NE(
      edge.find("nothing in soc `edge_lpddr5` can run operator `vision_encode.layer.qkv` (linear), which multiplies "
                "nvfp4 by nvfp4: npu0 does not multiply nvfp4"),
      std::string::npos)
      << edge;
  EXPECT_NE(edge.find("edge_lpddr5.yaml:"), std::string::npos) << edge;
  EXPECT_NE(said("w4a16", kEdge, {"--set", "npu.weight_decoder=false"}).find("has no weight decoder"),
            std::string::npos);
  EXPECT_NE(said("fp8", "configs/soc/rtl_small.yaml", {"--set", "npu.model=rtl"}).find("does not multiply fp8_e4m3"),
            std::string::npos);
}

}  // namespace
}  // namespace archsim
