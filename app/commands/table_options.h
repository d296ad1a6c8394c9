// Command-line options that are the lines of a param table.
#pragma once

#include <map>
#include <string>

#include "arch/describe/table.h"

namespace CLI {
class App;
}

namespace archsim {

/// What was typed, by the name in the table; empty: nothing.
using TypedOptions = std::map<std::string, std::string>;

/// `--packet-flits` for `packet_flits`, and so on, with the table's text, range and default. `typed` outlives the parsing.
void add_options(CLI::App& command, const ParamTable& table, TypedOptions& typed);

/// The table's params with what was typed; errors show the option's own text.
AnyParams read_options(const ParamTable& table, const TypedOptions& typed, Diagnostics& out);

/// One JSON document to `path` (`-`: standard output alone), and `text` to standard output. The exit status.
int write_answer(const std::string& path, const std::string& json, const std::string& text);

}  // namespace archsim
