// Operators that graphs of other tools bring along: elementwise functions, and rearrangements by view.
#include <gmock/gmock.h>

#include <cmath>

#include "arch/program/reference/evaluate.h"
#include "arch/workload/effort.h"
#include "arch/workload/rules/validate.h"

namespace archsim {
namespace {

using Int = std::int64_t;
using Ints = std::vector<Int>;
using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pointwise;

struct Given {
  std::vector<std::uint64_t> shape;
  std::vector<float> values;
  Dtype dtype = Dtype::fp32;
};

/// A trace of one operator, and its result.
struct One {
  Trace trace;
  std::vector<Array> inputs;
  One(OperatorType type, const Attributes& attributes, const std::vector<Given>& given,
      std::vector<std::uint64_t> result) {
    trace.model = "one";
    Operator op{.name = "op", .type = type, .attributes = attributes};
    for (const auto& each : given) {
      Tensor tensor{
          .name = "x" + std::to_string(inputs.size()), .role = Role::input, .shape = each.shape, .dtype = each.dtype};
      Array array = Array::like(tensor);
      for (std::size_t i = 0; i < each.values.size(); ++i) array.set(i, each.values[i]);
      op.inputs.push_back({static_cast<std::uint32_t>(inputs.size()), {}});
      inputs.push_back(array);
      trace.tensors.push_back(tensor);
    }
    op.outputs.push_back({static_cast<std::uint32_t>(inputs.size()), {}});
    trace.tensors.push_back({.name = "y", .role = Role::output, .shape = std::move(result), .dtype = Dtype::fp32});
    trace.operators = {op};
    trace.loops = {{"s", 1}};
    trace.stages = {{"s", {0, {std::uint32_t{0}}}}};
  }

  std::vector<float> run() const {
    std::vector<const Array*> in;
    for (const auto& array : inputs) in.push_back(&array);
    EXPECT_THAT(problems(), IsEmpty());
    const auto y = evaluate(trace, trace.operators[0], in).at(0);
    std::vector<float> values;
    for (std::uint64_t i = 0; i < y.elements(); ++i) values.push_back(y.value(i));
    return values;
  }
  std::string problems() const {
    std::string text;
    for (const auto& problem : problems_of(trace)) text += problem.message + "\n";
    return text;
  }
};

TEST(Functions, OfOneElement) {
  const auto of = [](OperatorType type, float x, const Attributes& attributes = {}) {
    return One(type, attributes, {{{1, 1}, {x}}}, {1, 1}).run().at(0);
  };
  EXPECT_FLOAT_EQ(of(OperatorType::exp, 2), std::exp(2.0F));
  EXPECT_FLOAT_EQ(of(OperatorType::log, 2), std::log(2.0F));
  EXPECT_FLOAT_EQ(of(OperatorType::sqrt, 9), 3);
  EXPECT_FLOAT_EQ(of(OperatorType::reciprocal, 4), 0.25);
  EXPECT_FLOAT_EQ(of(OperatorType::erf, 0.5), std::erf(0.5F));
  EXPECT_FLOAT_EQ(of(OperatorType::sin, 1), std::sin(1.0F));
  EXPECT_FLOAT_EQ(of(OperatorType::cos, 1), std::cos(1.0F));
  EXPECT_FLOAT_EQ(of(OperatorType::abs, -3), 3);
  EXPECT_FLOAT_EQ(of(OperatorType::softplus, 1), std::log1p(std::exp(1.0F)));
  EXPECT_FLOAT_EQ(of(OperatorType::hard_swish, 1), 4.0F / 6.0F);
  EXPECT_FLOAT_EQ(of(OperatorType::elu, -1, {{"alpha", 2.0}}), 2.0F * std::expm1(-1.0F));
  EXPECT_FLOAT_EQ(of(OperatorType::leaky_relu, -2, {{"alpha", 0.1}}), -0.2F);
  EXPECT_FLOAT_EQ(of(OperatorType::hard_sigmoid, 1, {{"alpha", 0.25}, {"beta", 0.5}}), 0.75);
  EXPECT_FLOAT_EQ(of(OperatorType::round, 2.5, {{"mode", std::string("even")}}), 2);
  EXPECT_FLOAT_EQ(of(OperatorType::round, -2.5, {{"mode", std::string("floor")}}), -3);
  EXPECT_FLOAT_EQ(of(OperatorType::clip, 7, {{"low", 0.0}, {"high", 6.0}}), 6);
}

TEST(Functions, OfTwoAndThreeWithARowForAllRows) {
  const auto of = [](OperatorType type, const Attributes& attributes = {}) {
    return One(type, attributes, {{{2, 2}, {1, 2, 3, 4}}, {{1, 2}, {2, 2}}}, {2, 2}).run();
  };
  EXPECT_THAT(of(OperatorType::div), ElementsAre(0.5, 1, 1.5, 2));
  EXPECT_THAT(of(OperatorType::pow), ElementsAre(1, 4, 9, 16));
  EXPECT_THAT(of(OperatorType::maximum), ElementsAre(2, 2, 3, 4));
  EXPECT_THAT(of(OperatorType::minimum), ElementsAre(1, 2, 2, 2));
  EXPECT_THAT(of(OperatorType::compare, {{"relation", std::string("less_or_equal")}}), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(One(OperatorType::where, {}, {{{2}, {1, 0}}, {{2, 2}, {1, 2, 3, 4}}, {{2}, {8, 9}}}, {2, 2}).run(),
              ElementsAre(1, 9, 3, 9));
}

TEST(Views, TransposeExpandAndReduceSeeTheirOperandAsTheySay) {
  const Given six{{6}, {0, 1, 2, 3, 4, 5}};
  EXPECT_THAT(One(OperatorType::transpose, {{"extents", Ints{2, 3}}, {"order", Ints{1, 0}}}, {six}, {3, 2}).run(),
              ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(One(OperatorType::expand, {{"extents", Ints{2, 1, 3}}, {"result", Ints{2, 2, 3}}}, {six}, {4, 3}).run(),
              ElementsAre(0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5));
  const auto reduced = [&](const std::string& function) {
    return One(OperatorType::reduce, {{"extents", Ints{1, 2, 3}}, {"axis", Int{1}}, {"function", function}}, {six},
               {3});
  };
  EXPECT_THAT(reduced("sum").run(), ElementsAre(3, 5, 7));
  EXPECT_THAT(reduced("mean").run(), ElementsAre(1.5, 2.5, 3.5));
  EXPECT_THAT(reduced("max").run(), ElementsAre(3, 4, 5));
  EXPECT_THAT(reduced("min").run(), ElementsAre(0, 1, 2));
  EXPECT_THAT(reduced("product").run(), ElementsAre(0, 4, 10));
  EXPECT_THAT(reduced("sum_of_squares").run(), ElementsAre(9, 17, 29));
  // A reduction looks at every element of its operand.
  const auto sum = reduced("sum");
  EXPECT_EQ(elements_to_handle(sum.trace, sum.trace.operators[0]), 6);
}

TEST(Views, GatherAndPad) {
  const Given six{{6}, {0, 1, 2, 3, 4, 5}};
  EXPECT_THAT(
      One(OperatorType::gather, {{"extents", Ints{2, 3}}, {"axis", Int{1}}}, {six, {{2}, {2, 0}, Dtype::int32}}, {2, 2})
          .run(),
      ElementsAre(2, 0, 5, 3));
  Attributes around{{"extents", Ints{3}}, {"begin", Ints{2}}, {"end", Ints{1}}, {"value", 9.0}};
  const Given three{{3}, {0, 1, 2}};
  EXPECT_THAT(One(OperatorType::pad, around, {three}, {6}).run(), ElementsAre(9, 9, 0, 1, 2, 9));
  around["mode"] = std::string("edge");
  EXPECT_THAT(One(OperatorType::pad, around, {three}, {6}).run(), ElementsAre(0, 0, 0, 1, 2, 2));
  around["mode"] = std::string("reflect");
  EXPECT_THAT(One(OperatorType::pad, around, {three}, {6}).run(), ElementsAre(2, 1, 0, 1, 2, 1));
}

TEST(Views, ResizeMeetsInTheMiddleOfPlaces) {
  const auto resized = [](const std::string& mode) {
    const Attributes attributes{
        {"height", Int{1}}, {"width", Int{2}}, {"to_height", Int{1}}, {"to_width", Int{4}}, {"mode", mode}};
    return One(OperatorType::resize, attributes, {{{2, 1}, {0, 4}}}, {4, 1}).run();
  };
  EXPECT_THAT(resized("nearest"), ElementsAre(0, 0, 4, 4));
  EXPECT_THAT(resized("linear"), ElementsAre(0, 1, 3, 4));
  // Keys' kernel with a = -0.75 at a distance of a quarter: weights -0.10546875, 0.87890625, 0.26171875, -0.03515625.
  EXPECT_THAT(resized("cubic"), Pointwise(FloatNear(1e-5F), {-0.421875, 0.90625, 3.09375, 4.421875}));
}

TEST(Views, WhatDoesNotFitIsSaid) {
  const Given six{{6}, {0, 1, 2, 3, 4, 5}};
  const auto problem = [&](OperatorType type, const Attributes& attributes) {
    return One(type, attributes, {six}, {6}).problems();
  };
  EXPECT_THAT(problem(OperatorType::transpose, {{"extents", Ints{2, 4}}, {"order", Ints{1, 0}}}),
              HasSubstr("cannot see `x0` of [6] as [2, 4]"));
  EXPECT_THAT(problem(OperatorType::transpose, {{"extents", Ints{2, 3}}, {"order", Ints{1, 1}}}),
              HasSubstr("each axis of its `extents` once"));
  EXPECT_THAT(problem(OperatorType::expand, {{"extents", Ints{2, 3}}, {"result", Ints{4, 3}}}),
              HasSubstr("cannot repeat [2, 3] to [4, 3]"));
  EXPECT_THAT(problem(OperatorType::reduce, {{"extents", Ints{6}}, {"axis", Int{1}}, {"function", std::string("sum")}}),
              HasSubstr("has no axis 1 in [6]"));
  EXPECT_THAT(problem(OperatorType::pad, {{"extents", Ints{6}}, {"begin", Ints{1}}, {"end", Ints{0}}}),
              HasSubstr("writes [7], but its output `y` is declared [6]"));
}

}  // namespace
}  // namespace archsim
