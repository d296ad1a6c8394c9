#include "arch/cost/tech.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "arch/describe/near_name.h"

namespace archsim {
namespace {

namespace fs = std::filesystem;

/// The folders where technologies are looked for when `user_file` names one: as dram_folders (models/dram/standard.h).
std::vector<std::string> tech_folders(const std::string& user_file) {
  std::vector<std::string> folders;
  const fs::path folder = fs::path(user_file).parent_path();
  for (const char* beside : {"tech", "../tech", "../../tech", "configs/tech"}) {
    std::error_code error;
    const auto path = (folder / beside).lexically_normal();
    if (fs::is_directory(path, error)) folders.push_back(path.string());
  }
  folders.push_back((fs::path(ARCHSIM_CONFIGS_DIR) / "tech").string());
  return folders;
}

const std::vector<std::string>& coefficient_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const CostLine& line : kCosts) all.emplace_back(line.name);
    return all;
  }();
  return names;
}

std::optional<std::size_t> coefficient_of(const YamlNode& key, Diagnostics& out) {
  for (std::size_t i = 0; i < kCostCount; ++i) {
    if (kCosts[i].name == key.scalar()) return i;
  }
  out.error(key.location(), "a technology has no coefficient `" + key.scalar() + "`",
            help_for_unknown(key.scalar(), coefficient_names()));
  return {};
}

/// A number, not negative; other units of energy, power and area than the coefficient's own are converted.
struct Measure {
  std::string_view unit, base;
  double factor;
};
constexpr Measure kMeasures[] = {{"aJ", "pJ", 1e-6},  {"fJ", "pJ", 1e-3},     {"pJ", "pJ", 1.0},  {"nJ", "pJ", 1e3},
                                 {"uW", "mW", 1e-3},  {"mW", "mW", 1.0},      {"W", "mW", 1e3},   {"um2", "um2", 1.0},
                                 {"mm2", "um2", 1e6}, {"MiB", "KiB", 1024.0}, {"KiB", "KiB", 1.0}};

/// The factor from `from` to `to`; nothing if they measure different things.
std::optional<double> conversion(std::string_view from, std::string_view to) {
  if (from == to) return 1.0;
  const Measure *a = nullptr, *b = nullptr;
  for (const Measure& measure : kMeasures) {
    if (measure.unit == from) a = &measure;
    if (measure.unit == to) b = &measure;
  }
  if (a == nullptr || b == nullptr || a->base != b->base) return {};
  return a->factor / b->factor;
}

std::optional<double> number_of(const YamlNode& node, const std::string& name, std::string_view unit,
                                Diagnostics& out) {
  const std::string& text = node.scalar();
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  const bool is_number = error == std::errc{} && std::isfinite(value) && value >= 0.0 && node.is_scalar();
  const auto factor = conversion(rest.empty() && unit == "1" ? unit : rest, unit);
  if (is_number && factor) return value * *factor;
  const std::string example = unit == "1" ? "0.5" : "0.5 " + std::string(unit);
  out.error(node.location(),
            node.is_scalar() ? fmt::format("`{}` is no value for `{}`", text, name)
                             : fmt::format("`{}` is a value, not {}", name, kind_in_words(node.kind())),
            fmt::format("a number that is not negative{}, like `{}`",
                        unit == "1" ? "" : " and its unit, " + std::string(unit), example));
  return {};
}

std::string text_of(const YamlEntry* entry, Diagnostics& out) {
  if (entry == nullptr) return {};
  if (!entry->value.is_scalar() || entry->value.scalar().empty()) {
    out.error(entry->value.location(), "`" + entry->name() + "` is a text");
  }
  return entry->value.scalar();
}

/// low, nominal and high of a map, in `unit`.
std::optional<Band> band_of(MapReader& reader, const std::string& name, std::string_view unit, Diagnostics& out) {
  Band band;
  bool good = true;
  const auto bare = [&](const char* key, double& value) {
    const YamlEntry* entry = reader.required(key);
    const auto number = entry == nullptr ? std::nullopt : number_of(entry->value, name + "." + key, "1", out);
    good = good && number.has_value();
    if (number) value = *number;
  };
  bare("low", band.low), bare("nominal", band.nominal), bare("high", band.high);
  const YamlEntry* written = unit == "1" ? reader.optional("unit") : reader.required("unit");
  const std::string text = written == nullptr ? std::string(unit) : text_of(written, out);
  const auto factor = conversion(text, unit);
  if (!factor) {
    out.error(written->value.location(), fmt::format("`{}` is no unit for `{}`", text, name),
              fmt::format("it is told in {}", unit));
  }
  if (!good || !factor) return {};
  if (band.low > band.nominal || band.nominal > band.high) {
    out.error(reader.node().location(), "`" + name + "`: low, nominal and high are not in this order");
    return {};
  }
  return Band{band.low * *factor, band.nominal * *factor, band.high * *factor};
}

struct SourceText {
  std::string text, status;
};
using Sources = std::map<std::string, SourceText>;
constexpr std::string_view kStatuses[] = {"read",     "quoted",   "computed", "measured",
                                          "recalled", "doubtful", "estimate", "assumed"};

Sources sources_of(const YamlEntry* entry, Diagnostics& out) {
  Sources sources;
  if (entry == nullptr) return sources;
  for (const YamlEntry& each : entry->value.entries()) {
    MapReader reader(each.value, "source `" + each.name() + "`", out);
    SourceText source{text_of(reader.required("text"), out), {}};
    const YamlEntry* status = reader.required("status");
    source.status = text_of(status, out);
    if (status != nullptr &&
        std::find(std::begin(kStatuses), std::end(kStatuses), source.status) == std::end(kStatuses)) {
      out.error(status->value.location(), "`" + source.status + "` is no status of a source",
                quoted_list({std::begin(kStatuses), std::end(kStatuses)}));
    }
    reader.refuse_others();
    sources[each.name()] = source;
  }
  return sources;
}

/// The source that a map names, told when there is none of that name.
std::string source_of(MapReader& reader, const Sources& sources, Diagnostics& out) {
  const YamlEntry* entry = reader.required("source");
  if (entry == nullptr) return {};
  if (sources.count(entry->value.scalar()) != 0) return entry->value.scalar();
  std::vector<std::string> names;
  for (const auto& [name, text] : sources) names.push_back(name);
  out.error(entry->value.location(), "there is no source `" + entry->value.scalar() + "`",
            help_for_unknown(entry->value.scalar(), names));
  return {};
}

struct Scale {
  Band factor;
  std::string text;
};

class TechReader {
 public:
  TechReader(const Source& source, unsigned depth, Diagnostics& out) : source_(source), depth_(depth), out_(out) {}

  std::optional<Tech> read() {
    const auto root = parse_yaml(source_, out_);
    if (!root) return {};
    MapReader reader(*root, "a technology", out_);
    if (!root->is_map()) return {};
    tech_.name = text_of(reader.required("tech"), out_);
    read_node(reader);
    sources_ = sources_of(reader.optional("sources"), out_);
    const YamlEntry* from = reader.optional("from");
    const YamlEntry* scale = reader.optional("scale");
    if (from != nullptr) derive(*from, scale);
    const YamlEntry* coefficients = from == nullptr ? reader.required("coefficients") : reader.optional("coefficients");
    reader.refuse_others();
    if (coefficients != nullptr) read_coefficients(coefficients->value);
    for (std::size_t i = 0; i < kCostCount; ++i) {
      if (is_given_[i]) continue;
      out_.error(root->location(),
                 fmt::format("technology `{}` lacks `{}`: {}", tech_.name, kCosts[i].name, kCosts[i].doc),
                 "nothing is priced with a coefficient that is not there");
    }
    return tech_;
  }

 private:
  void read_node(MapReader& reader) {
    const auto measured = [&](const char* key, std::string_view unit, double& value) {
      const YamlEntry* entry = reader.required(key);
      const std::string text = entry == nullptr ? "" : entry->value.scalar();
      const auto end = text.find(' ');
      const bool has_unit = end != std::string::npos && text.substr(end + 1) == unit;
      const auto [rest, error] = std::from_chars(text.data(), text.data() + std::min(end, text.size()), value);
      if (entry != nullptr && (!has_unit || error != std::errc{} || value <= 0.0)) {
        out_.error(entry->value.location(), fmt::format("`{}` is no value for `{}`", text, key),
                   fmt::format("write it like `7 {}`", unit));
      }
    };
    measured("node", "nm", tech_.node_nm);
    measured("voltage", "V", tech_.voltage_v);
  }

  void derive(const YamlEntry& from, const YamlEntry* scale) {
    if (depth_ > 8) return out_.error(from.value.location(), "technologies are made from each other in a circle");
    const auto path = fs::path(source_->path).parent_path() / (from.value.scalar() + ".yaml");
    std::error_code error;
    if (from.value.scalar().empty() || !fs::exists(path, error)) {
      return out_.error(from.value.location(), "there is no technology `" + from.value.scalar() + "` beside this file");
    }
    const auto source = read_source(path.string());
    out_.append(source.diagnostics());
    if (!source) return;
    const auto base = TechReader(*source, depth_ + 1, out_).read();
    if (!base) return;
    const auto scales = read_scales(scale);
    for (std::size_t i = 0; i < kCostCount; ++i) take(i, base->coefficients[i], scales);
    is_given_.set();
  }

  void take(std::size_t i, const Coefficient& base, const std::map<std::string, Scale>& scales) {
    Coefficient& own = tech_.coefficients[i] = base;
    const std::string name(kScalings[static_cast<std::size_t>(kCosts[i].scaling)]);
    const auto scale = scales.find(name);
    if (scale == scales.end()) return;
    const Band& factor = scale->second.factor;
    own.value = {base.value.low * factor.low, base.value.nominal * factor.nominal, base.value.high * factor.high};
    own.text += fmt::format("; x {:.4g} {}: {}", factor.nominal, name, scale->second.text);
    own.status = "computed";
  }

  std::map<std::string, Scale> read_scales(const YamlEntry* entry) {
    std::map<std::string, Scale> scales;
    if (entry == nullptr) return scales;
    const std::vector<std::string> known(kScalings.begin() + 1, kScalings.end());
    for (const YamlEntry& each : entry->value.entries()) {
      if (std::find(known.begin(), known.end(), each.name()) == known.end()) {
        out_.error(each.key.location(), "there is no scaling `" + each.name() + "`",
                   help_for_unknown(each.name(), known));
        continue;
      }
      MapReader reader(each.value, "scaling `" + each.name() + "`", out_);
      const auto band = band_of(reader, each.name(), "1", out_);
      const std::string source = source_of(reader, sources_, out_);
      reader.refuse_others();
      if (band && !source.empty()) scales[each.name()] = {*band, sources_[source].text};
    }
    return scales;
  }

  void read_coefficients(const YamlNode& map) {
    if (!map.is_map()) return out_.error(map.location(), "`coefficients` is a map");
    for (const YamlEntry& entry : map.entries()) {
      const auto index = coefficient_of(entry.key, out_);
      if (!index) continue;
      is_given_.set(*index);
      MapReader reader(entry.value, "coefficient `" + entry.name() + "`", out_);
      if (!entry.value.is_map()) continue;
      const auto band = band_of(reader, entry.name(), kCosts[*index].unit, out_);
      const std::string source = source_of(reader, sources_, out_);
      const YamlEntry* note = reader.optional("note");
      reader.refuse_others();
      if (!band || source.empty()) continue;
      std::string text = sources_[source].text;
      if (note != nullptr) text += "; " + text_of(note, out_);
      tech_.coefficients[*index] = {*band, source, text, sources_[source].status};
    }
  }

  Source source_;
  unsigned depth_;
  Diagnostics& out_;
  Tech tech_;
  Sources sources_;
  std::bitset<kCostCount> is_given_;
};

void override_with(const YamlEntry& entry, Tech& tech, Diagnostics& out) {
  if (entry.name() == "temperature") {
    if (const auto kelvin = number_of(entry.value, "temperature", "K", out)) tech.temperature_k = *kelvin;
    return;
  }
  const auto index = coefficient_of(entry.key, out);
  if (!index) return;
  const std::string_view unit = kCosts[*index].unit;
  std::optional<Band> band;
  if (entry.value.is_map()) {
    MapReader reader(entry.value, "coefficient `" + entry.name() + "`", out);
    band = band_of(reader, entry.name(), unit, out);
    reader.refuse_others();
  } else if (const auto value = number_of(entry.value, entry.name(), unit, out)) {
    band = Band{*value, *value, *value};
  }
  if (band) tech.coefficients[*index] = {*band, "user", "given by the user", "set"};
}

}  // namespace

CostValues Tech::nominal() const {
  CostValues values;
  for (std::size_t i = 0; i < kCostCount; ++i) values.values[i] = coefficients[i].value.nominal;
  values.warm = std::exp((temperature_k - 350.0) / (*this)[Cost::leakage_kelvin].value.nominal);
  return values;
}

std::vector<std::string> technologies(const std::string& user_file) {
  std::vector<std::string> names;
  for (const std::string& folder : tech_folders(user_file)) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Checked<Tech> find_tech(const TechChoice& choice) {
  const std::string file = choice.where.source == nullptr ? std::string() : choice.where.source->path;
  for (const std::string& folder : tech_folders(file)) {
    const fs::path path = fs::path(folder) / (choice.name + ".yaml");
    std::error_code error;
    if (choice.name.empty() || choice.name.find('/') != std::string::npos || !fs::exists(path, error)) continue;
    const auto source = read_source(path.string());
    if (!source) return source.diagnostics();
    Diagnostics out;
    auto tech = TechReader(*source, 0, out).read();
    if (tech) {
      for (const YamlEntry& entry : choice.overrides) override_with(entry, *tech, out);
    }
    if (out.has_errors()) return out;
    ARCHSIM_ASSERT(tech.has_value(), "a technology without errors");
    return *std::move(tech);
  }
  return Diagnostic{.message = "there is no technology `" + choice.name + "`",
                    .location = choice.where,
                    .help = help_for_unknown(choice.name, technologies(file))};
}

}  // namespace archsim
