#include <algorithm>
#include <numeric>

#include "arch/describe/reference/reference.h"

namespace archsim {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kWidestLine = 100;
constexpr std::size_t kNarrowestColumn = 19;  // assumed: `output_stationary]` stays whole

std::size_t total(const std::vector<std::size_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), std::size_t{2}) + 2 * (widths.size() - 1);
}

/// As wide as the widest cell of each column. Where that is too wide for a line, the middle columns are narrowed, then the last.
std::vector<std::size_t> widths_of(const Rows& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  while (widths.size() > 1 && total(widths) > kWidestLine) {
    auto widest = std::max_element(widths.begin() + 1, widths.end() - 1);
    if (widest == widths.end() - 1 || *widest <= kNarrowestColumn) widest = widths.end() - 1;
    if (*widest <= kNarrowestColumn) break;
    --*widest;
  }
  return widths;
}

/// Lines of at most `width` characters, broken at blanks where there are any.
std::vector<std::string> wrapped(std::string text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    const auto blank = text.rfind(' ', width);
    const bool breaks = blank != std::string::npos && blank > 0;
    lines.push_back(text.substr(0, breaks ? blank : width));
    text.erase(0, breaks ? blank + 1 : width);
  }
  lines.push_back(std::move(text));
  return lines;
}

std::string aligned(const Rows& rows) {
  const auto widths = widths_of(rows);
  std::string text;
  for (const auto& row : rows) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells.push_back(wrapped(row[i], widths[i]));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t at = 0; at < height; ++at) {
      std::string line = " ";
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string cell = at < cells[i].size() ? cells[i][at] : "";
        line += " " + cell + std::string(widths[i] - cell.size() + 1, ' ');
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
  }
  return text;
}

/// A sentence behind `mark`, its further lines indented.
std::string paragraph(const std::string& mark, const std::string& sentence) {
  std::string text;
  for (const auto& line : wrapped(mark + sentence, kWidestLine - 4))
    text += (text.empty() ? "  " : "    ") + line + "\n";
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
  std::string text = paragraph("", model.name + ": " + model.summary).substr(2);
  Rows params = param_rows(model.params);
  if (!params.empty()) {
    params.insert(params.begin(), {"param", "default", "allowed", "meaning"});
    text += "\n" + aligned(params);
  }
  for (const auto& rule : model.params.rule_texts()) text += paragraph("rule: ", rule);
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
