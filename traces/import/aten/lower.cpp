#include "traces/import/aten/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "arch/workload/rules/validate.h"
#include "traces/import/aten/call.h"

namespace archsim {
namespace {

constexpr std::string_view kAten = "aten::";
constexpr std::size_t kMostNamed = 6;      // nodes named of one mistake
constexpr std::size_t kDeepestCall = 512;  // assumed: far above PyTorch's own nesting

// Makes nothing that anybody reads as a value.
constexpr std::array kIgnored = {"empty",
                                 "empty_like",
                                 "empty_strided",
                                 "new_empty",
                                 "new_empty_strided",
                                 "resize_",
                                 "result_type",
                                 "item",
                                 "is_nonzero",
                                 "_local_scalar_dense",
                                 "set_",
                                 "_has_compatible_shallow_copy_type"};
// Between chips, of which a trace has one.
constexpr std::array kCommunication = {"c10d::", "nccl:", "gloo:", "record_param_comms", "_c10d_functional::"};

const std::map<std::string_view, Lower>& known() {
  static const std::map<std::string_view, Lower> all = [] {
    std::map<std::string_view, Lower> out;
    for (const auto* group : {&aten_products(), &aten_rows(), &aten_functions(), &aten_grids(), &aten_views()}) {
      for (const auto& each : *group) out[each.name] = each.lower;
    }
    return out;
  }();
  return all;
}

struct Found {
  Lower lower = nullptr;
  bool in_place = false;
};

Found find(std::string_view name) {
  if (!name.starts_with(kAten)) return {};
  name.remove_prefix(kAten.size());
  if (const auto exact = known().find(name); exact != known().end()) return {exact->second, false};
  if (!name.ends_with('_') || name.ends_with("__")) return {};
  const auto found = known().find(name.substr(0, name.size() - 1));
  return found == known().end() ? Found{} : Found{found->second, true};
}

bool is_ignored(std::string_view name) {
  if (!name.starts_with(kAten)) return false;
  name.remove_prefix(kAten.size());
  return std::find(kIgnored.begin(), kIgnored.end(), name) != kIgnored.end();
}

/// The last part of a name, of letters, digits and underlines.
std::string short_name(std::string_view name) {
  const auto colon = name.rfind(':');
  std::string out(colon == std::string_view::npos ? name : name.substr(colon + 1));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return out.empty() ? "node" : out;
}

class Lowering {
 public:
  Lowering(std::vector<AtenNode> nodes, const std::string& model, const std::string& path)
      : nodes_(std::move(nodes)), path_(path), builder_(model) {}

  Checked<Trace> run() {
    std::sort(nodes_.begin(), nodes_.end(), [](const AtenNode& a, const AtenNode& b) { return a.id < b.id; });
    std::set<std::int64_t> ids;
    for (const auto& node : nodes_) {
      if (!ids.insert(node.id).second) return error(fmt::format("two nodes have the id {}", node.id));
    }
    for (const auto& node : nodes_) {
      // A parent comes before what it calls; what names a later one, or itself, stands at the top.
      const bool has_parent = ids.contains(node.parent) && node.parent < node.id;
      if (has_parent) {
        children_[node.parent].push_back(&node);
      } else {
        roots_.push_back(&node);
      }
    }
    for (const auto* node : roots_) visit(*node, 0);
    if (!unknown_.empty()) return all_unknown();
    return finish();
  }

 private:
  Diagnostic error(std::string message, std::string help = {}) const {
    return {Severity::error, std::move(message), {make_source(path_, ""), 0, 0}, std::move(help)};
  }

  void refuse(const AtenNode& node, const std::string& reason) { unknown_[{node.name, reason}].push_back(node.id); }

  void visit(const AtenNode& node, std::size_t depth) {
    if (depth > kDeepestCall) return refuse(node, "stands in calls more than 512 deep");
    for (const std::string_view prefix : kCommunication) {
      if (node.name.starts_with(prefix)) return refuse(node, "talks to other chips, of which a trace has one");
    }
    if (is_ignored(node.name)) return;
    if (const auto found = find(node.name); found.lower) return lower(node, found);
    const auto before = builder_.bindings();
    for (const auto* child : children_[node.id]) visit(*child, depth + 1);
    check_made(node, before);
  }

  void lower(const AtenNode& node, const Found& found) {
    builder_.set_label(fmt::format("{}.{}", short_name(node.name), node.id));
    try {
      Call call(builder_, node, found.in_place);
      found.lower(call);
    } catch (const NotExpressible& why) {
      refuse(node, why.reason);
      forget_results(node);
    }
  }

  /// So that what follows is looked at too.
  void forget_results(const AtenNode& node) {
    for (const auto* tensor : tensors_of(node.outputs)) {
      try {
        builder_.forget(*tensor, false);
      } catch (const NotExpressible&) {
        // its type is named where it is read
        continue;
      }
    }
  }

  /// Whether what an unknown operator calls makes all that it returns; or else its own work would be lost.
  void check_made(const AtenNode& node, std::int64_t before) {
    std::set<std::int64_t> arguments;
    for (const auto* tensor : tensors_of(node.inputs)) arguments.insert(tensor->id);
    for (const auto* tensor : tensors_of(node.outputs)) {
      if (product(tensor->shape) == 0 || arguments.contains(tensor->id) || builder_.last_binding(*tensor) > before)
        continue;
      refuse(node, "is not known, and nothing that it calls makes its result");
      return forget_results(node);
    }
  }

  Diagnostics all_unknown() const {
    Diagnostics out;
    for (const auto& [what, ids] : unknown_) {
      std::string where;
      for (std::size_t i = 0; i < std::min(ids.size(), kMostNamed); ++i) {
        where += fmt::format("{}{}", i ? ", " : "", ids[i]);
      }
      if (ids.size() > kMostNamed) where += fmt::format(" and {} more", ids.size() - kMostNamed);
      out.add(error(fmt::format("`{}` {} (node {})", what.first, what.second, where)));
    }
    return out;
  }

  Checked<Trace> finish() {
    auto trace = builder_.finish();
    if (trace.operators.empty()) return error(fmt::format("`{}` has no operator that computes anything", path_));
    auto problems = validate(trace, {make_source(path_, ""), 0, 0});
    if (problems.has_errors()) return problems;
    return trace;
  }

  std::vector<AtenNode> nodes_;
  std::string path_;
  AtenBuilder builder_;
  std::map<std::int64_t, std::vector<const AtenNode*>> children_;
  std::vector<const AtenNode*> roots_;
  std::map<std::pair<std::string, std::string>, std::vector<std::int64_t>> unknown_;  // (name, reason) -> nodes
};

}  // namespace

Checked<Trace> lower_nodes(std::vector<AtenNode> nodes, const std::string& model, const std::string& path) {
  return Lowering(std::move(nodes), model, path).run();
}

}  // namespace archsim
