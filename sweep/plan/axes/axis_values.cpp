#include "sweep/plan/axes/axis_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "arch/describe/values/value.h"
#include "sweep/terms/expression.h"

namespace archsim {
namespace {

/// `4 MiB` as a number and what stands behind it; bare numbers have no unit.
struct Measure {
  double number = 0.0;
  std::string unit;
  bool is_whole = true;  // as written
};

std::optional<Measure> measure_of(const YamlNode& node, const std::string& key, Diagnostics& out) {
  const std::string& text = node.scalar();
  const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-"), text.size());
  const auto parsed = detail::parse_number(text.substr(0, end));
  const std::size_t unit = text.find_first_not_of(' ', end);
  if (!node.is_scalar() || !parsed) {
    out.error(node.location(), "`" + key + "` of a range is a number or a quantity",
              "write it like `{from: 4 MiB, to: 64 MiB, factor: 2}`");
    return {};
  }
  return Measure{*parsed.value, unit == std::string::npos ? "" : text.substr(unit),
                 text.substr(0, end).find_first_of(".eE") == std::string::npos};
}

/// The same in another unit: 0.5 GiB is 512 MiB. False if they do not measure the same.
bool convert(Measure& measure, const std::string& unit) {
  if (measure.unit == unit) return true;
  const double from = number_of_value("1 " + measure.unit), to = number_of_value("1 " + unit);
  if (measure.unit.empty() || unit.empty() || from <= 0.0 || to <= 0.0) return false;
  measure.number *= from / to;
  measure.unit = unit;
  return true;
}

/// As people write it, without the noise of repeated sums.
std::string show(double number, const std::string& unit) {
  const double rounded = std::round(number);
  const bool is_whole = std::abs(number - rounded) <= 1e-9 * std::max(1.0, std::abs(number));
  const std::string digits = is_whole ? fmt::format("{:.0f}", rounded) : fmt::format("{:.9g}", number);
  return unit.empty() ? digits : digits + " " + unit;
}

class RangeReader {
 public:
  RangeReader(const YamlNode& map, const std::string& axis, Diagnostics& out) : map_(map), axis_(axis), out_(out) {}

  std::vector<YamlNode> run() {
    const auto from = bound("from");
    auto to = bound("to");
    if (!from || !to) return {};
    from_ = *from;
    if (!convert(*to, from_.unit)) {
      fail(map_.find("to")->value, fmt::format("`to` is not measured in `{}`, as `from` is", from_.unit), {});
      return {};
    }
    to_ = to->number;
    if (to_ < from_.number) {
      fail(map_.find("to")->value, fmt::format("axis `{}` is empty: `to` is below `from`", axis_), {});
      return {};
    }
    return values();
  }

 private:
  std::optional<Measure> bound(const std::string& key) {
    const YamlEntry* entry = map_.find(key);
    if (entry == nullptr) {
      out_.error(map_.location(), fmt::format("the range of axis `{}` has no `{}`", axis_, key),
                 "write it like `{from: 4 MiB, to: 64 MiB, factor: 2}`");
      return {};
    }
    return measure_of(entry->value, key, out_);
  }

  std::vector<YamlNode> values() {
    const YamlEntry *step = map_.find("step"), *factor = map_.find("factor"), *count = map_.find("count");
    const int given = (step != nullptr) + (factor != nullptr) + (count != nullptr);
    if (given != 1) {
      out_.error(map_.location(),
                 fmt::format("the range of axis `{}` needs one of `step`, `factor` and `count`", axis_),
                 "write it like `{from: 4 MiB, to: 64 MiB, factor: 2}`");
      return {};
    }
    if (step != nullptr) return by_step(step->value);
    if (factor != nullptr) return by_factor(factor->value);
    return by_count(count->value);
  }

  std::vector<YamlNode> by_step(const YamlNode& node) {
    auto step = measure_of(node, "step", out_);
    if (!step) return {};
    if (step->number <= 0.0 || !convert(*step, from_.unit)) {
      fail(node, step->number <= 0.0 ? "`step` is above zero" : "`step` is not measured as `from` is", {});
      return {};
    }
    if ((to_ - from_.number) / step->number > static_cast<double>(kMostValues)) return too_many();
    std::vector<YamlNode> nodes;
    for (std::size_t i = 0;; ++i) {
      const double value = from_.number + static_cast<double>(i) * step->number;
      if (value > to_ + 1e-9 * std::abs(to_)) return nodes;
      nodes.push_back(node_of(value));
    }
  }

  std::vector<YamlNode> by_factor(const YamlNode& node) {
    const auto factor = measure_of(node, "factor", out_);
    if (!factor) return {};
    if (factor->number <= 1.0 || !factor->unit.empty() || from_.number <= 0.0) {
      fail(node, from_.number <= 0.0 ? "a range by `factor` starts above zero" : "`factor` is a number above 1", {});
      return {};
    }
    if (std::log(to_ / from_.number) / std::log(factor->number) > static_cast<double>(kMostValues)) return too_many();
    std::vector<YamlNode> nodes;
    for (std::size_t i = 0;; ++i) {
      const double value = from_.number * std::pow(factor->number, static_cast<double>(i));
      if (value > to_ * (1.0 + 1e-9)) return nodes;
      nodes.push_back(node_of(value));
    }
  }

  std::vector<YamlNode> by_count(const YamlNode& node) {
    std::uint64_t count = 0;
    if (!ValueCodec<std::uint64_t>::read(node, "count", count, out_)) return {};
    if (count == 0) {
      fail(node, fmt::format("axis `{}` is empty", axis_), "`count` is at least 1");
      return {};
    }
    if (count > kMostValues) return too_many();
    const bool is_log = is_logarithmic();
    if (is_log && from_.number <= 0.0) {
      fail(map_.find("from")->value, "a logarithmic range starts above zero", {});
      return {};
    }
    std::vector<YamlNode> nodes;
    std::set<std::string> known;
    for (std::uint64_t i = 0; i < count; ++i) {
      const double part = count == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(count - 1);
      const double value =
          is_log ? from_.number * std::pow(to_ / from_.number, part) : from_.number + part * (to_ - from_.number);
      auto made = node_of(from_.is_whole ? std::round(value) : value);
      if (known.insert(made.scalar()).second) nodes.push_back(std::move(made));
    }
    return nodes;
  }

  bool is_logarithmic() {
    const YamlEntry* scale = map_.find("scale");
    if (scale == nullptr || scale->value.scalar() == "linear") return false;
    if (scale->value.scalar() != "log") fail(scale->value, "`scale` is `linear` or `log`", {});
    return true;
  }

  YamlNode node_of(double value) const {
    return YamlNode::make_scalar(map_.find("from")->value.location(), show(value, from_.unit));
  }

  std::vector<YamlNode> too_many() {
    out_.error(map_.location(), fmt::format("axis `{}` has more than {} values", axis_, kMostValues), {});
    return {};
  }

  void fail(const YamlNode& node, const std::string& what, const std::string& help) {
    out_.error(node.location(), what, help);
  }

  const YamlNode& map_;
  const std::string& axis_;
  Diagnostics& out_;
  Measure from_;
  double to_ = 0.0;
};

}  // namespace

std::string show_value(const YamlNode& node) {
  if (node.is_scalar()) return node.scalar();
  std::string text;
  for (const auto& item : node.items()) text += (text.empty() ? "" : ", ") + show_value(item);
  if (node.is_sequence()) return "[" + text + "]";
  for (const auto& entry : node.entries())
    text += (text.empty() ? "" : ", ") + entry.name() + ": " + show_value(entry.value);
  return node.is_map() ? "{" + text + "}" : "null";
}

std::vector<YamlNode> read_axis_list(const YamlNode& list, const std::string& axis, Diagnostics& out) {
  if (list.items().empty()) {
    out.error(list.location(), "axis `" + axis + "` is empty", "list its values: `" + axis + ": [32, 64]`");
    return {};
  }
  std::set<std::string> known;
  std::vector<YamlNode> nodes;
  for (const auto& item : list.items()) {
    if (!known.insert(show_value(item)).second) {
      out.error(item.location(), "`" + show_value(item) + "` stands twice in axis `" + axis + "`");
      continue;
    }
    nodes.push_back(item);
  }
  return nodes;
}

std::vector<YamlNode> read_axis_range(const YamlNode& map, const std::string& axis, Diagnostics& out) {
  return RangeReader(map, axis, out).run();
}

}  // namespace archsim
