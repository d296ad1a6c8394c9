// The tables of fields.h without their types: what the catalog, describe, --set, the JSON schema and the reports use.
//
// A ParamTable is made of a struct once, `ParamTable::of<BankedSramParams>()`, and from then on params are AnyParams.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "arch/describe/fields.h"
#include "arch/describe/stats.h"
#include "arch/describe/values/value.h"
#include "arch/describe/yaml.h"

namespace archsim {

/// Params of some model. Cheap to copy; a copy does not change when the original does.
class AnyParams {
 public:
  AnyParams() = default;
  template <class P>
  static AnyParams of(P params) {
    return AnyParams(std::make_shared<const P>(std::move(params)), typeid(P));
  }

  bool has_value() const { return value_ != nullptr; }
  template <class P>
  bool holds() const {
    return type_ != nullptr && *type_ == typeid(P);
  }
  /// It is a bug of ours to ask for another type than was put in.
  template <class P>
  const P& get() const {
    ARCHSIM_ASSERT(holds<P>(), "params of another type");
    return *static_cast<const P*>(value_.get());
  }

  const void* address() const { return value_.get(); }
  const std::type_info* type() const { return type_; }

 private:
  friend class ParamTable;
  AnyParams(std::shared_ptr<const void> value, const std::type_info& type) : value_(std::move(value)), type_(&type) {}

  std::shared_ptr<const void> value_;
  const std::type_info* type_ = nullptr;
};

class ParamTable;

/// One param. Everything but the functions is text, ready for help and reference pages.
struct ParamEntry {
  // Out of line, because every table's source would compile them again.
  ParamEntry();
  ParamEntry(const ParamEntry&);
  ParamEntry(ParamEntry&&) noexcept;
  ParamEntry& operator=(const ParamEntry&);
  ParamEntry& operator=(ParamEntry&&) noexcept;
  ~ParamEntry();

  std::string name;  // its key
  std::string doc;
  std::string default_text;  // as YAML; empty for a group
  std::string range;         // "4 KiB .. 64 MiB", "1 .. 64, a power of two"; empty without one
  ValueShape shape;          // what its text looks like
  bool must_not_be_empty = false;
  Datum low, high;                          // the ends of the range; null without one
  std::shared_ptr<const ParamTable> group;  // of a param that is a described struct; else null

  void* (*member)(void* params) = nullptr;  // its place inside the params
  bool (*read)(const YamlNode&, const std::string& name, void* value, Diagnostics&, const ValueShape&) = nullptr;
  Datum (*datum)(const void* value) = nullptr;
  std::function<bool(const void* value, const std::string& name, const Location&, Diagnostics&)> check;
};

/// What a map of params is called in messages, and which of its keys belong to somebody else.
struct ReadOptions {
  std::string owner;                         // "sram model `banked`"
  std::vector<std::string> other_keys = {};  // "kind", "model", "clock"
};

class ParamTable {
 public:
  ParamTable(const ParamTable&);
  ParamTable(ParamTable&&) noexcept;
  ParamTable& operator=(const ParamTable&);
  ParamTable& operator=(ParamTable&&) noexcept;
  ~ParamTable();

  /// `standard` holds the defaults. One that breaks its own line or a rule is a bug of ours.
  template <Described P>
  static ParamTable of(const P& standard = P{});

  const std::vector<ParamEntry>& entries() const { return entries_; }
  const ParamEntry* find(std::string_view name) const;
  /// Every param with its path ("scratchpad.banks"), groups opened.
  std::vector<std::pair<std::string, const ParamEntry*>> leaves() const;

  AnyParams defaults() const { return defaults_; }
  /// The defaults, and over them what `map` gives. Tells of unknown keys, values that are none, values out of range and
  /// broken rules; the result is good only if `out` got no error.
  AnyParams read(const YamlNode& map, const ReadOptions& options, Diagnostics& out) const;
  /// `params` with `value`, any YAML, at `path`; false, with errors in `out`, if that cannot be. Rules are not looked at.
  bool set(AnyParams& params, std::string_view path, const YamlNode& value, Diagnostics& out) const;
  /// Tells of broken rules, at `where`.
  void check_rules(const AnyParams& params, const Location& where, Diagnostics& out) const;

  /// As values: what YAML would say.
  Datum datum(const AnyParams& params) const;
  bool equal(const AnyParams& a, const AnyParams& b) const { return datum(a) == datum(b); }
  std::vector<std::string> rule_texts() const;

 private:
  struct ErasedRule {
    std::string text;
    std::string about;
    std::function<bool(const void*)> holds;
  };

  ParamTable();
  void add(ParamEntry entry);
  void add_rule(std::string_view text, std::string_view about, std::function<bool(const void*)> holds);
  void read_into(const YamlNode& map, const ReadOptions& options, void* params, Diagnostics& out) const;
  static bool read_entry(const ParamEntry& entry, const YamlNode& value, const std::string& owner, void* member,
                         Diagnostics& out);
  void check_rules_within(const void* params, const Location& where, Diagnostics& out) const;
  void check_rules_of(const void* params, const YamlNode* map, const Location& where, Diagnostics& out) const;
  Datum datum_of(const void* params) const;
  std::vector<std::string> names() const;
  std::vector<std::string> path_names() const;
  void check_defaults() const;

  std::vector<ParamEntry> entries_;
  std::vector<ErasedRule> rules_;
  AnyParams defaults_;
  std::shared_ptr<void> (*copy_)(const void*) = nullptr;
};

using StatNumber = std::variant<std::uint64_t, double>;

/// One stat as a number for a JSON key or a CSV column. The key carries the unit: "read_bytes", "busy_s".
struct StatValue {
  std::string key;
  StatNumber value;
  friend bool operator==(const StatValue&, const StatValue&) = default;
};

/// A number, or the time shares of an engine.
struct StatEntry {
  std::string name;
  std::string key;  // name and unit; of time shares the engine's name
  std::string doc;
  std::string unit;                                    // "bytes", "cycles", "s", ""
  const void* (*member)(const void* stats) = nullptr;  // its place inside the stats
  StatNumber (*number)(const void* stat) = nullptr;    // null for time shares

  bool is_time_shares() const { return number == nullptr; }
  StatNumber read(const void* stats) const { return number(member(stats)); }
  const TimeShares& time_shares(const void* stats) const { return *static_cast<const TimeShares*>(member(stats)); }
};

class StatTable {
 public:
  template <Described S>
  static StatTable of();

  const std::vector<StatEntry>& entries() const { return entries_; }
  /// Every stat that is one number.
  std::vector<StatValue> values(const void* stats) const;
  /// Every engine's time shares: (engine, shares as busy_s, wait_..._s, idle_s).
  std::vector<std::pair<std::string, std::vector<StatValue>>> engines(const void* stats) const;

 private:
  void add_number(std::string_view name, std::string_view unit, std::string_view doc,
                  const void* (*member)(const void*), StatNumber (*number)(const void*));
  void add_shares(std::string_view name, std::string_view doc, const void* (*member)(const void*));

  std::vector<StatEntry> entries_;
};

struct EventEntry {
  std::string name;
  std::string doc;
  std::string cost_key;
  const void* (*member)(const void* events) = nullptr;  // its place inside the events

  std::uint64_t count(const void* events) const { return static_cast<const Count*>(member(events))->value; }
};

class EventTable {
 public:
  /// `E` has only members of type Count.
  template <Described E>
  static EventTable of();

  const std::vector<EventEntry>& entries() const { return entries_; }
  /// (event's name, how often it happened), in the order of the table.
  std::vector<std::pair<std::string, std::uint64_t>> counts(const void* events) const;

 private:
  void add(std::string_view name, std::string_view doc, std::string_view cost_key, const void* (*member)(const void*));

  std::vector<EventEntry> entries_;
};

namespace detail {

ValueShape group_shape(const ParamTable& group);
void complain_range(const std::string& name, const Datum& value, const Datum& low, const Datum& high,
                    const std::string& doc, const Location& where, Diagnostics& out);
/// Always false.
bool complain_power_of_two(const std::string& name, const Datum& value, const std::string& doc, const Location& where,
                           Diagnostics& out);
/// Always false.
bool complain_empty(const std::string& name, const std::string& doc, const Location& where, Diagnostics& out);
/// "1 .. 64, a power of two"
std::string range_text(const ParamEntry& entry, bool must_be_power_of_two);
/// "read" in "bytes" is "read_bytes"; "read_bytes" stays.
std::string key_with_unit(const std::string& name, const std::string& unit);

}  // namespace detail
}  // namespace archsim

#include "arch/describe/values/make_table.h"
