#include "traces/generate/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "arch/describe/near_name.h"

namespace archsim {
namespace {

constexpr std::string_view kDtypeParameter = "dtype";

std::vector<std::string> names_of(const std::vector<WorkloadParameter>& parameters) {
  std::vector<std::string> names;
  for (const auto& parameter : parameters) names.push_back(parameter.name);
  return names;
}

std::vector<std::string> names_of(const std::vector<WorkloadParameter::Choice>& choices) {
  std::vector<std::string> names;
  for (const auto& choice : choices) names.push_back(choice.name);
  return names;
}

std::string text_of(double value) { return fmt::format("{}", value); }

std::string text_of(const WorkloadParameter& parameter) {
  return fmt::format("{} .. {}", text_of(parameter.low), text_of(parameter.high));
}

bool is_number_name(const std::string& name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) return false;
  for (const char c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  }
  return true;
}

bool check_name(const YamlNode& key, Diagnostics& out) {
  if (is_number_name(key.scalar())) return true;
  out.error(key.location(), fmt::format("`{}` cannot name a number", key.scalar()),
            "names are letters, digits and `_`, and begin with a letter");
  return false;
}

std::string scalar_of(const YamlEntry* entry, Diagnostics& out) {
  if (!entry) return {};
  if (!entry->value.is_scalar()) {
    out.error(entry->value.location(),
              fmt::format("`{}` is {}, not a value", entry->name(), kind_in_words(entry->value.kind())));
  }
  return entry->value.scalar();
}

WorkloadParameter::Choice read_choice(const YamlEntry& entry, Diagnostics& out) {
  WorkloadParameter::Choice choice;
  choice.name = entry.name();
  check_name(entry.key, out);
  if (!entry.value.is_map() && entry.value.kind() != YamlNode::Kind::null) {
    out.error(entry.value.location(), fmt::format("choice `{}` is {}, not a map of what it defines", choice.name,
                                                  kind_in_words(entry.value.kind())));
  }
  for (const auto& definition : entry.value.entries()) {
    const auto text = scalar_of(&definition, out);
    if (!check_name(definition.key, out)) continue;
    // A number defines a number, a word a word.
    const bool is_number = !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '-');
    if (is_number) {
      if (const auto value = evaluate(text, definition.value.location(), {}, out)) {
        choice.numbers[definition.name()] = *value;
      }
    } else {
      choice.words[definition.name()] = text;
    }
  }
  return choice;
}

void read_range(const YamlEntry& entry, WorkloadParameter& parameter, Diagnostics& out) {
  const auto& items = entry.value.items();
  if (items.size() != 2) {
    out.error(entry.value.location(), "a range is a list of its lowest and highest value");
    return;
  }
  const auto low = evaluate(items[0].scalar(), items[0].location(), {}, out);
  const auto high = evaluate(items[1].scalar(), items[1].location(), {}, out);
  if (!low || !high) return;
  parameter.low = *low;
  parameter.high = *high;
}

bool is_choice(const WorkloadParameter& parameter, const std::string& text) {
  return std::any_of(parameter.choices.begin(), parameter.choices.end(),
                     [&](const auto& choice) { return choice.name == text; });
}

// Whether `text`, at `where`, is a value of `parameter`.
bool fits(const WorkloadParameter& parameter, const std::string& text, const Location& where, Diagnostics& out,
          const std::vector<std::string>& recipes = {}) {
  if (!parameter.choices.empty()) {
    if (is_choice(parameter, text)) return true;
    auto known = names_of(parameter.choices);
    for (const auto& recipe : recipes) {
      if (!is_choice(parameter, recipe)) known.push_back(recipe);
    }
    out.error(where, fmt::format("`{}` is no choice for `{}`", text, parameter.name), help_for_unknown(text, known));
    return false;
  }
  const auto value = evaluate(text, where, {}, out);
  if (!value) return false;
  if (parameter.is_integer && std::floor(*value) != *value) {
    out.error(where, fmt::format("`{}` takes a whole number, not {}", parameter.name, text), parameter.about);
    return false;
  }
  if (*value < parameter.low || *value > parameter.high) {
    out.error(where, fmt::format("`{}` is {}, outside {}", parameter.name, text, text_of(parameter)), parameter.about);
    return false;
  }
  return true;
}

std::optional<WorkloadParameter> read_parameter(const YamlEntry& entry, Diagnostics& out) {
  WorkloadParameter parameter;
  parameter.name = entry.name();
  if (!check_name(entry.key, out)) return std::nullopt;
  MapReader reader(entry.value, fmt::format("parameter `{}`", parameter.name), out);
  if (!entry.value.is_map()) return std::nullopt;
  const auto* default_value = reader.required("default");
  parameter.about = scalar_of(reader.required("about"), out);
  parameter.source = scalar_of(reader.optional("source"), out);
  if (const auto* type = reader.optional("type")) {
    parameter.is_integer = type->value.scalar() == "integer";
    if (!parameter.is_integer && type->value.scalar() != "number") {
      out.error(type->value.location(), fmt::format("no type `{}`", type->value.scalar()), "`integer` or `number`");
    }
  }
  if (const auto* range = reader.optional("range")) read_range(*range, parameter, out);
  if (const auto* choices = reader.optional("choices")) {
    for (const auto& choice : choices->value.entries()) parameter.choices.push_back(read_choice(choice, out));
    if (parameter.choices.empty()) out.error(choices->value.location(), "choices are a map of at least one");
  }
  reader.refuse_others();
  if (!default_value) return std::nullopt;
  parameter.value = scalar_of(default_value, out);
  fits(parameter, parameter.value, default_value->value.location(), out);
  return parameter;
}

}  // namespace

std::vector<WorkloadParameter> read_parameters(const YamlNode& section, Diagnostics& out) {
  std::vector<WorkloadParameter> parameters;
  if (!section.is_map()) {
    out.error(section.location(), fmt::format("`parameters` is {}, not a map", kind_in_words(section.kind())));
  }
  for (const auto& entry : section.entries()) {
    if (auto parameter = read_parameter(entry, out)) parameters.push_back(std::move(*parameter));
  }
  return parameters;
}

std::optional<YamlNode> apply_settings(const std::vector<std::string>& settings,
                                       std::vector<WorkloadParameter>& parameters,
                                       const std::vector<std::string>& recipes, Diagnostics& out) {
  std::optional<YamlNode> recipe;
  const std::string example = parameters.empty() ? "steps=5" : parameters.front().name + "=" + parameters.front().value;
  for (const auto& setting : settings) {
    const auto assignment = parse_assignment("--set", setting, out, example);
    if (!assignment) continue;
    const auto& name = assignment->path.front();
    WorkloadParameter* found = nullptr;
    for (auto& parameter : parameters) {
      if (assignment->path.size() == 1 && parameter.name == name.scalar()) found = &parameter;
    }
    if (!found) {
      out.error(name.location(),
                fmt::format("the workload has no parameter `{}`", setting.substr(0, setting.find('='))),
                help_for_unknown(name.scalar(), names_of(parameters)));
      continue;
    }
    const auto& value = assignment->value;
    if (!value.is_scalar()) {
      out.error(value.location(), fmt::format("`{}` is set to {}", found->name, kind_in_words(value.kind())),
                fmt::format("write it like `--set {}={}`", found->name, found->value));
      continue;
    }
    // The element types of a recipe's name; what the recipe starts from stays the parameter's own default.
    const bool is_dtype = found->name == kDtypeParameter && !found->choices.empty();
    if (is_dtype && !is_choice(*found, value.scalar()) &&
        std::find(recipes.begin(), recipes.end(), value.scalar()) != recipes.end()) {
      recipe = value;
    } else if (fits(*found, value.scalar(), value.location(), out, is_dtype ? recipes : std::vector<std::string>{})) {
      found->value = value.scalar();
      if (is_dtype) recipe.reset();
    }
  }
  return recipe;
}

void define_parameters(const std::vector<WorkloadParameter>& parameters, Scope& scope) {
  Diagnostics unused;  // the values were checked when they were read
  for (const auto& parameter : parameters) {
    if (parameter.choices.empty()) {
      if (const auto value = evaluate(parameter.value, {}, {}, unused)) scope.numbers[parameter.name] = *value;
      continue;
    }
    for (const auto& choice : parameter.choices) {
      if (choice.name != parameter.value) continue;
      for (const auto& [name, number] : choice.numbers) scope.numbers[name] = number;
      for (const auto& [name, word] : choice.words) scope.words[name] = word;
    }
  }
}

void define_numbers(const YamlNode& section, Scope& scope, Diagnostics& out) {
  if (!section.is_map()) {
    out.error(section.location(), fmt::format("`let` is {}, not a map", kind_in_words(section.kind())));
  }
  for (const auto& entry : section.entries()) {
    if (!check_name(entry.key, out)) continue;
    if (scope.numbers.contains(entry.name())) {
      out.error(entry.key.location(), fmt::format("`{}` is a number already", entry.name()));
      continue;
    }
    if (const auto value = evaluate(scalar_of(&entry, out), entry.value.location(), scope.numbers, out)) {
      scope.numbers[entry.name()] = *value;
    }
  }
}

}  // namespace archsim
