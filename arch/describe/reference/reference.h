// What the tables tell people and editors: help on a terminal, a reference page, a JSON schema.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "arch/describe/table.h"

namespace archsim {

/// The tables of one model.
struct ModelReference {
  std::string name;     // "sram/banked"
  std::string summary;  // one sentence
  const ParamTable& params;
  const StatTable& stats;
  const EventTable& events;
};

/// For a terminal.
std::string help_text(const ModelReference& model);
/// A page of docs/reference.
std::string markdown_page(const ModelReference& model);
/// Of a map of these params (JSON Schema draft 7). Keys that belong to others are the caller's to add.
nlohmann::ordered_json json_schema(const ParamTable& params);

nlohmann::ordered_json to_json(const Datum& datum);
/// An object with a key each.
nlohmann::ordered_json to_json(const std::vector<StatValue>& values);

}  // namespace archsim
