// Where a network's file is looked for.
#include <algorithm>
#include <filesystem>

#include "arch/describe/near_name.h"
#include "models/noc/topology/plan.h"

namespace archsim {
namespace {

namespace fs = std::filesystem;

/// `noc` beside the folder of the user's file, then the program's own.
std::vector<fs::path> folders_for(const std::string& user_file) {
  const fs::path folder = fs::path(user_file).parent_path();
  std::vector<fs::path> folders;
  for (const char* beside : {"noc", "../noc", "configs/noc"}) folders.push_back((folder / beside).lexically_normal());
  folders.push_back(fs::path(ARCHSIM_CONFIGS_DIR) / "noc");
  return folders;
}

std::vector<std::string> names_in(const std::vector<fs::path>& folders) {
  std::vector<std::string> names;
  for (const fs::path& folder : folders) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Checked<NocPlan> read_file(const fs::path& path, const std::string& name, const Location& where) {
  const auto source = read_source(path.string());
  if (source) return read_noc_plan(*source);
  return Diagnostic{.message = "the network's file `" + name + "` cannot be read",
                    .location = where,
                    .help = source.diagnostics().all().front().message};
}

Checked<NocPlan> find_noc_plan(const std::string& name, const Location& where) {
  const std::string user_file = where.source == nullptr ? std::string() : where.source->path;
  if (fs::path(name).extension() == ".yaml") {
    return read_file((fs::path(user_file).parent_path() / name).lexically_normal(), name, where);
  }
  const auto folders = folders_for(user_file);
  for (const fs::path& folder : folders) {
    std::error_code error;
    const fs::path path = folder / (name + ".yaml");
    if (fs::is_regular_file(path, error)) return read_file(path, name, where);
  }
  const auto names = names_in(folders);
  const bool is_near = near_name(name, names).has_value();
  return Diagnostic{.message = "no network is called `" + name + "`",
                    .location = where,
                    .help = help_for_unknown(name, names) + (is_near ? "" : ", or a path that ends with `.yaml`")};
}

}  // namespace

std::shared_ptr<const NocPlan> NocPlanName::get() const {
  if (found != nullptr) return found;
  auto plan = find_noc_plan(name, {});
  ARCHSIM_ASSERT(plan.has_value(), render(plan.diagnostics()));
  return std::make_shared<const NocPlan>(*std::move(plan));
}

bool ValueCodec<NocPlanName>::read(const YamlNode& node, const std::string& name, NocPlanName& value, Diagnostics& out,
                                   const ValueShape& like) {
  if (!detail::expect_kind(node, YamlNode::Kind::scalar, name, like, out)) return false;
  auto plan = find_noc_plan(node.scalar(), node.location());
  out.append(plan.diagnostics());
  if (!plan) return false;
  value = {node.scalar(), std::make_shared<const NocPlan>(*std::move(plan))};
  return true;
}

}  // namespace archsim
