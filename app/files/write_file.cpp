#include "app/files/write_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace archsim {
namespace {

Diagnostics failure(const std::string& path, const std::string& what) {
  const std::string why = std::strerror(errno);
  Diagnostics out;
  out.error({}, "cannot " + what + " `" + path + "`: " + why);
  return out;
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Told before the work, not after it.
Diagnostics can_be_written(const std::string& path) {
  std::error_code ignored;
  if (path == "-") return {};
  if (std::filesystem::is_directory(path, ignored)) {
    errno = EISDIR;
    return failure(path, "write");
  }
  const auto folder = std::filesystem::path(path).parent_path();
  const char* where = folder.empty() ? "." : folder.c_str();
  return ::access(where, W_OK | X_OK) == 0 ? Diagnostics{} : failure(path, "write");
}

/// So that the new name survives a power cut too; a file system that cannot do it is no reason to fail.
void sync_folder(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  const int file = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

}  // namespace

Diagnostics write_file(const std::string& path, std::string_view text) {
  // A pipe or /dev/null cannot be replaced by a file.
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  const bool is_special = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  const std::string draft = is_special ? path : path + ".part" + std::to_string(::getpid());
  const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return failure(path, "write");
  const bool written = write_all(file, text) && (is_special || ::fsync(file) == 0);
  const int why = errno;
  ::close(file);
  errno = why;
  if (is_special) return written ? Diagnostics{} : failure(path, "write");
  if (!written || ::rename(draft.c_str(), path.c_str()) != 0) {
    auto result = failure(path, "write");
    ::unlink(draft.c_str());
    return result;
  }
  sync_folder(path);
  return {};
}

Diagnostics keeps_inputs(const std::string& path, const std::vector<std::string>& inputs) {
  Diagnostics out = can_be_written(path);
  for (const std::string& input : inputs) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(input, ignored) || !std::filesystem::equivalent(path, input, ignored))
      continue;
    out.error({}, "`" + path + "` is read by this command and would be overwritten", "write to another file");
  }
  return out;
}

Diagnostics make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error) return {};
  errno = error.value();
  return failure(path, "make the folder");
}

Diagnostics write_stdout(std::string_view text) {
  std::fflush(stdout);
  return write_all(STDOUT_FILENO, text) ? Diagnostics{} : failure("standard output", "write to");
}

}  // namespace archsim
