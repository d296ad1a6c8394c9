#include "traces/diff/diff.h"

#include <gmock/gmock.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "tests/source_dir.h"
#include "tests/unit/workload/small_trace.h"
#include "traces/generate/generate.h"

namespace archsim {
namespace {

using testing::HasSubstr;
using testing::Not;

Trace pi0(const std::vector<std::string>& settings) {
  const auto trace = build_trace(std::string(ARCHSIM_SOURCE_DIR) + "/traces/workloads/pi0.yaml", settings);
  EXPECT_TRUE(trace);
  return *trace;
}

const FieldChange* find(const std::vector<FieldChange>& fields, const std::string& name) {
  for (const auto& each : fields) {
    if (each.field == name) return &each;
  }
  return nullptr;
}

TEST(Diff, ATraceIsEqualToItself) {
  EXPECT_TRUE(diff_traces(pi0({}), pi0({})).is_equal());
  EXPECT_EQ(diff_table(diff_traces(small_trace(), small_trace())), "no difference\n");
}

TEST(Diff, FewerCamerasChangeARepeatAndTheShapesBehindIt) {
  const auto diff = diff_traces(pi0({}), pi0({"cameras=2"}));
  ASSERT_NE(find(diff.fields, "parameter cameras"), nullptr);
  EXPECT_EQ(find(diff.fields, "parameter cameras")->after, "2");
  bool repeats = false, shapes = false;
  for (const auto& stage : diff.stages) {
    if (const auto* repeat = find(stage.fields, "repeat")) repeats = repeat->before == "3" && repeat->after == "2";
    for (const auto& op : stage.operators) {
      if (const auto* shape = find(op.fields, "input 0 shape")) shapes = shapes || shape->before.starts_with("[816,");
    }
  }
  EXPECT_TRUE(repeats);
  EXPECT_TRUE(shapes) << "816 prefix rows become fewer";
}

TEST(Diff, AnotherTypeChangesDtypesAndBytesButNoMacs) {
  const auto diff = diff_traces(pi0({}), pi0({"dtype=int8"}));
  EXPECT_NE(find(diff.fields, "weight_bytes"), nullptr);
  EXPECT_EQ(find(diff.fields, "macs"), nullptr);
  EXPECT_THAT(diff_table(diff), HasSubstr("input 1 dtype: bf16 -> int8"));
}

TEST(Diff, OperatorsAreAddedAndRemovedByName) {
  auto after = small_trace();
  after.operators.front().name += ".renamed";
  const auto diff = diff_traces(small_trace(), after);
  std::map<std::string, Change> changes;
  for (const auto& stage : diff.stages) {
    for (const auto& op : stage.operators) changes[op.name] = op.change;
  }
  EXPECT_EQ(changes.at(after.operators.front().name), Change::added);
  EXPECT_EQ(changes.at(small_trace().operators.front().name), Change::removed);
  EXPECT_EQ(diff_json(diff)["equal"], false);
}

// Whatever is changed is found, or a run could differ from another without a difference being told.
TEST(Diff, EveryPartOfATraceIsLookedAt) {
  const std::vector<std::function<void(Trace&)>> edits = {
      [](Trace& t) { t.model = "other"; },
      [](Trace& t) { t.parameters["new"] = "1"; },
      [](Trace& t) { t.tensors.front().name += "x"; },
      [](Trace& t) { t.loops.front().count += 1; },
      [](Trace& t) { t.loops.front().name += "x"; },
      [](Trace& t) { t.stages.front().name += "x"; },
      [](Trace& t) { t.tensors.front().layout = Layout::channels_last; },
      [](Trace& t) { t.operators.back().dependencies.push_back(0); },
  };
  for (std::size_t i = 0; i < edits.size(); ++i) {
    auto after = small_trace();
    edits[i](after);
    EXPECT_FALSE(diff_traces(small_trace(), after).is_equal()) << "edit " << i;
  }
}

}  // namespace
}  // namespace archsim
