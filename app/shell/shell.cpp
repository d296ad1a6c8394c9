#include "app/shell/shell.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <sstream>
#include <vector>

namespace archsim {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const auto& name : option.get_snames()) names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

/// "table json" of an option that takes one of {table,json}; empty if it takes anything.
std::string choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find('{'), close = type.find('}', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return {};
  std::string words = type.substr(open + 1, close - open - 1);
  for (char& c : words) c = c == ',' ? ' ' : c;
  return words;
}

using Visit = std::function<void(const CLI::App& command, const std::string& path)>;

void walk(const CLI::App& app, const std::string& path, const Visit& visit) {
  visit(app, path);
  for (const CLI::App* command : commands_of(app)) walk(*command, path + " " + command->get_name(), visit);
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string words_of(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::App* command : commands_of(app)) words.push_back(command->get_name());
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : names_of(*option)) words.push_back(name);
  }
  return joined(words, " ");
}

/// For roff: no line of text begins a request, and a hyphen stays one.
std::string roff(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '-') safe += '\\';
    if (c == '\\') safe += "\\e";
    if (c != '\\') safe += c;
  }
  return safe.empty() || (safe.front() != '.' && safe.front() != '\'') ? safe : "\\&" + safe;
}

std::string roff_lines(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) out += roff(line) + "\n";
  return out;
}

std::string man_options(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    const auto names = names_of(*option);
    const std::string type = option->get_type_name();
    const std::string value = type.empty() ? "" : " " + type.substr(0, type.find(':'));
    text += ".TP\n.B " + roff(names.empty() ? option->get_name() : joined(names, ", ") + value) + "\n";
    text += roff_lines(option->get_description());
  }
  return text;
}

}  // namespace

std::string bash_completions(const CLI::App& app) {
  std::string paths, values, words;
  walk(app, "archsim", [&](const CLI::App& command, const std::string& path) {
    if (path != "archsim") paths += fmt::format("{}\"{}\"", paths.empty() ? "" : "|", path);
    words += fmt::format("    \"{}\") words=\"{}\" ;;\n", path, words_of(command));
    for (const CLI::Option* option : command.get_options()) {
      const std::string choices = choices_of(*option);
      if (choices.empty()) continue;
      for (const std::string& name : names_of(*option))
        values += fmt::format("    \"{} {}\") words=\"{}\" ;;\n", path, name, choices);
    }
  });
  return fmt::format(R"(# Completions of archsim. In bash: source <(archsim --completions bash)
_archsim() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" path="archsim" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path ${{COMP_WORDS[i]}}" in
      {0}) path="$path ${{COMP_WORDS[i]}}" ;;
    esac
  done
  # Without a command the words are those of run.
  if [[ "$path" == archsim && COMP_CWORD -gt 1 && "${{COMP_WORDS[1]}}" == -* ]]; then path="archsim run"; fi
  case "$path $before" in
{1}  esac
  if [[ -n "$words" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "$path" in
{2}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ "$current" != -* ]]; then COMPREPLY+=($(compgen -f -- "$current")); fi
}}
complete -o filenames -F _archsim archsim
)",
                     paths, values, words);
}

std::string zsh_completions(const CLI::App& app) {
  return "#compdef archsim\n# In zsh: source <(archsim --completions zsh)\nautoload -U +X compinit && compinit\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         bash_completions(app);
}

std::string man_page(const CLI::App& app, const std::string& version) {
  std::string text = fmt::format(".TH ARCHSIM 1 \"\" \"archsim {}\" \"User Commands\"\n.SH NAME\n{}\n", version,
                                 roff(app.get_description()));
  // The name section is `name - what it is`.
  const auto colon = text.find("archsim: ");
  if (colon != std::string::npos) text.replace(colon, 9, "archsim \\- ");
  text += ".SH SYNOPSIS\n.B archsim\n.RI [ command ]\n.RI [ option ]...\n.SH OPTIONS\n" + man_options(app);
  text += ".SH COMMANDS\n";
  walk(app, "archsim", [&](const CLI::App& command, const std::string& path) {
    if (path == "archsim") return;
    text += ".SS " + roff(path) + "\n" + roff_lines(command.get_description()) + man_options(command);
    if (!command.get_footer().empty()) text += ".PP\n.nf\n" + roff_lines(command.get_footer()) + ".fi\n";
  });
  text +=
      ".SH EXIT STATUS\n0 done, 1 a check failed or a limit was passed, 2 an input is wrong, 3 the simulated machine "
      "is "
      "stuck, 70 a bug of ours, 130 interrupted.\n";
  return text;
}

}  // namespace archsim
