// `archsim report` and `run --report`: the page as a browser has it, beside run.json.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/program_run/program.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

struct Seen {
  std::string dom, console;
};

class Report : public testing::Test {
 protected:
  void SetUp() override {
    const Outcome outcome = archsim_program(
        {"--config", kEdge, "--trace", small_trace(folder_), "--json", run_, "--quiet", "--report", page_});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }

  /// What the command prints; the browser's profile and home are in the test's own folder.
  std::string browser(const std::string& words, const std::string& page) {
    const std::string command = "HOME=" + folder_.file("home") +
                                " timeout 60 chromium --headless --no-sandbox --disable-gpu " +
                                "--disable-dev-shm-usage --hide-scrollbars --user-data-dir=" + folder_.file("profile") +
                                " --virtual-time-budget=3000 --enable-logging=stderr " + words + " file://" + page +
                                " 2>" + folder_.file("console");
    std::FILE* pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return {};
    std::string text;
    std::array<char, 1 << 16> buffer{};
    while (const auto got = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), got);
    EXPECT_EQ(::pclose(pipe), 0);
    // Messages of a page's scripts, errors among them.
    EXPECT_EQ(text_of_file(folder_.file("console")).find("CONSOLE"), std::string::npos)
        << text_of_file(folder_.file("console"));
    return text;
  }

  TemporaryFolder folder_;
  std::string run_ = folder_.file("run.json"), page_ = folder_.file("report.html");
};

double value_of(const std::string& dom, const std::string& card) {
  std::smatch match;
  const std::regex pattern("id=\"card-" + card + "\" data-value=\"([^\"]+)\"");
  return std::regex_search(dom, match, pattern) ? std::stod(match[1]) : -1.0;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t number = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++number;
  return number;
}

TEST_F(Report, ShowsTheNumbersOfRunJsonWithoutErrors) {
  const std::string dom = browser("--window-size=1280,900 --dump-dom", page_);
  const Json run = Json::parse(text_of_file(run_));
  ASSERT_NE(dom.find("data-ready=\"true\""), std::string::npos) << "its scripts did not come to their end";
  EXPECT_DOUBLE_EQ(value_of(dom, "time"), run["time_s"]);
  EXPECT_DOUBLE_EQ(value_of(dom, "efficiency"), run["roofline"]["bound_s"]);
  EXPECT_DOUBLE_EQ(value_of(dom, "macs"), run["macs"]);
  EXPECT_DOUBLE_EQ(value_of(dom, "dram"), run["dram_read_bytes"].get<double>() + run["dram_write_bytes"].get<double>());
  // Every chart has drawn: stages, roofline, overview, tornado, gap, engines, memory, energy, area.
  EXPECT_EQ(count(dom, "<svg "), 9U);
  for (const Json& stage : run["stages"]) EXPECT_NE(dom.find(stage["name"].get<std::string>()), std::string::npos);
  // By keyboard: a link past the navigation, tables that can be scrolled, columns that can be sorted.
  EXPECT_NE(dom.find("class=\"skip\""), std::string::npos);
  EXPECT_GE(count(dom, "tabindex=\"0\""), 5U);
  EXPECT_GE(count(dom, "<th scope=\"col\"><button type=\"button\""), 5U);
}

TEST_F(Report, FitsAPhoneInTheDarkAndPrints) {
  std::string page = text_of_file(page_);
  page.insert(page.rfind("</body>"),
              "<script>document.body.dataset.wide = document.documentElement.scrollWidth - window.innerWidth;"
              "document.body.dataset.ground = getComputedStyle(document.body).backgroundColor;</script>");
  std::ofstream(folder_.file("narrow.html")) << page;
  const std::string dom =
      browser("--window-size=390,844 --blink-settings=preferredColorScheme=0 --dump-dom", folder_.file("narrow.html"));
  EXPECT_NE(dom.find("data-ready=\"true\""), std::string::npos);
  EXPECT_NE(dom.find("data-wide=\"0\""), std::string::npos) << "something is wider than the window";
  EXPECT_NE(dom.find("data-ground=\"rgb(22, 24, 26)\""), std::string::npos) << "not dark";
  browser("--print-to-pdf=" + folder_.file("report.pdf"), page_);
  EXPECT_TRUE(text_of_file(folder_.file("report.pdf")).starts_with("%PDF"));
}

TEST_F(Report, IsTheSameFromTheFileOfTheRun) {
  ASSERT_EQ(archsim_program({"report", run_, "-o", folder_.file("again.html")}).status, 0);
  EXPECT_TRUE(text_of_file(folder_.file("again.html")) == text_of_file(page_));
}

TEST_F(Report, ShowsEnergyAndAreaWhereTheRunHasThem) {
  Json run = Json::parse(text_of_file(run_));
  run["ppa"] = {{"energy_j", {{"low", 0.5}, {"nominal", 0.75}, {"high", 1.5}}},
                {"average_power_w", 9.5},
                {"area_mm2", 41.5},
                {"energy_by_block_j", {{"npu0", 0.5}, {"dram", 0.25}}},
                {"area_by_block_mm2", {{"npu0", 30.0}, {"l2", 11.5}}},
                {"sources", {"a table of costs"}}};
  std::ofstream(folder_.file("priced.json")) << run.dump();
  ASSERT_EQ(archsim_program({"report", folder_.file("priced.json"), "-o", page_}).status, 0);
  const std::string dom = browser("--window-size=1280,900 --dump-dom", page_);
  EXPECT_DOUBLE_EQ(value_of(dom, "energy"), 0.75);
  EXPECT_DOUBLE_EQ(value_of(dom, "power"), 9.5);
  EXPECT_DOUBLE_EQ(value_of(dom, "area"), 41.5);
  EXPECT_EQ(count(dom, "<svg "), 9U);
  EXPECT_NE(dom.find("a table of costs"), std::string::npos);
}

TEST_F(Report, IsNotMadeOfAnythingElse) {
  EXPECT_EQ(archsim_program({"report", kEdge, "-o", page_}).status, 2);
  EXPECT_EQ(archsim_program({"report", run_, "-o", run_}).status, 2);
  EXPECT_EQ(archsim_program({"report", run_, "-o", folder_.file("no/such/report.html")}).status, 2);
}

}  // namespace
}  // namespace archsim
