// The values of an axis: a list, or a range `{from, to, step | factor | count}`.
#pragma once

#include <vector>

#include "arch/describe/yaml.h"

namespace archsim {

/// No axis has more values.
constexpr std::size_t kMostValues = 1'000'000;

/// Nothing, and errors, if there are none.
std::vector<YamlNode> read_axis_list(const YamlNode& list, const std::string& axis, Diagnostics& out);
/// `map` has `from` and `to`. With `scale: log` a count of values stands at equal ratios.
std::vector<YamlNode> read_axis_range(const YamlNode& map, const std::string& axis, Diagnostics& out);

/// As one line of text.
std::string show_value(const YamlNode& node);

}  // namespace archsim
