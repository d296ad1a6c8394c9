#include "arch/describe/values/value.h"

#include <array>
#include <charconv>
#include <cmath>

#include "arch/describe/near_name.h"

namespace archsim {
namespace {

/// Text that YAML would read as something else needs quotation marks.
std::string show_text(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_of(":#{}[],&*!|>'\"%@`\n\t") == std::string::npos &&
                     text.front() != ' ' && text.back() != ' ' && text.front() != '-' && text.front() != '?' &&
                     text != "~" && text != "null";
  if (plain) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string show_number(double value) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

struct Shower {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return show_number(value); }
  std::string operator()(const std::string& value) const { return show_text(value); }
  std::string operator()(const Datum::List& list) const {
    std::string text;
    for (const Datum& each : list) text += (text.empty() ? "" : ", ") + show(each);
    return "[" + text + "]";
  }
  std::string operator()(const Datum::Map& map) const {
    std::string text;
    for (const auto& [key, each] : map) text += (text.empty() ? "" : ", ") + key + ": " + show(each);
    return "{" + text + "}";
  }
};

}  // namespace

bool operator==(const Datum& a, const Datum& b) { return a.value == b.value; }

std::string show(const Datum& datum) { return std::visit(Shower{}, datum.value); }

namespace detail {

void bad_value(const YamlNode& node, const std::string& name, const ValueShape& shape, const std::string& why,
               Diagnostics& out) {
  const std::string& text = node.scalar();
  std::string message = "`" + text + "` is not a value for `" + name + "`";
  if (!why.empty()) message += ": " + why;
  std::string help;
  if (shape.kind == ValueShape::Kind::choice) {
    help = help_for_unknown(text, shape.names);
  } else {
    help = "write it like `" + name + ": " + shape.example + "`";
    if (shape.kind == ValueShape::Kind::quantity) help += "; the units are " + quoted_list(shape.names);
  }
  out.error(node.location(), std::move(message), std::move(help));
}

bool expect_kind(const YamlNode& node, YamlNode::Kind kind, const std::string& name, const ValueShape& shape,
                 Diagnostics& out) {
  if (node.kind() == kind) return true;
  out.error(
      node.location(),
      "`" + name + "` takes " + std::string(kind_in_words(kind)) + ", not " + std::string(kind_in_words(node.kind())),
      "write it like `" + name + ": " + shape.example + "`");
  return false;
}

Parsed<bool> parse_bool(std::string_view text) {
  if (text == "true") return {true};
  if (text == "false") return {false};
  return Parsed<bool>::failure("it is neither true nor false");
}

Parsed<std::uint64_t> parse_whole(std::string_view text, std::uint64_t most) {
  std::uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = result.ptr == text.data() + text.size() && !text.empty();
  if (is_number && (result.ec == std::errc::result_out_of_range || (result.ec == std::errc() && value > most))) {
    return Parsed<std::uint64_t>::failure("it is too large");
  }
  if (!is_number || result.ec != std::errc()) return Parsed<std::uint64_t>::failure("it is not a whole number");
  return {value};
}

Parsed<double> parse_number(std::string_view text) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || !std::isfinite(value)) {
    return Parsed<double>::failure("it is not a number");
  }
  return {value};
}

ValueShape quantity_shape(const UnitText& units) {
  return {ValueShape::Kind::quantity,
          std::string(units.quantity),
          std::string(units.example),
          {units.units.begin(), units.units.end()}};
}

ValueShape choice_shape(std::vector<std::string> names) {
  const std::string type = "one of " + quoted_list(names);
  const std::string example = names.empty() ? "" : names.front();
  return {ValueShape::Kind::choice, type, example, std::move(names)};
}

ValueShape list_shape(ValueShape element) {
  const std::string type = "list of " + element.type;
  const std::string example = "[" + element.example + "]";
  return {ValueShape::Kind::list, type, example, {}, std::make_shared<const ValueShape>(std::move(element))};
}

ValueShape map_shape(std::vector<std::string> keys, ValueShape element) {
  const std::string type = "map from " + quoted_list(keys) + " to " + element.type;
  const std::string example = "{" + (keys.empty() ? std::string() : keys.front() + ": " + element.example) + "}";
  return {ValueShape::Kind::map, type, example, std::move(keys),
          std::make_shared<const ValueShape>(std::move(element))};
}

}  // namespace detail
}  // namespace archsim
