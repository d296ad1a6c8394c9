#include "sweep/plan/axes/axes.h"

#include <fmt/format.h>

#include <algorithm>

#include "sweep/plan/axes/axis_values.h"

namespace archsim {
namespace {

constexpr std::string_view kWorkloadPrefix = "workload.";

/// `npu.rows` as its names, each at its place; nothing, and an error, if one is missing.
std::vector<YamlNode> split_path(const std::string& text, const Location& where, Diagnostics& out) {
  std::vector<YamlNode> path;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    Location place = where;
    place.column += static_cast<unsigned>(begin);
    if (begin == end) {
      out.error(place, "a name is missing in the path", "write it like `npu.rows`");
      return {};
    }
    path.push_back(YamlNode::make_scalar(place, text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return path;
}

class AxisReader {
 public:
  AxisReader(const YamlEntry& entry, Diagnostics& out) : entry_(entry), out_(out) {}

  std::optional<Axis> run() {
    axis_.name = entry_.name();
    axis_.place = entry_.key.location();
    if (!read_paths() || !read_values()) return {};
    return std::move(axis_);
  }

  /// Conditions, to be read when all axes are known.
  const YamlNode* when() const { return find("when"); }
  const YamlNode* follows() const { return find("follows"); }

 private:
  const YamlNode* find(const char* key) const {
    const YamlEntry* found = entry_.value.is_map() ? entry_.value.find(key) : nullptr;
    return found == nullptr ? nullptr : &found->value;
  }

  bool read_paths() {
    const std::string& name = axis_.name;
    if (name == "recipe") {
      axis_.kind = AxisKind::recipe;
      axis_.paths = {{entry_.key}};
      axis_.columns = {name};
      return true;
    }
    if (name.starts_with(kWorkloadPrefix)) {
      axis_.kind = AxisKind::workload;
      const std::string param = name.substr(kWorkloadPrefix.size());
      if (param.empty()) out_.error(axis_.place, "the workload's param is missing", "write it like `workload.steps`");
      axis_.paths = {{YamlNode::make_scalar(axis_.place, param)}};
      axis_.columns = {name};
      return !param.empty();
    }
    for (std::size_t begin = 0; begin <= name.size();) {
      const std::size_t end = std::min(name.find(',', begin), name.size());
      const std::size_t first = std::min(name.find_first_not_of(' ', begin), end);
      const std::size_t last = name.find_last_not_of(' ', end == 0 ? 0 : end - 1);
      Location place = axis_.place;
      place.column += static_cast<unsigned>(first);
      const std::string text = first >= end ? "" : name.substr(first, last + 1 - first);
      auto path = split_path(text, place, out_);
      if (path.empty()) return false;
      axis_.columns.push_back(text);
      axis_.paths.push_back(std::move(path));
      begin = end + 1;
    }
    return true;
  }

  bool read_values() {
    const YamlNode& value = entry_.value;
    if (value.is_sequence()) return take(read_axis_list(value, axis_.name, out_));
    if (!value.is_map()) {
      out_.error(value.location(), fmt::format("axis `{}` is a list or a range", axis_.name),
                 fmt::format("write it like `{}: [32, 64]` or `{{from: 32, to: 128, factor: 2}}`", axis_.name));
      return false;
    }
    Diagnostics found;
    MapReader reader(value, fmt::format("axis `{}`", axis_.name), found);
    for (const char* key : {"from", "to", "step", "factor", "count", "scale", "values", "when", "follows", "unit"}) {
      reader.optional(key);
    }
    reader.refuse_others();
    out_.append(found);
    if (found.has_errors()) return false;
    if (const YamlNode* unit = find("unit")) axis_.unit = unit->scalar();
    if (find("follows") != nullptr) return check_only({"follows", "unit", "when"});
    if (const YamlNode* values = find("values")) {
      if (values->is_sequence())
        return check_only({"values", "when"}) && take(read_axis_list(*values, axis_.name, out_));
      out_.error(values->location(), "`values` is a list", "write it like `values: [32, 64]`");
      return false;
    }
    return take(read_axis_range(value, axis_.name, out_));
  }

  bool check_only(const std::vector<std::string>& keys) {
    bool good = true;
    for (const auto& entry : entry_.value.entries()) {
      if (std::find(keys.begin(), keys.end(), entry.name()) != keys.end()) continue;
      out_.error(entry.key.location(), fmt::format("`{}` has no meaning beside `{}`", entry.name(), keys.front()), {});
      good = false;
    }
    return good;
  }

  bool take(std::vector<YamlNode> nodes) {
    bool good = !nodes.empty();
    for (auto& node : nodes) good = take(node) && good;
    return good;
  }

  /// Linked paths take one value each of a list, or all the same one.
  bool take(const YamlNode& node) {
    AxisValue value;
    const bool is_tuple = axis_.paths.size() > 1 && node.is_sequence();
    if (is_tuple && node.items().size() != axis_.paths.size()) {
      out_.error(node.location(), fmt::format("{} values for {} linked paths", node.items().size(), axis_.paths.size()),
                 "give one for each, or one for all");
      return false;
    }
    for (std::size_t i = 0; i < axis_.paths.size(); ++i) {
      value.nodes.push_back(is_tuple ? node.items()[i] : node);
      value.texts.push_back(show_value(value.nodes[i]));
      value.numbers.push_back(number_of_value(value.texts[i]));
    }
    axis_.values.push_back(std::move(value));
    return true;
  }

  const YamlEntry& entry_;
  Diagnostics& out_;
  Axis axis_;
};

/// Nothing, and an error, if it is none. An axis may look at those before it.
std::optional<Expression> condition(const YamlNode& node, const std::vector<std::string>& names, Diagnostics& out) {
  if (node.is_scalar()) return Expression::compile(node.scalar(), node.location(), names, out);
  out.error(node.location(), "a condition or formula is text", "write it like `when: npu.rows >= 64`");
  return {};
}

}  // namespace

std::vector<Axis> read_axes(const YamlEntry& section, Diagnostics& out) {
  std::vector<Axis> axes;
  if (!section.value.is_map() || section.value.entries().empty()) {
    out.error(section.value.is_map() ? section.key.location() : section.value.location(),
              "`axes` is a map of paths to values", "write it as lines `npu.rows: [32, 64, 128]`");
    return axes;
  }
  std::vector<std::string> before;
  for (const auto& entry : section.value.entries()) {
    AxisReader reader(entry, out);
    const YamlNode *when = reader.when(), *follows = reader.follows();
    auto axis = reader.run();
    if (!axis) continue;
    if (when != nullptr) axis->when = condition(*when, before, out);
    if (follows != nullptr) axis->follows = condition(*follows, before, out);
    for (const auto& column : axis->columns) {
      if (std::find(before.begin(), before.end(), column) != before.end()) {
        out.error(axis->place, fmt::format("`{}` is on two axes", column));
      }
      before.push_back(column);
    }
    axes.push_back(*std::move(axis));
  }
  return axes;
}

std::vector<Assignment> read_settings(const YamlNode& map, Diagnostics& out) {
  std::vector<Assignment> settings;
  if (!map.is_map())
    out.error(map.location(), "`set` is a map of paths to values", "write it like `set: {npu.rows: 64}`");
  for (const auto& entry : map.entries()) {
    auto path = split_path(entry.name(), entry.key.location(), out);
    if (!path.empty()) settings.push_back({std::move(path), entry.value});
  }
  return settings;
}

}  // namespace archsim
