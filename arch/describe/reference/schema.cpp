#include <nlohmann/json.hpp>

#include "arch/describe/reference/reference.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

/// Digits, perhaps a decimal part, and one of the units.
std::string quantity_pattern(const std::vector<std::string>& units) {
  std::string names;
  for (const auto& unit : units) names += (names.empty() ? "" : "|") + unit;
  return "^[0-9]+(\\.[0-9]+)? *(" + names + ")$";
}

Json object_of(const std::vector<std::string>& keys, const Json& value) {
  Json properties = Json::object();
  for (const auto& key : keys) properties[key] = value;
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

void bound(Json& schema, const ParamEntry& entry) {
  if (!entry.low.is_null() && schema.value("type", "") != "string") {
    schema["minimum"] = to_json(entry.low);
    schema["maximum"] = to_json(entry.high);
  }
}

Json value_schema(const ValueShape& shape, const ParamEntry& entry) {
  Json schema = Json::object();
  switch (shape.kind) {
    case ValueShape::Kind::boolean:
      schema["type"] = "boolean";
      break;
    case ValueShape::Kind::integer:
      schema["type"] = "integer";
      schema["minimum"] = 0;
      bound(schema, entry);
      break;
    case ValueShape::Kind::number:
      schema["type"] = "number";
      bound(schema, entry);
      break;
    case ValueShape::Kind::text:
      schema["type"] = "string";
      if (entry.must_not_be_empty) schema["minLength"] = 1;
      break;
    case ValueShape::Kind::quantity:
      schema["type"] = "string";
      schema["pattern"] = quantity_pattern(shape.names);
      break;
    case ValueShape::Kind::choice:
      schema["enum"] = shape.names;
      break;
    case ValueShape::Kind::list:
      schema["type"] = "array";
      schema["items"] = value_schema(*shape.element, entry);
      if (entry.must_not_be_empty) schema["minItems"] = 1;
      break;
    case ValueShape::Kind::map:
      schema = object_of(shape.names, value_schema(*shape.element, entry));
      if (entry.must_not_be_empty) schema["minProperties"] = 1;
      break;
    case ValueShape::Kind::group:
      return json_schema(*entry.group);
  }
  if (shape.is_optional) return {{"anyOf", {schema, {{"type", "null"}}}}};
  return schema;
}

struct ToJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(bool value) const { return value; }
  Json operator()(std::uint64_t value) const { return value; }
  Json operator()(double value) const { return value; }
  Json operator()(const std::string& value) const { return value; }
  Json operator()(const Datum::List& list) const {
    Json array = Json::array();
    for (const Datum& each : list) array.push_back(to_json(each));
    return array;
  }
  Json operator()(const Datum::Map& map) const {
    Json object = Json::object();
    for (const auto& [key, each] : map) object[key] = to_json(each);
    return object;
  }
};

}  // namespace

Json to_json(const Datum& datum) { return std::visit(ToJson{}, datum.value); }

Json to_json(const std::vector<StatValue>& values) {
  Json object = Json::object();
  for (const auto& each : values) std::visit([&](auto number) { object[each.key] = number; }, each.value);
  return object;
}

Json json_schema(const ParamTable& params) {
  const Datum standard = params.datum(params.defaults());
  const auto& defaults = std::get<Datum::Map>(standard.value);
  Json properties = Json::object();
  for (std::size_t i = 0; i < params.entries().size(); ++i) {
    const ParamEntry& entry = params.entries()[i];
    Json schema = value_schema(entry.shape, entry);
    schema["description"] = entry.range.empty() ? entry.doc : entry.doc + " (" + entry.range + ")";
    if (!entry.group) schema["default"] = to_json(defaults[i].second);
    properties[entry.name] = std::move(schema);
  }
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

}  // namespace archsim
