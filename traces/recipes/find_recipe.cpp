#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "arch/describe/near_name.h"
#include "traces/recipes/recipe.h"

namespace archsim {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".yaml";

std::vector<fs::path> recipe_folders(const std::string& user_file) {
  const fs::path folder = fs::path(user_file).parent_path();
  std::vector<fs::path> folders;
  for (const char* beside : {"recipes", "configs/recipes", "../../configs/recipes"}) {
    folders.push_back((folder / beside).lexically_normal());
  }
  folders.push_back(fs::path(ARCHSIM_CONFIGS_DIR) / "recipes");
  std::erase_if(folders, [](const fs::path& candidate) {
    std::error_code error;
    return !fs::is_directory(candidate, error);
  });
  return folders;
}

bool is_path(const std::string& name) { return name.find('/') != std::string::npos || name.ends_with(kEnding); }

Checked<Recipe> read_file(const std::string& path, const Location& where) {
  const auto source = read_source(path);
  if (!source) {
    return Diagnostic{.message = fmt::format("cannot read recipe `{}`", path),
                      .location = where,
                      .help = source.diagnostics().all().front().message};
  }
  return read_recipe(*source);
}

}  // namespace

std::vector<std::string> recipe_names(const std::string& user_file) {
  std::vector<std::string> names;
  for (const auto& folder : recipe_folders(user_file)) {
    std::error_code error;
    for (const auto& file : fs::directory_iterator(folder, error)) {
      if (file.path().extension() == kEnding) names.push_back(file.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Checked<Recipe> find_recipe(const std::string& name, const std::string& user_file, const Location& where) {
  if (is_path(name)) return read_file(name, where);
  for (const auto& folder : recipe_folders(user_file)) {
    const auto path = folder / (name + std::string(kEnding));
    std::error_code error;
    if (!name.empty() && fs::is_regular_file(path, error)) return read_file(path.string(), where);
  }
  return Diagnostic{.message = fmt::format("no recipe is called `{}`", name),
                    .location = where,
                    .help = help_for_unknown(name, recipe_names(user_file)) + "; a file is named with its `.yaml`"};
}

}  // namespace archsim
