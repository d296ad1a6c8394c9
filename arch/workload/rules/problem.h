// What is wrong with a trace, before anybody knows where it was written down.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace archsim {

/// The reader of a file adds the line of the trace's listing, the workload builder the line that declared the operator, the tensor or
/// the loop (a stage is known by its loop).
struct Problem {
  std::string message;
  std::string help;
  std::optional<std::uint32_t> operator_index;
  std::optional<std::uint32_t> tensor_index;
  std::optional<std::uint32_t> loop_index = {};
};

using Problems = std::vector<Problem>;

}  // namespace archsim
