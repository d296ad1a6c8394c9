#include "arch/workload/count.h"

#include <gtest/gtest.h>

#include "tests/unit/workload/small_trace.h"

namespace archsim {
namespace {

TEST(Count, TwoLinears) {
  const auto counts = count(small_trace());
  const auto& once = counts.stages.at(0).once;
  EXPECT_EQ(once.macs, 4U * 8 * 16 + 4U * 16 * 8);
  EXPECT_EQ(once.weight_elements, 8U * 16 + 16U * 8);
  EXPECT_EQ(once.weight_bytes, 2 * (8U * 16 + 16U * 8));
  EXPECT_EQ(once.activation_bytes, 2 * (4U * 8 + 4U * 16 /* up */ + 4U * 16 + 4U * 8 /* down */));
  EXPECT_EQ(once.vector_elements, 0U);
  EXPECT_EQ(counts.parameters, 8U * 16 + 16U * 8);
  EXPECT_EQ(counts.executed_operators, 2U);
}

TEST(Count, AStageCountsForOneOfItsRepeats) {
  auto trace = small_trace();
  trace.loops[0].count = 5;
  const auto counts = count(trace);
  EXPECT_EQ(counts.stages[0].repeat, 5U);
  EXPECT_EQ(counts.stages[0].once.macs, 4U * 8 * 16 + 4U * 16 * 8);
  EXPECT_EQ(counts.macs, 5 * (4U * 8 * 16 + 4U * 16 * 8));
  EXPECT_EQ(counts.executed_operators, 5U * 2);
}

TEST(Count, AStageFetchesASharedWeightOnce) {
  auto trace = small_trace();
  trace.tensors[3] = trace.tensors[1];
  trace.tensors[3].name = "square";
  trace.tensors[1].shape = {8, 16};
  // up twice: the same weight read by two operators.
  Operator again = trace.operators[0];
  again.name = "again";
  again.outputs = {{4, {}}};
  trace.tensors[4].shape = {4, 16};
  trace.operators[1] = again;
  EXPECT_EQ(count(trace).stages[0].once.weight_elements, 8U * 16);
  EXPECT_EQ(count(trace).stages[0].once.macs, 2 * (4U * 8 * 16));
}

TEST(Count, AChannelsKernelMultipliesWhatLiesUnderIt) {
  auto trace = small_trace();
  auto& op = trace.operators[0];
  op.type = OperatorType::depthwise_conv;
  op.attributes = {{"height", std::int64_t{2}},
                   {"width", std::int64_t{2}},
                   {"kernel", std::vector<std::int64_t>{3, 3}},
                   {"stride", std::vector<std::int64_t>{2, 2}},
                   {"padding", std::vector<std::int64_t>{1, 1}}};
  trace.tensors[op.inputs[1].tensor].shape = {9, 8};
  trace.tensors[op.outputs[0].tensor].shape = {1, 8};
  const auto of = [&] { return count(trace).operators[0]; };
  EXPECT_EQ(of().macs, 1U * 8 * 9);
  EXPECT_EQ(of().vector_elements, 0U);
  EXPECT_EQ(of().weight_elements, 9U * 8);
  EXPECT_EQ(of().activation_bytes, 2 * (4U * 8 + 1U * 8));
  op.type = OperatorType::avgpool;
  op.inputs.pop_back();
  EXPECT_EQ(of().macs, 0U);
  EXPECT_EQ(of().vector_elements, 1U * 8 * 9);
}

TEST(Count, DeadWorkCountsAndIsNamed) {
  auto trace = small_trace();
  trace.tensors[4].role = Role::activation;
  trace.operators[1].dead = true;
  EXPECT_EQ(count(trace).macs, 4U * 8 * 16 + 4U * 16 * 8);
  EXPECT_EQ(count(trace).dead_macs, 4U * 16 * 8);
}

}  // namespace
}  // namespace archsim
