#include "traces/import/onnx/graph/graph.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include "arch/workload/rules/validate.h"

namespace archsim::onnx_graph {

bool is_whole(Type type) {
  switch (type) {
    case Type::int4:
    case Type::uint4:
    case Type::int8:
    case Type::uint8:
    case Type::int32:
    case Type::int64:
    case Type::boolean:
      return true;
    default:
      return false;
  }
}

bool is_real(Type type) { return type == Type::fp32 || type == Type::bf16 || type == Type::fp16 || type == Type::fp64; }

std::string_view name_of(Type type) {
  switch (type) {
    case Type::none:
      return "unknown";
    case Type::fp32:
      return "float";
    case Type::bf16:
      return "bfloat16";
    case Type::fp16:
      return "float16";
    case Type::fp64:
      return "double";
    case Type::int4:
      return "int4";
    case Type::uint4:
      return "uint4";
    case Type::int8:
      return "int8";
    case Type::uint8:
      return "uint8";
    case Type::int32:
      return "int32";
    case Type::int64:
      return "int64";
    case Type::boolean:
      return "bool";
    case Type::other:
      return "of another type";
  }
  return {};
}

Type type_from_onnx(std::int32_t data_type) {
  switch (data_type) {
    case onnx::TensorProto::FLOAT:
      return Type::fp32;
    case onnx::TensorProto::BFLOAT16:
      return Type::bf16;
    case onnx::TensorProto::FLOAT16:
      return Type::fp16;
    case onnx::TensorProto::DOUBLE:
      return Type::fp64;
    case onnx::TensorProto::INT8:
      return Type::int8;
    case onnx::TensorProto::UINT8:
      return Type::uint8;
    case onnx::TensorProto::INT32:
      return Type::int32;
    case onnx::TensorProto::INT64:
      return Type::int64;
    case onnx::TensorProto::BOOL:
      return Type::boolean;
    case 21:  // UINT4 and INT4 joined in IR version 10, after the library's own
      return Type::uint4;
    case 22:
      return Type::int4;
    default:
      return Type::other;
  }
}

std::int64_t Node::integer(std::string_view attribute, std::int64_t otherwise) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? otherwise : found->second.whole;
}

double Node::number(std::string_view attribute, double otherwise) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? otherwise : found->second.real;
}

std::string Node::text(std::string_view attribute, std::string_view otherwise) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? std::string(otherwise) : found->second.text;
}

Dims Node::integers(std::string_view attribute) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? Dims{} : found->second.wholes;
}

Id Node::tensor(std::string_view attribute) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? kAbsent : found->second.tensor;
}

Id Graph::add(Value value) {
  values.push_back(std::move(value));
  return static_cast<Id>(values.size() - 1);
}

Id Graph::constant(std::string name, Dims dims, Type type, Elements elements) {
  return add({.name = std::move(name),
              .type = type,
              .dims = std::move(dims),
              .has_dims = true,
              .is_stored = true,
              .known = std::make_shared<const Elements>(std::move(elements))});
}

std::string in_words(const Node& node) { return fmt::format("node `{}` ({})", node.name, node.op); }

std::string text_of(const Dims& dims) { return fmt::format("[{}]", fmt::join(dims, ", ")); }

std::optional<std::int64_t> elements_of(const Dims& dims) {
  std::int64_t product = 1;
  for (const auto extent : dims) {
    if (extent < 0) return std::nullopt;
    if (extent != 0 && product > static_cast<std::int64_t>(kMostElements) / extent) return std::nullopt;
    product *= extent;
  }
  return product;
}

}  // namespace archsim::onnx_graph
