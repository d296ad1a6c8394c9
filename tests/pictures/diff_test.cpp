// `archsim diff`: what changed between two runs, told beside their run.json files; its exit status as a gate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/program_run/program.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

class Diff : public testing::Test {
 protected:
  std::string run_file(const std::string& name, const std::vector<std::string>& settings = {},
                       const std::vector<std::string>& workload = {}) {
    std::vector<std::string> words{"--config",         kEdge,    "--trace", small_trace(folder_, workload), "--json",
                                   folder_.file(name), "--quiet"};
    for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
    const Outcome outcome = archsim_program(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return folder_.file(name);
  }
  static Json json_of(const std::string& path) { return Json::parse(text_of_file(path)); }
  static Json diff_of(const std::string& old, const std::string& now) {
    const Outcome outcome = archsim_program({"diff", old, now, "--format", "json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
  std::string written(const std::string& name, const Json& json) {
    std::ofstream(folder_.file(name)) << json.dump(1);
    return folder_.file(name);
  }
  TemporaryFolder folder_;
};

TEST_F(Diff, OfARunWithItselfIsNothing) {
  const std::string run = run_file("run.json");
  const Json diff = diff_of(run, run);
  EXPECT_TRUE(diff["settings"].empty());
  EXPECT_TRUE(diff["operators"].empty());
  EXPECT_TRUE(diff["workload"].empty());
  for (const Json& each : diff["quantities"]) EXPECT_EQ(each["change"], 0.0) << each["name"];
  EXPECT_EQ(archsim_program({"diff", run, run, "--fail-above", "0%"}).status, 0);
}

TEST_F(Diff, NamesWhatWasSetAndWhoGotSlower) {
  const std::string old = run_file("old.json");
  const std::string now = run_file("new.json", {"dram.channels=4", "npu[1].dma.outstanding=4", "npu.vector_lanes=64"});
  const Json diff = diff_of(old, now), before = json_of(old), after = json_of(now);
  const auto setting = [&](const std::string& path) {
    for (const Json& each : diff["settings"]) {
      if (each["path"] == path) return each;
    }
    return Json();
  };
  EXPECT_EQ(setting("dram.channels"),
            (Json{{"path", "dram.channels"}, {"old", "8"}, {"new", "4"}, {"acts_on", "dram"}}));
  EXPECT_EQ(setting("npu.vector_lanes")["acts_on"], "vector");
  EXPECT_EQ(setting("npu[1].dma.outstanding")["new"], "4");
  EXPECT_EQ(setting("npu[1].dma.outstanding")["acts_on"], "dma");
  EXPECT_EQ(diff["settings"].size(), 3U);
  // Stages add up to the whole change.
  double sum = 0.0;
  for (const Json& stage : diff["stages"]) sum += stage["new_time_s"].get<double>() - stage["old_time_s"].get<double>();
  EXPECT_NEAR(sum, after["time_s"].get<double>() - before["time_s"].get<double>(), 1e-12);
  // The operator that changed most is bound by the DRAM, of which half was taken away.
  const Json& first = diff["operators"].front();
  EXPECT_GT(first["new_time_s"].get<double>(), first["old_time_s"].get<double>());
  EXPECT_EQ(first["new_bound"], "dram");
  EXPECT_FALSE(first["why"].empty());
}

TEST_F(Diff, PassesOrFailsAsAGate) {
  const std::string old = run_file("old.json");
  Json json = json_of(old);
  const double time_s = json["time_s"];
  json["time_s"] = time_s * 1.03;
  const std::string slower = written("slower.json", json);
  json["time_s"] = time_s * 0.5;
  const std::string faster = written("faster.json", json);
  const auto status = [&](const std::string& now, const std::string& limit) {
    return archsim_program({"diff", old, now, "--fail-above", limit}).status;
  };
  EXPECT_EQ(status(slower, "2%"), 1);
  EXPECT_EQ(status(slower, "2.9 %"), 1);
  EXPECT_EQ(status(slower, "4%"), 0);
  EXPECT_EQ(status(faster, "0%"), 0);
  EXPECT_EQ(archsim_program({"diff", old, slower}).status, 0);
  const Outcome outcome = archsim_program({"diff", old, slower, "--fail-above", "2%"});
  EXPECT_THAT(outcome.err, HasSubstr("limit passed: time +3.0 %, more than 2 % allowed"));
}

TEST_F(Diff, GatesEnergyAndAreaWhereBothRunsHaveThem) {
  Json json = json_of(run_file("run.json"));
  json["ppa"] = {
      {"energy_j", {{"low", 0.5}, {"nominal", 1.0}, {"high", 2.0}}}, {"area_mm2", 40.0}, {"average_power_w", 9.0}};
  const std::string old = written("old.json", json);
  json["ppa"]["energy_j"]["nominal"] = 1.2;
  const std::string hungrier = written("hungrier.json", json);
  EXPECT_EQ(archsim_program({"diff", old, hungrier, "--fail-above", "10%"}).status, 1);
  EXPECT_EQ(archsim_program({"diff", old, hungrier, "--fail-above", "25%"}).status, 0);
  EXPECT_THAT(archsim_program({"diff", old, hungrier}).out, HasSubstr("+20.0 %"));
  json["ppa"]["energy_j"]["nominal"] = 1.0;
  json["ppa"]["area_mm2"] = 50.0;
  EXPECT_EQ(archsim_program({"diff", old, written("bigger.json", json), "--fail-above", "10%"}).status, 1);
  // A run without a technology says nothing about energy.
  json.erase("ppa");
  EXPECT_EQ(archsim_program({"diff", old, written("unpriced.json", json), "--fail-above", "10%"}).status, 0);
}

TEST_F(Diff, ToleratesAnotherTraceOfTheWorkload) {
  const Json diff = diff_of(run_file("old.json"), run_file("new.json", {}, {"steps=3"}));
  ASSERT_EQ(diff["workload"].size(), 1U);
  EXPECT_THAT(diff["workload"][0].get<std::string>(), HasSubstr("trace: "));
  EXPECT_TRUE(diff["settings"].empty());
  EXPECT_THAT(diff["operators"].front()["why"].dump(), HasSubstr("MACs +50.0 %"));
}

TEST_F(Diff, RefusesWhatIsNotComparable) {
  const std::string run = run_file("run.json");
  const auto refused = [&](const std::vector<std::string>& words, const std::string& why) {
    const Outcome outcome = archsim_program(words);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr(why));
  };
  Json json = json_of(run);
  json["trace"]["model"] = "openvla";
  refused({"diff", run, written("other.json", json)}, "not comparable");
  json = json_of(run);
  json["fidelity"] = "roofline";
  refused({"diff", run, written("rough.json", json)}, "fidelity");
  json = json_of(run);
  json["schema"] = "archsim.run/2";
  refused({"diff", run, written("later.json", json)}, "its schema is `archsim.run/2`");
  json = json_of(run);
  json["stages"][1].erase("time_s");
  json["operators"][0]["start_s"] = "soon";
  json["time_s"] = -1.0;
  const std::string broken = written("broken.json", json);
  refused({"diff", run, broken}, "`stages[1].time_s`");
  refused({"diff", run, broken}, "`operators[0].start_s`");
  refused({"diff", broken, run}, "has no `time_s` that is a number from 0 on");
  refused({"diff", run, kEdge}, "is a SoC file, not the result of a run");
  refused({"diff", run, folder_.file("none.json")}, "cannot read");
  std::ofstream(folder_.file("cut.json")) << text_of_file(run).substr(0, 5000);
  refused({"diff", run, folder_.file("cut.json")}, "is no JSON");
  std::ofstream(folder_.file("empty.json"));
  refused({"diff", run, folder_.file("empty.json")}, "it is empty");
  for (const char* limit : {"2", "-2%", "%", "two", "2%%", "nan%", "0x"})
    refused({"diff", run, run, "--fail-above", limit}, "is no limit");
}

TEST_F(Diff, TablesFitAHundredColumns) {
  const std::string old = run_file("old.json"), now = run_file("new.json", {"npu.rows=32", "l2.capacity=8 MiB"});
  const Outcome outcome = archsim_program({"diff", old, now});
  EXPECT_EQ(outcome.status, 0);
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  EXPECT_THAT(archsim_program({"diff", old, now, "--format", "markdown"}).out, HasSubstr("| npu.rows | 64 | 32 |"));
  EXPECT_THAT(archsim_program({"diff", old, now, "--format", "csv"}).out, HasSubstr("name,stage,old_time_s"));
}

}  // namespace
}  // namespace archsim
