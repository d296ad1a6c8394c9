#include "traces/measured/signature.h"

#include <gmock/gmock.h>

#include <ostream>

#include "arch/workload/trace.h"
#include "tests/source_dir.h"
#include "traces/import/import.h"

namespace archsim {
namespace {

using Sizes = std::vector<std::uint64_t>;

struct Case {
  const char* name;
  std::vector<Extents> shapes;
  std::vector<std::string> constants;
  std::string work;  // empty: not understood
  Sizes sizes;
};
void PrintTo(const Case& given, std::ostream* out) { *out << given.name; }

class AtenCall : public testing::TestWithParam<Case> {};

TEST_P(AtenCall, IsKnownByItsWorkAndSizes) {
  const Case& given = GetParam();
  const auto found = signature_of({given.name, given.shapes, given.constants});
  ASSERT_EQ(found.has_value(), !given.work.empty());
  if (!found) return;
  EXPECT_EQ(found->work, given.work);
  EXPECT_EQ(found->sizes, given.sizes);
}

// Sizes by the operators' definitions: a convolution of 224 x 224 by 7 x 7, stride 2, padding 3 has 112 x 112 places.
INSTANTIATE_TEST_SUITE_P(
    Calls, AtenCall,
    testing::Values(
        Case{"aten::linear", {{2, 8, 64}, {192, 64}, {192}}, {}, "product", {1, 16, 192, 64}},
        Case{"aten::linear", {{2, 8, 64}, {192, 32}, {}}, {}, "", {}},
        Case{"aten::mm", {{16, 64}, {64, 256}}, {}, "product", {1, 16, 256, 64}},
        Case{"aten::addmm", {{256}, {16, 64}, {64, 256}, {}, {}}, {}, "product", {1, 16, 256, 64}},
        Case{"aten::bmm", {{4, 16, 8}, {4, 8, 32}}, {}, "product", {4, 16, 32, 8}},
        Case{"aten::matmul", {{2, 4, 16, 8}, {2, 4, 8, 32}}, {}, "product", {8, 16, 32, 8}},
        Case{"aten::matmul", {{2, 16, 8}, {8, 32}}, {}, "product", {1, 32, 32, 8}},
        Case{"aten::mv", {{16, 8}, {8}}, {}, "", {}},
        Case{"aten::scaled_dot_product_attention",
             {{2, 8, 51, 64}, {2, 1, 867, 64}, {2, 1, 867, 64}},
             {},
             "attention",
             {16, 51, 867, 64}},
        Case{"aten::_flash_attention_forward", {{2, 51, 8, 64}, {2, 867, 1, 64}}, {}, "attention", {16, 51, 867, 64}},
        Case{"aten::conv2d",
             {{1, 3, 224, 224}, {64, 3, 7, 7}, {}, {}, {}, {}, {}},
             {"", "", "", "[2, 2]", "[3, 3]", "[1, 1]", "1"},
             "product",
             {1, 12544, 64, 147}},
        Case{"aten::convolution",
             {{2, 32, 56, 56}, {32, 1, 3, 3}, {}, {}, {}, {}, {}, {}, {}},
             {"", "", "", "[1, 1]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "32"},
             "depthwise",
             {2, 3136, 32, 9}},
        Case{"aten::conv2d", {{1, 3, 224, 224}, {64, 3, 7, 7}}, {}, "", {}},
        Case{"aten::embedding", {{256, 64}, {1, 16}}, {}, "embedding", {16, 64}},
        Case{"aten::_softmax", {{1, 4, 16, 32}, {}, {}}, {}, "softmax", {2048, 32}},
        Case{"aten::layer_norm", {{1, 16, 64}, {}, {64}}, {}, "layernorm", {1024, 64}},
        Case{"aten::add_", {{4, 1, 64}, {8, 1}}, {}, "add", {2048}},
        Case{"aten::gelu", {{16, 256}}, {}, "gelu", {4096}}, Case{"aten::view", {{16, 256}}, {}, "", {}},
        Case{"aten::gelu", {{-1, 256}}, {}, "", {}}, Case{"aten::gelu", {{1LL << 40, 1LL << 40}}, {}, "", {}},
        Case{"gelu", {{16, 256}}, {}, "", {}}));

std::vector<std::string> shown(const std::vector<Signature>& way) {
  std::vector<std::string> out;
  for (const auto& part : way) out.push_back(part.work + " " + show(part));
  return out;
}

std::vector<std::vector<Signature>> ways_of(OperatorType type, Attributes attributes, const std::vector<Sizes>& in,
                                            const std::vector<Sizes>& out) {
  Trace trace;
  Operator op{.name = "it", .type = type, .attributes = std::move(attributes)};
  for (const auto* side : {&in, &out}) {
    for (const Sizes& shape : *side) {
      (side == &in ? op.inputs : op.outputs).push_back({static_cast<std::uint32_t>(trace.tensors.size()), {}});
      Tensor tensor;
      tensor.shape = shape;
      trace.tensors.push_back(tensor);
    }
  }
  return ways_to_measure(trace, op);
}

TEST(WaysToMeasure, FusedProjectionsAreOneProductOrOneForEachResult) {
  const auto ways =
      ways_of(OperatorType::linear, {}, {{816, 2048}, {2048, 2560}}, {{816, 2048}, {816, 256}, {816, 256}});
  ASSERT_EQ(ways.size(), 3U);
  EXPECT_THAT(shown(ways[0]), testing::ElementsAre("named it"));
  EXPECT_THAT(shown(ways[1]), testing::ElementsAre("product 816x2560x2048"));
  EXPECT_THAT(shown(ways[2]),
              testing::ElementsAre("product 816x2048x2048", "product 816x256x2048", "product 816x256x2048"));
}

TEST(WaysToMeasure, AttentionIsOneCallOrTwoProductsAroundASoftmax) {
  const Attributes attributes{
      {"heads", std::int64_t{8}}, {"kv_heads", std::int64_t{1}}, {"head_dim", std::int64_t{256}}};
  const auto ways = ways_of(OperatorType::attention, attributes,
                            {{51, 2048}, {816, 256}, {816, 256}, {51, 256}, {51, 256}}, {{51, 2048}});
  ASSERT_EQ(ways.size(), 3U);
  EXPECT_THAT(shown(ways[1]), testing::ElementsAre("attention 8 of 51x867x256"));
  EXPECT_THAT(shown(ways[2]),
              testing::ElementsAre("product 8 of 51x867x256", "softmax 353736x867", "product 8 of 51x256x867"));
}

TEST(WaysToMeasure, AGluIsAnActivationAndAProductOfElements) {
  const auto ways = ways_of(OperatorType::glu, {{"activation", std::string("gelu")}}, {{4, 8}, {4, 8}}, {{4, 8}});
  EXPECT_THAT(shown(ways.back()), testing::ElementsAre("gelu 32", "mul 32"));
}

TEST(WaysToMeasure, EveryOperatorOfAnImportHasOne) {
  const auto trace = import_trace(std::string(ARCHSIM_SOURCE_DIR) + "/tests/data/imports/txf2.execution_graph.json");
  ASSERT_TRUE(trace);
  for (const auto& op : trace->operators) EXPECT_GE(ways_to_measure(*trace, op).size(), 2U) << op.name;
}

}  // namespace
}  // namespace archsim
