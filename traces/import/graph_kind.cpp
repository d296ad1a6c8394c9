#include "traces/import/graph_kind.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "traces/file/wire.h"

namespace archsim {
namespace {

struct Named {
  GraphKind kind;
  std::string_view name, words;
};
constexpr std::array kKinds = {Named{GraphKind::onnx, "onnx", "an ONNX model"},
                               Named{GraphKind::chakra, "chakra", "a Chakra execution trace"},
                               Named{GraphKind::execution_trace, "pytorch", "a PyTorch execution trace"},
                               Named{GraphKind::kineto, "kineto", "a Kineto trace"}};

// Reads JSON until the first key that tells the kind.
class KeyReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::optional<GraphKind> kind;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return ++depth_, true; }
  bool end_object() override { return --depth_, true; }
  bool start_array(std::size_t) override {
    starts_with_array_ = starts_with_array_ || depth_ == 0;
    return ++depth_, true;
  }
  bool end_array() override { return --depth_, true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }
  bool key(string_t& name) override {
    if (depth_ == 1 && name == "nodes") kind = GraphKind::execution_trace;
    // The array of events may also stand alone.
    if ((depth_ == 1 && name == "traceEvents") || (depth_ == 2 && starts_with_array_ && name == "ph")) {
      kind = GraphKind::kineto;
    }
    return !kind;
  }

 private:
  int depth_ = 0;
  bool starts_with_array_ = false;
};

constexpr Wire kVarint = Wire::varint, kBytes = Wire::bytes;

struct WireField {
  std::uint64_t number;
  Wire type;
};

/// Whether `message`, perhaps cut off, has no fields but `known`, and has field `must` of them.
bool has_fields(std::string_view message, const std::vector<WireField>& known, std::uint64_t must) {
  WireReader reader(message);
  bool found = must == 0;
  while (!reader.ended()) {
    const std::uint64_t next = reader.varint();
    if (!reader.is_good()) return found;
    const bool is_known = std::any_of(known.begin(), known.end(),
                                      [&](const WireField& field) { return tag(field.number, field.type) == next; });
    if (!is_known) return false;
    found = found || next >> 3U == must;
    reader.skip(next);
  }
  return found;
}

// onnx.proto, ModelProto: ir_version 1, producer_name 2, producer_version 3, domain 4, model_version 5, doc_string 6,
// graph 7, opset_import 8, metadata_props 14, training_info 20, functions 25, configuration 26.
bool is_onnx(std::string_view bytes) {
  return has_fields(bytes,
                    {{1, kVarint},
                     {2, kBytes},
                     {3, kBytes},
                     {4, kBytes},
                     {5, kVarint},
                     {6, kBytes},
                     {7, kBytes},
                     {8, kBytes},
                     {14, kBytes},
                     {20, kBytes},
                     {25, kBytes},
                     {26, kBytes}},
                    7);
}

// Chakra's et_def.proto: GlobalMetadata (version 1, attr 2), then Nodes, each behind its length.
bool is_chakra(std::string_view bytes) {
  WireReader reader(bytes);
  const std::uint64_t length = reader.varint();
  if (!reader.is_good()) return false;
  if (!has_fields(reader.take(length), {{1, kBytes}, {2, kBytes}}, length == 0 ? 0 : 1)) return false;
  const std::uint64_t node = reader.varint();
  if (reader.ended() && node == 0) return length > 0;  // metadata alone: a trace of no nodes
  return has_fields(reader.take(node),
                    {{1, kVarint},
                     {2, kBytes},
                     {3, kVarint},
                     {4, kVarint},
                     {4, kBytes},
                     {5, kVarint},
                     {5, kBytes},
                     {6, kVarint},
                     {7, kVarint},
                     {8, kBytes},
                     {9, kBytes},
                     {10, kBytes},
                     {11, kBytes}},
                    0);
}

}  // namespace

std::string_view name_of(GraphKind kind) { return kKinds.at(static_cast<std::size_t>(kind)).name; }

std::optional<GraphKind> graph_kind_from(std::string_view name) {
  for (const auto& each : kKinds) {
    if (each.name == name) return each.kind;
  }
  return std::nullopt;
}

std::vector<std::string> graph_kind_names() {
  std::vector<std::string> names;
  for (const auto& each : kKinds) names.emplace_back(each.name);
  return names;
}

std::string_view in_words(GraphKind kind) { return kKinds.at(static_cast<std::size_t>(kind)).words; }

std::optional<GraphKind> graph_kind_of(std::string_view bytes) {
  const auto first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return std::nullopt;
  if (bytes[first] == '{' || bytes[first] == '[') {
    KeyReader reader;
    nlohmann::json::sax_parse(bytes.substr(first), &reader);
    if (reader.kind) return reader.kind;
  }
  if (is_onnx(bytes)) return GraphKind::onnx;
  if (is_chakra(bytes)) return GraphKind::chakra;
  return std::nullopt;
}

}  // namespace archsim
