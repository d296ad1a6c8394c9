// What a file is, by how it begins: so that one given in another's place is called by its name.
#pragma once

#include <string>
#include <string_view>

namespace archsim {

enum class FileKind { trace, workload, soc, run_result, sweep, other };

/// As many bytes from the start as tell the kind.
constexpr std::size_t kTellingBytes =
    16 << 10;  // assumed: a SoC or workload file names itself within its first comments

FileKind kind_of(std::string_view start);
/// `other` if it cannot be read, or is no regular file.
FileKind kind_of_file(const std::string& path);

/// "a trace", "a SoC file"; "another file" for `other`.
std::string_view in_words(FileKind kind);
/// What to do with the file at `path`: "`archsim trace info pi0.trace` reads it"; empty for `other`.
std::string use_of(FileKind kind, const std::string& path);

}  // namespace archsim
