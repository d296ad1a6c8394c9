#include "arch/describe/reference/reference.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/unit/describe/robot.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

struct Tables {
  ParamTable params = ParamTable::of<RobotParams>();
  StatTable stats = StatTable::of<RobotStats>();
  EventTable events = EventTable::of<RobotEvents<Count>>();
  ModelReference reference() const { return {"robot/walker", "A robot that walks.", params, stats, events}; }
};

TEST(Reference, HelpTellsEveryParamStatAndEventOnLinesOfAHundredCharacters) {
  EXPECT_EQ(help_text(Tables().reference()),
            R"(robot/walker: A robot that walks.

  param         default    allowed                      meaning
  rows          64         1 .. 1024                    rows of joints
  seed          1          whole number                 of the random numbers
  gain          0.5        0 .. 1                       of the controller
  is_fast       false      true or false                whether it runs
  label         walker     text, not empty              painted on it
  mode          cached     cached | software_managed    how its memory is used
  latency       2 cycles   1 cycle .. 16 cycles         from eye to arm
  link          51.2 GB/s  bandwidth                    to the other robots
  modes         [cached]   list of cached |             that it can change to
                           software_managed, not empty
  dtypes        {int8: 1}  map from int8 | bf16 |       numbers it counts with, and how many at once
                           fp32, 1 .. 8
  limit         none       bytes, a power of two        on what it carries
  arm.capacity  1 MiB      4 KiB .. 64 MiB              data held
  arm.banks     16         1 .. 64, a power of two      banks, word-interleaved
  rule: `arm`: `capacity` must be a whole number of bytes in every bank

stats
  carried_bytes                    bytes carried
  stall_cycles                     cycles it stood
  moved_s                          time it moved
  load_bytes                       most bytes carried at once
  steps                            steps taken
  leg: busy_s, wait_..._s, idle_s  its leg's time

events, and the cost of each in the technology file
  step  leg.step  one step
  fall  leg.fall  one fall
)");
}

TEST(Reference, MarkdownEscapesWhatWouldBreakTheTable) {
  const std::string page = markdown_page(Tables().reference());
  EXPECT_THAT(page, HasSubstr("# robot/walker\n\nA robot that walks.\n\n## Params\n\n| param | default |"));
  EXPECT_THAT(page, HasSubstr("| mode | cached | cached \\| software_managed | how its memory is used |\n"));
  EXPECT_THAT(page, HasSubstr("| arm.banks | 16 | 1 .. 64, a power of two | banks, word-interleaved |\n"));
  EXPECT_THAT(page, HasSubstr("- `arm`: `capacity` must be a whole number of bytes in every bank\n"));
  EXPECT_THAT(page, HasSubstr("| step | leg.step | one step |\n"));
}

TEST(Reference, SchemaOfEveryKindOfValue) {
  const Json schema = json_schema(Tables().params);
  EXPECT_EQ(schema["additionalProperties"], false);
  const Json& of = schema["properties"];
  EXPECT_EQ(of["rows"], (Json{{"type", "integer"},
                              {"minimum", 1},
                              {"maximum", 1024},
                              {"description", "rows of joints (1 .. 1024)"},
                              {"default", 64}}));
  EXPECT_EQ(of["latency"]["pattern"], "^[0-9]+(\\.[0-9]+)? *(cycle|cycles)$");
  EXPECT_EQ(of["latency"]["default"], "2 cycles");
  EXPECT_EQ(of["mode"]["enum"], (Json{"cached", "software_managed"}));
  EXPECT_EQ(of["modes"]["items"]["enum"], (Json{"cached", "software_managed"}));
  EXPECT_EQ(of["modes"]["minItems"], 1);
  EXPECT_EQ(of["dtypes"]["properties"]["bf16"], (Json{{"type", "integer"}, {"minimum", 1}, {"maximum", 8}}));
  EXPECT_EQ(of["limit"]["anyOf"][1]["type"], "null");
  EXPECT_EQ(of["arm"]["properties"]["banks"]["default"], 16);
  EXPECT_EQ(of["arm"]["additionalProperties"], false);
}

TEST(Reference, ParamsAsJsonAreWhatYamlWouldSay) {
  const Tables tables;
  const Json json = to_json(tables.params.datum(tables.params.defaults()));
  EXPECT_EQ(json["rows"], 64);
  EXPECT_EQ(json["arm"]["capacity"], "1 MiB");
  EXPECT_EQ(json["dtypes"], (Json{{"int8", 1}}));
  EXPECT_EQ(json["limit"], nullptr);
}

TEST(Reference, StatsAsJsonKeepWholeNumbersWhole) {
  RobotStats stats;
  stats.carried += Bytes(9007199254740993);  // 2^53 + 1: no double
  stats.moved += 5_ns;
  const Json json = to_json(Tables().stats.values(&stats));
  EXPECT_EQ(json["carried_bytes"].dump(), "9007199254740993");
  EXPECT_EQ(json["moved_s"].dump(), "5e-09");
}

}  // namespace
}  // namespace archsim
