#include "traces/measured/profile.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "arch/describe/read_bytes.h"
#include "tests/source_dir.h"

namespace archsim {
namespace {

using testing::HasSubstr;

const std::string kSample = std::string(ARCHSIM_SOURCE_DIR) + "/tests/data/imports/txf2.kineto_like.json";

std::string event(const std::string& category, const std::string& name, double start, double length,
                  const std::string& args = "{}", int thread = 1) {
  return fmt::format(R"({{"ph":"X","cat":"{}","name":"{}","pid":1,"tid":{},"ts":{},"dur":{},"args":{}}})", category,
                     name, thread, start, length, args);
}

Profile profile(const std::vector<std::string>& events) {
  const auto read = read_profile(fmt::format("{{\"traceEvents\":[{}]}}", fmt::join(events, ",")), "p.json");
  EXPECT_TRUE(read) << render(read.diagnostics());
  return *read;
}

std::string told(const std::string& text) {
  const auto read = read_profile(text, "p.json");
  return read ? "" : render(read.diagnostics());
}

constexpr auto kLinear = R"({"External id":7,"Input Dims":[[1,16,64],[192,64],[192]]})";

// The same file added up in another way: every event that lies in no other.
double outermost_seconds(const nlohmann::json& events) {
  double sum = 0.0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    bool is_inside = false;
    for (std::size_t j = 0; j < events.size(); ++j) {
      const double start = events[i]["ts"], outer = events[j]["ts"], length = events[j]["dur"], own = events[i]["dur"];
      const bool is_before = outer < start || (outer == start && (length > own || (length == own && j < i)));
      is_inside = is_inside || (j != i && is_before && start < outer + length);
    }
    if (!is_inside) sum += events[i]["dur"].get<double>();
  }
  return sum * 1e-6;
}

TEST(Profile, TheSampleIsWholeAndMostOfItUnderstood) {
  const auto text = read_bytes(kSample);
  ASSERT_TRUE(text);
  const auto read = read_profile(*text, kSample);
  ASSERT_TRUE(read) << render(read.diagnostics());
  EXPECT_NEAR(read->time_s, outermost_seconds(nlohmann::json::parse(*text)["traceEvents"]), 1e-9);
  EXPECT_FALSE(read->is_of_kernels);
  const Measured* qkv = read->find({"product", {1, 16, 192, 64}, {}});  // one in each of two layers
  ASSERT_NE(qkv, nullptr);
  EXPECT_EQ(qkv->calls, 2U);
  EXPECT_EQ(qkv->name, "aten::linear");
  double known = 0.0;
  for (const auto& one : read->known) known += one.time_s;
  EXPECT_GT(known / read->time_s, 0.9);
}

TEST(Profile, TheOutermostCallCountsWithItsChildren) {
  const auto found =
      profile({event("cpu_op", "aten::linear", 10, 100, kLinear),
               event("cpu_op", "aten::t", 12, 5, R"({"Input Dims":[[192,64]]})"),
               event("cpu_op", "aten::addmm", 20, 80, R"({"Input Dims":[[192],[16,64],[64,192],[],[]]})"),
               event("cpu_op", "aten::view", 110, 4), event("cpu_op", "aten::view", 120, 3)});
  ASSERT_EQ(found.known.size(), 1U);
  EXPECT_EQ(found.known[0].calls, 1U);
  EXPECT_DOUBLE_EQ(found.known[0].time_s, 100e-6);
  ASSERT_EQ(found.others.size(), 1U);
  EXPECT_EQ(found.others[0].name, "aten::view");
  EXPECT_EQ(found.others[0].calls, 2U);
  EXPECT_DOUBLE_EQ(found.others[0].time_s, 7e-6);
}

TEST(Profile, ACallThatIsNotUnderstoodLeavesItsOwnTimeOnly) {
  const auto found =
      profile({event("cpu_op", "aten::_fused_thing", 0, 100), event("cpu_op", "aten::linear", 10, 60, kLinear)});
  EXPECT_DOUBLE_EQ(found.known.at(0).time_s, 60e-6);
  EXPECT_DOUBLE_EQ(found.others.at(0).time_s, 40e-6);
  EXPECT_DOUBLE_EQ(found.time_s, 100e-6);
}

TEST(Profile, ThreadsDoNotNestInEachOther) {
  const auto found = profile(
      {event("cpu_op", "aten::linear", 0, 100, kLinear, 1), event("cpu_op", "aten::linear", 10, 50, kLinear, 2)});
  EXPECT_EQ(found.known.at(0).calls, 2U);
  EXPECT_DOUBLE_EQ(found.known.at(0).time_s, 150e-6);
}

TEST(Profile, KernelsCountForTheCallThatLaunchedThem) {
  const auto found = profile({event("cpu_op", "aten::linear", 10, 100, kLinear),
                              event("cpu_op", "aten::addmm", 20, 80, R"({"External id":8})"),
                              event("cuda_runtime", "cudaLaunchKernel", 30, 5, R"({"correlation":41})"),
                              event("kernel", "gemm", 500, 33, R"({"External id":8,"correlation":40})", 9),
                              event("kernel", "splitk", 540, 7, R"({"correlation":41})", 9),
                              event("gpu_memcpy", "HtoD", 600, 2, "{}", 9)});
  EXPECT_TRUE(found.is_of_kernels);
  ASSERT_EQ(found.known.size(), 1U);
  EXPECT_DOUBLE_EQ(found.known[0].time_s, 40e-6);
  ASSERT_EQ(found.others.size(), 1U);
  EXPECT_EQ(found.others[0].name, "HtoD");
  EXPECT_DOUBLE_EQ(found.time_s, 42e-6);
}

TEST(Profile, AnnotationsAroundCallsAreNotCounted) {
  const auto found =
      profile({event("user_annotation", "ProfilerStep#1", 0, 1000), event("cpu_op", "aten::linear", 10, 60, kLinear)});
  EXPECT_DOUBLE_EQ(found.time_s, 60e-6);
}

TEST(Profile, WithoutCallsEachEventStandsForTheOperatorOfItsName) {
  const auto found =
      profile({event("", "layers.0.q", 0, 10), event("", "layers.0.q", 20, 12), event("", "head", 40, 5)});
  const Measured* q = found.find({"named", {}, "layers.0.q"});
  ASSERT_NE(q, nullptr);
  EXPECT_EQ(q->calls, 2U);
  EXPECT_DOUBLE_EQ(q->time_s, 22e-6);
  EXPECT_TRUE(found.others.empty());
}

TEST(Profile, AListOfEventsMayStandAlone) {
  EXPECT_EQ(told("[" + event("cpu_op", "aten::linear", 0, 1, kLinear) + "]"), "");
}

TEST(Profile, MistakesAreTold) {
  EXPECT_THAT(told("{"), HasSubstr("`p.json` is no JSON, or is cut off"));
  EXPECT_THAT(told("{\"nodes\":[]}"), HasSubstr("has no list of `traceEvents`"));
  EXPECT_THAT(told("{\"traceEvents\":[{\"ph\":\"M\",\"name\":\"x\"}]}"), HasSubstr("has no complete events"));
  EXPECT_THAT(told("{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"x\",\"ts\":1}]}"),
              HasSubstr("event 0 of `p.json` has no"));
  EXPECT_THAT(told("{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"x\",\"ts\":1,\"dur\":-1}]}"), HasSubstr("event 0"));
  EXPECT_THAT(told("{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"x\",\"ts\":1,\"dur\":1e300}]}"), HasSubstr("event 0"));
}

}  // namespace
}  // namespace archsim
