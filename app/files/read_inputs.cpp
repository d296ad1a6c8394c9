#include "app/files/read_inputs.h"

#include "models/catalog.h"
#include "traces/file/file_kind.h"

namespace archsim {

Checked<SocSpec> read_soc_file(const std::string& path, const std::vector<std::string>& settings) {
  const FileKind kind = kind_of_file(path);
  if (kind != FileKind::soc && kind != FileKind::other) {
    return Diagnostic{Severity::error,
                      "`" + path + "` is " + std::string(in_words(kind)) + ", not a SoC file",
                      {make_source(path, ""), 0, 0},
                      use_of(kind, path)};
  }
  const auto source = read_source(path);
  if (!source) return source.diagnostics();
  return read_soc(*source, settings, catalog());
}

}  // namespace archsim
