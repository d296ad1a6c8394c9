#include "traces/import/chakra/chakra.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <map>
#include <optional>

#include "traces/import/aten/lower.h"
#include "traces/import/chakra/chakra.pb.h"
#include "traces/import/chakra/counted.h"
#include "traces/import/chakra/python_list.h"

namespace archsim {
namespace {

/// NodeType of et_def.proto.
enum NodeType : std::uint32_t { kMetadata = 1, kCompute = 4, kLastKnown = 10 };
constexpr const char* kTypeNames[] = {
    "an invalid node", "metadata",       "a load from memory", "a store to memory",
    "computation",     "a message sent", "a message received", "a collective operation between chips",
    "storage",         "a batch",        "a checkpoint"};

class Reader {
 public:
  Reader(std::string_view bytes, std::string path) : bytes_(bytes), path_(std::move(path)) {}

  Checked<std::vector<chakra::Node>> read() {
    const google::protobuf::LogSilencer silence;
    google::protobuf::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes_.data()),
                                                  static_cast<int>(bytes_.size()));
    chakra::Metadata metadata;
    if (!next(stream, metadata)) return broken(0);
    if (!metadata.version().empty() && metadata.version() != "0.0.4") {
      return error(fmt::format("`{}` is a Chakra trace of schema {}", path_, metadata.version()),
                   "schema 0.0.4 can be imported; Chakra's own converter makes it");
    }
    std::vector<chakra::Node> nodes;
    while (static_cast<std::size_t>(stream.CurrentPosition()) < bytes_.size()) {
      const auto begin = stream.CurrentPosition();
      if (!next(stream, nodes.emplace_back())) return broken(begin);
    }
    return nodes;
  }

 private:
  template <class Message>
  bool next(google::protobuf::io::CodedInputStream& stream, Message& into) const {
    std::uint32_t length = 0;
    if (!stream.ReadVarint32(&length)) return false;
    const auto begin = static_cast<std::size_t>(stream.CurrentPosition());
    if (length > bytes_.size() - begin || !stream.Skip(static_cast<int>(length))) return false;
    return into.ParseFromArray(bytes_.data() + begin, static_cast<int>(length));
  }

  Diagnostic error(std::string message, std::string help = {}) const {
    return {Severity::error, std::move(message), {make_source(path_, ""), 0, 0}, std::move(help)};
  }
  Diagnostic broken(int begin) const {
    return error(fmt::format("`{}` is damaged or cut off: byte {} begins no message", path_, begin));
  }

  std::string_view bytes_;
  std::string path_;
};

class Conversion {
 public:
  Conversion(std::vector<chakra::Node> nodes, std::string path) : nodes_(std::move(nodes)), path_(std::move(path)) {}

  Checked<Trace> run(const std::string& model) {
    for (const auto& node : nodes_) sort_out(node);
    if (!arguments_.empty() && !counted_.empty()) {
      refuse(counted_.front(), "has a count of operations only, while others have arguments");
    }
    if (!refused_.empty()) return all_refused();
    if (arguments_.empty() && counted_.empty()) {
      return error(fmt::format("`{}` has no node that computes anything", path_));
    }
    return counted_.empty() ? lower_nodes(std::move(arguments_), model, path_) : counted_trace(counted_, model, path_);
  }

 private:
  Diagnostic error(std::string message) const {
    return {Severity::error, std::move(message), {make_source(path_, ""), 0, 0}, {}};
  }

  void refuse(const CountedNode& node, const std::string& reason) { refused_[{node.name, reason}].push_back(node.id); }
  void refuse(const chakra::Node& node, const std::string& reason) {
    refused_[{node.name(), reason}].push_back(node.id());
  }

  void sort_out(const chakra::Node& node) {
    if (node.type() == kMetadata) return;
    if (node.type() != kCompute) {
      return refuse(node, fmt::format("is {}, which has no place in the trace of one chip",
                                      node.type() <= kLastKnown ? kTypeNames[node.type()] : "a node of unknown type"));
    }
    if (node.has_inputs() || node.has_outputs()) return with_arguments(node);
    CountedNode counted{node.id(), node.name(), {}, {}, {}};
    for (const auto& attribute : node.attributes()) {
      if (attribute.name() == "num_ops") counted.operations = integer_of(attribute);
      if (attribute.name() == "tensor_size") counted.bytes = integer_of(attribute);
    }
    if (!counted.operations || !counted.bytes) {
      return refuse(node,
                    "has neither arguments nor both of `num_ops` and `tensor_size`: nothing says what it computes");
    }
    counted.waits_for.assign(node.data_dependencies().begin(), node.data_dependencies().end());
    counted.waits_for.insert(counted.waits_for.end(), node.control_dependencies().begin(),
                             node.control_dependencies().end());
    counted_.push_back(std::move(counted));
  }

  static std::optional<std::uint64_t> integer_of(const chakra::Attribute& attribute) {
    switch (attribute.value_case()) {
      case chakra::Attribute::kInt64Value:
        return attribute.int64_value() < 0 ? std::nullopt : std::optional<std::uint64_t>(attribute.int64_value());
      case chakra::Attribute::kUint64Value:
        return attribute.uint64_value();
      case chakra::Attribute::kInt32Value:
        return attribute.int32_value() < 0 ? std::nullopt : std::optional<std::uint64_t>(attribute.int32_value());
      case chakra::Attribute::kUint32Value:
        return attribute.uint32_value();
      default:
        return std::nullopt;
    }
  }

  void with_arguments(const chakra::Node& node) {
    // What calls it; of several the nearest, which has the highest number.
    std::int64_t parent = 0;
    for (const auto each : node.control_dependencies()) parent = std::max(parent, static_cast<std::int64_t>(each));
    AtenNode out{static_cast<std::int64_t>(node.id()), parent, node.name(), {}, {}};
    std::string why;
    if (!read(node.inputs(), out.inputs, why) || !read(node.outputs(), out.outputs, why)) return refuse(node, why);
    arguments_.push_back(std::move(out));
  }

  static bool read(const chakra::Operands& operands, std::vector<AtenValue>& into, std::string& why) {
    const auto values = python_list(operands.values()), shapes = python_list(operands.shapes()),
               types = python_list(operands.types());
    if (!values || !shapes || !types) return why = "has arguments that are no lists", false;
    auto found = aten_values(*values, *shapes, *types, why);
    if (found) into = std::move(*found);
    return found.has_value();
  }

  Diagnostics all_refused() const {
    Diagnostics out;
    for (const auto& [what, ids] : refused_) {
      const auto more = ids.size() > 1 ? fmt::format(" and {} more", ids.size() - 1) : std::string();
      out.add(error(fmt::format("`{}` {} (node {}{})", what.first, what.second, ids.front(), more)));
    }
    return out;
  }

  std::vector<chakra::Node> nodes_;
  std::string path_;
  std::vector<AtenNode> arguments_;
  std::vector<CountedNode> counted_;
  std::map<std::pair<std::string, std::string>, std::vector<std::uint64_t>> refused_;
};

}  // namespace

Checked<Trace> import_chakra(std::string_view bytes, const std::string& model, const std::string& path) {
  constexpr std::size_t kMost = std::size_t{1} << 31;  // protobuf's streams count in 31 bits
  if (bytes.size() >= kMost) {
    return Diagnostic{Severity::error, fmt::format("`{}` has 2 GiB or more", path), {make_source(path, ""), 0, 0}, {}};
  }
  auto nodes = Reader(bytes, path).read();
  if (!nodes) return nodes.diagnostics();
  return Conversion(*std::move(nodes), path).run(model);
}

}  // namespace archsim
