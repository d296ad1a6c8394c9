#include "sweep/space/check_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "arch/machine/soc_spec.h"
#include "models/catalog.h"
#include "sweep/plan/goals.h"
#include "sweep/space/bounds.h"
#include "sweep/space/limit.h"
#include "sweep/space/traces.h"

namespace archsim {
namespace {

// Enough to find a partner for a value that is good only together with others.
constexpr int kCombinations = 60;
// Of a long axis; the ends are among them.
constexpr std::size_t kMostValuesTried = 128;
constexpr std::size_t kMostWrong = 10;
// Beyond this many points it is not tried out whether the axes' constraints leave any.
constexpr double kMostTried = 300e3;

class PlanCheck {
 public:
  PlanCheck(const Plan& plan, Diagnostics& out) : plan_(plan), space_(plan), out_(out), random_(plan.seed) {}

  void run() {
    if (!check_soc() || !check_workloads()) return;
    for (std::size_t i = 0; i < plan_.axes.size(); ++i) check_axis(i);
    check_bounds();
    if (plan_.is_refined) check_refined();
    if (!out_.has_errors()) check_size();
  }

 private:
  bool check_soc() {
    const auto spec = read_soc(*plan_.soc, plan_.settings, catalog());
    for (const auto& diagnostic : spec.diagnostics().all()) {
      if (diagnostic.severity == Severity::error) out_.add(diagnostic);
    }
    return spec.has_value();
  }

  bool check_workloads() {
    bool good = !plan_.workloads.empty();
    for (const auto& use : plan_.workloads) {
      const auto trace = load_trace(use, {}, use.place);
      if (!trace) out_.append(trace.diagnostics());
      good = good && trace;
    }
    return good;
  }

  /// Each value alone; one that is wrong alone may be right with others.
  void check_axis(std::size_t index) {
    const Axis& axis = plan_.axes[index];
    if (axis.kind != AxisKind::soc && !check_has_workload(axis)) return;
    const std::size_t values = axis.is_free() ? axis.values.size() : 1;
    const std::size_t tried = std::min(values, kMostValuesTried);
    std::vector<Diagnostics> wrong;
    for (std::size_t i = 0; i < tried && wrong.size() < kMostWrong; ++i) {
      const std::size_t v = tried == 1 ? 0 : i * (values - 1) / (tried - 1);
      Diagnostics found = with_value(index, v, false);
      for (int n = 0; n < kCombinations && found.has_errors(); ++n) {
        if (!with_value(index, v, true).has_errors()) found = {};
      }
      if (found.has_errors()) wrong.push_back(std::move(found));
    }
    for (const auto& found : wrong) append_new(out_, at_axis_if_common(axis, found, wrong));
  }

  /// What is wrong with every value of a workload's param is wrong with its name.
  static Diagnostics at_axis_if_common(const Axis& axis, const Diagnostics& found,
                                       const std::vector<Diagnostics>& wrong) {
    Diagnostics placed;
    for (auto diagnostic : found.all()) {
      const bool is_common = wrong.size() > 1 && std::all_of(wrong.begin(), wrong.end(), [&](const Diagnostics& other) {
                               return std::any_of(other.all().begin(), other.all().end(), [&](const Diagnostic& each) {
                                 return each.message == diagnostic.message;
                               });
                             });
      if (is_common && axis.kind != AxisKind::soc) diagnostic.location = axis.place;
      placed.add(std::move(diagnostic));
    }
    return placed;
  }

  bool check_has_workload(const Axis& axis) {
    const auto trace =
        std::find_if(plan_.workloads.begin(), plan_.workloads.end(), [](const auto& use) { return use.is_trace; });
    if (trace == plan_.workloads.end()) return true;
    out_.error(axis.place,
               fmt::format("axis `{}` changes how a trace is built, and `{}` is built already", axis.name, trace->path),
               "name workload files with `workload:` instead of traces");
    return false;
  }

  static void append_new(Diagnostics& all, const Diagnostics& more) {
    for (const auto& diagnostic : more.all()) {
      const auto same = [&](const Diagnostic& other) {
        return other.message == diagnostic.message && other.location.source == diagnostic.location.source &&
               other.location.line == diagnostic.location.line && other.location.column == diagnostic.location.column;
      };
      if (diagnostic.severity != Severity::error || std::any_of(all.all().begin(), all.all().end(), same)) continue;
      all.add(diagnostic);
    }
  }

  /// What is wrong with value `v` of axis `index`, alone or with random values of the others.
  Diagnostics with_value(std::size_t index, std::size_t v, bool with_others) {
    const Axis& axis = plan_.axes[index];
    Point point(plan_.axes.size(), kNoValue);
    for (std::size_t i = 0; i < plan_.axes.size(); ++i) {
      const auto size = plan_.axes[i].values.size();
      if (size > 0) point[i] = with_others ? static_cast<std::uint32_t>(random_() % size) : 0;
    }
    if (axis.is_free()) point[index] = static_cast<std::uint32_t>(v);
    const Variant all = space_.variant(point);
    Variant variant = with_others ? all : alone(index, point);
    Diagnostics found = read_soc(*plan_.soc, variant.soc, catalog()).diagnostics();
    if (axis.kind == AxisKind::soc) return found;
    const Location where = axis.is_free() ? axis.values[v].nodes[0].location() : axis.place;
    for (const auto& use : plan_.workloads) append_new(found, load_trace(use, variant, where).diagnostics());
    return found;
  }

  Variant alone(std::size_t index, const Point& point) const {
    const Axis& axis = plan_.axes[index];
    if (!axis.is_free()) return space_.variant(point);  // its formula looks at the others
    Variant variant{plan_.settings, {}, {}};
    Space::set(axis, axis.values[point[index]].nodes, variant);
    return variant;
  }

  struct Interval {
    double low = 0.0, high = std::numeric_limits<double>::infinity();  // no metric is below zero
  };

  /// Constraints `metric <= number` that leave nothing between them.
  void check_bounds() {
    std::map<std::size_t, Interval> intervals;
    for (const auto& constraint : plan_.constraints) {
      const auto limit = limit_of(constraint);
      if (!limit) continue;
      auto& interval = intervals[static_cast<std::size_t>(limit->metric)];
      const auto [value, is_above] = std::pair(limit->number, limit->is_above);
      (is_above ? interval.low : interval.high) =
          is_above ? std::max(interval.low, value) : std::min(interval.high, value);
      if (interval.low <= interval.high && interval.high > 0.0) continue;
      out_.error(constraint.place, fmt::format("no point can meet `{}`", constraint.text),
                 interval.high <= 0.0
                     ? fmt::format("`{}` is above zero", name_in(constraint))
                     : fmt::format("another constraint wants `{}` at {} or {}", name_in(constraint),
                                   is_above ? interval.high : interval.low, is_above ? "below" : "above"));
    }
  }

  /// Points are left out by bounds of all objectives.
  void check_refined() {
    for (const auto& objective : plan_.objectives) {
      if (is_bounded(objective.metric, objective.is_maximized)) continue;
      out_.error(objective.place,
                 fmt::format("`{}{}` is not bounded before it is simulated", objective.is_maximized ? "max: " : "",
                             objective.column),
                 "`fidelity: refine` wants objectives whose best roofline tells, like latency, energy and area");
    }
  }

  /// As the constraint spells its metric.
  static std::string name_in(const Constraint& constraint) {
    return constraint.text.substr(0, constraint.text.find_first_of(" <>"));
  }

  void check_size() {
    const double size = space_.size();
    if (plan_.strategy.kind == StrategyKind::grid && size > kMostPoints) {
      out_.error(plan_.strategy.place, fmt::format("the axes make {:.3g} points, more than {:.0f}", size, kMostPoints),
                 "choose `strategy: {name: sobol, samples: 10000}`, random, latin_hypercube or nsga2");
      return;
    }
    const auto first = std::find_if(plan_.constraints.begin(), plan_.constraints.end(),
                                    [](const auto& each) { return each.is_of_axes; });
    if (size > kMostTried || first == plan_.constraints.end()) return;
    for (std::uint64_t i = 0; static_cast<double>(i) < size; ++i) {
      if (space_.settled(space_.at(i))) return;
    }
    out_.error(first->place, "the constraints leave no point", "none of the axes' values meet them all");
  }

  const Plan& plan_;
  Space space_;
  Diagnostics& out_;
  std::mt19937_64 random_;
};

}  // namespace

void check_plan(const Plan& plan, Diagnostics& out) { PlanCheck(plan, out).run(); }

}  // namespace archsim
