#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/source_dir.h"
#include "tests/unit/layering/arrows.h"

namespace archsim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Layering, EveryIncludeInTheRepositoryFollowsTheArrows) {
  const std::filesystem::path root = ARCHSIM_SOURCE_DIR;
  int files = 0;
  for (const char* top : {"arch", "models", "traces", "sweep", "app", "accel-rtl", "tests"}) {
    if (!std::filesystem::exists(root / top)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      EXPECT_THAT(broken_arrows(std::filesystem::relative(entry.path(), root).string(), text.str()), IsEmpty());
      ++files;
    }
  }
  EXPECT_GT(files, 5) << "the walk found hardly any source: is " << root << " the repository?";
}

TEST(Layering, AnArrowUpwardsIsFound) {
  EXPECT_THAT(broken_arrows("arch/units/text.h", "#pragma once\n#include \"arch/describe/fields.h\"\n"),
              ElementsAre("arch/units/text.h:2: arch/units must not see arch/describe"));
}

TEST(Layering, ModelsAndTracesDoNotSeeEachOther) {
  EXPECT_THAT(broken_arrows("models/a.cpp", "  #  include \"traces/reader.h\""),
              ElementsAre("models/a.cpp:1: models must not see traces"));
  EXPECT_THAT(broken_arrows("traces/a.cpp", "#include \"models/catalog.h\""),
              ElementsAre("traces/a.cpp:1: traces must not see models"));
}

TEST(Layering, MappingSeesNoSystemc) {
  EXPECT_THAT(broken_arrows("arch/mapping/tile.cpp", "#include <systemc>\n#include \"arch/block/model.h\"\n"),
              ElementsAre("arch/mapping/tile.cpp:1: arch/mapping must not include SystemC",
                          "arch/mapping/tile.cpp:2: arch/mapping must not see arch/block"));
  EXPECT_THAT(broken_arrows("app/run.cpp", "#include <tlm_utils/simple_target_socket.h>"),
              ElementsAre("app/run.cpp:1: app must not include SystemC"));
}

TEST(Layering, IncludePathsStartAtTheRoot) {
  EXPECT_THAT(broken_arrows("models/dram/banked.cpp", "#include \"banked.h\""),
              ElementsAre("models/dram/banked.cpp:1: `banked.h` does not start at a folder that models may see"));
}

TEST(Layering, SlowHeadersStayOutOfHeaders) {
  EXPECT_THAT(broken_arrows("app/request.h", "#include <CLI/CLI.hpp>"),
              ElementsAre("app/request.h:1: `CLI/CLI.hpp` must not be included in a header"));
  EXPECT_THAT(broken_arrows("app/request.cpp", "#include <CLI/CLI.hpp>"), IsEmpty());
}

TEST(Layering, DownwardArrowsAreAllowedThroughOthers) {
  EXPECT_THAT(broken_arrows("app/run.cpp", "#include \"arch/units/quantity.h\"\n#include \"models/catalog.h\"\n"),
              IsEmpty());
  EXPECT_THAT(broken_arrows("models/dram/banked.h", "#include <systemc>\n#include \"arch/block/model.h\"\n"),
              IsEmpty());
}

}  // namespace
}  // namespace archsim
