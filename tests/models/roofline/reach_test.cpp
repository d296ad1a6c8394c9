#include "models/roofline/reach.h"

#include <gtest/gtest.h>

#include "tests/models/roofline/trace_builder.h"

namespace archsim {
namespace {

// An operator on inputs of 10 x 20 and, where it has one, a weight of 20 x 20.
class ReachTest : public testing::Test {
 protected:
  ReachTest() { builder_.begin_stage(1); }

  Consequence of(OperatorType type, std::vector<Dependence> inputs, Attributes attributes = {},
                 std::uint64_t rows = 10) {
    std::vector<TensorUse> uses;
    for (std::size_t i = 0; i < inputs.size(); ++i) uses.push_back(builder_.tensor(Role::activation, {rows, 20}));
    const auto op = builder_.add(type, uses, {builder_.tensor(Role::activation, {rows, 20})}, std::move(attributes));
    return ReachRule(builder_.trace(), builder_.op(op))(inputs);
  }

  static constexpr Dependence kNone{}, kPart{Reach::part, false}, kRows{Reach::rows, false}, kAll{Reach::all, false},
      kEverywhere{Reach::all, true};
  TraceBuilder builder_;
};

TEST_F(ReachTest, LinearGathersARowButNeverAllRows) {
  EXPECT_EQ(of(OperatorType::linear, {kPart}).result.reach, Reach::rows);
  const auto rows = of(OperatorType::linear, {kRows});
  EXPECT_EQ(rows.result.reach, Reach::rows);
  EXPECT_FALSE(rows.weights_follow);
}

TEST_F(ReachTest, OneRowThatNeedsAllNeedsEachWeight) {
  const auto found = of(OperatorType::linear, {kAll});
  EXPECT_TRUE(found.weights_follow);
  EXPECT_FALSE(found.work_follows);  // the other rows' products may come earlier
  EXPECT_TRUE(of(OperatorType::linear, {kEverywhere}).work_follows);
}

TEST_F(ReachTest, ASingleRowThatIsGatheredIsEverywhere) {
  EXPECT_TRUE(of(OperatorType::linear, {kPart}, {}, 1).result.everywhere);
  EXPECT_FALSE(of(OperatorType::scale, {kPart}, {}, 1).result.everywhere);
}

TEST_F(ReachTest, AttentionGathersAllRowsOfItsKeys) {
  const auto found = of(OperatorType::attention, {kNone, kRows, kNone});
  EXPECT_TRUE(found.result.everywhere);
  EXPECT_FALSE(found.work_follows);  // the first keys' scores may come earlier
  EXPECT_EQ(of(OperatorType::attention, {kNone, kPart, kNone}).result.reach, Reach::part);
  EXPECT_EQ(of(OperatorType::attention, {kRows, kNone, kNone}).result.reach, Reach::rows);
}

TEST_F(ReachTest, MaskedAttentionGathersNewKeysForTheLastQueryOnly) {
  const Attributes causal = {{"mask", std::string("causal")}};
  const auto masked = of(OperatorType::attention, {kNone, kRows, kRows}, causal).result;
  EXPECT_EQ(masked.reach, Reach::all);
  EXPECT_FALSE(masked.everywhere);
  EXPECT_TRUE(of(OperatorType::attention, {kNone, kRows, kNone, kNone, kNone}, causal).result.everywhere);
}

TEST_F(ReachTest, BatchesDoNotSeeEachOther) {
  const auto found = of(OperatorType::attention, {kAll, kRows, kRows}, {{"batch", std::int64_t{2}}});
  EXPECT_FALSE(found.result.everywhere);
  EXPECT_FALSE(found.caches_follow);
}

TEST_F(ReachTest, JoiningRowsKeepsRowsAndJoiningColumnsDoesNot) {
  const Attributes columns = {{"axis", std::int64_t{1}}};
  EXPECT_EQ(of(OperatorType::concat, {kNone, kRows}).result.reach, Reach::rows);
  EXPECT_EQ(of(OperatorType::concat, {kNone, kAll}, columns).result.reach, Reach::part);
  EXPECT_FALSE(of(OperatorType::concat, {kNone, kEverywhere}).result.everywhere);
  EXPECT_TRUE(of(OperatorType::concat, {kEverywhere, kEverywhere}, columns).result.everywhere);
}

TEST_F(ReachTest, ElementwiseNeedsBothItsInputs) {
  EXPECT_TRUE(of(OperatorType::add, {kNone, kEverywhere}).work_follows);
  EXPECT_EQ(of(OperatorType::mul, {kPart, kRows}).result.reach, Reach::rows);
}

TEST_F(ReachTest, MatmulGathersTheRowsOfItsSecondOperand) {
  EXPECT_TRUE(of(OperatorType::matmul, {kNone, kRows}).result.everywhere);
  EXPECT_EQ(of(OperatorType::matmul, {kNone, kRows}, {{"transpose_b", true}}).result.reach, Reach::part);
}

}  // namespace
}  // namespace archsim
