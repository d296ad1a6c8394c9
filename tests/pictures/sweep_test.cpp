// Pictures of a sweep beside its points: the front in two and three objectives, and the page of parallel coordinates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sweep/analyse/pareto.h"
#include "tests/pictures/svg.h"
#include "tests/program_run/program.h"

namespace archsim {
namespace {

using testing::HasSubstr;

constexpr int kDisc = 7, kRing = 6;  // as gnuplot numbers points

class SweepPictures : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_.file("sweep.yaml"))
        << "sweep: machines\nsoc: configs/soc/edge_lpddr5.yaml\nset: {tech: n7}\nfidelity: roofline\n"
           "workload: {file: traces/workloads/tiny.yaml, set: {width: 512, mlp: 2048, tokens: 256, layers: 1, steps: "
           "1}}\n"
           "axes:\n  dram.channels: [4, 8, 16]\n  npu.rows: [16, 32, 64]\n  npu.cols: [16, 32, 64]\n"
           "constraints: [npu.rows * npu.cols <= 2048]\nobjectives: [latency, energy, area]\n";
    const auto outcome = archsim_program({"sweep", folder_.file("sweep.yaml"), "-o", folder_.file("results")});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    results_ = *read_results(folder_.file("results"));
    ASSERT_EQ(results_.rows.size(), 24U);
  }
  SvgPicture drawn(std::vector<std::string> words) {
    words.insert(words.begin(), {"pareto", folder_.file("results")});
    words.insert(words.end(), {"-o", folder_.file("front.svg")});
    const Outcome outcome = archsim_program(words);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "") << "gnuplot keeps quiet";
    return read_svg(text_of_file(folder_.file("front.svg")));
  }
  static std::vector<SvgMark> marks(const SvgPicture& picture, int kind) {
    std::vector<SvgMark> found;
    std::copy_if(picture.marks.begin(), picture.marks.end(), std::back_inserter(found),
                 [&](const SvgMark& mark) { return mark.kind == kind; });
    return found;
  }
  static bool has_text(const SvgPicture& picture, const std::string& text) {
    return std::any_of(picture.texts.begin(), picture.texts.end(),
                       [&](const SvgText& each) { return each.text.find(text) != std::string::npos; });
  }
  TemporaryFolder folder_;
  Results results_;
};

/// The value at a pixel of a linear axis, by its first and last ticks.
double value_at(const std::vector<std::pair<double, double>>& ticks, double pixel) {
  const auto [low, high] = std::minmax_element(ticks.begin(), ticks.end());
  return low->second + (pixel - low->first) / (high->first - low->first) * (high->second - low->second);
}

/// (pixel, value) of the ticks below the plot, or left of it. A text's baseline is some way below its tick.
std::vector<std::pair<double, double>> ticks(const SvgPicture& picture, bool is_below) {
  std::vector<std::pair<double, double>> found;
  for (const auto& each : picture.texts) {
    char* end = nullptr;
    const double value = std::strtod(each.text.c_str(), &end);
    if (each.text.empty() || *end != '\0' || each.anchor != (is_below ? "middle" : "end")) continue;
    found.emplace_back(is_below ? each.x : each.y - 0.325 * each.size, value);
  }
  return found;
}

TEST_F(SweepPictures, AFlatFrontIsAtItsNumbers) {
  const auto found = pareto(results_, "latency,area");
  const auto picture = drawn({"--objectives", "latency,area"});
  EXPECT_TRUE(has_text(picture, "latency, s"));
  EXPECT_TRUE(has_text(picture, "area, mm2"));
  const auto discs = marks(picture, kDisc), rings = marks(picture, kRing);
  // A disc a point and two in the key; a ring for the knee and one in the key.
  EXPECT_EQ(discs.size(), results_.rows.size() + 2);
  EXPECT_EQ(rings.size(), 2U);
  const auto below = ticks(picture, true), left = ticks(picture, false);
  ASSERT_GE(below.size(), 2U);
  ASSERT_GE(left.size(), 2U);
  for (const auto row : found->rows) {
    const double latency = results_.rows[row].metrics[0], area = results_.rows[row].metrics[2];
    EXPECT_TRUE(std::any_of(discs.begin(), discs.end(),
                            [&](const SvgMark& mark) {
                              return std::abs(value_at(below, mark.x) / latency - 1.0) < 0.01 &&
                                     std::abs(value_at(left, mark.y) / area - 1.0) < 0.01;
                            }))
        << latency << " s, " << area << " mm2";
  }
}

TEST_F(SweepPictures, AFrontInSpaceHasAllItsPoints) {
  const auto found = pareto(results_, "");
  ASSERT_EQ(found->columns.size(), 3U);
  const auto picture = drawn({});
  for (const char* label : {"latency, s", "energy, J", "area, mm2", "machines, roofline"})
    EXPECT_TRUE(has_text(picture, label)) << label;
  EXPECT_EQ(marks(picture, kDisc).size(), results_.rows.size() + (found->rows.size() < results_.rows.size() ? 2 : 1));
  EXPECT_EQ(marks(picture, kRing).size(), 2U);
}

TEST_F(SweepPictures, OneValueOfAnObjectiveMakesNoNoise) {
  const auto picture = drawn({"--where", "npu.rows = 16 and npu.cols = 16 and dram.channels = 4"});
  EXPECT_EQ(marks(picture, kDisc).size(), 2U) << "the point and its key";
}

TEST_F(SweepPictures, WhatCannotBeDrawnIsTold) {
  const auto one = archsim_program({"pareto", folder_.file("results"), "--objectives", "latency", "-o", "x.svg"});
  EXPECT_EQ(one.status, 2);
  EXPECT_THAT(one.err, HasSubstr("1 objectives make no picture"));
  const auto other = archsim_program({"pareto", folder_.file("results"), "-o", "x.bmp"});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("`x.bmp` ends in no form of picture"));
  const auto page = archsim_program({"sweep", "show", folder_.file("results"), "-o", "x.svg"});
  EXPECT_EQ(page.status, 2);
  EXPECT_THAT(page.err, HasSubstr("`x.svg` ends in no form of page"));
}

TEST_F(SweepPictures, ThePageDrawsALineAPointAndListsTheFront) {
  const std::string path = folder_.file("points.html");
  ASSERT_EQ(archsim_program({"sweep", "show", folder_.file("results"), "-o", path}).status, 0);
  const std::string html = text_of_file(path);
  for (const char* outside : {"src=\"http", "href=\"http", "@import"}) EXPECT_EQ(html.find(outside), std::string::npos);
  const auto begin = html.find("id=\"data\">") + 10, end = html.find("</script>", begin);
  const auto data = nlohmann::json::parse(html.substr(begin, end - begin))["sweep"];
  ASSERT_EQ(data["points"].size(), results_.rows.size());
  const auto found = pareto(results_, "");
  for (const auto& point : data["points"]) {
    const auto& row = results_.rows[point["id"].get<std::size_t>() - 1];
    EXPECT_EQ(point["axes"].get<std::vector<std::string>>(), row.axes);
    EXPECT_EQ(point["metrics"].get<std::vector<double>>(), row.metrics);
    const bool is_on_front = std::any_of(found->rows.begin(), found->rows.end(),
                                         [&](std::size_t each) { return results_.rows[each].id == row.id; });
    EXPECT_EQ(point["front"].get<bool>(), is_on_front);
  }
  EXPECT_EQ(data["axes"][1]["values"], (std::vector<std::string>{"16", "32", "64"}));
  const std::string command =
      "HOME=" + folder_.file("home") +
      " timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "
      "--user-data-dir=" +
      folder_.file("profile") +
      " --virtual-time-budget=3000 --enable-logging=stderr --window-size=1280,900 --dump-dom file://" + path + " 2>" +
      folder_.file("console");
  std::FILE* pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string dom;
  std::array<char, 1 << 16> buffer{};
  while (const auto got = std::fread(buffer.data(), 1, buffer.size(), pipe)) dom.append(buffer.data(), got);
  EXPECT_EQ(::pclose(pipe), 0);
  EXPECT_THAT(text_of_file(folder_.file("console")), testing::Not(HasSubstr("CONSOLE"))) << "an error in the page";
  const std::string chart = dom.substr(dom.find("id=\"parallel\""));
  for (const char* name : {"dram.channels", "npu.rows", "min latency", "min area"}) EXPECT_THAT(chart, HasSubstr(name));
  // The table has a row a point of the front, and its head.
  const std::string table = chart.substr(chart.find("<table"), chart.find("</table>") - chart.find("<table"));
  std::size_t rows = 0;
  for (auto at = table.find("<tr"); at != std::string::npos; at = table.find("<tr", at + 1)) ++rows;
  EXPECT_EQ(rows, found->rows.size() + 1);
}

}  // namespace
}  // namespace archsim
