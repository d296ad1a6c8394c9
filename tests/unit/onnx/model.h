// Small ONNX models, built as a test says.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "traces/import/onnx/import_onnx.h"

namespace archsim {

class OnnxModel {
 public:
  using Dims = std::vector<std::int64_t>;
  static constexpr auto kFloat = onnx::TensorProto::FLOAT;

  explicit OnnxModel(std::int64_t opset = 13) {
    proto.set_ir_version(7);
    auto* import = proto.add_opset_import();
    import->set_version(opset);
    proto.mutable_graph()->set_name("test");
  }

  std::string input(const std::string& name, const Dims& dims, int type = kFloat) {
    describe(*proto.mutable_graph()->add_input(), name, dims, type);
    return name;
  }
  /// An input whose extents are names, or numbers.
  std::string open_input(const std::string& name, const std::vector<std::string>& dims, int type = kFloat) {
    auto* value = proto.mutable_graph()->add_input();
    value->set_name(name);
    value->mutable_type()->mutable_tensor_type()->set_elem_type(type);
    auto* shape = value->mutable_type()->mutable_tensor_type()->mutable_shape();
    for (const auto& dim : dims) {
      const bool is_number = dim.find_first_not_of("0123456789") == std::string::npos;
      auto* made = shape->add_dim();
      if (is_number) made->set_dim_value(std::stoll(dim));
      if (!is_number) made->set_dim_param(dim);
    }
    return name;
  }
  /// Of data in a file that is not there: nobody may want to read it.
  std::string weight(const std::string& name, const Dims& dims, int type = kFloat) {
    auto* tensor = proto.mutable_graph()->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(type);
    for (const auto dim : dims) tensor->add_dims(dim);
    tensor->set_data_location(onnx::TensorProto::EXTERNAL);
    auto* entry = tensor->add_external_data();
    entry->set_key("location");
    entry->set_value("nowhere.bin");
    return name;
  }
  std::string wholes(const std::string& name, const Dims& values, bool is_scalar = false) {
    auto* tensor = proto.mutable_graph()->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(onnx::TensorProto::INT64);
    if (!is_scalar) tensor->add_dims(static_cast<std::int64_t>(values.size()));
    for (const auto value : values) tensor->add_int64_data(value);
    return name;
  }
  std::string number(const std::string& name, float value) {
    auto* tensor = proto.mutable_graph()->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(kFloat);
    tensor->add_float_data(value);
    return name;
  }
  std::string numbers(const std::string& name, const Dims& dims, const std::vector<float>& values) {
    auto* tensor = proto.mutable_graph()->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(kFloat);
    for (const auto dim : dims) tensor->add_dims(dim);
    for (const auto value : values) tensor->add_float_data(value);
    return name;
  }

  struct Attribute {
    std::string name;
    Dims wholes = {};
    std::int64_t whole = 0;
    bool is_list = false;
  };
  static Attribute list(std::string name, Dims wholes) { return {std::move(name), std::move(wholes), 0, true}; }
  static Attribute whole(std::string name, std::int64_t number) { return {std::move(name), {}, number, false}; }

  /// The name of its only result, which is that of the node.
  std::string node(const std::string& op, const std::string& name, const std::vector<std::string>& inputs,
                   const std::vector<Attribute>& attributes = {}) {
    return nodes(op, name, inputs, {name}, attributes).front();
  }
  std::vector<std::string> nodes(const std::string& op, const std::string& name, const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs,
                                 const std::vector<Attribute>& attributes = {}) {
    auto* made = proto.mutable_graph()->add_node();
    made->set_op_type(op);
    made->set_name(name);
    for (const auto& each : inputs) made->add_input(each);
    for (const auto& each : outputs) made->add_output(each);
    for (const auto& each : attributes) {
      auto* attribute = made->add_attribute();
      attribute->set_name(each.name);
      attribute->set_type(each.is_list ? onnx::AttributeProto::INTS : onnx::AttributeProto::INT);
      for (const auto number : each.wholes) attribute->add_ints(number);
      if (!each.is_list) attribute->set_i(each.whole);
    }
    return outputs;
  }
  void output(const std::string& name) { proto.mutable_graph()->add_output()->set_name(name); }

  std::string bytes() const { return proto.SerializeAsString(); }
  Checked<Trace> import(OnnxOptions options = {}) const {
    options.model = "test";
    return import_onnx_bytes(bytes(), "test.onnx", options);
  }

  onnx::ModelProto proto;

 private:
  static void describe(onnx::ValueInfoProto& value, const std::string& name, const Dims& dims, int type) {
    value.set_name(name);
    value.mutable_type()->mutable_tensor_type()->set_elem_type(type);
    auto* shape = value.mutable_type()->mutable_tensor_type()->mutable_shape();
    for (const auto dim : dims) shape->add_dim()->set_dim_value(dim);
  }
};

}  // namespace archsim
