// Each NAME.yaml here is a wrong workload file, and NAME.txt what archsim says about it. A first line "# set: a=1 b=2"
// gives settings. After a deliberate change of words, ARCHSIM_REWRITE=1 writes the .txt files anew: read the diff.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/source_dir.h"
#include "traces/generate/generate.h"

namespace archsim {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(ARCHSIM_SOURCE_DIR) / "tests/diagnostics/workload_files";

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> settings_of(const std::string& text) {
  const std::string mark = "# set: ";
  if (!text.starts_with(mark)) return {};
  std::istringstream words(text.substr(mark.size(), text.find('\n') - mark.size()));
  return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

std::vector<std::string> cases() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class WorkloadFile : public ::testing::TestWithParam<std::string> {};

TEST_P(WorkloadFile, IsRefusedInTheseWords) {
  const auto text = contents(kFolder / (GetParam() + ".yaml"));
  const auto trace = generate_trace(make_source(GetParam() + ".yaml", text), settings_of(text));
  ASSERT_FALSE(trace);
  const auto said = render(trace.diagnostics());
  const auto expected = kFolder / (GetParam() + ".txt");
  if (std::getenv("ARCHSIM_REWRITE")) std::ofstream(expected) << said;
  EXPECT_EQ(said, contents(expected));
}

INSTANTIATE_TEST_SUITE_P(Fixtures, WorkloadFile, ::testing::ValuesIn(cases()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace archsim
