// Imported graphs in every shipped recipe.
#include <gmock/gmock.h>

#include <algorithm>
#include <tuple>

#include "arch/workload/count.h"
#include "tests/source_dir.h"
#include "traces/import/import.h"
#include "traces/recipes/convert.h"

namespace archsim {
namespace {

const std::string kData = std::string(ARCHSIM_SOURCE_DIR) + "/tests/data/";

class Imported : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(Imported, KeepsItsMacsParametersAndWholeNumbers) {
  const auto [file, recipe] = GetParam();
  const auto trace = import_trace(kData + file);
  ASSERT_TRUE(trace);
  const auto made = in_formats_of(recipe, *trace, kData + file);
  ASSERT_TRUE(made) << render(made.diagnostics());
  EXPECT_EQ(count(*made).macs, count(*trace).macs);
  EXPECT_EQ(count(*made).parameters, count(*trace).parameters);
  EXPECT_EQ(made->parameters.at("recipe"), recipe);
  for (const Tensor& before : trace->tensors) {
    if (before.dtype != Dtype::int32) continue;
    const auto same = [&](const Tensor& tensor) { return tensor.name == before.name && tensor.dtype == before.dtype; };
    EXPECT_TRUE(std::any_of(made->tensors.begin(), made->tensors.end(), same)) << before.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Graphs, Imported,
                         testing::Combine(testing::Values("onnx/txf2.onnx", "onnx/vit2.onnx", "onnx/cnn.onnx",
                                                          "imports/txf2.execution_graph.json"),
                                          testing::Values("bf16", "int8", "w4a16")));

TEST(ImportedInARecipe, StoresItsMatricesInTheRecipesFormat) {
  const auto trace = import_trace(kData + "onnx/txf2.onnx");
  ASSERT_TRUE(trace);
  const auto made = in_formats_of("int8", *trace, kData);
  ASSERT_TRUE(made);
  std::size_t matrices = 0;
  for (const auto& op : made->operators) {
    if (op.type != OperatorType::linear) continue;
    ++matrices;
    EXPECT_EQ(made->tensors[op.inputs[0].tensor].dtype, Dtype::int8) << op.name;
    EXPECT_EQ(made->tensors[op.inputs[1].tensor].dtype, Dtype::int8) << op.name;
  }
  EXPECT_GT(matrices, 0U);
}

TEST(ImportedInARecipe, ThatNobodyKnowsIsTold) {
  const auto trace = import_trace(kData + "onnx/cnn.onnx");
  const auto made = in_formats_of("int9", *trace, kData);
  ASSERT_FALSE(made);
  EXPECT_THAT(render(made.diagnostics()), testing::HasSubstr("no recipe is called `int9`"));
}

}  // namespace
}  // namespace archsim
