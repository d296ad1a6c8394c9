// Tables of reference data.
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/source_dir.h"

namespace archsim {

/// The lines of a CSV file of tests/data by the names of their columns; lines that begin with # are comments.
inline std::vector<std::map<std::string, std::string>> read_csv(const std::string& name) {
  std::ifstream file(std::string(ARCHSIM_SOURCE_DIR) + "/tests/data/" + name);
  std::vector<std::map<std::string, std::string>> rows;
  std::vector<std::string> head;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    std::vector<std::string> cells;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    if (head.empty()) {
      head = cells;
      continue;
    }
    cells.resize(head.size());
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < head.size(); ++i) row[head[i]] = cells[i];
  }
  return rows;
}

}  // namespace archsim
