#include "arch/describe/near_name.h"

#include <gtest/gtest.h>

namespace archsim {
namespace {

TEST(NearName, CountsInsertionsDeletionsSubstitutionsAndSwaps) {
  EXPECT_EQ(edit_distance("banks", "banks"), 0U);
  EXPECT_EQ(edit_distance("bankz", "banks"), 1U);
  EXPECT_EQ(edit_distance("bans", "banks"), 1U);
  EXPECT_EQ(edit_distance("bannks", "banks"), 1U);
  EXPECT_EQ(edit_distance("bnaks", "banks"), 1U);
  EXPECT_EQ(edit_distance("Banks", "banks"), 0U);
  EXPECT_EQ(edit_distance("", "banks"), 5U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(NearName, IsTheNearestIfItIsNear) {
  const std::vector<std::string> names = {"capacity", "banks", "banks_per_row"};
  EXPECT_EQ(near_name("capcity", names), "capacity");
  EXPECT_EQ(near_name("bnaks", names), "banks");
  EXPECT_EQ(near_name("BANKS", names), "banks");
  EXPECT_EQ(near_name("voltage", names), std::nullopt);
  EXPECT_EQ(near_name("", names), std::nullopt);
  EXPECT_EQ(near_name("x", {"y"}), std::nullopt) << "a single letter resembles nothing";
}

TEST(NearName, HelpListsTheNamesWhenNoneIsNear) {
  EXPECT_EQ(help_for_unknown("bnaks", {"banks", "rows"}), "did you mean `banks`?");
  EXPECT_EQ(help_for_unknown("voltage", {"banks", "rows"}), "one of `banks`, `rows`");
  EXPECT_EQ(help_for_unknown("voltage", {"banks"}), "there is only `banks`");
  EXPECT_EQ(help_for_unknown("voltage", {}), "");
}

}  // namespace
}  // namespace archsim
