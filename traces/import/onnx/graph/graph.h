// An ONNX graph as the importer works on it: values by number, nodes in order, constants with their elements if those may
// matter (shapes, masks, factors; never whole weights).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arch/describe/diagnostic.h"

namespace archsim::onnx_graph {

using Dims = std::vector<std::int64_t>;
using Id = std::int32_t;  // index into Graph::values
constexpr Id kAbsent = -1;

/// Elements of a value that is known before the model runs: `whole` for integers and booleans, `real` for the others.
struct Elements {
  std::vector<std::int64_t> whole;
  std::vector<double> real;
  std::size_t size() const { return whole.size() + real.size(); }
  double number(std::size_t i) const { return whole.empty() ? real[i] : static_cast<double>(whole[i]); }
};
using Known = std::shared_ptr<const Elements>;

enum class Type : std::uint8_t { none, fp32, bf16, fp16, fp64, int4, uint4, int8, uint8, int32, int64, boolean, other };
bool is_whole(Type type);
bool is_real(Type type);
std::string_view name_of(Type type);
Type type_from_onnx(std::int32_t data_type);

struct Value {
  std::string name;
  Type type = Type::none;
  Dims dims;
  bool has_dims = false;
  bool is_stored = false;  // known before the model runs: it is no work, whatever it was made by
  bool is_weight = false;  // stored, and (made of) a weight
  bool is_input = false;   // user data
  Known known = {};
  // Of a quantized value an element q stands for (q - zero point) * scale. Its dequantized form is the same tensor.
  double scale = 0.0;
};

struct Attribute {
  std::int64_t whole = 0;
  double real = 0.0;
  std::string text = {};
  Dims wholes = {};
  std::vector<double> reals = {};
  Id tensor = kAbsent;  // a stored value of its own
};

/// What ONNX has no operator for, or only in newer versions: made by fusion.
namespace fused {
constexpr auto kAttention = "fused.Attention";     // q, k, v; scale, mask, key_is_transposed
constexpr auto kRmsNorm = "fused.RmsNorm";         // x, gamma
constexpr auto kRope = "fused.Rope";               // x
constexpr auto kGlu = "fused.Glu";                 // gate, up; activation, approximate
constexpr auto kSilu = "fused.Silu";               // x
constexpr auto kNormalize = "LayerNormalization";  // x, gamma, beta
}  // namespace fused

struct Node {
  std::string op;
  std::string name;  // of the node, or made of operator and number
  std::vector<Id> in, out;
  std::map<std::string, Attribute, std::less<>> attributes = {};

  std::int64_t integer(std::string_view attribute, std::int64_t otherwise) const;
  double number(std::string_view attribute, double otherwise) const;
  std::string text(std::string_view attribute, std::string_view otherwise) const;
  Dims integers(std::string_view attribute) const;  // empty if absent
  bool has(std::string_view attribute) const { return attributes.find(attribute) != attributes.end(); }
  Id tensor(std::string_view attribute) const;  // kAbsent if absent
  Id input(std::size_t i) const { return i < in.size() ? in[i] : kAbsent; }
};

struct Graph {
  std::string path;
  std::int64_t opset = 0;
  std::vector<Value> values;
  std::vector<Node> nodes;  // each after those that it reads
  std::vector<Id> outputs;

  Value& operator[](Id id) { return values[static_cast<std::size_t>(id)]; }
  const Value& operator[](Id id) const { return values[static_cast<std::size_t>(id)]; }
  Id add(Value value);
  /// A stored value of its own.
  Id constant(std::string name, Dims dims, Type type, Elements elements);

  /// The file as a whole; an ONNX model has no lines.
  Location where() const { return {source, 0, 0}; }
  Source source = {};
};

/// "node `n` (Conv)"
std::string in_words(const Node& node);
/// "[2, 3, 224, 224]"
std::string text_of(const Dims& dims);
/// Product, or empty above the most elements that a trace may hold, or if an extent is negative.
std::optional<std::int64_t> elements_of(const Dims& dims);

/// Thrown while one node is looked at, and told with the node's name; the next node is looked at all the same.
struct Unfit {
  std::string message;  // "has ...": what comes behind the node's name
  std::string help = {};
};

}  // namespace archsim::onnx_graph
