// What is said about wrong workload files. A first line "# set: a=1 b=2" gives settings.
#include <gtest/gtest.h>

#include <iterator>
#include <sstream>

#include "tests/diagnostics/fixture.h"
#include "traces/generate/generate.h"

namespace archsim {
namespace {

std::vector<std::string> settings_of(const std::string& text) {
  const std::string mark = "# set: ";
  if (!text.starts_with(mark)) return {};
  std::istringstream words(text.substr(mark.size(), text.find('\n') - mark.size()));
  return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

class WorkloadFile : public testing::TestWithParam<std::string> {};

TEST_P(WorkloadFile, IsRefusedInTheseWords) {
  const auto source = read_source(GetParam());
  ASSERT_TRUE(source) << render(source.diagnostics());
  const auto trace = generate_trace(*source, settings_of((*source)->text));
  ASSERT_FALSE(trace);
  EXPECT_TRUE(is_expected_for(GetParam(), render(trace.diagnostics())));
}

INSTANTIATE_TEST_SUITE_P(Fixtures, WorkloadFile, testing::ValuesIn(fixtures_in("tests/diagnostics/workload_files")),
                         [](const auto& each) { return fixture_name(each.param); });

}  // namespace
}  // namespace archsim
