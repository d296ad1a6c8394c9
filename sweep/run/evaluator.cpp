#include "sweep/run/evaluator.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "arch/machine/soc_spec.h"
#include "arch/workload/count.h"
#include "models/catalog.h"
#include "models/roofline/peaks.h"
#include "models/roofline/recorded.h"
#include "sweep/run/simulate.h"
#include "sweep/space/traces.h"

namespace archsim {
namespace {

constexpr std::size_t kMostLoaded = 64;  // traces kept; a pi0 trace with its score takes 3 MB

/// A trace, and what is the same on every machine.
struct Loaded {
  explicit Loaded(Trace of) : trace(std::move(of)), counts(count(trace)), where(positions(trace)), bound(trace) {}
  Trace trace;
  TraceCounts counts;
  std::vector<Position> where;
  RecordedBound bound;
};

std::string first_error(const Diagnostics& diagnostics) {
  for (const auto& each : diagnostics.all()) {
    if (each.severity == Severity::error) return each.message + (each.help.empty() ? "" : " (" + each.help + ")");
  }
  return {};
}

double peak_macs(const MachineView& machine) {
  double peak = 0.0;
  for (std::size_t i = 0; i < kDtypes; ++i) peak = std::max(peak, machine.peak_macs_per_second(static_cast<Dtype>(i)));
  return peak;
}

void add_machine(const MachineView& machine, Metrics& metrics) {
  metrics[Metric::peak_macs_per_s] = peak_macs(machine);
  metrics[Metric::dram_peak_bytes_per_s] = machine.dram.peak.value;
  metrics[Metric::on_chip_bytes] = static_cast<double>(machine.on_chip_capacity().value);
  metrics[Metric::accelerators] = static_cast<double>(machine.accelerators.size());
}

double arrays_at_peak_s(const Loaded& loaded, const MachineView& machine) {
  const auto peaks = operator_peaks(loaded.trace, machine);
  double sum = 0.0;
  for (std::size_t i = 0; i < peaks.size(); ++i)
    sum += peaks[i].compute_s * static_cast<double>(loaded.where[i].instances);
  return sum;
}

}  // namespace

std::string_view name_of(PointStatus status) {
  switch (status) {
    case PointStatus::done:
      return "done";
    case PointStatus::infeasible:
      return "infeasible";
    case PointStatus::failed:
      break;
  }
  return "failed";
}

struct Evaluator::State {
  explicit State(const Plan& of) : plan(of), space(of) {}

  /// Nothing, and an error, if the workload cannot be built so.
  Loaded* load(const WorkloadUse& use, const Variant& variant, std::string& error) {
    std::string key = use.name + "\n" + variant.recipe;
    for (const auto& setting : variant.workload) key += "\n" + setting;
    if (const auto found = loaded.find(key); found != loaded.end()) return found->second.get();
    auto trace = load_trace(use, variant, {});
    if (!trace) {
      error = first_error(trace.diagnostics());
      return nullptr;
    }
    if (loaded.size() >= kMostLoaded) loaded.clear();
    return loaded.emplace(key, std::make_unique<Loaded>(*std::move(trace))).first->second.get();
  }

  /// One workload's metrics into `sums`, by its weight.
  std::string add(const WorkloadUse& use, const Variant& variant, const SocSpec& spec, const MachineView& machine,
                  Metrics& sums) {
    std::string error;
    Loaded* const own = load(use, variant, error);
    if (own == nullptr) return error;
    const auto bound = own->bound(machine);
    SimulatedRun run{{}, bound.time, bound.dram_bytes.empty() ? 0 : bound.dram_bytes.back()};
    if (plan.fidelity == Fidelity::full) run = simulate_apart(spec, machine, own->trace, plan.seed);
    if (!run.error.empty()) return plan.workloads.size() == 1 ? run.error : use.name + ": " + run.error;
    const double time_s = seconds(run.time);
    const auto weigh = [&](Metric metric, double value) {
      if (std::isnan(sums[metric])) sums[metric] = 0.0;
      sums[metric] += use.weight * value;
    };
    weigh(Metric::latency, time_s);
    weigh(Metric::bound, seconds(bound.time));
    weigh(Metric::macs, static_cast<double>(own->counts.macs));
    weigh(Metric::dram_bytes, static_cast<double>(run.dram_bytes));
    weigh(Metric::utilization, time_s > 0.0 ? std::min(1.0, arrays_at_peak_s(*own, machine) / time_s) : 0.0);
    return {};
  }

  const Plan& plan;
  Space space;
  std::map<std::string, std::unique_ptr<Loaded>> loaded;
};

Evaluator::Evaluator(const Plan& plan) : state_(std::make_unique<State>(plan)) {}
Evaluator::~Evaluator() = default;

void Evaluator::warm_up() {
  const Variant base{state_->plan.settings, {}, {}};
  const auto spec = read_soc(*state_->plan.soc, base.soc, catalog());
  if (!spec) return;
  const auto machine = machine_view(*spec);
  for (const auto& use : state_->plan.workloads) {
    std::string ignored;
    if (Loaded* const own = state_->load(use, base, ignored)) own->bound(machine);
  }
}

PointResult Evaluator::evaluate(const Point& settled) {
  PointResult result;
  const Variant variant = state_->space.variant(settled);
  const auto spec = read_soc(*state_->plan.soc, variant.soc, catalog());
  if (!spec) {
    result.error = first_error(spec.diagnostics());
    return result;
  }
  const auto machine = machine_view(*spec);
  add_machine(machine, result.metrics);
  for (const auto& use : state_->plan.workloads) {
    result.error = state_->add(use, variant, *spec, machine, result.metrics);
    if (!result.error.empty()) return result;
  }
  const double latency = result.metrics[Metric::latency];
  result.metrics[Metric::rate] = latency > 0.0 ? 1.0 / latency : 0.0;
  result.metrics[Metric::efficiency] = latency > 0.0 ? result.metrics[Metric::bound] / latency : 0.0;
  result.status = PointStatus::done;
  judge(state_->space, settled, result);
  return result;
}

void judge(const Space& space, const Point& settled, PointResult& result) {
  if (result.status == PointStatus::failed) return;
  result.status = PointStatus::done;
  result.error.clear();
  const Plan& plan = space.plan();
  auto numbers = space.numbers(settled);
  const std::size_t first = numbers.size() - 2 * kMetrics;
  for (std::size_t i = 0; i < 2 * kMetrics; ++i) numbers[first + i] = result.metrics.values[i % kMetrics];
  for (const auto& constraint : plan.constraints) {
    if (constraint.is_of_axes || constraint.condition(numbers) != 0.0) continue;
    result.status = PointStatus::infeasible;
    result.error = constraint.text;
    return;
  }
}

}  // namespace archsim
