#include "traces/import/chakra/python_list.h"

#include <string>

namespace archsim {

std::optional<nlohmann::json> python_list(std::string_view text) {
  if (text.empty()) return nlohmann::json::array();
  std::string json;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\'' || c == '"') {
      std::string inside;
      for (++i; i < text.size() && text[i] != c; ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) ++i;
        inside += text[i];
      }
      // What is no UTF-8 is replaced; nothing depends on it.
      json += nlohmann::json(inside).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    } else if (c == '(') {
      json += '[';
    } else if (c == ')') {
      json += ']';
    } else if (text.substr(i).starts_with("True")) {
      json += "true", i += 3;
    } else if (text.substr(i).starts_with("False")) {
      json += "false", i += 4;
    } else if (text.substr(i).starts_with("None")) {
      json += "null", i += 3;
    } else {
      json += c;
    }
  }
  auto out = nlohmann::json::parse(json, nullptr, false);
  if (out.is_discarded()) return std::nullopt;
  return out;
}

}  // namespace archsim
