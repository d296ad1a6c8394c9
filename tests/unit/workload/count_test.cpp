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

TEST(Count, DeadWorkCountsAndIsNamed) {
  auto trace = small_trace();
  trace.tensors[4].role = Role::activation;
  trace.operators[1].dead = true;
  EXPECT_EQ(count(trace).macs, 4U * 8 * 16 + 4U * 16 * 8);
  EXPECT_EQ(count(trace).dead_macs, 4U * 16 * 8);
}

}  // namespace
}  // namespace archsim
