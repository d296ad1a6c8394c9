// Any text, read as YAML and against a table: it must end in params or in located errors, and params that were
// accepted must read back as themselves.
#include <cstddef>
#include <cstdint>
#include <string>

#include "arch/describe/table.h"
#include "tests/unit/describe/robot.h"

using namespace archsim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ParamTable table = ParamTable::of<RobotParams>();
  const std::string text(reinterpret_cast<const char*>(data), size);

  Diagnostics out;
  if (const auto assignment = parse_assignment("--set", text, out)) {
    Diagnostics set;
    table.read(YamlNode::make_map({}, {}).with(assignment->path, assignment->value), {"robot"}, set);
    ARCHSIM_ASSERT(render(set).size() + 1 > set.all().size());
  }

  Diagnostics errors;
  const auto node = parse_yaml(make_source("fuzz.yaml", text), errors);
  ARCHSIM_ASSERT(node.has_value() || errors.has_errors(), "neither a tree nor an error");
  if (!node) return 0;
  const AnyParams params = table.read(*node, {"robot"}, errors);
  render(errors);
  if (errors.has_errors()) return 0;

  Diagnostics again;
  const auto shown = parse_yaml(make_source("again.yaml", show(table.datum(params))), again);
  ARCHSIM_ASSERT(shown.has_value(), "what is shown is no YAML");
  ARCHSIM_ASSERT(table.equal(table.read(*shown, {"robot"}, again), params), "what is shown reads back differently");
  ARCHSIM_ASSERT(!again.has_errors(), render(again));
  return 0;
}
