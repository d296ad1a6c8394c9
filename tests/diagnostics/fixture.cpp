#include "tests/diagnostics/fixture.h"

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

testing::AssertionResult is_expected_for(const std::string& path, const std::string& actual) {
  const fs::path expected = fs::path(path).replace_extension(".expected");
  std::ifstream file(expected, std::ios::binary);
  const bool exists = file.is_open();
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (exists && actual == text) return testing::AssertionSuccess();
  if (std::getenv("ARCHSIM_UPDATE_EXPECTED") != nullptr) {
    std::ofstream(expected, std::ios::binary) << actual;
    return testing::AssertionFailure() << expected << " is written anew: read it";
  }
  if (!exists) return testing::AssertionFailure() << "there is no " << expected << "; said was:\n" << actual;
  return testing::AssertionFailure() << expected << " says:\n" << text << "\nbut said was:\n" << actual;
}

}  // namespace archsim
