#include "arch/describe/table.h"

#include <algorithm>

#include "arch/describe/near_name.h"

namespace archsim {
namespace {

const void* member_of(const ParamEntry& entry, const void* params) {
  return entry.member(const_cast<void*>(params));  // only read through
}

/// What a group of `owner` is called: "`dma` of accel model `systolic`".
std::string owner_of_group(const std::string& name, const std::string& owner) {
  return owner.empty() ? "`" + name + "`" : "`" + name + "` of " + owner;
}

}  // namespace

ParamEntry::ParamEntry() = default;
ParamEntry::ParamEntry(const ParamEntry&) = default;
ParamEntry::ParamEntry(ParamEntry&&) noexcept = default;
ParamEntry& ParamEntry::operator=(const ParamEntry&) = default;
ParamEntry& ParamEntry::operator=(ParamEntry&&) noexcept = default;
ParamEntry::~ParamEntry() = default;

ParamTable::ParamTable() = default;
ParamTable::ParamTable(const ParamTable&) = default;
ParamTable::ParamTable(ParamTable&&) noexcept = default;
ParamTable& ParamTable::operator=(const ParamTable&) = default;
ParamTable& ParamTable::operator=(ParamTable&&) noexcept = default;
ParamTable::~ParamTable() = default;

void ParamTable::add(ParamEntry entry) { entries_.push_back(std::move(entry)); }

void ParamTable::add_rule(std::string_view text, std::string_view about, std::function<bool(const void*)> holds) {
  rules_.push_back({std::string(text), std::string(about), std::move(holds)});
}

const ParamEntry* ParamTable::find(std::string_view name) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const ParamEntry& each) { return each.name == name; });
  return found == entries_.end() ? nullptr : &*found;
}

std::vector<std::string> ParamTable::names() const {
  std::vector<std::string> names;
  for (const auto& entry : entries_) names.push_back(entry.name);
  return names;
}

std::vector<std::pair<std::string, const ParamEntry*>> ParamTable::leaves() const {
  std::vector<std::pair<std::string, const ParamEntry*>> leaves;
  for (const auto& entry : entries_) {
    if (!entry.group) {
      leaves.emplace_back(entry.name, &entry);
      continue;
    }
    for (const auto& [path, leaf] : entry.group->leaves()) leaves.emplace_back(entry.name + "." + path, leaf);
  }
  return leaves;
}

AnyParams ParamTable::read(const YamlNode& map, const ReadOptions& options, Diagnostics& out) const {
  const std::shared_ptr<void> params = copy_(defaults_.address());
  read_into(map, options, params.get(), out);
  return {params, *defaults_.type()};
}

void ParamTable::read_into(const YamlNode& map, const ReadOptions& options, void* params, Diagnostics& out) const {
  if (!map.is_map()) {
    out.error(map.location(), options.owner + " is a map of params, not " + std::string(kind_in_words(map.kind())));
    return;
  }
  bool good = true;
  for (const YamlEntry& given : map.entries()) {
    const std::string& name = given.name();
    if (std::find(options.other_keys.begin(), options.other_keys.end(), name) != options.other_keys.end()) continue;
    if (const ParamEntry* entry = find(name)) {
      good = read_entry(*entry, given.value, options.owner, entry->member(params), out) && good;
      continue;
    }
    std::vector<std::string> known = names();
    known.insert(known.end(), options.other_keys.begin(), options.other_keys.end());
    out.error(given.key.location(), options.owner + " has no parameter `" + name + "`", help_for_unknown(name, known));
    good = false;
  }
  if (good) check_rules_of(params, &map, map.location(), out);
}

bool ParamTable::read_entry(const ParamEntry& entry, const YamlNode& value, const std::string& owner, void* member,
                            Diagnostics& out) {
  if (entry.group) {
    Diagnostics inner;
    entry.group->read_into(value, {owner_of_group(entry.name, owner)}, member, inner);
    out.append(inner);
    return !inner.has_errors();
  }
  return entry.read(value, entry.name, member, out, entry.shape) &&
         entry.check(member, entry.name, value.location(), out);
}

void ParamTable::check_rules_of(const void* params, const YamlNode* map, const Location& where,
                                Diagnostics& out) const {
  for (const auto& rule : rules_) {
    if (rule.holds(params)) continue;
    const YamlEntry* given = map != nullptr ? map->find(rule.about) : nullptr;
    const ParamEntry* about = find(rule.about);
    std::string help = "`" + rule.about + "`: " + about->doc;
    if (!about->group) help += "; now it is " + show(about->datum(member_of(*about, params)));
    out.error(given != nullptr ? given->value.location() : where, rule.text, help);
  }
}

void ParamTable::check_rules(const AnyParams& params, const Location& where, Diagnostics& out) const {
  ARCHSIM_ASSERT(*params.type() == *defaults_.type());
  check_rules_within(params.address(), where, out);
}

void ParamTable::check_rules_within(const void* params, const Location& where, Diagnostics& out) const {
  for (const auto& entry : entries_) {
    if (entry.group) entry.group->check_rules_within(member_of(entry, params), where, out);
  }
  check_rules_of(params, nullptr, where, out);
}

bool ParamTable::set(AnyParams& params, std::string_view path, const YamlNode& value, Diagnostics& out) const {
  ARCHSIM_ASSERT(*params.type() == *defaults_.type());
  const std::shared_ptr<void> changed = copy_(params.address());
  const ParamTable* table = this;
  void* place = changed.get();
  std::string owner;
  for (std::string_view rest = path;;) {
    const auto point = rest.find('.');
    const std::string name(rest.substr(0, point));
    const ParamEntry* entry = table->find(name);
    if (entry == nullptr || (point != std::string_view::npos && !entry->group)) {
      const std::string whole(path);
      out.error(value.location(), "there is no parameter `" + whole + "`", help_for_unknown(whole, path_names()));
      return false;
    }
    place = entry->member(place);
    if (point == std::string_view::npos) {
      if (!read_entry(*entry, value, owner, place, out)) return false;
      params = AnyParams(changed, *defaults_.type());
      return true;
    }
    table = entry->group.get();
    owner = owner_of_group(name, owner);
    rest.remove_prefix(point + 1);
  }
}

std::vector<std::string> ParamTable::path_names() const {
  std::vector<std::string> names;
  for (const auto& [path, leaf] : leaves()) names.push_back(path);
  return names;
}

Datum ParamTable::datum(const AnyParams& params) const {
  ARCHSIM_ASSERT(*params.type() == *defaults_.type());
  return datum_of(params.address());
}

Datum ParamTable::datum_of(const void* params) const {
  Datum::Map map;
  for (const auto& entry : entries_) {
    const void* member = member_of(entry, params);
    map.emplace_back(entry.name, entry.group ? entry.group->datum_of(member) : entry.datum(member));
  }
  return {std::move(map)};
}

std::vector<std::string> ParamTable::rule_texts() const {
  std::vector<std::string> texts;
  for (const auto& rule : rules_) texts.push_back(rule.text);
  for (const auto& entry : entries_) {
    if (!entry.group) continue;
    for (const auto& text : entry.group->rule_texts()) texts.push_back("`" + entry.name + "`: " + text);
  }
  return texts;
}

void ParamTable::check_defaults() const {
  Diagnostics wrong;
  for (const auto& entry : entries_) {
    if (!entry.group) entry.check(member_of(entry, defaults_.address()), entry.name, {}, wrong);
  }
  check_rules_of(defaults_.address(), nullptr, {}, wrong);
  ARCHSIM_ASSERT(!wrong.has_errors(), "a default is wrong: " + render(wrong));
}

std::vector<StatValue> StatTable::values(const void* stats) const {
  std::vector<StatValue> values;
  for (const auto& entry : entries_) {
    if (!entry.is_time_shares()) values.push_back({entry.key, entry.read(stats)});
  }
  return values;
}

std::vector<std::pair<std::string, std::vector<StatValue>>> StatTable::engines(const void* stats) const {
  std::vector<std::pair<std::string, std::vector<StatValue>>> engines;
  for (const auto& entry : entries_) {
    if (!entry.is_time_shares()) continue;
    const TimeShares& shares = entry.time_shares(stats);
    std::vector<StatValue> values = {{"busy_s", seconds(shares.busy())}};
    for (const auto& [reason, span] : shares.waits()) values.push_back({"wait_" + reason + "_s", seconds(span)});
    values.push_back({"idle_s", seconds(shares.idle())});
    engines.emplace_back(entry.name, std::move(values));
  }
  return engines;
}

std::vector<std::pair<std::string, std::uint64_t>> EventTable::counts(const void* events) const {
  std::vector<std::pair<std::string, std::uint64_t>> counts;
  for (const auto& entry : entries_) counts.emplace_back(entry.name, entry.count(events));
  return counts;
}

void StatTable::add_number(std::string_view name, std::string_view unit, std::string_view doc,
                           const void* (*member)(const void*), StatNumber (*number)(const void*)) {
  StatEntry entry{std::string(name), {}, std::string(doc), std::string(unit), member, number};
  entry.key = unit.empty() ? entry.name : detail::key_with_unit(entry.name, entry.unit);
  entries_.push_back(std::move(entry));
}

void StatTable::add_shares(std::string_view name, std::string_view doc, const void* (*member)(const void*)) {
  entries_.push_back({std::string(name), std::string(name), std::string(doc), "s", member, nullptr});
}

void EventTable::add(std::string_view name, std::string_view doc, std::string_view cost_key,
                     const void* (*member)(const void*)) {
  entries_.push_back({std::string(name), std::string(doc), std::string(cost_key), member});
}

namespace detail {

ValueShape group_shape(const ParamTable& group) {
  std::vector<std::string> names;
  std::string example;
  for (const auto& entry : group.entries()) {
    names.push_back(entry.name);
    const std::string value = entry.group ? entry.shape.example : entry.default_text;
    example += (example.empty() ? "{" : ", ") + entry.name + ": " + value;
  }
  return {ValueShape::Kind::group, "group", example + "}", std::move(names)};
}

void complain_range(const std::string& name, const Datum& value, const Datum& low, const Datum& high,
                    const std::string& doc, const Location& where, Diagnostics& out) {
  out.error(where, "`" + name + "` is " + show(value) + ", outside " + show(low) + " .. " + show(high),
            "`" + name + "`: " + doc);
}

bool complain_power_of_two(const std::string& name, const Datum& value, const std::string& doc, const Location& where,
                           Diagnostics& out) {
  out.error(where, "`" + name + "` is " + show(value) + ", not a power of two", "`" + name + "`: " + doc);
  return false;
}

bool complain_empty(const std::string& name, const std::string& doc, const Location& where, Diagnostics& out) {
  out.error(where, "`" + name + "` must not be empty", "`" + name + "`: " + doc);
  return false;
}

std::string range_text(const ParamEntry& entry, bool must_be_power_of_two) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (!entry.low.is_null()) add(show(entry.low) + " .. " + show(entry.high));
  if (must_be_power_of_two) add("a power of two");
  if (entry.must_not_be_empty) add("not empty");
  return text;
}

std::string key_with_unit(const std::string& name, const std::string& unit) {
  return name == unit || name.ends_with("_" + unit) ? name : name + "_" + unit;
}

}  // namespace detail
}  // namespace archsim
