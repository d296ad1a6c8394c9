#include "app/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace archsim {
namespace {

bool is_left(const std::string& header) { return header.starts_with('<'); }
std::string label(const std::string& header) { return is_left(header) ? header.substr(1) : header; }

}  // namespace

std::string as_text(const TextTable& table) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    std::size_t width = label(table.header[c]).size();
    for (const auto& row : table.rows) width = std::max(width, row[c].size());
    widths.push_back(width);
  }
  std::string out = table.title.empty() ? "" : table.title + "\n";
  const auto add = [&](const auto& cell_of) {
    std::string line = " ";
    for (std::size_t c = 0; c < widths.size(); ++c) {
      const std::string& cell = cell_of(c);
      line +=
          is_left(table.header[c]) ? fmt::format(" {:<{}}", cell, widths[c]) : fmt::format(" {:>{}}", cell, widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  };
  std::vector<std::string> labels;
  for (const auto& header : table.header) labels.push_back(label(header));
  const bool has_labels = std::any_of(labels.begin(), labels.end(), [](const auto& text) { return !text.empty(); });
  if (has_labels) add([&](std::size_t c) -> const std::string& { return labels[c]; });
  for (const auto& row : table.rows) add([&](std::size_t c) -> const std::string& { return row[c]; });
  return out;
}

std::string as_markdown(const TextTable& table) {
  std::string out = table.title.empty() ? "" : "### " + table.title + "\n\n";
  std::string rule = "|";
  out += "|";
  for (const auto& header : table.header) {
    out += " " + label(header) + " |";
    rule += is_left(header) ? "---|" : "---:|";
  }
  out += "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    out += "|";
    for (const auto& cell : row) out += " " + cell + " |";
    out += "\n";
  }
  return out;
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string out;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (c > 0) out += ',';
    if (cells[c].find_first_of(",\"\n") == std::string::npos) {
      out += cells[c];
      continue;
    }
    out += '"';
    for (const char character : cells[c]) out += character == '"' ? std::string("\"\"") : std::string(1, character);
    out += '"';
  }
  return out + "\n";
}

}  // namespace archsim
