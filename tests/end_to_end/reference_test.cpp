// docs/reference is what the program prints: one page a model, none more. ARCHSIM_UPDATE_EXPECTED=1 writes the pages anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "models/catalog.h"
#include "tests/end_to_end/program.h"
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

TEST(Reference, HasNoPageOfAModelThatIsGone) {
  std::set<std::string> pages{"README.md"};
  for (const CatalogEntry& entry : catalog().entries()) pages.insert(entry.kind + "_" + entry.model + ".md");
  for (const auto& file : fs::directory_iterator(kPages)) {
    EXPECT_TRUE(pages.contains(file.path().filename().string())) << file.path();
  }
}

}  // namespace
}  // namespace archsim
