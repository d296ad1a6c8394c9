#include "sweep/plan/strategy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "arch/describe/near_name.h"
#include "arch/describe/table.h"

namespace archsim {
namespace {

constexpr std::array kStrategies{"grid", "random", "latin_hypercube", "sobol", "radial", "nsga2"};
// Those of Fidelity in its order, and last the one that climbs them.
constexpr std::array kFidelities{"roofline", "sampled", "full", "refine"};
constexpr std::size_t kRefine = kFidelities.size() - 1;

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

bool is_sampled(StrategyKind kind) { return kind != StrategyKind::grid && kind != StrategyKind::nsga2; }

class StrategyReader {
 public:
  StrategyReader(Plan& plan, Diagnostics& out) : plan_(plan), strategy_(plan.strategy), out_(out) {}

  void run(const YamlEntry* entry, const YamlEntry* samples, const YamlNode& root) {
    strategy_.place = entry == nullptr ? root.location() : entry->value.location();
    const YamlNode* name = entry == nullptr ? nullptr : &entry->value;
    if (entry != nullptr && entry->value.is_map()) {
      const YamlEntry* named = entry->value.find("name");
      if (named == nullptr) {
        out_.error(entry->value.location(), "`strategy` has no key `name`",
                   "write it like `{name: sobol, samples: 200}`");
        return;
      }
      name = &named->value;
    }
    const auto found = name == nullptr ? std::optional<std::size_t>(0) : choice(*name, kStrategies, "strategy", out_);
    if (!found) return;
    strategy_.kind = static_cast<StrategyKind>(*found);
    if (entry != nullptr && entry->value.is_map()) read_map(entry->value);
    read_samples(samples);
    check_samples();
    if (strategy_.kind == StrategyKind::nsga2) check_search();
  }

 private:
  void read_map(const YamlNode& map) {
    if (strategy_.kind == StrategyKind::nsga2) {
      static const ParamTable table = ParamTable::of<SearchParams>();
      Diagnostics found;
      const AnyParams params = table.read(map, {"strategy `nsga2`", {"name"}}, found);
      if (!found.has_errors()) strategy_.search = params.get<SearchParams>();
      out_.append(found);
      return;
    }
    MapReader reader(map, "`strategy`", out_);
    reader.required("name");
    read_samples(reader.optional("samples"));
    reader.refuse_others();
  }

  void read_samples(const YamlEntry* entry) {
    if (entry == nullptr) return;
    std::uint64_t samples = 0;
    if (!ValueCodec<std::uint64_t>::read(entry->value, entry->name(), samples, out_)) return;
    strategy_.samples = samples;
    if (samples == 0) out_.error(entry->value.location(), "`samples` is 0, below 1");
  }

  void check_samples() {
    if (is_sampled(strategy_.kind) && strategy_.samples == 0) {
      if (out_.has_errors()) return;
      out_.error(strategy_.place, fmt::format("strategy `{}` needs a number of samples", name_of(strategy_.kind)),
                 "add `samples: 200`");
    }
    if (!is_sampled(strategy_.kind) && strategy_.samples != 0) {
      out_.error(strategy_.place, fmt::format("strategy `{}` takes no `samples`", name_of(strategy_.kind)),
                 strategy_.kind == StrategyKind::nsga2 ? "its budget is `population` and `generations`"
                                                       : "random, latin_hypercube, sobol and radial do");
    }
  }

  void check_search() {
    if (plan_.is_refined) {
      out_.error(strategy_.place, "strategy `nsga2` chooses points by results, and `fidelity: refine` by bounds",
                 "search at `roofline` or `full`, or refine a grid or samples");
    }
    if (plan_.objectives.size() == 1) {
      out_.error(strategy_.place, "strategy `nsga2` needs two objectives or more",
                 "add some, like `objectives: [latency, energy, area]`");
    }
    const bool varies =
        std::any_of(plan_.axes.begin(), plan_.axes.end(), [](const Axis& each) { return each.values.size() > 1; });
    if (!varies && !plan_.axes.empty()) {
      out_.error(strategy_.place, "strategy `nsga2` has nothing to vary", "no axis has two values");
    }
  }

  Plan& plan_;
  Strategy& strategy_;
  Diagnostics& out_;
};

}  // namespace

void read_strategy(const YamlEntry* strategy, const YamlEntry* samples, const YamlNode& root, Plan& plan,
                   Diagnostics& out) {
  StrategyReader(plan, out).run(strategy, samples, root);
}

void read_fidelity(const YamlEntry* entry, Plan& plan, Diagnostics& out) {
  if (entry == nullptr) return;
  const auto found = choice(entry->value, kFidelities, "fidelity", out);
  if (!found) return;
  plan.is_refined = *found == kRefine;
  plan.fidelity = plan.is_refined ? Fidelity::full : static_cast<Fidelity>(*found);
}

const char* name_of(Fidelity fidelity) { return kFidelities[static_cast<std::size_t>(fidelity)]; }
const char* name_of(StrategyKind strategy) { return kStrategies[static_cast<std::size_t>(strategy)]; }

}  // namespace archsim
