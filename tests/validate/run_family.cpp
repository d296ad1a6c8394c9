#include <algorithm>
#include <numeric>

#include "app/account/gap.h"
#include "arch/machine/soc_spec.h"
#include "arch/mapping/map.h"
#include "arch/soc/soc.h"
#include "models/catalog.h"
#include "models/roofline/bound.h"
#include "tests/source_dir.h"
#include "tests/validate/anchor.h"
#include "tests/validate/child_run.h"
#include "traces/generate/generate.h"

namespace archsim {

namespace {

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

std::vector<Anchor> run_anchors() {
  const auto spec = read_soc(*read_source(ARCHSIM_SOURCE_DIR "/configs/soc/edge_lpddr5.yaml"), {}, catalog());
  const auto machine = machine_view(*spec);
  const auto trace = build_trace(ARCHSIM_SOURCE_DIR "/traces/workloads/pi0.yaml", {"dtype=int8"});
  // In processes of their own, before this one has a kernel.
  const double in_order = sum(run_in_child(*trace, "edge_lpddr5", {"dram.order=controller"}));
  const double humanoid = sum(run_in_child(*trace, "humanoid_hbm3", {}));
  const auto humanoid_spec =
      read_soc(*read_source(ARCHSIM_SOURCE_DIR "/configs/soc/humanoid_hbm3.yaml"), {}, catalog());
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
      {.what = "time, s, booked DRAM channels beside those that keep the controller's order",
       .given = seconds(result.time),
       .expected = in_order,
       .tolerance = 0.01,
       .ground = "asked for; docs/decisions/0020"},
      {.what = "humanoid_hbm3: time over bound",
       .given = humanoid / seconds(bound(*trace, machine_view(*humanoid_spec)).time),
       .expected = 1.4,
       .is_upper_limit = true,
       .ground = "asked for; docs/decisions/0021"},
  };
}

}  // namespace archsim
