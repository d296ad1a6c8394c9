// YAML in which every value knows its place in the user's text.
//
// Reads one document. A duplicate key is an error; yaml-cpp takes it silently. The tree is immutable and cheap to copy.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arch/describe/diagnostic.h"

namespace archsim {

struct YamlEntry;

class YamlNode {
 public:
  enum class Kind { null, scalar, sequence, map };

  static YamlNode make_null(Location where);
  static YamlNode make_scalar(Location where, std::string text, bool quoted = false);
  static YamlNode make_sequence(Location where, std::vector<YamlNode> items);
  static YamlNode make_map(Location where, std::vector<YamlEntry> entries);

  Kind kind() const;
  bool is_scalar() const { return kind() == Kind::scalar; }
  bool is_sequence() const { return kind() == Kind::sequence; }
  bool is_map() const { return kind() == Kind::map; }
  const Location& location() const;

  const std::string& scalar() const;              // of a scalar; empty otherwise
  bool is_quoted() const;                         // a scalar in quotation marks
  const std::vector<YamlNode>& items() const;     // of a sequence; empty otherwise
  const std::vector<YamlEntry>& entries() const;  // of a map, in the order of the text; empty otherwise

  /// The entry of a map; null if there is none.
  const YamlEntry* find(std::string_view key) const;

  /// This map with `value` at `path` (of at least one key), in place of what was there or as a new entry.
  /// What stands where the path needs a map is replaced by one.
  YamlNode with(const std::vector<YamlNode>& path, const YamlNode& value) const;

 private:
  struct Data;
  explicit YamlNode(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

struct YamlEntry {
  YamlNode key;  // a scalar
  YamlNode value;
  const std::string& name() const { return key.scalar(); }
};

/// "a value", "a list", "a map", "nothing": for messages.
std::string_view kind_in_words(YamlNode::Kind kind);

/// The document in `source`; nothing if its syntax is broken. An empty document is a null node.
std::optional<YamlNode> parse_yaml(const Source& source, Diagnostics& out);

/// A command-line assignment such as `npu.rows=128` or `npu[2].dma={burst: 1 KiB}`.
struct Assignment {
  std::vector<YamlNode> path;  // scalars: `npu`, `rows`; `npu[2]` stays one of them
  YamlNode value;
};

/// What `text`, given to option `option` ("--set"), assigns; `example` ("npu.rows=128") is for the help.
std::optional<Assignment> parse_assignment(const std::string& option, const std::string& text, Diagnostics& out,
                                           const std::string& example = "npu.rows=128");

/// Reads a map whose keys the program knows, and tells of every key that nobody asked for.
class MapReader {
 public:
  /// `what` completes the sentence "... has no key `x`", such as "a SoC file". If `node` is no map that is an error.
  MapReader(YamlNode node, std::string what, Diagnostics& out);

  const YamlEntry* optional(const std::string& key);
  /// An error if the key is missing.
  const YamlEntry* required(const std::string& key);
  /// Call when all known keys have been asked for. `kind_of_key` is "key", "parameter", ...
  void refuse_others(std::string_view kind_of_key = "key");

  const YamlNode& node() const { return node_; }

 private:
  YamlNode node_;
  std::string what_;
  Diagnostics* out_;
  std::vector<std::string> known_;
};

}  // namespace archsim
