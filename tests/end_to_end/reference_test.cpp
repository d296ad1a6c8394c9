// docs/reference is what the program prints: one page a model, none more. ARCHSIM_UPDATE_EXPECTED=1 writes the pages anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/catalog.h"
#include "tests/program_run/program.h"
#include "tests/source_dir.h"

namespace archsim {
namespace {

namespace fs = std::filesystem;
const fs::path kPages = fs::path(ARCHSIM_SOURCE_DIR) / "docs/reference";

TEST(Reference, PagesSayWhatTheTablesSay) {
  for (const CatalogEntry& entry : catalog().entries()) {
    const fs::path page = kPages / (entry.kind + "_" + entry.model + ".md");
    const Outcome outcome = archsim_program({"describe", entry.kind + "/" + entry.model, "--markdown"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    if (std::getenv("ARCHSIM_UPDATE_EXPECTED") != nullptr) std::ofstream(page) << outcome.out;
    EXPECT_EQ(text_of_file(page.string()), outcome.out) << "write " << page << " anew with ARCHSIM_UPDATE_EXPECTED=1";
  }
}

TEST(Reference, ThePageOfTheMappingSaysWhatItsTableSays) {
  const fs::path page = kPages / "mapping.md";
  const Outcome outcome = archsim_program({"describe", "mapping", "--markdown"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  if (std::getenv("ARCHSIM_UPDATE_EXPECTED") != nullptr) std::ofstream(page) << outcome.out;
  EXPECT_EQ(text_of_file(page.string()), outcome.out) << "write " << page << " anew with ARCHSIM_UPDATE_EXPECTED=1";
}

TEST(Reference, RtlPackagesSayWhatTheTablesSay) {
  const fs::path source(ARCHSIM_SOURCE_DIR);
  const std::string small = (source / "configs/soc/rtl_small.yaml").string();
  const std::vector<std::pair<std::string, std::vector<std::string>>> packages{
      {"accel_command_pkg.sv", {"describe", "--sv"}},
      {"accel_config_pkg.sv", {"describe", "accel/systolic", "--sv", "--config", small}}};
  for (const auto& [name, arguments] : packages) {
    const fs::path file = source / "accel-rtl/rtl/packages" / name;
    const Outcome outcome = archsim_program(arguments);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    if (std::getenv("ARCHSIM_UPDATE_EXPECTED") != nullptr) std::ofstream(file) << outcome.out;
    EXPECT_EQ(text_of_file(file.string()), outcome.out) << "write " << file << " anew with ARCHSIM_UPDATE_EXPECTED=1";
  }
}

TEST(Reference, OnlyTheAcceleratorHasAPackage) {
  const Outcome outcome = archsim_program({"describe", "cpu/cluster", "--sv"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("`cpu/cluster` has no package"), std::string::npos) << outcome.err;
}

TEST(Reference, HasNoPageOfAModelThatIsGone) {
  std::set<std::string> pages{"README.md", "mapping.md"};
  for (const CatalogEntry& entry : catalog().entries()) pages.insert(entry.kind + "_" + entry.model + ".md");
  for (const auto& file : fs::directory_iterator(kPages)) {
    EXPECT_TRUE(pages.contains(file.path().filename().string())) << file.path();
  }
}

}  // namespace
}  // namespace archsim
