// Result files that are there whole or not at all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arch/describe/diagnostic.h"

namespace archsim {

/// Writes beside `path`, then renames. Nothing if all went well.
Diagnostics write_file(const std::string& path, std::string_view text);

/// An error if `path` is one of the files that the command reads, or no file can be written there; `-` is standard output.
Diagnostics keeps_inputs(const std::string& path, const std::vector<std::string>& inputs);

/// Makes the folder and its parents, if they are not there.
Diagnostics make_folder(const std::string& path);

/// To standard output and flushed. Nothing if all went well.
Diagnostics write_stdout(std::string_view text);

}  // namespace archsim
