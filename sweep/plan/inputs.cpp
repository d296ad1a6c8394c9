#include "sweep/plan/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "arch/describe/values/value.h"
#include "sweep/plan/axes/axis_values.h"

namespace archsim {
namespace {

namespace fs = std::filesystem;

class UseReader {
 public:
  UseReader(bool is_trace, const YamlNode& root, Diagnostics& out) : is_trace_(is_trace), root_(root), out_(out) {}

  std::optional<WorkloadUse> read(const YamlNode& node) {
    use_.is_trace = is_trace_;
    use_.place = node.location();
    if (node.is_map()) {
      if (!read_map(node)) return {};
    } else if (!find(node)) {
      return {};
    }
    use_.name = fs::path(use_.path).stem().string();
    return std::move(use_);
  }

 private:
  bool find(const YamlNode& node) {
    const auto path = find_input(node, root_, out_);
    if (path) use_.path = *path;
    return path.has_value();
  }

  bool read_map(const YamlNode& node) {
    Diagnostics found;
    MapReader reader(node, is_trace_ ? "an entry of `trace`" : "an entry of `workload`", found);
    const YamlEntry* file = reader.required("file");
    const YamlEntry *weight = reader.optional("weight"), *settings = nullptr, *recipe = nullptr;
    if (!is_trace_) {
      settings = reader.optional("set");
      recipe = reader.optional("recipe");
    }
    reader.refuse_others();
    bool good = file != nullptr && find(file->value);
    if (weight != nullptr) good = ValueCodec<double>::read(weight->value, "weight", use_.weight, found) && good;
    if (!(use_.weight > 0.0)) found.error(weight->value.location(), "`weight` is above zero");
    if (recipe != nullptr) use_.recipe = recipe->value.scalar();
    if (settings != nullptr) {
      for (const auto& entry : settings->value.entries()) {
        use_.settings.push_back(entry.name() + "=" + show_value(entry.value));
      }
    }
    good = good && !found.has_errors();
    out_.append(found);
    return good;
  }

  bool is_trace_;
  const YamlNode& root_;
  Diagnostics& out_;
  WorkloadUse use_;
};

}  // namespace

std::optional<std::string> find_input(const YamlNode& node, const YamlNode& root, Diagnostics& out) {
  const std::string& name = node.scalar();
  if (name.empty()) {
    out.error(node.location(), "this is the name of a file", "write it like `soc: configs/soc/edge_lpddr5.yaml`");
    return {};
  }
  std::error_code ignored;
  if (fs::exists(name, ignored)) return name;
  const Source source = root.location().source;
  fs::path folder = source == nullptr ? fs::path() : fs::path(source->path).parent_path();
  for (; !folder.empty(); folder = folder.parent_path()) {
    if (fs::exists(folder / name, ignored)) return (folder / name).lexically_normal().string();
    if (folder == folder.root_path()) break;
  }
  const fs::path own = fs::path(ARCHSIM_CONFIGS_DIR).parent_path() / name;
  if (fs::exists(own, ignored)) return own.string();
  out.error(node.location(), fmt::format("there is no file `{}`", name),
            name.ends_with(".trace")
                ? "make it with `archsim trace build WORKLOAD.yaml -o " + name + "`, or name a workload file"
                : "it is looked for from the current folder and from the sweep file's");
  return {};
}

void append_workloads(const YamlEntry& entry, bool is_trace, const YamlNode& root, std::vector<WorkloadUse>& uses,
                      Diagnostics& out) {
  const bool is_list = entry.value.is_sequence();
  if (is_list && entry.value.items().empty()) {
    out.error(entry.value.location(), "`" + entry.name() + "` names no file");
  }
  const auto add = [&](const YamlNode& node) {
    auto use = UseReader(is_trace, root, out).read(node);
    if (!use) return;
    const std::string name = use->name;
    for (unsigned i = 2;
         std::any_of(uses.begin(), uses.end(), [&](const auto& other) { return other.name == use->name; });) {
      use->name = name + std::to_string(i++);
    }
    uses.push_back(*std::move(use));
  };
  if (!is_list) return add(entry.value);
  for (const auto& node : entry.value.items()) add(node);
}

}  // namespace archsim
