#include "tests/diagnostics/fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/source_dir.h"

namespace archsim {

namespace fs = std::filesystem;

std::vector<std::string> fixtures_in(const std::string& folder) {
  fs::current_path(ARCHSIM_SOURCE_DIR);
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    const bool is_input = extension != ".expected" && extension != ".cpp" && extension != ".h";
    if (entry.is_regular_file() && is_input) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string fixture_name(const std::string& path) { return fs::path(path).stem().string(); }

void expect_text(const std::string& path, const std::string& actual) {
  const fs::path expected = fs::path(path).replace_extension(".expected");
  if (std::getenv("ARCHSIM_UPDATE_EXPECTED") != nullptr) {
    std::ofstream(expected, std::ios::binary) << actual;
    return;
  }
  std::ifstream file(expected, std::ios::binary);
  ASSERT_TRUE(file) << "there is no " << expected;
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(actual, text);
}

}  // namespace archsim
