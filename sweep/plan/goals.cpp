#include "sweep/plan/goals.h"

#include <fmt/format.h>

#include <algorithm>

#include "arch/describe/near_name.h"

namespace archsim {
namespace {

/// `max: rate`, as text or, without quotation marks in a list, as a map.
struct Wanted {
  std::string name, direction;
  Location place;
};

std::optional<Wanted> wanted_of(const YamlNode& node, Diagnostics& out) {
  if (node.is_map() && node.entries().size() == 1 && node.entries()[0].value.is_scalar()) {
    const auto& entry = node.entries()[0];
    return Wanted{entry.value.scalar(), entry.name(), entry.value.location()};
  }
  if (!node.is_scalar() || node.scalar().empty()) {
    out.error(node.location(), "an objective is a name", "write it like `objectives: [latency, \"max: rate\"]`");
    return {};
  }
  const auto colon = node.scalar().find(':');
  if (colon == std::string::npos) return Wanted{node.scalar(), "min", node.location()};
  const auto begin = node.scalar().find_first_not_of(' ', colon + 1);
  Location place = node.location();
  place.column += static_cast<unsigned>(begin == std::string::npos ? colon : begin) + (node.is_quoted() ? 1U : 0U);
  return Wanted{begin == std::string::npos ? "" : node.scalar().substr(begin), node.scalar().substr(0, colon), place};
}

}  // namespace

std::string why_unpriced(const Plan& plan) {
  const auto names_one = [](std::string_view path) { return path == "tech" || path.starts_with("tech."); };
  const auto columns = plan.columns();
  const bool is_swept = std::any_of(columns.begin(), columns.end(), names_one);
  const bool is_set = std::any_of(plan.settings.begin(), plan.settings.end(),
                                  [&](const Assignment& each) { return names_one(each.path.front().scalar()); });
  const bool is_in_file = plan.soc && plan.soc->is_map() && plan.soc->find("tech") != nullptr;
  if (is_swept || is_set || is_in_file) return {};
  return "the SoC file names no technology: give it one, like `tech: n7`";
}

void read_constraints(const YamlEntry* section, Plan& plan, Diagnostics& out) {
  if (section == nullptr) return;
  if (!section->value.is_sequence()) {
    out.error(section->value.location(), "`constraints` is a list of conditions",
              "write it like `constraints: [latency <= 20 ms]`");
    return;
  }
  const auto names = plan.names();
  const auto columns = plan.columns().size();
  for (const auto& node : section->value.items()) {
    if (!node.is_scalar()) {
      out.error(node.location(), "a constraint is a condition", "write it like `latency <= 20 ms`");
      continue;
    }
    auto condition = Expression::compile(node.scalar(), node.location(), names, out);
    if (!condition) continue;
    bool is_of_axes = true, is_priced = false;
    for (const auto use : condition->uses()) {
      if (use < columns) continue;
      is_of_axes = false;
      is_priced = is_priced || all_metrics()[(use - columns) % kMetrics].is_priced;
    }
    if (condition->uses().empty()) {
      out.error(node.location(), fmt::format("`{}` is the same for all points", node.scalar()),
                "a constraint names an axis or a metric");
    } else if (is_priced && !why_unpriced(plan).empty()) {
      out.error(node.location(), fmt::format("`{}` cannot be told", node.scalar()), why_unpriced(plan));
    } else {
      plan.constraints.push_back({node.scalar(), node.location(), *std::move(condition), is_of_axes});
    }
  }
}

void read_objectives(const YamlEntry* section, Plan& plan, Diagnostics& out) {
  if (section == nullptr) {
    plan.objectives.push_back({Metric::latency, "latency", false, {}});
    return;
  }
  if (!section->value.is_sequence() || section->value.items().empty()) {
    out.error(section->value.is_sequence() ? section->key.location() : section->value.location(),
              "`objectives` is a list of names", "write it like `objectives: [latency, \"max: rate\"]`");
    return;
  }
  for (const auto& node : section->value.items()) {
    const auto wanted = wanted_of(node, out);
    if (!wanted) continue;
    const auto metric = metric_from(wanted->name);
    if (wanted->direction != "min" && wanted->direction != "max") {
      out.error(node.location(), fmt::format("`{}` is no direction", wanted->direction), "`min:` or `max:`");
    } else if (!metric) {
      out.error(wanted->place, fmt::format("there is no objective `{}`", wanted->name),
                help_for_unknown(wanted->name, metric_names()));
    } else if (info_of(*metric).is_priced && !why_unpriced(plan).empty()) {
      out.error(wanted->place, fmt::format("objective `{}` cannot be told", wanted->name), why_unpriced(plan));
    } else if (std::any_of(plan.objectives.begin(), plan.objectives.end(),
                           [&](const auto& other) { return other.metric == *metric; })) {
      out.error(wanted->place, fmt::format("objective `{}` stands twice", wanted->name));
    } else {
      plan.objectives.push_back({*metric, wanted->name, wanted->direction == "max", wanted->place});
    }
  }
}

}  // namespace archsim
