#include "traces/recipes/operator_formats.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "arch/describe/near_name.h"

namespace archsim {
namespace {

bool has_type(const RecipeRule& rule, const Operator& op) {
  return rule.types.empty() || std::find(rule.types.begin(), rule.types.end(), op.type) != rule.types.end();
}

bool matches(const RecipeRule::Pattern& pattern, const Operator& op) {
  return fnmatch(pattern.glob.c_str(), op.name.c_str(), 0) == 0;
}

void take(const OperatorFormats& from, OperatorFormats& to) {
  if (from.weight) to.weight = from.weight;
  if (from.activation) to.activation = from.activation;
  if (from.accumulate) to.accumulate = from.accumulate;
  if (from.kv) to.kv = from.kv;
}

std::string help_for_pattern(const RecipeRule& rule, const RecipeRule::Pattern& pattern, const Trace& trace) {
  std::vector<std::string> names;
  for (const auto& op : trace.operators) {
    if (matches(pattern, op)) return fmt::format("it names `{}`, which is {}", op.name, name_of(op.type));
    if (has_type(rule, op)) names.push_back(op.name);
  }
  const auto near = near_name(pattern.glob, names);
  if (near) return fmt::format("did you mean `{}`?", *near);
  return names.empty() ? "" : fmt::format("names are like `{}`, and `*` stands for any part", names.front());
}

// Why `extent` elements cannot be stored so; empty if they can.
std::string misfit(const Format& format, std::uint64_t extent) {
  const auto block = packing_of(format.dtype).elements;
  if (extent % block != 0) return fmt::format("blocks of {}", block);
  if (format.grouping.group > 0 && extent % format.grouping.group != 0) {
    return fmt::format("groups of {}", format.grouping.group);
  }
  if (format.grouping.is_two_of_four && extent % 4 != 0) return "the fours of 2:4 sparsity";
  return {};
}

}  // namespace

bool is_product(OperatorType type) {
  return type == OperatorType::linear || type == OperatorType::matmul || type == OperatorType::attention ||
         type == OperatorType::depthwise_conv;
}

std::vector<OperatorFormats> formats_of_operators(const Recipe& recipe, const Trace& trace, Diagnostics& out) {
  std::vector<OperatorFormats> formats(trace.operators.size());
  for (const auto& rule : recipe.rules) {
    std::vector<bool> is_used(rule.names.size(), false);
    for (std::size_t i = 0; i < trace.operators.size(); ++i) {
      const auto& op = trace.operators[i];
      if (!has_type(rule, op)) continue;
      bool is_named = rule.names.empty();
      for (std::size_t p = 0; p < rule.names.size(); ++p) {
        if (!matches(rule.names[p], op)) continue;
        is_used[p] = true;
        is_named = true;
      }
      if (is_named) take(rule.formats, formats[i]);
    }
    for (std::size_t p = 0; p < rule.names.size(); ++p) {
      if (is_used[p]) continue;
      out.error(rule.names[p].place,
                fmt::format("`{}` matches no operator of `{}`{}", rule.names[p].glob, trace.model,
                            rule.types.empty() ? "" : " of these types"),
                help_for_pattern(rule, rule.names[p], trace));
    }
  }
  return formats;
}

std::optional<Format> fitting(const Formats& formats, std::uint64_t extent, const std::string& name, Diagnostics& out) {
  for (const auto& format : formats) {
    if (misfit(format, extent).empty()) return format;
  }
  out.error(formats.back().place,
            fmt::format("operator `{}` contracts {} elements, which {} do not divide", name, extent,
                        misfit(formats.back(), extent)),
            "say what holds there, like `otherwise: bf16`, or give the operator a rule of its own");
  return std::nullopt;
}

}  // namespace archsim
