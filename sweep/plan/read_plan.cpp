#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "arch/describe/near_name.h"
#include "arch/describe/values/value.h"
#include "sweep/plan/axes.h"
#include "sweep/plan/goals.h"
#include "sweep/plan/inputs.h"
#include "sweep/plan/plan.h"
#include "sweep/space/check_plan.h"
#include "traces/file/file_kind.h"

namespace archsim {
namespace {

constexpr std::array kStrategies{"grid", "random", "latin_hypercube", "sobol"};
constexpr std::array kFidelities{"roofline", "sampled", "full"};

template <std::size_t N>
std::optional<std::size_t> choice(const YamlNode& node, const std::array<const char*, N>& names,
                                  const std::string& what, Diagnostics& out) {
  for (std::size_t i = 0; i < N; ++i) {
    if (node.scalar() == names[i]) return i;
  }
  out.error(node.location(), fmt::format("there is no {} `{}`", what, node.scalar()),
            help_for_unknown(node.scalar(), {names.begin(), names.end()}));
  return {};
}

template <class T>
void read_number(const YamlEntry* entry, T low, T& value, Diagnostics& out) {
  if (entry == nullptr) return;
  T read = 0;
  if (!ValueCodec<T>::read(entry->value, entry->name(), read, out)) return;
  if (read < low) {
    out.error(entry->value.location(), fmt::format("`{}` is {}, below {}", entry->name(), read, low));
  } else {
    value = read;
  }
}

class PlanReader {
 public:
  PlanReader(const Source& source, YamlNode root, Diagnostics& out) : root_(std::move(root)), out_(out) {
    plan_.source = source;
  }

  Plan run() {
    MapReader reader(root_, "a sweep file", out_);
    if (!root_.is_map()) return std::move(plan_);
    read_name(reader.required("sweep"));
    read_soc_path(reader.required("soc"));
    read_workloads(reader.optional("trace"), reader.optional("workload"));
    read_fidelity(reader.optional("fidelity"));
    const YamlEntry* axes = reader.required("axes");
    if (axes != nullptr) plan_.axes = read_axes(*axes, out_);
    const bool has_all_axes = axes != nullptr && plan_.axes.size() == axes->value.entries().size();
    const YamlEntry *constraints = reader.optional("constraints"), *objectives = reader.optional("objectives");
    // A name that a broken axis would have is no mistake of the constraint.
    if (has_all_axes) read_constraints(constraints, plan_, out_);
    read_objectives(objectives, plan_, out_);
    read_strategy(reader.optional("strategy"), reader.optional("samples"));
    read_number<std::uint64_t>(reader.optional("seed"), 0, plan_.seed, out_);
    read_timeout(reader.optional("timeout"));
    if (const YamlEntry* settings = reader.optional("set")) plan_.settings = read_settings(settings->value, out_);
    reader.refuse_others();
    return std::move(plan_);
  }

 private:
  void read_name(const YamlEntry* entry) {
    if (entry == nullptr) return;
    plan_.name = entry->value.scalar();
    if (plan_.name.empty())
      out_.error(entry->value.location(), "`sweep` is a name", "write it like `sweep: bandwidth`");
  }

  void read_soc_path(const YamlEntry* entry) {
    if (entry == nullptr) return;
    const auto path = find_input(entry->value, root_, out_);
    if (!path) return;
    plan_.soc_path = *path;
    const auto source = read_source(*path);
    out_.append(source.diagnostics());
    if (!source) return;
    plan_.soc_source = *source;
    plan_.soc = parse_yaml(*source, out_);
  }

  void read_workloads(const YamlEntry* trace, const YamlEntry* workload) {
    if (trace == nullptr && workload == nullptr) {
      out_.error(root_.location(), "a sweep file needs `trace` or `workload`", "add `trace: pi0.trace`");
    }
    for (const YamlEntry* entry : {trace, workload}) {
      if (entry != nullptr) append_workloads(*entry, entry == trace, root_, plan_.workloads, out_);
    }
    double sum = 0.0;
    for (const auto& use : plan_.workloads) sum += use.weight;
    for (auto& use : plan_.workloads) use.weight /= sum;
  }

  void read_fidelity(const YamlEntry* entry) {
    if (entry == nullptr) return;
    const auto found = choice(entry->value, kFidelities, "fidelity", out_);
    if (found) plan_.fidelity = static_cast<Fidelity>(*found);
  }

  void read_strategy(const YamlEntry* entry, const YamlEntry* samples) {
    Strategy& strategy = plan_.strategy;
    strategy.place = entry == nullptr ? root_.location() : entry->value.location();
    const YamlNode* name = entry == nullptr ? nullptr : &entry->value;
    if (entry != nullptr && entry->value.is_map()) {
      MapReader reader(entry->value, "`strategy`", out_);
      const YamlEntry* named = reader.required("name");
      name = named == nullptr ? nullptr : &named->value;
      read_number<std::uint64_t>(reader.optional("samples"), 1, strategy.samples, out_);
      reader.refuse_others();
    }
    read_number<std::uint64_t>(samples, 1, strategy.samples, out_);
    const auto found = name == nullptr ? std::nullopt : choice(*name, kStrategies, "strategy", out_);
    if (found) strategy.kind = static_cast<StrategyKind>(*found);
    check_samples(entry);
  }

  void check_samples(const YamlEntry* entry) {
    const Strategy& strategy = plan_.strategy;
    const bool samples = strategy.kind == StrategyKind::random || strategy.kind == StrategyKind::latin_hypercube ||
                         strategy.kind == StrategyKind::sobol;
    if (samples && strategy.samples == 0) {
      out_.error(entry->value.location(),
                 fmt::format("strategy `{}` needs a number of samples", name_of(strategy.kind)), "add `samples: 200`");
    }
    if (!samples && strategy.samples != 0) {
      out_.error(strategy.place, fmt::format("strategy `{}` takes no `samples`", name_of(strategy.kind)),
                 "random, latin_hypercube and sobol do");
    }
  }

  void read_timeout(const YamlEntry* entry) {
    if (entry == nullptr) return;
    Time time = Time::zero();
    if (!ValueCodec<Time>::read(entry->value, "timeout", time, out_)) return;
    if (time == Time::zero())
      out_.error(entry->value.location(), "`timeout` is above zero", "write it like `timeout: 60 s`");
    plan_.timeout = time;
  }

  YamlNode root_;
  Diagnostics& out_;
  Plan plan_;
};

}  // namespace

std::vector<std::string> Plan::columns() const {
  std::vector<std::string> all;
  for (const auto& axis : axes) all.insert(all.end(), axis.columns.begin(), axis.columns.end());
  return all;
}

std::vector<std::string> Plan::names() const {
  std::vector<std::string> all = columns();
  for (const auto& info : all_metrics()) all.emplace_back(info.name);
  for (const auto& info : all_metrics()) all.emplace_back(info.other_name);
  return all;
}

const char* name_of(Fidelity fidelity) { return kFidelities[static_cast<std::size_t>(fidelity)]; }
const char* name_of(StrategyKind strategy) { return kStrategies[static_cast<std::size_t>(strategy)]; }

Checked<Plan> read_plan(const Source& source) {
  Diagnostics out;
  const auto root = parse_yaml(source, out);
  if (!root) return out;
  const FileKind kind = kind_of(source->text);
  if (kind == FileKind::soc || kind == FileKind::workload) {
    return Diagnostic{Severity::error,
                      "`" + source->path + "` is " + std::string(in_words(kind)) + ", not a sweep file",
                      {source, 0, 0},
                      use_of(kind, source->path)};
  }
  Plan plan = PlanReader(source, *root, out).run();
  if (!plan.soc || plan.axes.empty()) return out;
  check_plan(plan, out);
  if (out.has_errors()) return out;
  return {std::move(plan), std::move(out)};
}

}  // namespace archsim
