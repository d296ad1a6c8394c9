#include "arch/workload/rules/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/random_trace/random_trace.h"
#include "tests/unit/workload/small_trace.h"

namespace archsim {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> messages(const Trace& trace) {
  std::vector<std::string> out;
  for (const auto& problem : problems_of(trace)) out.push_back(problem.message);
  return out;
}

std::vector<std::string> after(const std::function<void(Trace&)>& change) {
  auto trace = small_trace();
  change(trace);
  return messages(trace);
}

TEST(Validate, AcceptsASoundTrace) { EXPECT_THAT(messages(small_trace()), IsEmpty()); }

TEST(Validate, AcceptsRandomTraces) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) EXPECT_THAT(messages(random_trace(seed)), IsEmpty()) << seed;
}

TEST(Validate, NamesOperatorTensorAndProducerOfAWrongShape) {
  const auto said = after([](Trace& t) { t.tensors[3].shape = {32, 8}; });
  EXPECT_THAT(said, Contains("operator `down` needs `h` to be [4, 32], but `up` writes [4, 16]"));
}

TEST(Validate, SaysWhatAnOutputShouldBe) {
  const auto said = after([](Trace& t) { t.tensors[4].shape = {4, 9}; });
  EXPECT_THAT(said, Contains("operator `down` (linear) writes [4, 8], but its output `y` is declared [4, 9]"));
}

TEST(Validate, RefusesAnInputOfTheWrongType) {
  const auto said = after([](Trace& t) { t.tensors[1].dtype = Dtype::fp32; });
  EXPECT_THAT(said, Contains("operator `up` (linear) mixes `x` (bf16) with `up_weight` (fp32)"));
}

TEST(Validate, TakesAWeightThatAnArrayDecodes) {
  for (const auto dtype : {Dtype::int8, Dtype::int4, Dtype::fp8_e4m3}) {
    EXPECT_TRUE(after([&](Trace& t) { t.tensors[1].dtype = dtype; }).empty()) << name_of(dtype);
  }
}

TEST(Validate, RefusesGroupsThatDoNotDivide) {
  const auto said = after([](Trace& t) {
    t.tensors[1].dtype = Dtype::int4;
    t.tensors[1].grouping = {.group = 5, .scale = Dtype::bf16};
  });
  EXPECT_THAT(said, Contains(testing::HasSubstr("which groups of 5 do not divide")));
}

TEST(Validate, FindsEveryMistakeAtOnce) {
  const auto said = after([](Trace& t) {
    t.tensors[3].shape = {32, 8};
    t.tensors[1].dtype = Dtype::fp32;
  });
  EXPECT_GE(said.size(), 2U);
}

TEST(Validate, RefusesACopyThatThereIsNot) {
  const auto said = after([](Trace& t) {
    t.tensors[1].copies = {3};
    t.operators[0].inputs[1].copy = {{CopyIndex::kFixed, 3}};
  });
  EXPECT_THAT(said, Contains("operator `up` (linear) uses copy 3 of `up_weight`, which has 3 copies"));
}

TEST(Validate, RefusesALoopsCopyBeyondTheLast) {
  const auto said = after([](Trace& t) {
    t.loops[0].count = 3;
    t.tensors[1].copies = {3};
    t.operators[0].inputs[1].copy = {{0, 1}};
  });
  EXPECT_THAT(said, Contains("operator `up` (linear) uses copy 3 of `up_weight`, which has 3 copies"));
}

TEST(Validate, RefusesACopyByALoopElsewhere) {
  const auto said = after([](Trace& t) {
    t.loops.push_back({"other", 3});
    t.tensors[1].copies = {3};
    t.operators[0].inputs[1].copy = {{1, 0}};
  });
  EXPECT_THAT(said, Contains("operator `up` (linear) picks a copy of `up_weight` by a loop that it does not stand in"));
}

TEST(Validate, RefusesDuplicateNames) {
  EXPECT_THAT(after([](Trace& t) { t.operators[1].name = "up"; }), Contains("two operators have the name `up`"));
  EXPECT_THAT(after([](Trace& t) { t.tensors[3].name = "up_weight"; }),
              Contains("two tensors have the name `up_weight`"));
}

TEST(Validate, RefusesNamesThatCannotBePrinted) {
  EXPECT_THAT(after([](Trace& t) { t.operators[1].name = "d\xffown"; }),
              Contains("operator 1 has blanks or other than ASCII characters in its name"));
  EXPECT_THAT(after([](Trace& t) { t.tensors[1].name = "a b"; }),
              Contains("tensor 1 has blanks or other than ASCII characters in its name"));
  EXPECT_THAT(after([](Trace& t) { t.model = "\n"; }), Contains(HasSubstr("the model's name")));
  EXPECT_THAT(after([](Trace& t) { t.stages[0].name = ""; }), Contains(HasSubstr("a stage's name is empty")));
}

TEST(Validate, RefusesAWrongNumberOfOperands) {
  EXPECT_THAT(after([](Trace& t) { t.operators[0].inputs.resize(1); }),
              Contains("operator `up` (linear) has 1 inputs and 1 outputs"));
}

TEST(Validate, ChecksAttributes) {
  EXPECT_THAT(after([](Trace& t) { t.operators[0].attributes["heads"] = std::int64_t{1}; }),
              Contains("operator `up` (linear) has no attribute `heads`"));
  const auto rope = [](AttributeValue heads) {
    return after([&heads](Trace& t) {
      t.operators[0].type = OperatorType::rope;
      t.operators[0].inputs.resize(1);
      t.operators[0].attributes["head_dim"] = std::int64_t{8};
      t.operators[0].attributes["heads"] = heads;
    });
  };
  EXPECT_THAT(rope(std::int64_t{1}), Contains("operator `up` (rope) lacks its attribute `theta`"));
  EXPECT_THAT(rope(std::int64_t{0}), Contains("operator `up` (rope) has a wrong attribute `heads`"));
  EXPECT_THAT(rope(2.5), Contains("operator `up` (rope) has a wrong attribute `heads`"));
}

TEST(Validate, RefusesReadingWhatNobodyWrote) {
  const auto said = after([](Trace& t) { t.tensors[0].role = Role::activation; });
  EXPECT_THAT(said, Contains("operator `up` reads `x` before anything writes it"));
}

TEST(Validate, RefusesResultsThatNobodyReads) {
  const auto said = after([](Trace& t) { t.tensors[4].role = Role::activation; });
  EXPECT_THAT(said, Contains("operator `down` writes `y`, which nothing reads"));
  EXPECT_THAT(after([](Trace& t) {
                t.tensors[4].role = Role::activation;
                t.operators[1].dead = true;
              }),
              IsEmpty());
}

TEST(Validate, RefusesDeadWorkThatIsUsed) {
  EXPECT_THAT(after([](Trace& t) { t.operators[0].dead = true; }),
              Contains("operator `up` is marked dead, but `down` reads its result"));
}

TEST(Validate, RefusesWritingAWeight) {
  const auto said = after([](Trace& t) { t.tensors[4].role = Role::weight; });
  EXPECT_THAT(said, Contains("operator `down` writes `y`, which is a weight"));
}

TEST(Validate, RefusesAMatrixProductInPlace) {
  const auto said = after([](Trace& t) {
    t.tensors[3].shape = {16, 16};
    t.tensors.pop_back();
    t.operators[1].outputs = {{2, {}}};
  });
  EXPECT_THAT(said, Contains("operator `down` (linear) cannot write `h` in place"));
}

TEST(Validate, RefusesAnUnusedTensor) {
  EXPECT_THAT(after([](Trace& t) { t.tensors.push_back({.name = "spare", .shape = {1}}); }),
              Contains("no operator uses tensor `spare`"));
}

TEST(Validate, RefusesExtentsWhoseProductOverflows) {
  EXPECT_THAT(after([](Trace& t) {
                t.tensors[1].shape = {std::uint64_t{1} << 40, std::uint64_t{1} << 40};
              }),
              Contains(HasSubstr("more than 2^44 elements")));
  EXPECT_THAT(after([](Trace& t) { t.tensors[1].shape = {8, 0}; }), Contains(HasSubstr("an extent of 0")));
}

TEST(Validate, ListsACycle) {
  const auto said = after([](Trace& t) { t.operators[0].dependencies = {1}; });
  EXPECT_THAT(said, Contains("operators wait for each other: up -> down -> up"));
}

TEST(Validate, ListsACycleOfExplicitDependenciesAlone) {
  auto trace = small_trace();
  // Two more operators that share no tensor with the first two.
  for (const auto* name : {"a", "b"}) {
    Operator op = trace.operators[1];
    op.name = name;
    trace.tensors.push_back({.name = std::string(name) + "_out", .role = Role::output, .shape = {4, 8}});
    op.inputs[0].tensor = 2;
    op.outputs = {{static_cast<std::uint32_t>(trace.tensors.size() - 1), {}}};
    trace.stages[0].repeat.body.emplace_back(static_cast<std::uint32_t>(trace.operators.size()));
    trace.operators.push_back(op);
  }
  trace.operators[2].dependencies = {3};
  EXPECT_THAT(messages(trace), Contains("operator `a` depends on `b`, which comes later"));
  trace.operators[3].dependencies = {2};
  EXPECT_THAT(messages(trace), Contains("operators wait for each other: a -> b -> a"));
  trace.operators[2].dependencies = {2};
  EXPECT_THAT(messages(trace), Contains("operators wait for each other: a -> a"));
}

TEST(Validate, RefusesADependencyOnNothing) {
  EXPECT_THAT(after([](Trace& t) { t.operators[0].dependencies = {7}; }),
              Contains("operator `up` depends on operator 7, which there is not"));
}

TEST(Validate, ChecksTheStructure) {
  EXPECT_THAT(after([](Trace& t) { t.stages[0].repeat.body.pop_back(); }),
              Contains("1 of 2 operators stand in no stage"));
  EXPECT_THAT(after([](Trace& t) { std::swap(t.stages[0].repeat.body[0], t.stages[0].repeat.body[1]); }),
              Contains("operator 1 stands where 0 should: not in program order"));
  EXPECT_THAT(after([](Trace& t) { t.stages[0].repeat.loop = 4; }), Contains("there is no loop 4"));
  EXPECT_THAT(after([](Trace& t) { t.loops[0].count = 0; }), Contains("loop `stage` runs zero times"));
}

TEST(Validate, AnInt8BiasCountsInTheAccumulatorsUnit) {
  auto trace = small_trace();
  for (auto& tensor : trace.tensors) tensor.dtype = Dtype::int8;
  trace.tensors[0].scale = 0.5;
  trace.tensors[1].scale = 0.25;
  trace.tensors.push_back(
      {.name = "bias", .role = Role::weight, .shape = {16}, .dtype = Dtype::int32, .scale = 0.5 * 0.25});
  trace.operators[0].inputs.push_back({5, {}});
  EXPECT_THAT(messages(trace), IsEmpty());
  trace.tensors[5].scale = 1.0;
  EXPECT_THAT(messages(trace), Contains(HasSubstr("needs its int32 bias `bias` to have scale 0.125")));
}

}  // namespace
}  // namespace archsim
