#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "arch/describe/near_name.h"
#include "arch/describe/yaml.h"
#include "traces/recipes/recipe.h"

namespace archsim {
namespace {

constexpr std::uint32_t kLargestGroup = 65535;

constexpr auto kStored = {Dtype::fp32,     Dtype::bf16, Dtype::fp16,  Dtype::int8,  Dtype::fp8_e4m3,
                          Dtype::fp8_e5m2, Dtype::int4, Dtype::mxfp8, Dtype::mxfp4, Dtype::nvfp4};
constexpr auto kPlain = {Dtype::fp32, Dtype::bf16, Dtype::fp16, Dtype::int8, Dtype::fp8_e4m3, Dtype::fp8_e5m2};
constexpr auto kAccumulators = {Dtype::fp32, Dtype::int32};
constexpr auto kScales = {Dtype::fp32, Dtype::bf16, Dtype::fp16, Dtype::fp8_e4m3};
using Choices = std::initializer_list<Dtype>;

std::vector<std::string> strings(const std::vector<std::string_view>& names) { return {names.begin(), names.end()}; }

class RecipeReader {
 public:
  explicit RecipeReader(Diagnostics& out) : out_(out) {}

  Recipe read(const YamlNode& root) {
    Recipe recipe;
    MapReader reader(root, "a recipe", out_);
    if (!root.is_map()) return recipe;
    if (const auto* name = reader.required("recipe")) recipe.name = name->value.scalar();
    reader.optional("about");
    reader.optional("sources");
    const auto* rules = reader.required("rules");
    reader.refuse_others();
    if (rules == nullptr) return recipe;
    if (!rules->value.is_sequence()) {
      out_.error(rules->value.location(), fmt::format("`rules` is {}, not a list", kind_in_words(rules->value.kind())),
                 "write it as lines `- {operators: [linear], weight: int8, activation: int8}`");
    }
    for (const auto& item : rules->value.items()) recipe.rules.push_back(rule(item));
    return recipe;
  }

 private:
  RecipeRule rule(const YamlNode& node) {
    RecipeRule rule;
    MapReader reader(node, "a rule of a recipe", out_);
    if (!node.is_map()) return rule;
    if (const auto* entry = reader.optional("operators")) types(entry->value, rule);
    if (const auto* entry = reader.optional("names")) {
      for (const auto& item : list(entry->value)) rule.names.push_back({item.scalar(), item.location()});
    }
    if (const auto* entry = reader.optional("weight")) rule.formats.weight = formats(entry->value, true);
    if (const auto* entry = reader.optional("activation")) rule.formats.activation = formats(entry->value, false);
    if (const auto* entry = reader.optional("accumulate")) rule.formats.accumulate = one(entry->value, kAccumulators);
    if (const auto* entry = reader.optional("kv")) rule.formats.kv = one(entry->value, kPlain);
    reader.refuse_others();
    const auto& given = rule.formats;
    if (!given.weight && !given.activation && !given.accumulate && !given.kv) {
      out_.error(node.location(), "this rule sets nothing", "give `weight`, `activation`, `accumulate` or `kv`");
    }
    return rule;
  }

  // One value, or a list of them.
  std::vector<YamlNode> list(const YamlNode& node) {
    const auto items = node.is_sequence() ? node.items() : std::vector{node};
    if (items.empty()) out_.error(node.location(), "this list is empty", "leave the key out to mean all");
    for (const auto& item : items) {
      if (!item.is_scalar() || item.scalar().empty()) {
        out_.error(item.location(), fmt::format("this is {}, not a name", kind_in_words(item.kind())));
      }
    }
    return items;
  }

  void types(const YamlNode& node, RecipeRule& rule) {
    for (const auto& item : list(node)) {
      if (!item.is_scalar()) continue;
      if (const auto type = operator_type_from(item.scalar())) {
        rule.types.push_back(*type);
      } else {
        out_.error(
            item.location(), fmt::format("no operator is of type `{}`", item.scalar()),
            help_for_unknown(item.scalar(), strings(operator_type_names())) + "; names of operators go into `names`");
      }
    }
  }

  Format one(const YamlNode& node, Choices allowed) { return {dtype(node, allowed), {}, node.location()}; }

  Dtype dtype(const YamlNode& node, Choices allowed) {
    std::vector<std::string> names;
    for (const auto choice : allowed) {
      if (node.is_scalar() && name_of(choice) == node.scalar()) return choice;
      names.emplace_back(name_of(choice));
    }
    const auto known = dtype_from(node.scalar());
    out_.error(node.location(),
               known ? fmt::format("`{}` cannot be used here", node.scalar())
                     : fmt::format("no element type is called `{}`", node.scalar()),
               known ? "one of " + quoted_list(names) : help_for_unknown(node.scalar(), names));
    return *allowed.begin();
  }

  // A name, or a map of it and its scales, sparsity and what holds where these do not fit.
  Formats formats(const YamlNode& node, bool is_weight) {
    if (!node.is_map()) return {one(node, kStored)};
    Format format{.place = node.location()};
    MapReader reader(node, is_weight ? "a weight's format" : "an activation's format", out_);
    if (const auto* entry = reader.required("dtype")) format.dtype = dtype(entry->value, kStored);
    if (is_weight) grouping(reader, format);
    const auto* otherwise = reader.optional("otherwise");
    reader.refuse_others();
    Formats all{format};
    if (otherwise != nullptr) {
      for (auto& more : formats(otherwise->value, is_weight)) all.push_back(std::move(more));
    }
    return all;
  }

  void grouping(MapReader& reader, Format& format) {
    const auto* group = reader.optional("group");
    const auto* scale = reader.optional("scale");
    const auto* sparsity = reader.optional("sparsity");
    if (group != nullptr) {
      format.grouping.group = number(group->value);
      format.grouping.scale = Dtype::bf16;
      format.place = group->value.location();
      if (packing_of(format.dtype).scale_bits > 0) {
        out_.error(group->key.location(), fmt::format("{} has blocks of its own", name_of(format.dtype)),
                   "leave `group` out");
      } else if (format.dtype != Dtype::int4 && format.dtype != Dtype::int8 && format.dtype != Dtype::fp8_e4m3 &&
                 format.dtype != Dtype::fp8_e5m2) {
        out_.error(group->key.location(), fmt::format("{} takes no group scales", name_of(format.dtype)),
                   "int4, int8 and fp8 do");
      }
    }
    if (scale != nullptr) {
      format.grouping.scale = dtype(scale->value, kScales);
      if (group == nullptr) out_.error(scale->key.location(), "`scale` is of groups, but there is no `group`");
    }
    if (sparsity == nullptr) return;
    const auto& text = sparsity->value.scalar();
    format.grouping.is_two_of_four = text == "2:4" || text == name_of(Sparsity::two_of_four);
    if (!format.grouping.is_two_of_four) {
      out_.error(sparsity->value.location(), fmt::format("no sparsity is called `{}`", text), "`two_of_four` is known");
    }
  }

  std::uint32_t number(const YamlNode& node) {
    std::uint32_t value = 0;
    const auto& text = node.scalar();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= 1 && value <= kLargestGroup) return value;
    out_.error(node.location(), fmt::format("`{}` is no size of a group", text),
               fmt::format("a whole number from 1 to {}", kLargestGroup));
    return 1;
  }

  Diagnostics& out_;
};

}  // namespace

Checked<Recipe> read_recipe(const Source& source) {
  Diagnostics out;
  const auto root = parse_yaml(source, out);
  if (!root) return out;
  Recipe recipe = RecipeReader(out).read(*root);
  if (out.has_errors()) return out;
  return recipe;
}

}  // namespace archsim
