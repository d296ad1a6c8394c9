// "Did you mean": the known name nearest to a misspelt one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace archsim {

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`; case does not count.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The nearest of `names` if it is near enough to be what was meant (one edit in three characters).
std::optional<std::string> near_name(std::string_view name, const std::vector<std::string>& names);

/// Help for an unknown name: "did you mean `banks`?", or the names there are: "one of `banks`, `capacity`".
std::string help_for_unknown(std::string_view name, const std::vector<std::string>& names);

/// "`a`, `b`, `c`"
std::string quoted_list(const std::vector<std::string>& names);

}  // namespace archsim
