#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "traces/diff/diff.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(Change change) {
  switch (change) {
    case Change::added:
      return "added";
    case Change::removed:
      return "removed";
    case Change::changed:
      break;
  }
  return "changed";
}

char mark_of(Change change) { return change == Change::added ? '+' : change == Change::removed ? '-' : '~'; }

Json fields_json(const std::vector<FieldChange>& fields) {
  Json json = Json::array();
  for (const auto& each : fields)
    json.push_back({{"field", each.field}, {"before", each.before}, {"after", each.after}});
  return json;
}

std::string fields_text(const std::vector<FieldChange>& fields, std::size_t depth) {
  std::string text;
  for (const auto& each : fields) {
    text += fmt::format("{:{}}{}: {} -> {}\n", "", depth, each.field, each.before.empty() ? "none" : each.before,
                        each.after.empty() ? "none" : each.after);
  }
  return text;
}

}  // namespace

nlohmann::ordered_json diff_json(const TraceDiff& diff) {
  Json json = {{"schema", "archsim.trace_diff/1"}, {"equal", diff.is_equal()}, {"fields", fields_json(diff.fields)}};
  json["stages"] = Json::array();
  for (const auto& stage : diff.stages) {
    Json operators = Json::array();
    for (const auto& op : stage.operators) {
      operators.push_back(
          {{"name", op.name}, {"type", op.type}, {"change", name_of(op.change)}, {"fields", fields_json(op.fields)}});
    }
    json["stages"].push_back({{"name", stage.name},
                              {"change", name_of(stage.change)},
                              {"fields", fields_json(stage.fields)},
                              {"operators", std::move(operators)}});
  }
  return json;
}

std::string diff_table(const TraceDiff& diff) {
  if (diff.is_equal()) return "no difference\n";
  std::string text = fields_text(diff.fields, 0);
  for (const auto& stage : diff.stages) {
    text += fmt::format("{} stage {}\n{}", mark_of(stage.change), stage.name, fields_text(stage.fields, 4));
    for (const auto& op : stage.operators) {
      text += fmt::format("  {} {} {}\n{}", mark_of(op.change), op.type, op.name, fields_text(op.fields, 6));
    }
  }
  return text;
}

}  // namespace archsim
