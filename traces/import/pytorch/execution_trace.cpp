#include "traces/import/pytorch/execution_trace.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "traces/import/aten/lower.h"
#include "traces/import/json_member.h"

namespace archsim {
namespace {

using Json = nlohmann::json;

class Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}

  Checked<std::vector<AtenNode>> read(std::string_view text) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) return error(fmt::format("`{}` is no JSON, or is cut off", path_));
    const auto& schema = member(json, "schema");
    const auto& nodes = member(json, "nodes");
    if (!schema.is_string() || !nodes.is_array()) {
      return error(fmt::format("`{}` has no `schema` and list of `nodes`: it is no execution trace", path_));
    }
    const auto& version = schema.get_ref<const std::string&>();
    if (!version.starts_with("1.0.") && !version.starts_with("1.1.")) {
      return error(fmt::format("`{}` is an execution trace of schema {}", path_, version),
                   "schemas 1.0.1 to 1.1.x can be imported");
    }
    std::vector<AtenNode> out;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      auto node = read_node(nodes[i], i);
      if (node) out.push_back(std::move(*node));
    }
    if (errors_.has_errors()) return errors_;
    return out;
  }

 private:
  Diagnostic error(std::string message, std::string help = {}) const {
    return {Severity::error, std::move(message), {make_source(path_, ""), 0, 0}, std::move(help)};
  }

  std::optional<AtenNode> read_node(const Json& json, std::size_t index) {
    const auto& id = member(json, "id");
    const auto& name = member(json, "name");
    const auto& parent = json.contains("ctrl_deps") ? member(json, "ctrl_deps") : member(json, "parent");
    if (!json.is_object() || !id.is_number_integer() || !name.is_string() || !parent.is_number_integer()) {
      errors_.add(error(fmt::format("node {} of the list has no `id`, `name` and `parent` or `ctrl_deps`", index)));
      return std::nullopt;
    }
    AtenNode node{id.get<std::int64_t>(), parent.get<std::int64_t>(), name.get<std::string>(), {}, {}};
    if (!read_values(json, "input", node, node.inputs) || !read_values(json, "output", node, node.outputs)) {
      return std::nullopt;
    }
    return node;
  }

  bool read_values(const Json& json, const std::string& which, const AtenNode& node, std::vector<AtenValue>& into) {
    const auto& values = member(json, (which + "s").c_str());
    const bool is_nested = values.is_object();
    std::string why;
    auto found = aten_values(is_nested ? member(values, "values") : values,
                             is_nested ? member(values, "shapes") : member(json, (which + "_shapes").c_str()),
                             is_nested ? member(values, "types") : member(json, (which + "_types").c_str()), why);
    if (!found) {
      errors_.add(error(fmt::format("`{}` (node {}) {} in its {}s", node.name, node.id, why, which)));
      return false;
    }
    into = std::move(*found);
    return true;
  }

  std::string path_;
  Diagnostics errors_;
};

}  // namespace

Checked<Trace> import_execution_trace(std::string_view text, const std::string& model, const std::string& path) {
  auto nodes = Reader(path).read(text);
  if (!nodes) return nodes.diagnostics();
  return lower_nodes(*std::move(nodes), model, path);
}

}  // namespace archsim
