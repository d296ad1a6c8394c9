// Lists as Python prints them -> JSON: Chakra's converter keeps arguments so.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace archsim {

/// Of lists, tuples, numbers, texts in either quotes, True, False and None; empty if `text` is something else. An empty
/// text is an empty list.
std::optional<nlohmann::json> python_list(std::string_view text);

}  // namespace archsim
