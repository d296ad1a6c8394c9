#include "arch/program/reference/evaluate.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/random_trace/trace_builder.h"

namespace archsim {
namespace {

using testing::ElementsAre;
using testing::FloatEq;
using testing::FloatNear;
using testing::Pointwise;

/// The value of one operator: inputs as fp32 unless their tensors say otherwise.
class One {
 public:
  TensorUse input(Tensor tensor, std::vector<float> values) {
    tensor.name = "t" + std::to_string(trace_.tensors.size());
    trace_.tensors.push_back(tensor);
    Array array = Array::like(tensor);
    for (std::size_t i = 0; i < values.size(); ++i) array.set(i, values[i]);
    arrays_.push_back(array);
    return use(static_cast<std::uint32_t>(trace_.tensors.size() - 1));
  }
  /// Elements, one after another, of all outputs.
  std::vector<float> run(OperatorType type, std::vector<Tensor> outputs, const Attributes& attributes = {}) {
    Operator op{.name = "op", .type = type, .attributes = attributes};
    std::vector<const Array*> in;
    for (std::uint32_t i = 0; i < arrays_.size(); ++i) {
      op.inputs.push_back(use(i));
      in.push_back(&arrays_[i]);
    }
    for (auto& output : outputs) {
      trace_.tensors.push_back(output);
      op.outputs.push_back(use(static_cast<std::uint32_t>(trace_.tensors.size() - 1)));
    }
    std::vector<float> values;
    for (const auto& array : evaluate(trace_, op, in)) {
      for (std::uint64_t i = 0; i < array.elements(); ++i) values.push_back(array.value(i));
    }
    return values;
  }

 private:
  Trace trace_;
  std::vector<Array> arrays_;
};

Tensor shaped(std::vector<std::uint64_t> shape, Dtype dtype = Dtype::fp32, double scale = 1.0) {
  return {.shape = std::move(shape), .dtype = dtype, .scale = scale};
}

TEST(Evaluate, LinearSplitsItsColumns) {
  One one;
  one.input(shaped({2, 2}), {1, 2, 3, 4});
  one.input(shaped({2, 3}), {1, 0, 10, 0, 1, 10});
  one.input(shaped({3}), {100, 200, 300});
  EXPECT_THAT(one.run(OperatorType::linear, {shaped({2, 2}), shaped({2, 1})}),
              ElementsAre(1 + 100, 2 + 200, 3 + 100, 4 + 200, /* second output */ 30 + 300, 70 + 300));
}

TEST(Evaluate, Int8LinearRequantizes) {
  One one;
  one.input(shaped({1, 2}, Dtype::int8, 0.5), {1, -3});      // q = 2, -6
  one.input(shaped({2, 1}, Dtype::int8, 0.25), {10, 0.5F});  // q = 40, 2
  one.input(shaped({1}, Dtype::int32, 0.125), {1});          // q = 8
  // q = 2 * 40 - 6 * 2 + 8 = 76, each 1/8; an output step of 2 makes 76 / 16 = 4.75 -> 5 steps.
  EXPECT_THAT(one.run(OperatorType::linear, {shaped({1, 1}, Dtype::int8, 2.0)}), ElementsAre(5 * 2));
}

TEST(Evaluate, MatmulRunsOverItsBatch) {
  One one;
  one.input(shaped({2, 1, 2}), {1, 2, 3, 4});
  one.input(shaped({2, 1, 2}), {5, 6, 7, 8});
  EXPECT_THAT(one.run(OperatorType::matmul, {shaped({2, 1, 1})}, {{"transpose_b", true}}),
              ElementsAre(1 * 5 + 2 * 6, 3 * 7 + 4 * 8));
}

/// One head of one element, keys and values 1, 2, 4 in two segments: weights exp(q * k).
std::vector<float> attention_1d(std::vector<float> q, const std::string& mask, std::vector<std::int64_t> blocks = {}) {
  One one;
  const auto queries = q.size();
  one.input(shaped({queries, 1}), std::move(q));
  one.input(shaped({1, 1}), {1});
  one.input(shaped({1, 1}), {1});
  one.input(shaped({2, 1}), {2, 4});
  one.input(shaped({2, 1}), {2, 4});
  Attributes attributes{
      {"heads", std::int64_t{1}}, {"kv_heads", std::int64_t{1}}, {"head_dim", std::int64_t{1}}, {"mask", mask}};
  if (!blocks.empty()) attributes["blocks"] = blocks;
  return one.run(OperatorType::attention, {shaped({queries, 1})}, attributes);
}

double mean_of_two(double q) { return (1 * std::exp(q) + 2 * std::exp(2 * q)) / (std::exp(q) + std::exp(2 * q)); }
double mean_of_three(double q) {
  return (1 * std::exp(q) + 2 * std::exp(2 * q) + 4 * std::exp(4 * q)) /
         (std::exp(q) + std::exp(2 * q) + std::exp(4 * q));
}

TEST(Evaluate, AttentionJoinsSegmentsAndMasks) {
  const auto f = [](double value) { return static_cast<float>(value); };
  EXPECT_THAT(attention_1d({0.5F, 1}, "none"),
              Pointwise(FloatNear(1e-6F), {f(mean_of_three(0.5)), f(mean_of_three(1))}));
  EXPECT_THAT(attention_1d({0.5F, 1}, "causal"),
              Pointwise(FloatNear(1e-6F), {f(mean_of_two(0.5)), f(mean_of_three(1))}));
  EXPECT_THAT(attention_1d({0.5F, 1}, "blocks", {1, 1}),
              Pointwise(FloatNear(1e-6F), {f(mean_of_two(0.5)), f(mean_of_three(1))}));
  EXPECT_THAT(attention_1d({0.5F, 1}, "blocks", {2}),
              Pointwise(FloatNear(1e-6F), {f(mean_of_three(0.5)), f(mean_of_three(1))}));
}

TEST(Evaluate, GroupedHeadsShareKeysAndBatchesDoNot) {
  One one;
  // Two sequences of one query and one key, two query heads on one key head: each sees its own sequence's value.
  one.input(shaped({2, 2}), {1, 1, 1, 1});
  one.input(shaped({2, 1}), {1, 1});
  one.input(shaped({2, 1}), {30, 70});
  EXPECT_THAT(one.run(OperatorType::attention, {shaped({2, 2})},
                      {{"heads", std::int64_t{2}},
                       {"kv_heads", std::int64_t{1}},
                       {"head_dim", std::int64_t{1}},
                       {"batch", std::int64_t{2}}}),
              ElementsAre(30, 30, 70, 70));
}

TEST(Evaluate, Rearranging) {
  One image;  // 2 x 4 pixels of one channel
  image.input(shaped({2, 4, 1}), {0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_THAT(image.run(OperatorType::patchify, {shaped({2, 4})}, {{"patch", std::int64_t{2}}}),
              ElementsAre(0, 1, 4, 5, 2, 3, 6, 7));
  One rows;
  rows.input(shaped({1, 2}), {1, 2});
  rows.input(shaped({2, 2}), {3, 4, 5, 6});
  EXPECT_THAT(rows.run(OperatorType::concat, {shaped({3, 2})}, {{"axis", std::int64_t{0}}}),
              ElementsAre(1, 2, 3, 4, 5, 6));
  One columns;
  columns.input(shaped({2, 1}), {1, 2});
  columns.input(shaped({2, 2}), {3, 4, 5, 6});
  EXPECT_THAT(columns.run(OperatorType::concat, {shaped({2, 3})}, {{"axis", std::int64_t{1}}}),
              ElementsAre(1, 3, 4, 2, 5, 6));
  One part;
  part.input(shaped({2, 3}), {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(part.run(OperatorType::slice, {shaped({2, 2})}, {{"axis", std::int64_t{1}}, {"begin", std::int64_t{1}}}),
              ElementsAre(2, 3, 5, 6));
  One gather;
  gather.input(shaped({2}, Dtype::int32), {2, 0});
  gather.input(shaped({3, 2}), {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(gather.run(OperatorType::embedding, {shaped({2, 2})}, {{"scale", 10.0}}), ElementsAre(50, 60, 10, 20));
  One row;
  row.input(shaped({1, 2}), {1, 2});
  EXPECT_THAT(row.run(OperatorType::broadcast, {shaped({2, 2})}), ElementsAre(1, 2, 1, 2));
}

TEST(Evaluate, GridsOfRows) {
  using Int = std::int64_t;
  const auto window = [](std::vector<Int> kernel, std::vector<Int> stride, std::vector<Int> padding) {
    return Attributes{
        {"height", Int{2}}, {"width", Int{4}}, {"kernel", kernel}, {"stride", stride}, {"padding", padding}};
  };
  One grid;  // 2 x 4 places of one channel
  grid.input(shaped({8, 1}), {0, 1, 2, 3, 4, 5, 6, 7});
  One same = grid, padded = grid, pooled = grid;
  EXPECT_THAT(grid.run(OperatorType::pixel_shuffle, {shaped({2, 4})}, {{"factor", Int{2}}, {"width", Int{4}}}),
              ElementsAre(0, 1, 4, 5, 2, 3, 6, 7));
  EXPECT_THAT(same.run(OperatorType::im2col, {shaped({2, 4})}, window({2, 2}, {2, 2}, {0, 0})),
              ElementsAre(0, 1, 4, 5, 2, 3, 6, 7));
  EXPECT_THAT(padded.run(OperatorType::im2col, {shaped({2, 3})}, window({1, 3}, {2, 2}, {0, 1})),
              ElementsAre(0, 0, 1, 1, 2, 3));
  EXPECT_THAT(pooled.run(OperatorType::maxpool, {shaped({2, 1})}, window({3, 3}, {2, 2}, {1, 1})), ElementsAre(5, 7));
}

TEST(Evaluate, MeansAndKernelsOfAChannel) {
  using Int = std::int64_t;
  const Attributes window = {{"height", Int{2}},
                             {"width", Int{3}},
                             {"kernel", std::vector<Int>{3, 3}},
                             {"stride", std::vector<Int>{2, 2}},
                             {"padding", std::vector<Int>{1, 1}}};
  One grid;  // two grids of 2 x 3 places of two channels, the second channel ten times the first
  grid.input(shaped({12, 2}), {0, 0, 1, 10, 2, 20, 3, 30, 4, 40, 5, 50, 6, 60, 6, 60, 6, 60, 6, 60, 6, 60, 6, 60});
  One counted = grid, convolved = grid, biased = grid;
  EXPECT_THAT(grid.run(OperatorType::avgpool, {shaped({4, 2})}, window), ElementsAre(2, 20, 3, 30, 6, 60, 6, 60));
  auto all = window;
  all["count_padding"] = true;
  const float each = 8.0F / 9, other = 12.0F / 9, six = 24.0F / 9;
  EXPECT_THAT(counted.run(OperatorType::avgpool, {shaped({4, 2})}, all),
              Pointwise(FloatEq(), {each, 10 * each, other, 10 * other, six, 10 * six, six, 10 * six}));
  // A kernel that picks the place in the middle, and one that picks the one to its lower right.
  const std::vector<float> kernels = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  convolved.input(shaped({9, 2}), kernels);
  EXPECT_THAT(convolved.run(OperatorType::depthwise_conv, {shaped({4, 2})}, window),
              ElementsAre(0, 40, 2, 0, 6, 60, 6, 0));
  biased.input(shaped({9, 2}), kernels);
  biased.input(shaped({2}), {100, 1});
  EXPECT_THAT(biased.run(OperatorType::depthwise_conv, {shaped({4, 2})}, window),
              ElementsAre(100, 41, 102, 1, 106, 61, 106, 1));
}

TEST(Evaluate, TwoGridsDoNotMix) {
  using Int = std::int64_t;
  One grids;  // two grids of 1 x 2 places of one channel
  grids.input(shaped({4, 1}), {1, 2, 3, 4});
  EXPECT_THAT(grids.run(OperatorType::im2col, {shaped({4, 3})},
                        {{"height", Int{1}},
                         {"width", Int{2}},
                         {"kernel", std::vector<Int>{1, 3}},
                         {"stride", std::vector<Int>{1, 1}},
                         {"padding", std::vector<Int>{0, 1}}}),
              ElementsAre(0, 1, 2, 1, 2, 0, 0, 3, 4, 3, 4, 0));
}

TEST(Evaluate, ArgmaxTakesTheFirstOfTheLargest) {
  One one;
  one.input(shaped({2, 3}), {1, 5, 5, 9, 2, 3});
  EXPECT_THAT(one.run(OperatorType::argmax, {shaped({2}, Dtype::int32)}), ElementsAre(1, 0));
}

TEST(Evaluate, GroupNormIsOverTheRowsOfASequenceAndTheColumnsOfAGroup) {
  One one;  // two sequences of two rows, two groups of one column
  one.input(shaped({4, 2}), {1, 10, 3, 30, 0, 5, 4, 5});
  one.input(shaped({2}), {1, 2});
  one.input(shaped({2}), {0, 100});
  EXPECT_THAT(one.run(OperatorType::groupnorm, {shaped({4, 2})},
                      {{"groups", std::int64_t{2}}, {"epsilon", 1e-12}, {"batch", std::int64_t{2}}}),
              Pointwise(FloatNear(1e-4F), {-1, 98, 1, 102, -1, 100, 1, 100}));
}

TEST(Evaluate, Mish) {
  One one;
  one.input(shaped({1, 2}), {0, 1});
  EXPECT_THAT(one.run(OperatorType::mish, {shaped({1, 2})}),
              Pointwise(FloatNear(1e-5F), {0.0, std::tanh(std::log1p(std::exp(1.0)))}));
}

TEST(Evaluate, ImagePreprocessKeepsTheAspectRatio) {
  One one;
  one.input(shaped({2, 4, 1}, Dtype::uint8), {255, 255, 255, 255, 255, 255, 255, 255});
  // 4 columns become 4, so 2 rows stay 2, with one black row above and one below.
  EXPECT_THAT(one.run(OperatorType::image_preprocess, {shaped({4, 4, 1})}),
              ElementsAre(-1, -1, -1, -1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1));
}

TEST(Evaluate, ImagePreprocessAveragesNeighbours) {
  One one;
  one.input(shaped({2, 2, 1}, Dtype::uint8), {0, 255, 255, 0});
  EXPECT_THAT(one.run(OperatorType::image_preprocess, {shaped({1, 1, 1})}), ElementsAre(0));
}

TEST(Evaluate, LoopsCarryValuesAndPickCopies) {
  TraceBuilder builder;
  const auto x = builder.tensor({.name = "x", .role = Role::input, .shape = {1, 1}, .dtype = Dtype::fp32});
  const auto sum = builder.tensor({.name = "sum", .shape = {1, 1}, .dtype = Dtype::fp32});
  const auto w =
      builder.tensor({.name = "w", .role = Role::weight, .shape = {1, 1}, .dtype = Dtype::fp32, .copies = {3}});
  builder.begin_stage("s", 2);
  builder.add(OperatorType::cast, "start", {use(x)}, {use(sum)});
  const auto layers = builder.begin_repeat("layers", 3);
  builder.add(OperatorType::axpy, "add", {use(sum), use(w, layers)}, {use(sum)}, {{"factor", 2.0}});
  builder.end_repeat();
  builder.end_stage();
  const Trace trace = builder.take();
  TensorValues values(trace);
  values.at(x, {}).set(0, 1);
  for (std::uint32_t layer = 0; layer < 3; ++layer)
    values.at(w, {layer}).set(0, std::pow(10.0F, static_cast<float>(layer)));
  evaluate(trace, values);
  EXPECT_EQ(values.at(sum, {}).value(0), 1 + 2 * 1 + 2 * 10 + 2 * 100);
}

}  // namespace
}  // namespace archsim
