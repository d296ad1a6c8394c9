#include "traces/import/aten/node.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

namespace archsim {
namespace {

using Json = nlohmann::json;

std::optional<Sizes> sizes_of(const Json& json) {
  if (!json.is_array()) return std::nullopt;
  Sizes sizes;
  for (const auto& each : json) {
    if (!each.is_number_integer()) return std::nullopt;
    sizes.push_back(each.get<std::int64_t>());
  }
  return sizes;
}

/// "float" of "Tensor(float)"; empty for another type.
std::string element_type(std::string_view type) {
  if (!type.starts_with("Tensor(") || !type.ends_with(")")) return {};
  return std::string(type.substr(7, type.size() - 8));
}

/// [id, storage, offset, elements, bytes of one, device], with the shape beside it.
std::optional<AtenTensor> tensor_of(const Json& value, const Json& shape, std::string type, std::string& why) {
  if (!value.is_array() || value.size() < 5)
    return why = "has a tensor that is not [id, storage, offset, ...]", std::nullopt;
  for (std::size_t i = 0; i < 5; ++i) {
    if (!value[i].is_number_integer()) return why = "has a tensor whose id is no integer", std::nullopt;
  }
  auto sizes = sizes_of(shape);
  if (!sizes) return why = "has a tensor without a shape", std::nullopt;
  std::int64_t elements = 1;
  for (const auto size : *sizes) {
    if (size < 0 || (elements > 0 && size > kMostAtenElements / elements)) {
      return why = "has a tensor with an extent below 0 or more than 2^44 elements", std::nullopt;
    }
    elements *= size;
  }
  return AtenTensor{value[0].get<std::int64_t>(), value[1].get<std::int64_t>(), value[2].get<std::int64_t>(),
                    std::move(*sizes), std::move(type)};
}

/// The types of a list's elements: "GenericList[Tensor(float),Tensor(float)]".
std::vector<std::string> list_types(std::string_view type) {
  std::vector<std::string> out;
  if (!type.starts_with("GenericList[") || !type.ends_with("]")) return out;
  type = type.substr(12, type.size() - 13);
  while (!type.empty()) {
    const auto comma = type.find(',');
    out.emplace_back(type.substr(0, comma));
    type = comma == std::string_view::npos ? std::string_view{} : type.substr(comma + 1);
  }
  return out;
}

std::optional<AtenValue> tensor_list(const Json& value, const Json& shape, const std::vector<std::string>& types,
                                     std::string& why) {
  std::vector<AtenTensor> tensors;
  if (!value.is_array() || !shape.is_array() || value.size() != shape.size() || value.size() > types.size()) {
    return why = "has a list of tensors whose values, shapes and types differ in number", std::nullopt;
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto element = element_type(types[i]);
    if (element.empty()) continue;  // an absent one
    auto tensor = tensor_of(value[i], shape[i], element, why);
    if (!tensor) return std::nullopt;
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

std::optional<AtenValue> value_of(const Json& value, const Json& shape, const std::string& type, std::string& why) {
  if (auto element = element_type(type); !element.empty()) {
    auto tensor = tensor_of(value, shape, std::move(element), why);
    if (!tensor) return std::nullopt;
    return AtenValue(std::move(*tensor));
  }
  const auto types = list_types(type);
  for (const auto& each : types) {
    if (!element_type(each).empty()) return tensor_list(value, shape, types, why);
  }
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) {
    if (type == "Bool") return value.get<std::int64_t>() != 0;
    return value.get<std::int64_t>();
  }
  if (value.is_number()) return value.get<double>();
  if (auto sizes = sizes_of(value)) return std::move(*sizes);
  if (value.is_string() && type != "None" && value != "<None>") return value.get<std::string>();
  return AtenValue{};
}

}  // namespace

std::optional<std::vector<AtenValue>> aten_values(const Json& values, const Json& shapes, const Json& types,
                                                  std::string& why) {
  if (!values.is_array() || !shapes.is_array() || !types.is_array() || values.size() != shapes.size() ||
      values.size() != types.size()) {
    why = "has values, shapes and types that differ in number";
    return std::nullopt;
  }
  std::vector<AtenValue> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!types[i].is_string()) return why = "has an argument whose type is no text", std::nullopt;
    auto value = value_of(values[i], shapes[i], types[i].get<std::string>(), why);
    if (!value) return std::nullopt;
    out.push_back(std::move(*value));
  }
  return out;
}

std::vector<const AtenTensor*> tensors_of(const std::vector<AtenValue>& values) {
  std::vector<const AtenTensor*> out;
  for (const auto& value : values) {
    if (const auto* tensor = std::get_if<AtenTensor>(&value)) out.push_back(tensor);
    if (const auto* list = std::get_if<std::vector<AtenTensor>>(&value)) {
      for (const auto& tensor : *list) out.push_back(&tensor);
    }
  }
  return out;
}

}  // namespace archsim
