// What each operator type accepts: operands, attributes, element types and shapes, in one table.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "arch/workload/operator.h"

namespace archsim {

class OperandCheck;

enum class AttributeKind : std::uint8_t { integer, number, flag, text, integers };
std::string_view name_of(AttributeKind kind);

struct AttributeRule {
  std::string_view name;
  AttributeKind kind = AttributeKind::integer;
  bool required = false;
  std::string_view meaning;
  std::vector<std::string_view> choices = {};  // of a text attribute
  // Limits of an integer (or of each of `integers`); numbers must only be finite.
  std::int64_t low = 1;
  std::int64_t high = std::int64_t{1} << 40;
};

struct Arity {
  std::size_t low = 1;
  std::size_t high = 1;
  bool contains(std::size_t count) const { return count >= low && count <= high; }
};

struct OperatorRule {
  OperatorType type = OperatorType::linear;
  std::string_view signature;  // what a user reads when the number of operands is wrong
  Arity inputs;
  Arity outputs;
  std::vector<AttributeRule> attributes;
  bool in_place = false;  // may write what it reads, because each element depends on the elements at its own place
  void (*check)(OperandCheck&) = nullptr;
};

const OperatorRule& rule_of(OperatorType type);
/// Null if operators of this type have no such attribute.
const AttributeRule* attribute_of(const OperatorRule& rule, std::string_view name);

}  // namespace archsim
