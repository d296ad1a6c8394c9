#include "traces/import/onnx/graph/read_model.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <limits>
#include <set>
#include <unordered_map>

#include "traces/import/onnx/graph/input_shapes.h"
#include "traces/import/onnx/graph/tensors.h"
#include "traces/import/onnx/graph/weight_inputs.h"
#include "traces/import/onnx/shape/rules.h"

namespace archsim::onnx_graph {
namespace {

// The oldest opset whose operators the importer knows, and the newest that the library does.
constexpr std::int64_t kOldestOpset = 9, kNewestOfLibrary = 17;

bool is_standard(const std::string& domain) { return domain.empty() || domain == "ai.onnx"; }

class Reader {
 public:
  Reader(const onnx::ModelProto& model, const Extents& extents) : model_(model), extents_(extents) {}

  Checked<Graph> run(const std::string& path) {
    graph_.path = path;
    graph_.source = make_source(path, "");
    header();
    if (problems_.has_errors()) return problems_;
    initializers();
    inputs();
    for (const auto& node : model_.graph().node()) add(node);
    name_unsupported();
    outputs();
    if (problems_.has_errors()) return problems_;
    settle_input_shapes(model_.graph(), {extents_.dims, extents_.inputs}, graph_, problems_);
    if (problems_.has_errors()) return problems_;
    find_weight_inputs(graph_);
    return Checked<Graph>(std::move(graph_), problems_);
  }

 private:
  void error(std::string message, std::string help = {}) {
    problems_.error(graph_.where(), std::move(message), std::move(help));
  }

  void header() {
    if (!model_.has_graph() || model_.graph().node_size() == 0) return error("the model has no graph of nodes");
    for (const auto& import : model_.opset_import()) {
      if (is_standard(import.domain())) graph_.opset = import.version();
    }
    if (graph_.opset == 0) return error("the model does not say which opset it is written in");
    if (graph_.opset < kOldestOpset || graph_.opset > kNewestKnownOpset) {
      error(fmt::format("the model is of opset {}", graph_.opset),
            fmt::format("opsets {} to {} can be imported", kOldestOpset, kNewestKnownOpset));
    }
    for (const auto& function : model_.functions()) {
      error(fmt::format("the model has a function `{}` of its own", function.name()), "export it without functions");
    }
    if (model_.graph().sparse_initializer_size() > 0) error("the model has sparse initializers");
  }

  void initializers() {
    for (const auto& tensor : model_.graph().initializer()) {
      try {
        define(tensor.name(), graph_.add(stored_value(tensor)));
      } catch (const Unfit& unfit) {
        error(fmt::format("initializer `{}` {}", tensor.name(), unfit.message), unfit.help);
      }
    }
  }

  void inputs() {
    for (const auto& input : model_.graph().input()) {
      if (ids_.count(input.name()) > 0) continue;  // until IR version 3 initializers were inputs too
      if (!input.type().has_tensor_type()) {
        error(fmt::format("input `{}` is no tensor", input.name()));
        define(input.name(), graph_.add({.name = input.name()}));
        continue;
      }
      const Type type = type_from_onnx(input.type().tensor_type().elem_type());
      if (type == Type::other) {
        error(fmt::format("input `{}` has element type {} of ONNX", input.name(),
                          input.type().tensor_type().elem_type()));
      }
      define(input.name(), graph_.add({.name = input.name(), .type = type, .is_input = true}));
    }
  }

  void define(const std::string& name, Id id) {
    if (!ids_.emplace(name, id).second) error(fmt::format("two values have the name `{}`", name));
  }

  void add(const onnx::NodeProto& proto) {
    Node node{.op = proto.op_type()};
    node.name = proto.name().empty() ? fmt::format("{}_{}", proto.op_type(), number_) : proto.name();
    ++number_;
    for (const auto& name : proto.input()) node.in.push_back(name.empty() ? kAbsent : use(node, name));
    for (const auto& name : proto.output()) {
      node.out.push_back(name.empty() ? kAbsent : graph_.add({.name = name}));
      if (!name.empty()) define(name, node.out.back());
    }
    if (!is_known(proto)) {
      unsupported_[proto.op_type()].push_back(node.name);
      return;
    }
    if (!obeys_schema(proto, node)) return;
    if (node.out.empty() || (node.out[0] == kAbsent && node.op != "Split"))
      return error(in_words(node) + " makes nothing");
    try {
      for (const auto& attribute : proto.attribute()) add(attribute, node);
    } catch (const Unfit& unfit) {
      return error(in_words(node) + " " + unfit.message, unfit.help);
    }
    graph_.nodes.push_back(std::move(node));
  }

  Id use(const Node& node, const std::string& name) {
    const auto found = ids_.find(name);
    if (found != ids_.end()) return found->second;
    error(fmt::format("{} reads `{}`, which nothing before it makes", in_words(node), name));
    return kAbsent;
  }

  bool is_known(const onnx::NodeProto& node) const {
    if (!is_standard(node.domain())) return false;
    const auto newest = newest_opset_of(node.op_type());
    return newest && graph_.opset <= *newest;
  }

  // Number of operands, and names and types of attributes, as the library knows them.
  bool obeys_schema(const onnx::NodeProto& proto, const Node& node) {
    if (graph_.opset > kNewestOfLibrary) return true;
    const auto* schema = onnx::OpSchemaRegistry::Schema(proto.op_type(), static_cast<int>(graph_.opset), "");
    if (!schema) {
      error(fmt::format("{} is of an operator that opset {} does not have", in_words(node), graph_.opset));
      return false;
    }
    try {
      schema->Verify(proto);
    } catch (const std::exception& wrong) {
      error(fmt::format("{} is not as opset {} has it: {}", in_words(node), graph_.opset, wrong.what()));
      return false;
    }
    return true;
  }

  void add(const onnx::AttributeProto& proto, Node& node) {
    Attribute attribute;
    switch (proto.type()) {
      case onnx::AttributeProto::INT:
        attribute.whole = proto.i();
        break;
      case onnx::AttributeProto::FLOAT:
        attribute.real = proto.f();
        break;
      case onnx::AttributeProto::STRING:
        attribute.text = proto.s();
        break;
      case onnx::AttributeProto::INTS:
        attribute.wholes.assign(proto.ints().begin(), proto.ints().end());
        break;
      case onnx::AttributeProto::FLOATS:
        attribute.reals.assign(proto.floats().begin(), proto.floats().end());
        break;
      case onnx::AttributeProto::TENSOR: {
        // Of Constant and ConstantOfShape: an operand like any other from here on.
        Value value = stored_value(proto.t());
        value.name = node.name + ".value";
        attribute.tensor = graph_.add(std::move(value));
        break;
      }
      default:
        throw Unfit{fmt::format("has an attribute `{}` of a kind that cannot be imported", proto.name())};
    }
    node.attributes.insert_or_assign(proto.name(), std::move(attribute));
  }

  void name_unsupported() {
    for (const auto& [op, nodes] : unsupported_) {
      std::string names;
      for (std::size_t i = 0; i < nodes.size() && i < 3; ++i) names += fmt::format("{}`{}`", i ? ", " : "", nodes[i]);
      if (nodes.size() > 3) names += fmt::format(" and {} more", nodes.size() - 3);
      const bool is_control = op == "If" || op == "Loop" || op == "Scan";
      const auto newest = newest_opset_of(op);
      error(fmt::format("operator `{}` cannot be imported: node{} {}", op, nodes.size() > 1 ? "s" : "", names),
            is_control ? "a trace has no control flow: export the model with it resolved"
            : newest   ? fmt::format("of standard operators of this name those up to opset {} are known", *newest)
                       : "docs/importing.md lists the operators that can");
    }
  }

  void outputs() {
    std::set<std::string> seen;
    for (const auto& output : model_.graph().output()) {
      const auto found = ids_.find(output.name());
      if (found == ids_.end()) {
        error(fmt::format("nothing makes the output `{}`", output.name()));
      } else if (seen.insert(output.name()).second) {
        graph_.outputs.push_back(found->second);
      }
    }
    if (graph_.outputs.empty() && !problems_.has_errors()) error("the model has no outputs");
  }

  const onnx::ModelProto& model_;
  const Extents& extents_;
  Graph graph_;
  Diagnostics problems_;
  std::unordered_map<std::string, Id> ids_;
  std::map<std::string, std::vector<std::string>> unsupported_;
  std::size_t number_ = 0;
};

}  // namespace

Checked<Graph> read_model(std::istream& bytes, const std::string& path, const Extents& extents) {
  onnx::ModelProto model;
  google::protobuf::io::IstreamInputStream stream(&bytes);
  google::protobuf::io::CodedInputStream coded(&stream);
  coded.SetTotalBytesLimit(std::numeric_limits<int>::max());
  if (!model.ParseFromCodedStream(&coded) || !coded.ConsumedEntireMessage()) {
    return Diagnostic{
        Severity::error,
        fmt::format("`{}` is no whole ONNX model", path),
        {make_source(path, ""), 0, 0},
        "it is cut off or damaged, or no ONNX file; one above 2 GiB keeps its weights in a file beside it"};
  }
  return Reader(model, extents).run(path);
}

}  // namespace archsim::onnx_graph
