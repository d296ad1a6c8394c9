// The head of a workload file: its parameters, what the user sets them to, and numbers derived from them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arch/describe/yaml.h"
#include "traces/generate/scope.h"

namespace archsim {

/// A knob of a workload. Either it takes a number in a range, or one of some words, each of which defines further
/// numbers and words (dtype `int8` says that weights are int8, and so on).
struct WorkloadParameter {
  struct Choice {
    std::string name;
    Numbers numbers;
    std::map<std::string, std::string, std::less<>> words;
  };

  std::string name;
  std::string about;
  std::string source;
  bool is_integer = true;
  double low = 1;
  double high = static_cast<double>(kExactIntegers);
  std::vector<Choice> choices;  // empty for a number
  std::string value;            // the default until it is set
};

/// The section `parameters:`.
std::vector<WorkloadParameter> read_parameters(const YamlNode& section, Diagnostics& out);

/// Applies settings such as "steps=5". `recipes` are values of `dtype` beside its choices: returns where one of them is set.
std::optional<YamlNode> apply_settings(const std::vector<std::string>& settings,
                                       std::vector<WorkloadParameter>& parameters,
                                       const std::vector<std::string>& recipes, Diagnostics& out);

/// Makes the parameters' values known in `scope`.
void define_parameters(const std::vector<WorkloadParameter>& parameters, Scope& scope);

/// The section `let:`: names and expressions, each of which may use those before it.
void define_numbers(const YamlNode& section, Scope& scope, Diagnostics& out);

}  // namespace archsim
