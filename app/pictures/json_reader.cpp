#include "app/pictures/json_reader.h"

#include <algorithm>
#include <cmath>

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

/// The place of a byte of the text.
Location location_of(const Source& source, std::size_t byte) {
  const std::string_view before = std::string_view(source->text).substr(0, byte == 0 ? 0 : byte - 1);
  const auto line = static_cast<unsigned>(std::count(before.begin(), before.end(), '\n')) + 1;
  const std::size_t start = before.rfind('\n');
  const std::size_t column = start == std::string_view::npos ? before.size() : before.size() - start - 1;
  return {source, line, static_cast<unsigned>(column) + 1};
}

}  // namespace

Checked<Json> parse_json(const Source& source) {
  try {
    return Json::parse(source->text);
  } catch (const Json::parse_error& error) {
    const bool is_empty = source->text.find_first_not_of(" \t\r\n") == std::string::npos;
    return Diagnostic{Severity::error, "`" + source->path + "` is no JSON" + (is_empty ? ": it is empty" : ""),
                      is_empty ? Location{source, 0, 0} : location_of(source, error.byte),
                      "a run writes it: `archsim run ... --json FILE`"};
  }
}

void JsonReader::complain(const std::string& key, const char* kind) const {
  out_->error({source_, 0, 0}, "`" + source_->path + "` has no `" + where_ + key + "` that is " + kind,
              "`archsim run ... --json FILE` of this version writes it");
}

const Json* JsonReader::find(const std::string& key, const char* kind) const {
  if (has(key)) return &node_->at(key);
  complain(key, kind);
  return nullptr;
}

double JsonReader::number(const std::string& key) const {
  constexpr auto kKind = "a number from 0 on";
  const Json* value = find(key, kKind);
  if (value == nullptr) return 0.0;
  if (value->is_number() && std::isfinite(value->get<double>()) && value->get<double>() >= 0.0)
    return value->get<double>();
  complain(key, kKind);
  return 0.0;
}

std::uint64_t JsonReader::whole(const std::string& key) const {
  constexpr auto kKind = "a whole number";
  const Json* value = find(key, kKind);
  if (value == nullptr) return 0;
  if (value->is_number_unsigned()) return value->get<std::uint64_t>();
  complain(key, kKind);
  return 0;
}

std::string JsonReader::text(const std::string& key) const {
  constexpr auto kKind = "a text";
  const Json* value = find(key, kKind);
  if (value == nullptr) return {};
  if (value->is_string()) return value->get<std::string>();
  complain(key, kKind);
  return {};
}

JsonReader JsonReader::object(const std::string& key) const {
  static const Json kEmpty = Json::object();
  constexpr auto kKind = "an object";
  const Json* value = find(key, kKind);
  if (value != nullptr && !value->is_object()) complain(key, kKind);
  JsonReader inner(value != nullptr && value->is_object() ? *value : kEmpty, source_, *out_);
  inner.where_ = where_ + key + ".";
  return inner;
}

std::vector<JsonReader> JsonReader::list(const std::string& key) const {
  constexpr auto kKind = "a list of objects";
  std::vector<JsonReader> items;
  const Json* value = find(key, kKind);
  if (value == nullptr) return items;
  const bool is_good =
      value->is_array() && std::all_of(value->begin(), value->end(), [](const Json& item) { return item.is_object(); });
  if (!is_good) {
    complain(key, kKind);
    return items;
  }
  for (const Json& item : *value) {
    items.emplace_back(item, source_, *out_);
    items.back().where_ = where_ + key + "[" + std::to_string(items.size() - 1) + "].";
  }
  return items;
}

}  // namespace archsim
