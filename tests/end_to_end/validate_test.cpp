// The validation book through the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/program_run/program.h"

namespace archsim {
namespace {

using testing::HasSubstr;

TEST(Validate, TellsEveryAnchorAsJsonAndNothingElse) {
  const Outcome outcome = archsim_program({"validate", "roofline", "array", "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto told = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(told["schema"], "archsim.validate/1");
  EXPECT_EQ(told["holds"], true);
  ASSERT_EQ(told["families"].size(), 2U);
  for (const auto& family : told["families"]) {
    EXPECT_EQ(family["holds"], true);
    for (const auto& anchor : family["anchors"]) {
      const double given = anchor["given"], expected = anchor["expected"], tolerance = anchor["tolerance"];
      EXPECT_NE(anchor["ground"], "");
      if (anchor["at_most"]) {
        EXPECT_LE(given, expected);
      } else {
        EXPECT_LE(std::abs(given - expected), tolerance * std::abs(expected)) << anchor["what"];
      }
    }
  }
  // array_reference.csv has 90 rows.
  EXPECT_EQ(told["families"][0]["anchors"].size(), 90U);
}

TEST(Validate, AFamilyThatIsNotThereIsTold) {
  const Outcome outcome = archsim_program({"validate", "rooflin"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("no such family"));
  EXPECT_THAT(outcome.err, HasSubstr("roofline"));
}

}  // namespace
}  // namespace archsim
