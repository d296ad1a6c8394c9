// `run --timeline`: what a viewer needs of the file, and that it is of bounded size.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "app/timeline/recorder.h"
#include "tests/program_run/program.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;
using Track = std::pair<int, int>;

constexpr double kRounding = 2e-6;  // microseconds with six digits

class Timeline : public testing::Test {
 protected:
  void SetUp() override {
    const std::string file = folder_.file("timeline.json"), trace = small_trace(folder_);
    run_ = folder_.file("run.json");
    const Outcome outcome =
        archsim_program({"--config", kEdge, "--trace", trace, "--json", run_, "--quiet", "--timeline", file});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    timeline_ = Json::parse(text_of_file(file));
    for (const Json& event : timeline_["traceEvents"]) by_phase_[event["ph"]].push_back(event);
    run_json_ = Json::parse(text_of_file(run_));
    // Being watched changes nothing.
    EXPECT_EQ(text_of_file(run_), run_json_of(kEdge, trace).dump(1) + "\n");
  }

  std::map<Track, std::vector<Json>> tracks() const {
    std::map<Track, std::vector<Json>> tracks;
    for (const Json& slice : by_phase_.at("X"))
      tracks[Track(slice["pid"].get<int>(), slice["tid"].get<int>())].push_back(slice);
    return tracks;
  }

  TemporaryFolder folder_;
  std::string run_;
  Json timeline_, run_json_;
  std::map<std::string, std::vector<Json>> by_phase_;
};

TEST_F(Timeline, EveryTrackHasANameAndEveryEventATrack) {
  std::set<int> processes;
  std::set<Track> threads;
  std::set<std::string> names;
  for (const Json& meta : by_phase_["M"]) {
    if (meta["name"] == "process_name") processes.insert(meta["pid"].get<int>());
    if (meta["name"] == "thread_name") threads.insert(Track(meta["pid"].get<int>(), meta["tid"].get<int>()));
    if (meta["name"] == "process_name") names.insert(meta["args"]["name"]);
  }
  for (const char* block : {"npu0", "npu3", "cpu", "dram", "noc"}) EXPECT_TRUE(names.contains(block)) << block;
  for (const auto& [track, slices] : tracks()) {
    EXPECT_TRUE(threads.contains(track)) << track.first << " " << track.second;
    EXPECT_TRUE(processes.contains(track.first));
  }
  EXPECT_EQ(threads.size(), 1U + 4 * 4 + 1);  // stages, four engines of four accelerators, the host
}

TEST_F(Timeline, SlicesOfATrackFollowEachOtherWithinTheRun) {
  const double all = run_json_["time_s"].get<double>() * 1e6;
  for (const auto& [track, slices] : tracks()) {
    double end = 0.0;
    for (const Json& slice : slices) {
      EXPECT_FALSE(slice["name"].get<std::string>().empty());
      EXPECT_GT(slice["dur"].get<double>(), 0.0);
      EXPECT_GE(slice["ts"].get<double>(), end - kRounding) << slice.dump();
      end = slice["ts"].get<double>() + slice["dur"].get<double>();
    }
    EXPECT_LE(end, all + kRounding);
  }
}

TEST_F(Timeline, StagesAreThoseOfTheRun) {
  const auto stages = tracks()[Track(1, 1)];
  ASSERT_EQ(stages.size(), run_json_["stages"].size());
  for (std::size_t i = 0; i < stages.size(); ++i) {
    EXPECT_EQ(stages[i]["name"], run_json_["stages"][i]["name"]);
    EXPECT_NEAR(stages[i]["dur"].get<double>(), run_json_["stages"][i]["time_s"].get<double>() * 1e6, kRounding);
  }
}

TEST_F(Timeline, EnginesWereAsBusyAsTheRunSays) {
  const auto all = tracks();
  for (const char* block : {"npu0", "npu3"}) {
    int process = 0;
    for (const Json& meta : by_phase_["M"]) {
      if (meta["name"] == "process_name" && meta["args"]["name"] == block) process = meta["pid"];
    }
    double busy_us = 0.0;
    for (const Json& slice : all.at(Track(process, 2))) busy_us += slice["args"]["busy_us"].get<double>();
    EXPECT_NEAR(busy_us, run_json_["blocks"][block]["engines"]["array"]["busy_s"].get<double>() * 1e6, 0.01) << block;
  }
}

TEST_F(Timeline, CountersOfChannelsAndLinksAreShares) {
  std::map<std::string, double> last;
  std::map<std::string, double> most;
  for (const Json& counter : by_phase_["C"]) {
    const std::string name = counter["name"];
    const double value = counter["args"]["busy"], ts = counter["ts"];
    EXPECT_GE(value, 0.0);
    EXPECT_LE(value, 100.0);
    if (last.contains(name)) {
      EXPECT_GT(ts, last[name]) << name;
    }
    last[name] = ts;
    most[name] = std::max(most[name], value);
  }
  for (int i = 0; i < 8; ++i) EXPECT_GT(most["dram channel" + std::to_string(i) + " busy %"], 50.0) << i;
  EXPECT_GT(most["noc ejection busy %"], 10.0);
}

TEST_F(Timeline, ArrowsLeadFromSliceToSliceAndNotBackInTime) {
  ASSERT_EQ(by_phase_["s"].size(), by_phase_["f"].size());
  EXPECT_GT(by_phase_["s"].size(), 50U);
  const auto all = tracks();
  const auto is_within_a_slice = [&](const Json& end) {
    for (const Json& slice : all.at(Track(end["pid"].get<int>(), end["tid"].get<int>()))) {
      const double from = slice["ts"], to = from + slice["dur"].get<double>();
      if (end["ts"].get<double>() >= from - kRounding && end["ts"].get<double>() <= to + kRounding) return true;
    }
    return false;
  };
  for (std::size_t i = 0; i < by_phase_["s"].size(); ++i) {
    const Json &from = by_phase_["s"][i], &to = by_phase_["f"][i];
    EXPECT_EQ(from["id"], to["id"]);
    EXPECT_LE(from["ts"].get<double>(), to["ts"].get<double>() + kRounding);
    EXPECT_TRUE(is_within_a_slice(from)) << from.dump();
    EXPECT_TRUE(is_within_a_slice(to)) << to.dump();
  }
}

TEST(TimelineRecorder, JoinsNeighboursWhenThereIsTooMuch) {
  constexpr std::size_t kMost = 100;
  TimelineRecorder recorder(1, kMost);
  Time busy = Time::zero();
  constexpr std::uint64_t kPieces = 10'000;
  for (std::uint64_t i = 0; i < kPieces; ++i) {
    const Time start = 1_us * (2 * i);
    recorder.work({.operator_index = 0,
                   .iteration = i,
                   .engine = Engine::array,
                   .start = start,
                   .end = start + 1_us,
                   .busy = 1_us});
    busy += 1_us;
  }
  const auto& track = recorder.tracks()[static_cast<std::size_t>(Engine::array)];
  EXPECT_LE(track.size(), kMost);
  EXPECT_GT(recorder.resolution(), Time::zero());
  Time sum = Time::zero(), end = Time::zero();
  std::uint64_t pieces = 0;
  for (const TimelineSlice& slice : track) {
    EXPECT_GE(slice.start, end);
    end = slice.end;
    sum += slice.busy;
    pieces += slice.slices;
  }
  EXPECT_EQ(sum, busy);
  EXPECT_EQ(pieces, kPieces);
  EXPECT_EQ(end, 1_us * (2 * kPieces - 1));
}

TEST(TimelineRecorder, ThinsSamplesAndKeepsTheirMean) {
  TimelineRecorder recorder(1);
  constexpr std::uint64_t kSamples = 10'000;
  for (std::uint64_t i = 1; i <= kSamples; ++i) {
    // A quarter busy all the time.
    recorder.sample(1_us * i, {{.name = "dram", .engines = {{.name = "channel0", .busy = 250_ns * i}}}});
  }
  ASSERT_EQ(recorder.counters().size(), 1U);
  EXPECT_LE(recorder.sample_times().size(), TimelineRecorder::kMostSamples);
  EXPECT_EQ(recorder.sample_times().size(), recorder.counters().front().busy.size());
  for (const double busy : recorder.counters().front().busy) EXPECT_NEAR(busy, 0.25, 1e-9);
}

}  // namespace
}  // namespace archsim
