// The command line as shells and manuals have it, made of the same tables as the parser.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace archsim {

/// For `source` in bash: commands, options, the values of those that have a choice, else files.
std::string bash_completions(const CLI::App& app);
/// The same for zsh.
std::string zsh_completions(const CLI::App& app);
/// A page for man(1), section 1.
std::string man_page(const CLI::App& app, const std::string& version);

}  // namespace archsim
