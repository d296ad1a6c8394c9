#include "sweep/run/evaluator.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "arch/machine/price/price.h"
#include "arch/machine/soc_spec.h"
#include "arch/workload/count.h"
#include "models/catalog.h"
#include "models/roofline/peaks.h"
#include "models/roofline/recorded.h"
#include "sweep/run/least_counts.h"
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

double arrays_at_peak_s(const Loaded& loaded, const std::vector<OperatorPeak>& peaks) {
  double sum = 0.0;
  for (std::size_t i = 0; i < peaks.size(); ++i)
    sum += peaks[i].compute_s * static_cast<double>(loaded.where[i].instances);
  return sum;
}

/// A point's machine, as it was read and as the mapper and the bound see it. `tech` is null if it names none.
struct Machine {
  const SocSpec& spec;
  const MachineView& view;
  const Tech* tech;
};

}  // namespace

std::string_view name_of(PointStatus status) {
  switch (status) {
    case PointStatus::done:
      return "done";
    case PointStatus::infeasible:
      return "infeasible";
    case PointStatus::bounded:
      return "bounded";
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
  std::string add(const WorkloadUse& use, const Variant& variant, const Machine& machine, Fidelity fidelity,
                  Metrics& sums) {
    std::string error;
    Loaded* const own = load(use, variant, error);
    if (own == nullptr) return error;
    const auto bound = own->bound(machine.view);
    const auto peaks = operator_peaks(own->trace, machine.view);
    SimulatedRun run{{}, bound.time, bound.dram_bytes.empty() ? 0 : bound.dram_bytes.back()};
    if (fidelity != Fidelity::roofline) {
      run = simulate_apart(
          {machine.spec, machine.view, own->trace, plan.seed, machine.tech, fidelity == Fidelity::sampled});
    } else if (machine.tech != nullptr) {
      const auto least =
          least_counts(machine.spec, machine.view, {own->trace, own->where, peaks, run.time, run.dram_bytes});
      run.energy_j = price(least, machine.spec, *machine.tech, Bands::without).energy_j.nominal;
    }
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
    if (machine.tech != nullptr) weigh(Metric::energy, run.energy_j);
    weigh(Metric::utilization, time_s > 0.0 ? std::min(1.0, arrays_at_peak_s(*own, peaks) / time_s) : 0.0);
    return {};
  }

  /// Null, and no error, if the machine names no technology. Those without overrides are read once.
  const Tech* tech_for(const SocSpec& spec, std::string& error) {
    if (spec.tech_choice.name.empty()) return nullptr;
    const bool is_plain = spec.tech_choice.overrides.empty();
    if (is_plain) {
      if (const auto found = technologies.find(spec.tech_choice.name); found != technologies.end())
        return &found->second;
    }
    auto read = tech_of(spec);
    error = read ? first_error(unpriced(spec)) : first_error(read.diagnostics());
    if (!error.empty()) return nullptr;
    return &(technologies[is_plain ? spec.tech_choice.name : std::string()] = *std::move(read));
  }

  const Plan& plan;
  Space space;
  std::map<std::string, std::unique_ptr<Loaded>> loaded;
  std::map<std::string, Tech> technologies;  // by name; the empty name: the last one with overrides
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

PointResult Evaluator::evaluate(const Point& settled) { return evaluate(settled, state_->plan.fidelity); }

PointResult Evaluator::evaluate(const Point& settled, Fidelity fidelity) {
  PointResult result;
  const Variant variant = state_->space.variant(settled);
  const auto spec = read_soc(*state_->plan.soc, variant.soc, catalog());
  if (!spec) {
    result.error = first_error(spec.diagnostics());
    return result;
  }
  const auto view = machine_view(*spec);
  add_machine(view, result.metrics);
  const Tech* const tech = state_->tech_for(*spec, result.error);
  if (!result.error.empty()) return result;
  if (tech != nullptr) {
    const Ppa ppa = price(*spec, *tech, Bands::without);
    result.metrics[Metric::area] = ppa.area_mm2.nominal;
    result.metrics[Metric::peak_power_w] = ppa.peak_power_w.nominal;
  }
  for (const auto& use : state_->plan.workloads) {
    result.error = state_->add(use, variant, {*spec, view, tech}, fidelity, result.metrics);
    if (!result.error.empty()) return result;
  }
  const double latency = result.metrics[Metric::latency];
  if (tech != nullptr && latency > 0.0) {
    result.metrics[Metric::average_power_w] = result.metrics[Metric::energy] / latency;
  }
  result.metrics[Metric::rate] = latency > 0.0 ? 1.0 / latency : 0.0;
  result.metrics[Metric::efficiency] = latency > 0.0 ? result.metrics[Metric::bound] / latency : 0.0;
  result.status = PointStatus::done;
  judge(state_->space, settled, result);
  return result;
}

std::vector<double> numbers_with(const Space& space, const Point& settled, const Metrics& metrics) {
  auto numbers = space.numbers(settled);
  const std::size_t first = numbers.size() - 2 * kMetrics;
  for (std::size_t i = 0; i < 2 * kMetrics; ++i) numbers[first + i] = metrics.values[i % kMetrics];
  return numbers;
}

std::vector<const Constraint*> broken_constraints(const Space& space, const Point& settled, const Metrics& metrics) {
  const auto numbers = numbers_with(space, settled, metrics);
  std::vector<const Constraint*> broken;
  for (const auto& constraint : space.plan().constraints) {
    if (!constraint.is_of_axes && constraint.condition(numbers) == 0.0) broken.push_back(&constraint);
  }
  return broken;
}

void judge(const Space& space, const Point& settled, PointResult& result) {
  if (result.status == PointStatus::failed) return;
  const auto broken = broken_constraints(space, settled, result.metrics);
  result.status = broken.empty() ? PointStatus::done : PointStatus::infeasible;
  result.error = broken.empty() ? "" : broken.front()->text;
}

}  // namespace archsim
