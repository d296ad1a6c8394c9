#include "traces/file/file_kind.h"

#include <filesystem>
#include <fstream>

#include "traces/file/format.h"

namespace archsim {
namespace {

/// Whether a line of `text` begins with `key`: a section at the top of a YAML file.
bool has_section(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    if (at == 0 || text[at - 1] == '\n') return true;
  }
  return false;
}

}  // namespace

FileKind kind_of(std::string_view start) {
  if (start.starts_with(kTraceMagic)) return FileKind::trace;
  if (start.starts_with('{') && start.find("\"schema\": \"archsim.run/") != std::string_view::npos) {
    return FileKind::run_result;
  }
  if (has_section(start, "sweep:")) return FileKind::sweep;
  if (has_section(start, "workload:") && !has_section(start, "soc:")) return FileKind::workload;
  if (has_section(start, "soc:")) return FileKind::soc;
  return FileKind::other;
}

FileKind kind_of_file(const std::string& path) {
  // What is read from a pipe is gone.
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return FileKind::other;
  std::ifstream file(path, std::ios::binary);
  std::string start(kTellingBytes, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  return kind_of(start);
}

std::string_view in_words(FileKind kind) {
  switch (kind) {
    case FileKind::trace:
      return "a trace";
    case FileKind::workload:
      return "a workload file";
    case FileKind::soc:
      return "a SoC file";
    case FileKind::run_result:
      return "the result of a run";
    case FileKind::sweep:
      return "a sweep file";
    case FileKind::other:
      break;
  }
  return "another file";
}

std::string use_of(FileKind kind, const std::string& path) {
  switch (kind) {
    case FileKind::trace:
      return "`archsim trace info " + path + "` reads it, `--trace " + path + "` runs it";
    case FileKind::workload:
      return "`archsim trace build " + path + " -o FILE.trace` makes a trace of it";
    case FileKind::soc:
      return "`archsim check " + path + "` reads it, `--config " + path + "` runs it";
    case FileKind::run_result:
      return "`archsim report " + path + " -o report.html` shows it";
    case FileKind::sweep:
      return "`archsim sweep " + path + "` runs it";
    case FileKind::other:
      break;
  }
  return {};
}

}  // namespace archsim
