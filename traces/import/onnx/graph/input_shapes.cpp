#include "traces/import/onnx/graph/input_shapes.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <set>

#include "arch/describe/near_name.h"

namespace archsim::onnx_graph {
namespace {

std::optional<std::int64_t> extent_from(std::string_view text) {
  std::int64_t extent = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), extent);
  if (wrong != std::errc() || end != text.data() + text.size() || extent < 1) return std::nullopt;
  return extent;
}

std::optional<Dims> dims_from(std::string_view text) {
  Dims dims;
  while (true) {
    const auto next = text.find('x');
    const auto extent = extent_from(text.substr(0, next));
    if (!extent) return std::nullopt;
    dims.push_back(*extent);
    if (next == std::string_view::npos) return dims;
    text.remove_prefix(next + 1);
  }
}

class Settings {
 public:
  Settings(const onnx::GraphProto& proto, Graph& graph, Diagnostics& problems)
      : proto_(proto), graph_(graph), problems_(problems) {
    for (Id id = 0; id < static_cast<Id>(graph.values.size()); ++id) {
      if (graph[id].is_input) ids_.emplace(graph[id].name, id);
    }
    for (const auto& input : proto.input()) {
      if (ids_.count(input.name()) == 0) continue;
      inputs_.push_back(input.name());
      for (const auto& dim : input.type().tensor_type().shape().dim()) {
        if (dim.has_dim_param() && !dim.dim_param().empty() && names_.insert(dim.dim_param()).second) {
          open_.push_back(dim.dim_param());
        }
      }
    }
  }

  void set_dim(const std::string& setting) {
    const auto sign = setting.find('=');
    const auto name = setting.substr(0, sign);
    const auto extent = sign == std::string::npos ? std::nullopt : extent_from(setting.substr(sign + 1));
    if (!extent) return error("--dim", setting, "is not NAME=VALUE with a whole VALUE above 0");
    if (names_.count(name) == 0) {
      return error(
          "--dim", setting, fmt::format("names `{}`, which no input of the model has", name),
          open_.empty() ? "all its extents are known; `--input` sets a whole shape" : help_for_unknown(name, open_));
    }
    const auto [old, is_new] = extents_.emplace(name, *extent);
    if (!is_new && old->second != *extent) error("--dim", setting, fmt::format("sets `{}` once more", name));
  }

  void set_input(const std::string& setting) {
    const auto sign = setting.rfind('=');
    const auto name = setting.substr(0, sign);
    const auto dims = sign == std::string::npos ? std::nullopt : dims_from(setting.substr(sign + 1));
    if (!dims) return error("--input", setting, "is not NAME=2x3x224x224");
    if (ids_.count(name) == 0) {
      return error("--input", setting, fmt::format("names `{}`, which is no input of the model", name),
                   help_for_unknown(name, inputs_));
    }
    shapes_.insert_or_assign(name, *dims);
  }

  void settle() {
    for (const auto& input : proto_.input()) {
      const auto found = ids_.find(input.name());
      if (found != ids_.end()) settle(input, graph_[found->second]);
    }
  }

 private:
  void error(const char* option, const std::string& setting, const std::string& message, std::string help = {}) {
    problems_.error({make_source(option, setting), 1, 1}, fmt::format("`{}` {}", setting, message), std::move(help));
  }

  void settle(const onnx::ValueInfoProto& input, Value& value) {
    const auto& type = input.type().tensor_type();
    value.has_dims = true;
    if (const auto given = shapes_.find(input.name()); given != shapes_.end()) {
      if (type.has_shape() && type.shape().dim_size() != static_cast<int>(given->second.size())) {
        problems_.error(graph_.where(), fmt::format("input `{}` has {} extents, `--input` gives {}", input.name(),
                                                    type.shape().dim_size(), text_of(given->second)));
      }
      value.dims = given->second;
    } else if (!type.has_shape()) {
      problems_.error(graph_.where(), fmt::format("input `{}` has no shape", input.name()),
                      fmt::format("set it: --input {}=1x3x224x224", input.name()));
    } else {
      for (int d = 0; d < type.shape().dim_size(); ++d) value.dims.push_back(extent(input.name(), d, type.shape()));
    }
    if (!elements_of(value.dims)) {
      problems_.error(graph_.where(), fmt::format("input `{}` of {} is too large", input.name(), text_of(value.dims)));
    }
  }

  std::int64_t extent(const std::string& input, int d, const onnx::TensorShapeProto& shape) {
    const auto& dim = shape.dim(d);
    if (dim.has_dim_value() && dim.dim_value() > 0) return dim.dim_value();
    if (const auto set = extents_.find(dim.dim_param()); dim.has_dim_param() && set != extents_.end()) {
      return set->second;
    }
    const bool is_named = dim.has_dim_param() && !dim.dim_param().empty();
    if (!is_named) {
      problems_.error(graph_.where(), fmt::format("axis {} of input `{}` has no extent", d, input),
                      fmt::format("set the whole shape: --input {}=1x3x224x224", input));
    } else if (told_.insert(dim.dim_param()).second) {
      problems_.error(graph_.where(), fmt::format("extent `{}` of input `{}` is open", dim.dim_param(), input),
                      fmt::format("set it: --dim {}=1", dim.dim_param()));
    }
    return 1;
  }

  const onnx::GraphProto& proto_;
  Graph& graph_;
  Diagnostics& problems_;
  std::map<std::string, Id> ids_;
  std::vector<std::string> inputs_, open_;
  std::set<std::string> names_, told_;
  std::map<std::string, std::int64_t> extents_;
  std::map<std::string, Dims> shapes_;
};

}  // namespace

void settle_input_shapes(const onnx::GraphProto& proto, const InputSettings& settings, Graph& graph,
                         Diagnostics& problems) {
  Settings all(proto, graph, problems);
  for (const auto& setting : settings.dims) all.set_dim(setting);
  for (const auto& setting : settings.inputs) all.set_input(setting);
  if (!problems.has_errors()) all.settle();
}

}  // namespace archsim::onnx_graph
