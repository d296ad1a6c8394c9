// Members of foreign JSON, which may be absent.
#pragma once

#include <nlohmann/json.hpp>

namespace archsim {

/// null if `object` is no object, or has no such member.
inline const nlohmann::json& member(const nlohmann::json& object, const char* name) {
  static const nlohmann::json none;
  if (!object.is_object()) return none;
  const auto found = object.find(name);
  return found == object.end() ? none : *found;
}

}  // namespace archsim
