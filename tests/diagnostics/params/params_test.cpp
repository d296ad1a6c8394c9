// What is said about bad params, in YAML files and on the command line (files *.set).
#include <gtest/gtest.h>

#include <fstream>

#include "arch/describe/table.h"
#include "tests/diagnostics/fixture.h"
#include "tests/unit/describe/robot.h"

namespace archsim {
namespace {

class Params : public testing::TestWithParam<std::string> {};

/// A .set file has a command-line assignment a line, for the params of `robot.yaml`'s text "{}".
void assign_all(const std::string& path, YamlNode& node, Diagnostics& out) {
  std::ifstream lines(path);
  for (std::string line; std::getline(lines, line);) {
    if (const auto assignment = parse_assignment("--set", line, out))
      node = node.with(assignment->path, assignment->value);
  }
}

TEST_P(Params, AreToldInFull) {
  Diagnostics out;
  std::optional<YamlNode> node;
  if (GetParam().ends_with(".set")) {
    node = YamlNode::make_map({}, {});
    assign_all(GetParam(), *node, out);
  } else {
    const auto source = read_source(GetParam());
    ASSERT_TRUE(source) << render(source.diagnostics());
    node = parse_yaml(*source, out);
  }
  if (node) ParamTable::of<RobotParams>().read(*node, {"robot model `walker`", {"kind", "model"}}, out);
  EXPECT_TRUE(out.has_errors());
  EXPECT_TRUE(is_expected_for(GetParam(), render(out)));
}

INSTANTIATE_TEST_SUITE_P(Fixtures, Params, testing::ValuesIn(fixtures_in("tests/diagnostics/params")),
                         [](const auto& each) { return fixture_name(each.param); });

}  // namespace
}  // namespace archsim
