#include <algorithm>

#include "app/account/gap.h"
#include "arch/machine/soc_spec.h"
#include "arch/mapping/map.h"
#include "arch/soc/soc.h"
#include "models/catalog.h"
#include "models/roofline/bound.h"
#include "tests/source_dir.h"
#include "tests/validate/anchor.h"
#include "traces/generate/generate.h"

namespace archsim {

std::vector<Anchor> run_anchors() {
  const auto spec = read_soc(*read_source(ARCHSIM_SOURCE_DIR "/configs/soc/edge_lpddr5.yaml"), {}, catalog());
  const auto machine = machine_view(*spec);
  const auto trace = build_trace(ARCHSIM_SOURCE_DIR "/traces/workloads/pi0.yaml", {"dtype=int8"});
  const auto program = map(*trace, machine);
  const auto result = Soc(*spec, *trace, *program).run();
  const auto lower = bound(*trace, machine);
  const auto where = positions(*trace);
  std::vector<Time> ends(trace->stages.size(), Time::zero());
  for (const auto& run : result.operators) {
    auto& end = ends[where[run.operator_index].stage];
    end = std::max(end, run.end);
  }
  ends.back() = std::max(ends.back(), result.time);
  const auto gap = gap_account(*trace, machine, lower, result, ends);
  return {
      {.what = "bound, s, within the run's time",
       .given = seconds(lower.time),
       .expected = seconds(result.time),
       .is_upper_limit = true,
       .ground = "no run beats it"},
      {.what = "time over bound",
       .given = seconds(result.time) / seconds(lower.time),
       .expected = 1.4,
       .is_upper_limit = true,
       .ground = "asked for"},
      {.what = "part of the gap without a name",
       .given = 1.0 - gap.accounted,
       .expected = 0.05,
       .is_upper_limit = true,
       .ground = "asked for"},
  };
}

}  // namespace archsim
