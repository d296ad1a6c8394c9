#include "arch/describe/read_bytes.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace archsim {

Checked<std::string> read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || text.bad()) return Diagnostic{Severity::error, "cannot read `" + path + "`: " + std::strerror(errno)};
  return std::move(text).str();
}

}  // namespace archsim
