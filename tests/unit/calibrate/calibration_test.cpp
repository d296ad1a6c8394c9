#include "app/calibrate/calibration.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/calibrate/calibration_report.h"
#include "arch/describe/read_bytes.h"
#include "tests/source_dir.h"
#include "traces/import/import.h"

namespace archsim {
namespace {

using testing::HasSubstr;

const std::string kImports = std::string(ARCHSIM_SOURCE_DIR) + "/tests/data/imports/";

Trace sample_trace() {
  auto trace = import_trace(kImports + "txf2.execution_graph.json");
  EXPECT_TRUE(trace);
  return *std::move(trace);
}

Profile sample_profile() {
  const auto text = read_bytes(kImports + "txf2.kineto_like.json");
  EXPECT_TRUE(text);
  auto profile = read_profile(*text, "txf2");
  EXPECT_TRUE(profile);
  return *std::move(profile);
}

/// Every operator in 2 us, one at a time.
PredictedRun run_of(const Trace& trace) {
  PredictedRun run;
  for (const auto& op : trace.operators) run.operators.push_back({op.name, "", 2e-6});
  return run;
}

const CalibrationRow& row(const Calibration& found, const std::string& operators, const std::string& sizes) {
  for (const auto& one : found.rows) {
    if (one.operators == operators && one.sizes == sizes) return one;
  }
  ADD_FAILURE() << "no row of " << operators << " " << sizes;
  return found.rows.at(0);
}

// Mean of the file's calls of `name` whose first two shapes are these, in seconds.
double mean_in_file(const std::string& name, const std::string& first, const std::string& second) {
  const auto text = read_bytes(kImports + "txf2.kineto_like.json");
  double sum = 0.0;
  int calls = 0;
  const auto json = nlohmann::json::parse(*text);
  for (const auto& event : json["traceEvents"]) {
    const auto& dims = event["args"]["Input Dims"];
    if (event["name"] != name || dims[0].dump() != first || dims[1].dump() != second) continue;
    sum += event["dur"].get<double>();
    ++calls;
  }
  return sum * 1e-6 / calls;
}

TEST(Calibration, TheSamplesMeetByShape) {
  const Trace trace = sample_trace();
  const auto found = calibrate(trace, run_of(trace), sample_profile());
  const auto& qkv = row(found, "linear", "16x192x64");
  EXPECT_EQ(qkv.instances, 2U);
  EXPECT_EQ(qkv.measured_calls, 2U);
  EXPECT_DOUBLE_EQ(qkv.predicted_s, 2e-6);
  EXPECT_DOUBLE_EQ(qkv.measured_s, mean_in_file("aten::linear", "[1,16,64]", "[192,64]"));
  const auto& gelu = row(found, "gelu", "4096");
  EXPECT_DOUBLE_EQ(gelu.measured_s, mean_in_file("aten::gelu", "[1,16,256]", "[]"));
  EXPECT_GT(found.matched_measured_s / found.measured_s, 0.9);
  EXPECT_NEAR(found.predicted_s, 2e-6 * static_cast<double>(trace.operators.size()), 1e-12);
}

TEST(Calibration, NothingIsLost) {
  const Trace trace = sample_trace();
  const auto found = calibrate(trace, run_of(trace), sample_profile());
  double measured = found.matched_measured_s, predicted = found.matched_predicted_s;
  for (const auto& one : found.unpredicted) measured += one.time_s;
  for (const auto& one : found.unmeasured) predicted += one.time_s;
  EXPECT_NEAR(measured, found.measured_s, 1e-12);
  EXPECT_NEAR(predicted, found.predicted_s, 1e-12);
}

TEST(Calibration, WhatIsFusedAddsItsMeasuredTime) {
  const Trace trace = sample_trace();
  PredictedRun run = run_of(trace);
  for (std::size_t i = 0; i < trace.operators.size(); ++i) {
    if (trace.operators[i].type == OperatorType::gelu) run.operators[i].fused_into = trace.operators[i - 1].name;
  }
  const auto found = calibrate(trace, run, sample_profile());
  const auto& fused = row(found, "linear + gelu", "16x256x64");
  EXPECT_DOUBLE_EQ(fused.predicted_s, 2e-6);
  EXPECT_EQ(fused.calls, "aten::linear + aten::gelu");
  const Profile profile = sample_profile();
  const Measured* linear = profile.find({"product", {1, 16, 256, 64}, {}});
  ASSERT_NE(linear, nullptr);
  EXPECT_DOUBLE_EQ(fused.measured_s, linear->time_s / static_cast<double>(linear->calls) +
                                         mean_in_file("aten::gelu", "[1,16,256]", "[]"));
}

TEST(Calibration, ItsRatiosAreMeasuredOverPredicted) {
  const Trace trace = sample_trace();
  const auto found = calibrate(trace, run_of(trace), sample_profile());
  double product = 1.0;
  for (const auto& one : found.rows) product *= one.measured_s / 2e-6;
  EXPECT_NEAR(found.mean_ratio, std::pow(product, 1.0 / static_cast<double>(found.rows.size())),
              1e-9 * found.mean_ratio);
  const auto json = nlohmann::json::parse(calibration_json(found));
  EXPECT_EQ(json["schema"], "archsim.calibration/1");
  EXPECT_EQ(json["rows"].size(), found.rows.size());
}

TEST(PredictedRun, MistakesAreTold) {
  const auto told = [](const std::string& text) {
    const auto run = read_predicted_run(text, "r.json");
    return run ? std::string() : render(run.diagnostics());
  };
  EXPECT_THAT(told("{"), HasSubstr("is no JSON"));
  EXPECT_THAT(told("{\"schema\":\"archsim.probe/1\"}"), HasSubstr("its schema is not `archsim.run/1`"));
  EXPECT_THAT(told("{\"schema\":\"archsim.run/1\"}"), HasSubstr("has no operators"));
  EXPECT_THAT(told("{\"schema\":\"archsim.run/1\",\"operators\":[{\"name\":\"a\"}]}"),
              HasSubstr("operator 0 of `r.json`"));
}

}  // namespace
}  // namespace archsim
