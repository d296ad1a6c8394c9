// Reads the values of a JSON document, and tells of each that is missing or of another kind.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "arch/describe/diagnostic.h"

namespace archsim {

class JsonReader {
 public:
  /// `name` completes "... has no `x`", such as "`run.json`"; errors point at `source` as a whole.
  JsonReader(const nlohmann::ordered_json& node, Source source, Diagnostics& out)
      : node_(&node), source_(std::move(source)), out_(&out) {}

  /// Finite and not negative; else 0 and an error.
  double number(const std::string& key) const;
  std::uint64_t whole(const std::string& key) const;
  std::string text(const std::string& key) const;
  /// Objects of a list; empty and an error if there is no such list.
  std::vector<JsonReader> list(const std::string& key) const;
  /// The object there; an empty one and an error if there is none.
  JsonReader object(const std::string& key) const;

  bool has(const std::string& key) const { return node_->is_object() && node_->contains(key); }
  const nlohmann::ordered_json& node() const { return *node_; }

 private:
  const nlohmann::ordered_json* find(const std::string& key, const char* kind) const;
  void complain(const std::string& key, const char* kind) const;

  const nlohmann::ordered_json* node_;
  Source source_;
  Diagnostics* out_;
  std::string where_;  // "stages[3]."
};

/// The document in `source`; a broken one is told with the line where it breaks.
Checked<nlohmann::ordered_json> parse_json(const Source& source);

}  // namespace archsim
