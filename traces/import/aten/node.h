// The nodes of PyTorch's execution traces, whatever file they came in.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace archsim {

using Sizes = std::vector<std::int64_t>;

/// A tensor as a node names it. Ids tell objects apart, not contents: an id may come back for another tensor later.
struct AtenTensor {
  std::int64_t id = 0;
  std::int64_t storage = 0;
  std::int64_t offset = 0;  // of the first element, in elements
  Sizes shape;
  std::string type;  // "float", "c10::BFloat16", "long int"
};

/// Absent, a truth value, a number, a list of integers, a tensor, a list of tensors, or a text.
using AtenValue =
    std::variant<std::monostate, bool, std::int64_t, double, Sizes, AtenTensor, std::vector<AtenTensor>, std::string>;

struct AtenNode {
  std::int64_t id = 0;
  std::int64_t parent = 0;
  std::string name;  // "aten::linear"
  std::vector<AtenValue> inputs, outputs;
};

/// Most elements of a tensor that a trace may name; keeps every product within 64 bits.
constexpr std::int64_t kMostAtenElements = std::int64_t{1} << 44;

/// The values of a node from the three lists that the formats have: values, shapes and types, one of each an argument.
/// Empty with `why` set if they do not belong together.
std::optional<std::vector<AtenValue>> aten_values(const nlohmann::json& values, const nlohmann::json& shapes,
                                                  const nlohmann::json& types, std::string& why);

/// Every tensor among `values`, those of lists too.
std::vector<const AtenTensor*> tensors_of(const std::vector<AtenValue>& values);

}  // namespace archsim
