// `archsim roofline -o`: the picture read back beside the run.json that it was drawn of.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/pictures/roofline/scene/occupied.h"
#include "tests/pictures/svg.h"
#include "tests/program_run/program.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto kHumanoid = "configs/soc/humanoid_hbm3.yaml";

/// An operator of run.json with what was fused into it.
struct Expected {
  double macs = 0.0, elements = 0.0, bytes = 0.0, time_s = 0.0;
  bool is_on_host = false;
  std::vector<std::pair<double, double>> windows;

  double work() const { return macs > 0.0 ? macs : elements; }
  double rate() const { return work() / time_s; }
};

/// By the operator that leads.
std::map<std::string, Expected> expected_of(const Json& run) {
  std::map<std::string, Json> work;
  for (const Json& each : run["work"]) work[each["name"]] = each;
  std::map<std::string, Expected> groups;
  for (const Json& row : run["operators"]) {
    const std::string name = row["name"], lead = row["fused_into"];
    Expected& group = groups[lead.empty() ? name : lead];
    group.macs += row["macs"].get<double>();
    group.bytes += row["dram_bytes"].get<double>();
    group.elements += work[name]["vector_elements"].get<double>();
    group.is_on_host = row["engine"] == "host";
    group.windows.emplace_back(row["start_s"], row["end_s"]);
  }
  for (auto& [name, group] : groups) {
    // Nanosecond by nanosecond would do; sorted, each adds what lies beyond the ones before.
    std::sort(group.windows.begin(), group.windows.end());
    double end = 0.0;
    for (const auto& [from, to] : group.windows)
      group.time_s += std::max(0.0, to - std::max(from, end)), end = std::max(end, to);
  }
  std::erase_if(groups, [](const auto& group) { return group.second.is_on_host || group.second.work() == 0.0; });
  return groups;
}

class RooflinePicture : public testing::Test {
 protected:
  std::string run_file(const std::string& config, const std::string& name, const std::string& setting = "dtype=int8") {
    const std::string path = folder_.file(name);
    const Outcome outcome =
        archsim_program({"--config", config, "--trace", small_trace(folder_, {setting}), "--json", path, "--quiet"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return path;
  }
  std::string drawn(std::vector<std::string> words, const std::string& name) {
    words.insert(words.begin(), "roofline");
    words.insert(words.end(), {"-o", folder_.file(name)});
    const Outcome outcome = archsim_program(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return text_of_file(folder_.file(name));
  }
  TemporaryFolder folder_;
};

/// Marks within the plot; the legend's stand right of it.
std::vector<SvgMark> dots_of(const SvgPicture& picture, int kind) {
  std::vector<SvgMark> dots;
  for (const SvgMark& mark : picture.marks) {
    if (mark.kind == kind && mark.x < 1021.0) dots.push_back(mark);
  }
  return dots;
}

TEST_F(RooflinePicture, DotsStandWhereRunJsonHasThem) {
  const std::string path = run_file(kEdge, "run.json");
  const SvgPicture picture = read_svg(drawn({path}, "roof.svg"));
  const auto groups = expected_of(Json::parse(text_of_file(path)));
  ASSERT_GT(groups.size(), 15U);
  double longest = 0.0;
  for (const auto& [name, group] : groups) longest = std::max(longest, group.time_s);
  auto discs = dots_of(picture, 7), triangles = dots_of(picture, 9);
  EXPECT_EQ(discs.size() + triangles.size(), groups.size());
  for (const auto& [name, group] : groups) {
    auto& marks = group.macs > 0.0 ? discs : triangles;
    // A pixel of 1280 is about 2 % of a value; a radius 24 stands for the longest. Of marks that close, the closest.
    const auto off = [&](const SvgMark& mark) {
      const double high = std::abs(std::log(picture.y_value(mark.y) / group.rate()));
      const double across = group.bytes > 0.0 ? std::abs(std::log(picture.x_value(mark.x) * group.bytes / group.work()))
                                              : (mark.x > 930.0 ? 0.0 : 1.0);
      const double radius = std::max(3.5, 24.0 * std::sqrt(group.time_s / longest));
      const bool is_as_large = group.macs == 0.0 || std::abs(mark.scale - radius) < 0.6;
      return is_as_large ? std::max(high, across) : 1.0;
    };
    const auto found = std::min_element(marks.begin(), marks.end(),
                                        [&](const SvgMark& a, const SvgMark& b) { return off(a) < off(b); });
    ASSERT_NE(found, marks.end()) << name;
    ASSERT_LT(off(*found), 0.02) << name << " at " << group.work() / group.bytes << ", " << group.rate();
    marks.erase(found);
  }
}

TEST_F(RooflinePicture, LinesAreTheCeilingsOfRunJson) {
  const std::string path = run_file(kEdge, "run.json");
  const SvgPicture picture = read_svg(drawn({path}, "roof.svg"));
  const Json ceilings = Json::parse(text_of_file(path))["roofline"]["ceilings"];
  const auto is_drawn = [&](const auto& is_it) {
    return std::any_of(picture.lines.begin(), picture.lines.end(), [&](const auto& line) {
      return line[1].first > line[0].first + 30.0 &&
             is_it(picture.x_value(line[0].first), picture.y_value(line[0].second), picture.x_value(line[1].first),
                   picture.y_value(line[1].second));
    });
  };
  const auto is_near = [](double a, double b) { return std::abs(std::log(a / b)) < 0.02; };
  double top = 0.0;
  for (const auto& [dtype, rate] : ceilings["macs_per_s"].items()) {
    top = std::max(top, rate.get<double>());
    EXPECT_TRUE(is_drawn([&, peak = rate.get<double>()](double, double y0, double, double y1) {
      return is_near(y0, peak) && is_near(y1, peak);
    })) << dtype;
  }
  // By hand: 4 accelerators of 64 x 64 at 1 GHz, 128 lanes each; 16 banks of 64 B; 8 channels of 12.8 GB/s.
  EXPECT_DOUBLE_EQ(top, 4 * 64 * 64 * 1e9);
  EXPECT_DOUBLE_EQ(ceilings["vector_elements_per_s"], 4 * 128 * 1e9);
  EXPECT_DOUBLE_EQ(ceilings["memories"].front()["bytes_per_s"], 4 * 16 * 64 * 1e9);
  EXPECT_EQ(ceilings["memories"].front()["name"], "scratchpad");
  EXPECT_DOUBLE_EQ(ceilings["memories"].back()["bytes_per_s"], 8 * 12.8e9);
  EXPECT_EQ(ceilings["memories"].back()["name"], "dram");
  EXPECT_EQ(ceilings["memories"].size(), 4U);
  for (const Json& memory : ceilings["memories"]) {
    for (const char* key : {"bytes_per_s", "achievable_bytes_per_s"}) {
      const double rate = memory[key];
      EXPECT_TRUE(is_drawn([&](double x0, double y0, double x1, double y1) {
        return is_near(y0 / x0, rate) && is_near(y1 / x1, rate) && is_near(x1, top / rate);
      })) << memory["name"]
          << " " << key;
    }
  }
}

TEST_F(RooflinePicture, LabelsDoNotOverlap) {
  const std::string edge = run_file(kEdge, "edge.json"), humanoid = run_file(kHumanoid, "humanoid.json");
  const std::vector<std::vector<std::string>> all{{edge},
                                                  {humanoid},
                                                  {edge, humanoid},
                                                  {edge, "--color-by", "stage"},
                                                  {edge, humanoid, "--color-by", "bound"},
                                                  {"--config", kHumanoid, "--trace", small_trace(folder_)}};
  for (const auto& words : all) {
    const SvgPicture picture = read_svg(drawn(words, "roof.svg"));
    ASSERT_GT(picture.texts.size(), 20U);
    Occupied occupied(box_around({640.0, 360.0}, 640.0, 360.0));
    for (const SvgText& text : picture.texts) {
      if (text.text.empty() || text.anchor != "start") continue;
      // A text as wide as DejaVu Sans makes it at the mean.
      const TextBox box = box_of_text(text.text, text.size * 0.95, {text.x, text.y}, text.degrees);
      EXPECT_TRUE(occupied.is_free(box)) << text.text;
      occupied.add(box);
    }
  }
}

TEST_F(RooflinePicture, HasEveryRunOnOnePlot) {
  const std::string edge = run_file(kEdge, "edge.json"), humanoid = run_file(kHumanoid, "humanoid.json");
  const SvgPicture picture = read_svg(drawn({edge, humanoid}, "both.svg"));
  const auto number = [&](const std::string& path) { return expected_of(Json::parse(text_of_file(path))).size(); };
  EXPECT_EQ(dots_of(picture, 7).size() + dots_of(picture, 9).size(), number(edge) + number(humanoid));
}

TEST_F(RooflinePicture, IsDrawnInEveryFormat) {
  const std::string path = run_file(kEdge, "run.json");
  EXPECT_TRUE(drawn({path}, "roof.png").starts_with("\x89PNG"));
  EXPECT_TRUE(drawn({path}, "roof.pdf").starts_with("%PDF"));
  EXPECT_EQ(drawn({path}, "a.svg"), drawn({path}, "b.svg"));
}

TEST_F(RooflinePicture, TakesNamesWithSignsOfItsLanguages) {
  const std::string path = run_file(kEdge, "run.json");
  Json run = Json::parse(text_of_file(path));
  const std::string odd = "a'b\"<c>&d_{e}\\n`f` $g </script><b>";
  run["trace"]["model"] = odd;
  std::ofstream(folder_.file("odd.json")) << run.dump();
  const SvgPicture picture = read_svg(drawn({folder_.file("odd.json")}, "odd.svg"));
  EXPECT_TRUE(std::any_of(picture.texts.begin(), picture.texts.end(),
                          [&](const SvgText& text) { return text.text == odd + " on edge_lpddr5"; }));
  EXPECT_EQ(drawn({folder_.file("odd.json")}, "odd.html").find("</script><b>"), std::string::npos);
}

TEST_F(RooflinePicture, PageHoldsTheNumbersAndFetchesNothing) {
  const std::string path = run_file(kEdge, "run.json");
  const std::string page = drawn({path}, "roof.html");
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const auto from = page.find(begin) + begin.size();
  const Json data = Json::parse(page.substr(from, page.find("</script>", from) - from));
  const auto groups = expected_of(Json::parse(text_of_file(path)));
  const Json& dots = data["roofline"]["runs"].front()["dots"];
  ASSERT_EQ(dots.size(), groups.size());
  for (const Json& dot : dots) {
    EXPECT_TRUE(std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
      return std::abs(dot["time_s"].get<double>() - group.second.time_s) < 1e-12 &&
             std::abs(dot["rate"].get<double>() / group.second.rate() - 1.0) < 1e-9 &&
             dot["bytes"].get<double>() == group.second.bytes;
    })) << dot["name"];
    EXPECT_NE(dot["operands"], "");
  }
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  for (const char* loads : {"<link", "<script src", "@import"}) EXPECT_EQ(page.find(loads), std::string::npos) << loads;
}

TEST_F(RooflinePicture, OfNoRunHasEveryOperatorUnderItsRoof) {
  const SvgPicture picture = read_svg(drawn({"--config", kEdge, "--trace", small_trace(folder_)}, "bound.svg"));
  const auto discs = dots_of(picture, 7);
  EXPECT_GT(discs.size(), 10U);
  for (const SvgMark& dot : discs) {
    const double x = picture.x_value(dot.x), y = picture.y_value(dot.y);
    EXPECT_LE(y, 1.02 * std::min(16.384e12, x * 102.4e9));
  }
}

}  // namespace
}  // namespace archsim
