#include "traces/generate/generate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/workload/rules/validate.h"
#include "traces/show/listing.h"

namespace archsim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Checked<Trace> generate(const std::string& text, const std::vector<std::string>& settings = {}) {
  return generate_trace(make_source("w.yaml", text), settings);
}

std::string error(const std::string& text, const std::vector<std::string>& settings = {}) {
  const auto trace = generate(text, settings);
  return trace ? "no error" : render(trace.diagnostics());
}

const std::string kHead = R"(workload: w
parameters:
  count: {default: 3, range: [1, 9], about: layers}
tensors:
  x: {role: input, shape: [2, 4], dtype: bf16}
  y: {role: output, shape: [2, 4], dtype: bf16}
)";

TEST(Generate, ARepeatBecomesALoopAndItsTensorsGetCopies) {
  const auto trace = generate(kHead + R"(
stages:
  - stage run:
      tensors: {h: {shape: [2, 4], dtype: bf16}}
      body:
        - relu first: {in: x, out: h}
        - repeat layer:
            count: count
            tensors: {w: {role: weight, shape: [4, 4], dtype: bf16, per: [layer]}, z: {shape: [2, 4], dtype: bf16}}
            body:
              - linear mix: {in: [h, w], out: z}
              - add residual: {in: [h, z], out: h}
        - relu last: {in: h, out: y}
)");
  ASSERT_TRUE(trace) << render(trace.diagnostics());
  ASSERT_EQ(trace->loops.size(), 2U);
  EXPECT_EQ(trace->loops[1].count, 3U);
  EXPECT_EQ(trace->operators[1].name, "run.layer.mix");
  EXPECT_THAT(trace->operators[1].inputs[1].copy, ElementsAre(CopyIndex{1, 0}));
  EXPECT_EQ(trace->tensors[trace->operators[1].inputs[1].tensor].number_of_copies(), 3U);
  EXPECT_EQ(positions(*trace)[2].instances, 3U);
}

TEST(Generate, ABatchIsALoopAroundEachRunOfOperators) {
  const auto trace = generate(kHead + R"(
batch: count
stages:
  - stage run:
      tensors: {h: {shape: [2, 4], dtype: bf16}}
      body:
        - relu first: {in: x, out: h}
        - repeat layer:
            count: 2
            tensors: {w: {role: weight, shape: [4, 4], dtype: bf16, per: [layer]}, z: {shape: [2, 4], dtype: bf16}}
            body:
              - linear mix: {in: [h, w], out: z}
              - add residual: {in: [h, z], out: h}
        - relu last: {in: h, out: y}
)");
  ASSERT_TRUE(trace) << render(trace.diagnostics());
  EXPECT_TRUE(problems_of(*trace).empty());
  ASSERT_EQ(trace->loops.size(), 5U);  // the stage, its layers, and a loop for each of three runs
  const auto& mix = trace->operators[1];
  const std::uint32_t samples = mix.inputs[0].copy.at(0).loop;
  EXPECT_EQ(trace->loops[samples].name, "run.layer.sample");
  EXPECT_EQ(trace->loops[samples].count, 3U);
  EXPECT_THAT(mix.inputs[1].copy, ElementsAre(CopyIndex{1, 0}));  // the layer's weight, for all of them
  EXPECT_EQ(trace->tensors[mix.inputs[0].tensor].number_of_copies(), 3U);
  EXPECT_EQ(trace->operators[2].inputs[1].copy, mix.outputs[0].copy);
  EXPECT_EQ(positions(*trace)[1].instances, 6U);
  EXPECT_THAT(error(kHead + "batch: 0\nstages: []\n"), HasSubstr("batch: 0"));
}

TEST(Generate, TheLastIterationCanStandApart) {
  const auto text = kHead + R"(
stages:
  - stage run:
      body:
        - repeat layer:
            count: count
            split_last: 1
            tensors: {w: {role: weight, shape: [4, 4], dtype: bf16, per: [layer]}, z: {shape: [2, 4], dtype: bf16}}
            body:
              - linear mix: {in: [x, w], out: z}
              - relu dead: {in: z, out: z, dead: last}
        - relu last: {in: x, out: y}
)";
  const auto trace = generate(text);
  ASSERT_TRUE(trace) << render(trace.diagnostics());
  EXPECT_EQ(trace->loops[1].count, 3U - 1);
  EXPECT_EQ(trace->operators[2].name, "run.layer_last.mix");
  EXPECT_THAT(trace->operators[2].inputs[1].copy, ElementsAre(CopyIndex{CopyIndex::kFixed, 3 - 1}));
  EXPECT_FALSE(trace->operators[1].dead);
  EXPECT_TRUE(trace->operators[3].dead);
  EXPECT_EQ(generate(text, {"count=1"})->loops.size(), 1U);  // nothing but the last is left
}

TEST(Generate, BlocksTakeNumbersAndTensors) {
  const auto trace = generate(kHead + R"(
blocks:
  widen:
    numbers: [factor]
    arguments: [from, to]
    tensors:
      up: {role: weight, shape: [4, 4 * factor], dtype: bf16}
      down: {role: weight, shape: [4 * factor, 4], dtype: bf16}
      wide: {shape: [2, 4 * factor], dtype: bf16}
    body:
      - linear up: {in: [from, up], out: wide}
      - linear down: {in: [wide, down], out: to}
stages:
  - stage run:
      tensors: {h: {shape: [2, 4], dtype: bf16}}
      body:
        - widen a: {factor: 2, from: x, to: h}
        - widen b: {factor: count, from: h, to: y}
)");
  ASSERT_TRUE(trace) << render(trace.diagnostics());
  EXPECT_EQ(trace->operators[2].name, "run.b.up");
  EXPECT_THAT(trace->tensors[trace->operators[2].inputs[1].tensor].shape, ElementsAre(4U, 4U * 3));
  EXPECT_EQ(trace->tensors[trace->operators[2].inputs[0].tensor].name, "run.h");
}

TEST(Generate, ReferencesPickCopies) {
  const auto trace = generate(R"(workload: w
tensors:
  x: {role: input, shape: [2, 4], dtype: bf16, copies: [3]}
  y: {role: output, shape: [6, 4], dtype: bf16}
  z: {role: output, shape: [2, 4], dtype: bf16, copies: [4]}
stages:
  - stage run:
      repeat: 3
      loop: step
      body:
        - concat all: {in: "x[*]", out: y, axis: 0}
        - relu one: {in: "x[step]", out: "z[step + 1]"}
)");
  ASSERT_TRUE(trace) << render(trace.diagnostics());
  EXPECT_EQ(trace->operators[0].inputs.size(), 3U);
  EXPECT_THAT(trace->operators[1].outputs[0].copy, ElementsAre(CopyIndex{0, 1}));
}

TEST(Generate, SettingsChangeParametersAndAreRecorded) {
  const auto body = kHead + R"(
stages:
  - stage run: {repeat: count, body: [relu only: {in: x, out: y}]}
)";
  const auto trace = generate(body, {"count=5"});
  ASSERT_TRUE(trace) << render(trace.diagnostics());
  EXPECT_EQ(trace->loops[0].count, 5U);
  EXPECT_EQ(trace->parameters.at("count"), "5");
  EXPECT_THAT(error(body, {"count=10"}), HasSubstr("`count` is 10, outside 1 .. 9"));
  EXPECT_THAT(error(body, {"count=2.5"}), HasSubstr("`count` takes a whole number"));
  EXPECT_THAT(error(body, {"cont=5"}), HasSubstr("did you mean `count`?"));
  EXPECT_THAT(error(body, {"count.x=5"}), HasSubstr("the workload has no parameter `count.x`"));
  EXPECT_THAT(error(body, {"count"}), HasSubstr("error:"));
}

TEST(Generate, ABlockCannotUseItself) {
  EXPECT_THAT(error(kHead + R"(
blocks: {again: {body: [again x: {}]}}
stages: [stage run: {body: [again x: {}]}]
)"),
              HasSubstr("a block cannot use itself"));
}

TEST(Generate, TwoWeightsCannotShareAName) {
  EXPECT_THAT(error(kHead + R"(
blocks:
  mix:
    numbers: [n]
    tensors: {w: {role: weight, shape: [4, n], dtype: bf16}}
    body: [linear mix: {in: [x, w], out: y}]
stages: [stage run: {body: [mix: {n: 4}, mix: {n: 5}]}]
)"),
              HasSubstr("is declared twice, and differently"));
}

}  // namespace
}  // namespace archsim
