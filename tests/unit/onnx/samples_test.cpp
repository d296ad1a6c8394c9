// Models that an exporter wrote, their weights left out.
#include <gmock/gmock.h>
#include <onnx/shape_inference/implementation.h>

#include <fstream>
#include <map>

#include "arch/workload/count.h"
#include "tests/source_dir.h"
#include "traces/import/onnx/graph/read_model.h"
#include "traces/import/onnx/import_onnx.h"
#include "traces/import/onnx/shape/settle.h"

namespace archsim {
namespace {

std::string path_of(const std::string& name) {
  return std::string(ARCHSIM_SOURCE_DIR) + "/tests/data/onnx/" + name + ".onnx";
}

struct Sample {
  std::string name;
  std::vector<std::string> dims;
  std::uint64_t macs;
};

// Two blocks of width 64 with 4 heads: q, k and v, scores and mixture, output, MLP of 256.
constexpr std::uint64_t block_macs(std::uint64_t tokens) {
  return tokens * 64 * (3 * 64 + 64 + 2 * 256) + 2 * tokens * tokens * 64;
}
constexpr std::uint64_t txf_macs(std::uint64_t tokens) { return 2 * block_macs(tokens) + tokens * 64 * 256; }

class Samples : public testing::TestWithParam<Sample> {};

TEST_P(Samples, MultiplyWhatTheirLayersSay) {
  const auto trace = import_onnx(path_of(GetParam().name), {.model = GetParam().name, .dims = GetParam().dims});
  ASSERT_TRUE(trace) << render(trace.diagnostics());
  EXPECT_EQ(count(*trace).macs, GetParam().macs);
}

INSTANTIATE_TEST_SUITE_P(Onnx, Samples,
                         testing::Values(Sample{"txf2", {}, txf_macs(16)},  //
                                         Sample{"txf2_dyn", {"batch=3", "seq=24"}, 3 * txf_macs(24)},
                                         // 16 patches of 8 x 8 x 3, and ten classes of their mean.
                                         Sample{"vit2", {}, 16 * 192 * 64 + 2 * block_macs(16) + 64 * 10},
                                         // 3x3x3 to 16 channels on 16 x 16, 3x3 by channel, 16 to 32, ten classes.
                                         Sample{"cnn", {}, 256 * 27 * 16 + 256 * 9 * 16 + 256 * 16 * 32 + 32 * 10}),
                         [](const auto& sample) { return sample.param.name; });

// The library's shape inference as a second opinion on every value that it knows.
TEST(OnnxShapes, AreThoseThatTheLibraryInfers) {
  std::size_t compared = 0;
  for (const std::string name : {"txf2", "vit2", "cnn"}) {
    std::ifstream file(path_of(name), std::ios::binary);
    auto read = onnx_graph::read_model(file, name, {});
    ASSERT_TRUE(read) << render(read.diagnostics());
    onnx_graph::Graph graph = *std::move(read);
    Diagnostics problems;
    onnx_graph::settle(graph, problems);
    std::map<std::string, onnx_graph::Dims> ours;
    for (const auto& value : graph.values) {
      if (value.has_dims) ours[value.name] = value.dims;
    }
    onnx::ModelProto model;
    std::ifstream again(path_of(name), std::ios::binary);
    ASSERT_TRUE(model.ParseFromIstream(&again));
    model.mutable_graph()->clear_value_info();
    onnx::shape_inference::InferShapes(model);
    for (const auto& info : model.graph().value_info()) {
      onnx_graph::Dims dims;
      for (const auto& dim : info.type().tensor_type().shape().dim()) {
        dims.push_back(dim.has_dim_value() ? dim.dim_value() : -1);
      }
      const bool is_open = std::count(dims.begin(), dims.end(), -1) > 0;
      if (is_open || !info.type().tensor_type().has_shape()) continue;
      EXPECT_EQ(ours[info.name()], dims) << name << ": " << info.name();
      ++compared;
    }
  }
  EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace archsim
