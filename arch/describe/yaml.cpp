#include "arch/describe/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "arch/describe/near_name.h"

namespace archsim {

struct YamlNode::Data {
  Kind kind = Kind::null;
  Location location = {};
  std::string scalar = {};
  bool quoted = false;
  std::vector<YamlNode> items = {};
  std::vector<YamlEntry> entries = {};
};

YamlNode YamlNode::make_null(Location where) {
  return YamlNode(std::make_shared<Data>(Data{.kind = Kind::null, .location = std::move(where)}));
}

YamlNode YamlNode::make_scalar(Location where, std::string text, bool quoted) {
  return YamlNode(std::make_shared<Data>(
      Data{.kind = Kind::scalar, .location = std::move(where), .scalar = std::move(text), .quoted = quoted}));
}

YamlNode YamlNode::make_sequence(Location where, std::vector<YamlNode> items) {
  return YamlNode(
      std::make_shared<Data>(Data{.kind = Kind::sequence, .location = std::move(where), .items = std::move(items)}));
}

YamlNode YamlNode::make_map(Location where, std::vector<YamlEntry> entries) {
  return YamlNode(
      std::make_shared<Data>(Data{.kind = Kind::map, .location = std::move(where), .entries = std::move(entries)}));
}

YamlNode::Kind YamlNode::kind() const { return data_->kind; }
const Location& YamlNode::location() const { return data_->location; }
const std::string& YamlNode::scalar() const { return data_->scalar; }
bool YamlNode::is_quoted() const { return data_->quoted; }
const std::vector<YamlNode>& YamlNode::items() const { return data_->items; }
const std::vector<YamlEntry>& YamlNode::entries() const { return data_->entries; }

const YamlEntry* YamlNode::find(std::string_view key) const {
  const auto& all = entries();
  const auto found = std::find_if(all.begin(), all.end(), [&](const YamlEntry& each) { return each.name() == key; });
  return found == all.end() ? nullptr : &*found;
}

YamlNode YamlNode::with(const std::vector<YamlNode>& path, const YamlNode& value) const {
  if (path.empty()) return value;
  const YamlNode& key = path.front();
  const std::vector<YamlNode> rest(path.begin() + 1, path.end());
  std::vector<YamlEntry> changed = entries();
  const auto same = [&](const YamlEntry& each) { return each.name() == key.scalar(); };
  const auto found = std::find_if(changed.begin(), changed.end(), same);
  if (found != changed.end()) {
    *found = {rest.empty() ? key : found->key, found->value.with(rest, value)};
  } else {
    changed.push_back({key, make_map(key.location(), {}).with(rest, value)});
  }
  return make_map(is_map() ? location() : key.location(), std::move(changed));
}

std::string_view kind_in_words(YamlNode::Kind kind) {
  switch (kind) {
    case YamlNode::Kind::null:
      return "nothing";
    case YamlNode::Kind::scalar:
      return "a single value";
    case YamlNode::Kind::sequence:
      return "a list";
    case YamlNode::Kind::map:
      return "a map";
  }
  return "nothing";
}

namespace {

/// The place of `mark` in a text that begins at `start`; yaml-cpp counts from 0.
Location located(const YAML::Mark& mark, const Location& start) {
  if (mark.is_null()) return start;
  const auto line = static_cast<unsigned>(std::max(mark.line, 0));
  const auto column = static_cast<unsigned>(std::max(mark.column, 0));
  return {start.source, start.line + line, line == 0 ? start.column + column : column + 1};
}

/// Builds the tree from yaml-cpp's events, which, unlike its nodes, still show duplicate keys.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(Location start, Diagnostics& out) : start_(std::move(start)), out_(out) {}

  std::optional<YamlNode> root() const { return root_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    remember(anchor, YamlNode::make_null(at(mark)));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      out_.error(at(mark), "this alias stands inside what it refers to");
      add(YamlNode::make_null(at(mark)));
    } else {
      add(found->second);
    }
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    remember(anchor, YamlNode::make_scalar(at(mark), value, tag == "!"));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open_.push_back({.is_map = false, .where = at(mark), .anchor = anchor});
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open_.push_back({.is_map = true, .where = at(mark), .anchor = anchor});
  }

  void OnSequenceEnd() override {
    const Open done = close();
    remember(done.anchor, YamlNode::make_sequence(done.where, done.items));
  }
  void OnMapEnd() override {
    const Open done = close();
    remember(done.anchor, YamlNode::make_map(done.where, done.entries));
  }

 private:
  struct Open {
    bool is_map = false;
    Location where = {};
    YAML::anchor_t anchor = 0;
    std::vector<YamlNode> items = {};
    std::vector<YamlEntry> entries = {};
    std::map<std::string, Location> first = {};  // place of each key
    std::optional<YamlNode> key = {};            // whose value comes next
  };

  Location at(const YAML::Mark& mark) const { return located(mark, start_); }

  Open close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    return done;
  }

  void remember(YAML::anchor_t anchor, const YamlNode& node) {
    if (anchor != 0) anchors_.insert_or_assign(anchor, node);
    add(node);
  }

  void add(const YamlNode& node) {
    if (open_.empty()) {
      root_ = node;
    } else if (!open_.back().is_map) {
      open_.back().items.push_back(node);
    } else if (!open_.back().key) {
      open_.back().key = node;
    } else {
      add_entry(open_.back(), node);
    }
  }

  void add_entry(Open& map, const YamlNode& value) {
    const YamlNode key = *std::exchange(map.key, std::nullopt);
    if (!key.is_scalar()) {
      out_.error(key.location(), "a key must be a single word", "write it like `key: value`");
      return;
    }
    const auto [first, is_new] = map.first.emplace(key.scalar(), key.location());
    if (is_new) {
      // A missing value is where it is missed; yaml-cpp puts it at the next token.
      const bool is_missing = value.kind() == YamlNode::Kind::null;
      map.entries.push_back({key, is_missing ? YamlNode::make_null(key.location()) : value});
    } else {
      out_.error(key.location(), "`" + key.scalar() + "` is given twice",
                 "it is first given on line " + std::to_string(first->second.line));
    }
  }

  Location start_;  // of the text inside the source
  Diagnostics& out_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
  std::optional<YamlNode> root_;
};

/// What yaml-cpp's words most often mean.
std::string help_for_syntax(const std::string& message) {
  if (message == "end of map flow not found") return "a `{` is not closed, or a comma is missing";
  if (message == "end of sequence flow not found") return "a `[` is not closed, or a comma is missing";
  if (message == "end of map not found") return "this line is indented otherwise than those of its map";
  if (message == "illegal map value") return "the line before may lack its `:`, or this one is indented too far";
  return {};
}

/// Reads `text`, which begins at `start`.
std::optional<YamlNode> parse_from(const std::string& text, const Location& start, Diagnostics& out) {
  TreeBuilder builder(start, out);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return YamlNode::make_null(start);
    std::optional<YamlNode> root = builder.root();
    if (parser.HandleNextDocument(builder)) {
      out.error(builder.root()->location(), "a second document begins here", "keep one document in a file");
      return {};
    }
    return root;
  } catch (const YAML::DeepRecursion& error) {
    out.error(located(error.mark, start), "lists and maps are nested too deeply here");
    return {};
  } catch (const YAML::Exception& error) {
    const std::string help = text.find('\t') != std::string::npos ? "YAML is indented with spaces, never with tabs"
                                                                  : help_for_syntax(error.msg);
    out.error(located(error.mark, start), "this is not YAML: " + error.msg, help);
    return {};
  }
}

}  // namespace

std::optional<YamlNode> parse_yaml(const Source& source, Diagnostics& out) {
  for (std::size_t i = 0; i < source->lines.size(); ++i) {
    const std::string& line = source->lines[i];
    // yaml-cpp takes the first NUL for the end.
    const auto odd = std::find_if(line.begin(), line.end(), [](char c) { return c >= 0 && c < ' ' && c != '\t'; });
    if (odd == line.end()) continue;
    const auto code = static_cast<unsigned>(static_cast<unsigned char>(*odd));
    out.error({source, static_cast<unsigned>(i) + 1, static_cast<unsigned>(odd - line.begin()) + 1},
              "this is no text: it holds the control character " + std::to_string(code),
              "the file is binary, or damaged");
    return {};
  }
  return parse_from(source->text, {source, 1, 1}, out);
}

std::optional<Assignment> parse_assignment(const std::string& option, const std::string& text, Diagnostics& out,
                                           const std::string& example) {
  const Source source = make_source(option, text);
  const auto place = [&](std::size_t offset) { return Location{source, 1, static_cast<unsigned>(offset) + 1}; };
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    out.error(place(0), "`" + text + "` assigns nothing", fmt::format("write it like `{} {}`", option, example));
    return {};
  }
  std::vector<YamlNode> path;
  for (std::size_t begin = 0; begin <= equals;) {
    const std::size_t end = std::min(text.find('.', begin), equals);
    if (begin == end) {
      out.error(place(begin), "a name is missing in the path", "write it like `" + option + " " + example + "`");
      return {};
    }
    path.push_back(YamlNode::make_scalar(place(begin), text.substr(begin, end - begin)));
    begin = end + 1;
  }
  auto value = parse_from(text.substr(equals + 1), place(equals + 1), out);
  if (!value) return {};
  return Assignment{std::move(path), *value};
}

MapReader::MapReader(YamlNode node, std::string what, Diagnostics& out)
    : node_(std::move(node)), what_(std::move(what)), out_(&out) {
  if (!node_.is_map()) {
    out.error(node_.location(), what_ + " is a map, not " + std::string(kind_in_words(node_.kind())),
              "write it as lines `key: value`, or as `{key: value}`");
  }
}

const YamlEntry* MapReader::optional(const std::string& key) {
  known_.push_back(key);
  return node_.find(key);
}

const YamlEntry* MapReader::required(const std::string& key) {
  const YamlEntry* entry = optional(key);
  if (entry == nullptr && node_.is_map()) {
    out_->error(node_.location(), what_ + " needs `" + key + "`", "add `" + key + ": ...`");
  }
  return entry;
}

void MapReader::refuse_others(std::string_view kind_of_key) {
  for (const YamlEntry& entry : node_.entries()) {
    if (std::find(known_.begin(), known_.end(), entry.name()) != known_.end()) continue;
    out_->error(entry.key.location(), what_ + " has no " + std::string(kind_of_key) + " `" + entry.name() + "`",
                help_for_unknown(entry.name(), known_));
  }
}

}  // namespace archsim
