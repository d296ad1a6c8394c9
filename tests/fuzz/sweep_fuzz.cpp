// Any text, read as a sweep file: it must end in a plan whose points can be listed, or in located errors.
#include <cstddef>
#include <cstdint>
#include <string>

#include "sweep/drive/trials.h"
#include "sweep/plan/plan.h"
#include "sweep/sample/source.h"
#include "sweep/search/genome.h"
#include "sweep/space/bounds.h"

using namespace archsim;

namespace {

constexpr int kMostListed = 20;
constexpr std::uint64_t kMostSamples = 1000;  // a hypercube is cut beforehand

void list_points(const Plan& plan) {
  const Space space(plan);
  const auto source = make_source(space);
  for (int i = 0; i < kMostListed; ++i) {
    const auto point = source->next();
    if (!point) return;
    ARCHSIM_ASSERT(space.texts(*point).size() == plan.columns().size());
    ARCHSIM_ASSERT(!space.variant(*point).text().empty());
    Metrics metrics;
    metrics[Metric::latency] = 1e-3;
    broken_constraints(space, *point, metrics);
    const auto numbers = numbers_with(space, *point, metrics);
    for (const auto& constraint : plan.constraints) is_broken_for_sure(plan, constraint, numbers, Fidelity::roofline);
  }
}

}  // namespace

// SystemC, whose models a sweep links, wants one.
extern "C" int sc_main(int, char**) { return 0; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto plan = parse_plan(make_source("fuzz.yaml", text));
  if (!plan) {
    ARCHSIM_ASSERT(!render(plan.diagnostics()).empty());
    return 0;
  }
  if (plan->strategy.kind == StrategyKind::nsga2) {
    const Genome genome(*plan);
    const auto low = genome.low(), high = genome.high();
    ARCHSIM_ASSERT(genome.point(low.data()).size() == genome.point(high.data()).size());
  } else if (plan->strategy.samples <= kMostSamples) {
    list_points(*plan);
  }
  return 0;
}
