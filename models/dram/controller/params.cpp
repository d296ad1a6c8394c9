#include "models/dram/controller/params.h"

#include <algorithm>
#include <filesystem>

#include "arch/describe/near_name.h"

namespace archsim {
namespace {

namespace fs = std::filesystem;

fs::path folder() { return fs::path(ARCHSIM_CONFIGS_DIR) / "dram" / "controllers"; }

}  // namespace

Checked<ControllerParams> read_controller(const Source& source) {
  Diagnostics problems;
  const auto document = parse_yaml(source, problems);
  if (!document) return problems;
  const ParamTable table = ParamTable::of<ControllerParams>();
  const AnyParams params = table.read(*document, {.owner = "a DRAM controller"}, problems);
  if (problems.has_errors()) return problems;
  return {params.get<ControllerParams>(), problems};
}

std::vector<std::string> controller_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder(), error)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Checked<ControllerParams> find_controller(const std::string& name, const Location& where) {
  const auto names = controller_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    return Diagnostic{.message = "no DRAM controller is called `" + name + "`",
                      .location = where,
                      .help = help_for_unknown(name, names)};
  }
  const auto source = read_source((folder() / (name + ".yaml")).string());
  return source ? read_controller(*source) : Checked<ControllerParams>(source.diagnostics());
}

Checked<DramStandard> find_dram_standard_as(const std::string& controller, const std::string& name,
                                            const Location& where) {
  const std::string path = (folder() / controller / (name + ".yaml")).string();
  if (!fs::exists(path)) return find_dram_standard(name, where);
  const auto changes = read_source(path);
  if (!changes) return changes.diagnostics();
  return find_dram_standard(name, where, *changes);
}

}  // namespace archsim
