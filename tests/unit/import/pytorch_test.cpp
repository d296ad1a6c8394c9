#include <fmt/format.h>
#include <gmock/gmock.h>

#include "arch/workload/count.h"
#include "tests/source_dir.h"
#include "traces/file/write_trace.h"
#include "traces/import/import.h"
#include "traces/import/pytorch/execution_trace.h"

namespace archsim {
namespace {

using testing::HasSubstr;

const std::string kSample = std::string(ARCHSIM_SOURCE_DIR) + "/tests/data/imports/txf2.execution_graph.json";

std::string tensor(int id, const std::string& storage) { return fmt::format("[{},{},0,1,4,\"cpu\"]", id, storage); }

struct Value {
  std::string value, shape, type;
};
Value floats(int id, const std::string& shape) {
  return {tensor(id, std::to_string(id + 1000)), shape, "Tensor(float)"};
}

std::string joined(const std::vector<Value>& all, std::string Value::*part, bool quoted) {
  std::string text;
  for (const auto& each : all) {
    const std::string one = quoted ? "\"" + each.*part + "\"" : each.*part;
    text += (text.empty() ? "" : ",") + one;
  }
  return "[" + text + "]";
}

std::string three(const std::vector<Value>& all) {
  return fmt::format("{{\"values\":{},\"shapes\":{},\"types\":{}}}", joined(all, &Value::value, false),
                     joined(all, &Value::shape, false), joined(all, &Value::type, true));
}

/// A node of schema 1.1.
std::string node(int id, int parent, const std::string& name, const std::vector<Value>& in,
                 const std::vector<Value>& out) {
  return fmt::format("{{\"id\":{},\"name\":\"{}\",\"ctrl_deps\":{},\"inputs\":{},\"outputs\":{},\"attrs\":[]}}", id,
                     name, parent, three(in), three(out));
}

Checked<Trace> imported(const std::vector<std::string>& nodes) {
  std::string text;
  for (const auto& each : nodes) text += (text.empty() ? "" : ",") + each;
  return import_execution_trace("{\"schema\":\"1.1.1-chakra.0.0.4\",\"nodes\":[" + text + "]}", "net", "net.json");
}

std::vector<std::string> types(const Trace& trace) {
  std::vector<std::string> out;
  for (const auto& op : trace.operators) out.emplace_back(name_of(op.type));
  return out;
}

TEST(ExecutionTrace, TheSampleHasTheMacsOfItsNetwork) {
  const auto trace = import_trace(kSample);
  ASSERT_TRUE(trace) << render(trace.diagnostics());
  const auto counts = count(*trace);
  const std::uint64_t tokens = 16, width = 64, vocabulary = 256;
  const auto projections = tokens * width * (3 * width + width + 4 * width + 4 * width);
  const auto scores = 2 * tokens * tokens * width;
  EXPECT_EQ(counts.macs, 2 * (projections + scores) + tokens * width * vocabulary);
  // Weights and biases of two blocks, their norms, the last norm, the table and the head.
  const auto block = 12 * width * width + (3 + 1 + 4 + 1) * width + 4 * width;
  EXPECT_EQ(counts.parameters, 2 * block + 2 * width + 2 * vocabulary * width);
}

TEST(ExecutionTrace, EqualFilesGiveEqualBytes) {
  const auto a = import_trace(kSample), b = import_trace(kSample);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(trace_bytes(*a), trace_bytes(*b));
}

TEST(ExecutionTrace, OnlyTheOutermostKnownOperatorCounts) {
  const auto trace =
      imported({node(2, 1, "aten::linear", {floats(1, "[4,8]"), floats(2, "[16,8]")}, {floats(3, "[4,16]")}),
                node(3, 2, "aten::mm", {floats(1, "[4,8]"), floats(4, "[8,16]")}, {floats(3, "[4,16]")})});
  ASSERT_TRUE(trace) << render(trace.diagnostics());
  EXPECT_THAT(types(*trace), testing::ElementsAre("linear"));
  EXPECT_EQ(count(*trace).macs, 4U * 8 * 16);
}

TEST(ExecutionTrace, AConvolutionStaysInItsLayout) {
  const Value two{"[2,2]", "[[],[]]", "GenericList[Int,Int]"}, one{"[1,1]", "[[],[]]", "GenericList[Int,Int]"};
  const Value groups{"1", "[]", "Int"}, none{"\"<None>\"", "[]", "None"};
  const auto trace = imported(
      {node(2, 1, "aten::conv2d", {floats(1, "[2,3,32,32]"), floats(2, "[16,3,3,3]"), none, two, one, one, groups},
            {floats(3, "[2,16,16,16]")}),
       node(3, 1, "aten::relu_", {floats(3, "[2,16,16,16]")}, {floats(3, "[2,16,16,16]")}),
       node(4, 1, "aten::conv2d",
            {floats(3, "[2,16,16,16]"),
             floats(5, "[8,16,1,1]"),
             none,
             one,
             {"[0,0]", "[[],[]]", "GenericList[Int,Int]"},
             one,
             groups},
            {floats(6, "[2,8,16,16]")})});
  ASSERT_TRUE(trace) << render(trace.diagnostics());
  EXPECT_THAT(types(*trace), testing::ElementsAre("im2col", "linear", "relu", "linear"));
  EXPECT_EQ(count(*trace).macs, 2U * 256 * (27 * 16 + 16 * 8));
}

TEST(ExecutionTrace, AttentionHasItsHeadsAndSharesItsKeys) {
  const Value none{"\"<None>\"", "[]", "None"}, zero{"0.0", "[]", "Double"}, yes{"true", "[]", "Bool"};
  const auto trace =
      imported({node(2, 1, "aten::scaled_dot_product_attention",
                     {floats(1, "[2,8,10,64]"), floats(2, "[2,2,12,64]"), floats(3, "[2,2,12,64]"), none, zero, yes},
                     {floats(4, "[2,8,10,64]")})});
  ASSERT_TRUE(trace) << render(trace.diagnostics());
  EXPECT_EQ(count(*trace).attention_macs, 2U * 2 * 8 * 10 * 12 * 64);
  EXPECT_EQ(trace->operators[0].text("mask", "none"), "causal");
}

TEST(ExecutionTrace, EverythingUnknownIsToldAtOnce) {
  const auto trace = imported({node(2, 1, "aten::cumprod", {floats(1, "[4,8]")}, {floats(2, "[4,8]")}),
                               node(3, 1, "mylib::fused", {floats(2, "[4,8]")}, {floats(3, "[4,8]")}),
                               node(4, 1, "aten::cumprod", {floats(3, "[4,8]")}, {floats(4, "[4,8]")}),
                               node(5, 1, "nccl:all_reduce", {floats(4, "[4,8]")}, {})});
  ASSERT_FALSE(trace);
  const auto said = render(trace.diagnostics());
  EXPECT_THAT(said, HasSubstr("`aten::cumprod` is not known, and nothing that it calls makes its result (node 2, 4)"));
  EXPECT_THAT(said, HasSubstr("`mylib::fused`"));
  EXPECT_THAT(said, HasSubstr("`nccl:all_reduce` talks to other chips"));
}

TEST(ExecutionTrace, AnUnknownCompositeIsWhatItCalls) {
  const auto trace =
      imported({node(2, 1, "aten::mlp", {floats(1, "[4,8]"), floats(2, "[16,8]")}, {floats(3, "[4,16]")}),
                node(3, 2, "aten::linear", {floats(1, "[4,8]"), floats(2, "[16,8]")}, {floats(3, "[4,16]")})});
  ASSERT_TRUE(trace) << render(trace.diagnostics());
  EXPECT_THAT(types(*trace), testing::ElementsAre("linear"));
}

TEST(ExecutionTrace, BrokenFilesAreErrors) {
  for (const std::string text :
       {"", "{", "[]", "{\"schema\":\"2.0.0\",\"nodes\":[]}", "{\"schema\":\"1.0.1\",\"nodes\":[{}]}",
        "{\"schema\":\"1.0.1\",\"nodes\":[1]}", "{\"schema\":\"1.0.1\",\"nodes\":[]}"}) {
    EXPECT_FALSE(import_execution_trace(text, "net", "net.json")) << text;
  }
}

}  // namespace
}  // namespace archsim
