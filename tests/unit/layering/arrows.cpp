#include "tests/unit/layering/arrows.h"

#include <optional>
#include <sstream>

namespace archsim {
namespace {

struct Include {
  std::string path;
  bool quoted;
};

std::optional<Include> include_of(std::string_view line) {
  const auto skip_blanks = [&] {
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  };
  skip_blanks();
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  skip_blanks();
  if (!line.starts_with("include")) return {};
  line.remove_prefix(std::string_view("include").size());
  skip_blanks();
  if (line.empty() || (line.front() != '"' && line.front() != '<')) return {};
  const bool quoted = line.front() == '"';
  line.remove_prefix(1);
  const auto end = line.find(quoted ? '"' : '>');
  if (end == std::string_view::npos) return {};
  return Include{std::string(line.substr(0, end)), quoted};
}

bool reaches(const std::string& from, const std::string& to) {
  if (from == to) return true;
  const auto arrows = kArrows.find(from);
  if (arrows == kArrows.end()) return false;
  for (const auto& next : arrows->second) {
    if (reaches(next, to)) return true;
  }
  return false;
}

bool is_systemc(std::string_view header) {
  return header == "systemc" || header == "systemc.h" || header == "tlm" || header == "tlm.h" ||
         header.starts_with("sysc/") || header.starts_with("tlm_core/") || header.starts_with("tlm_utils/");
}

// Each of these costs seconds in every file that sees it (shared/toolchain.md section 4).
bool is_slow_header(std::string_view header) {
  return header.starts_with("CLI/") || header.starts_with("spdlog/") || header.starts_with("pagmo/");
}

}  // namespace

std::string folder_of(std::string_view path) {
  for (const auto& [folder, arrows] : kArrows) {
    if (path.starts_with(folder + "/")) return folder;
  }
  return std::string(path.substr(0, path.find('/')));
}

std::vector<std::string> broken_arrows(const std::string& path, std::string_view text) {
  std::vector<std::string> broken;
  const std::string from = folder_of(path);
  std::istringstream lines{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto include = include_of(line);
    if (!include) continue;
    const std::string where = path + ":" + std::to_string(number) + ": ";
    const std::string to = folder_of(include->path);
    const bool ours = include->quoted && kArrows.contains(to);
    if (kArrows.contains(from) && ours && !reaches(from, to)) broken.push_back(where + from + " must not see " + to);
    if (kArrows.contains(from) && include->quoted && !ours) {
      broken.push_back(where + "`" + include->path + "` does not start at a folder that " + from + " may see");
    }
    if (is_systemc(include->path) && !kSystemcFolders.contains(from)) {
      broken.push_back(where + from + " must not include SystemC");
    }
    if (is_slow_header(include->path) && path.ends_with(".h")) {
      broken.push_back(where + "`" + include->path + "` must not be included in a header");
    }
  }
  return broken;
}

}  // namespace archsim
