#include <algorithm>

#include "arch/describe/reference/reference.h"

namespace archsim {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// Columns as wide as their widest cell, the last one ragged.
std::string aligned(const Rows& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += " " + row[i];
      line.append(widths[i] - row[i].size() + 1, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

/// What may be written: the range, else the choices, else the type.
std::string allowed(const ParamEntry& entry) {
  const ValueShape& shape = entry.shape;
  const ValueShape& inner = shape.element ? *shape.element : shape;
  std::string text;
  if (shape.kind == ValueShape::Kind::map) {
    text = "map from " + joined(shape.names, " | ");
  } else if (inner.kind == ValueShape::Kind::choice) {
    text = (shape.element ? "list of " : "") + joined(inner.names, " | ");
  } else if (entry.low.is_null()) {
    text = shape.type;
  }
  if (!entry.range.empty()) text += (text.empty() ? "" : ", ") + entry.range;
  return text;
}

std::string standard(const ParamEntry& entry) { return entry.default_text.empty() ? "none" : entry.default_text; }

Rows param_rows(const ParamTable& params) {
  Rows rows;
  for (const auto& [path, leaf] : params.leaves()) rows.push_back({path, standard(*leaf), allowed(*leaf), leaf->doc});
  return rows;
}

Rows stat_rows(const StatTable& stats) {
  Rows rows;
  for (const auto& entry : stats.entries()) {
    const std::string shares = entry.is_time_shares() ? ": busy_s, wait_..._s, idle_s" : "";
    rows.push_back({entry.key + shares, entry.doc});
  }
  return rows;
}

Rows event_rows(const EventTable& events) {
  Rows rows;
  for (const auto& entry : events.entries()) rows.push_back({entry.name, entry.cost_key, entry.doc});
  return rows;
}

std::string markdown_table(const std::vector<std::string>& head, const Rows& rows) {
  const auto line = [](const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) {
      std::string escaped;
      for (const char c : cell) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
      text += " " + escaped + " |";
    }
    return text + "\n";
  };
  std::string text = line(head) + "|";
  for (std::size_t i = 0; i < head.size(); ++i) text += "---|";
  text += "\n";
  for (const auto& row : rows) text += line(row);
  return text;
}

}  // namespace

std::string help_text(const ModelReference& model) {
  std::string text = model.name + ": " + model.summary + "\n";
  Rows params = param_rows(model.params);
  if (!params.empty()) {
    params.insert(params.begin(), {"param", "default", "allowed", "meaning"});
    text += "\n" + aligned(params);
  }
  for (const auto& rule : model.params.rule_texts()) text += "  rule: " + rule + "\n";
  if (!model.stats.entries().empty()) text += "\nstats\n" + aligned(stat_rows(model.stats));
  if (!model.events.entries().empty())
    text += "\nevents, and the cost of each in the technology file\n" + aligned(event_rows(model.events));
  return text;
}

std::string markdown_page(const ModelReference& model) {
  std::string text = "# " + model.name + "\n\n" + model.summary + "\n";
  text += "\n## Params\n\n" + markdown_table({"param", "default", "allowed", "meaning"}, param_rows(model.params));
  const auto rules = model.params.rule_texts();
  if (!rules.empty()) text += "\n";
  for (const auto& rule : rules) text += "- " + rule + "\n";
  if (!model.stats.entries().empty()) {
    text += "\n## Stats\n\n" + markdown_table({"stat", "meaning"}, stat_rows(model.stats));
  }
  if (!model.events.entries().empty()) {
    text += "\n## Events\n\n" + markdown_table({"event", "cost", "meaning"}, event_rows(model.events));
  }
  return text;
}

}  // namespace archsim
