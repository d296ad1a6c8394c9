// Result files that are there whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "arch/describe/diagnostic.h"

namespace archsim {

/// Writes beside `path`, then renames. Nothing if all went well.
Diagnostics write_file(const std::string& path, std::string_view text);

/// Makes the folder and its parents, if they are not there.
Diagnostics make_folder(const std::string& path);

/// To standard output and flushed. Nothing if all went well.
Diagnostics write_stdout(std::string_view text);

}  // namespace archsim
