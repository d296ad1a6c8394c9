#include "app/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/command.h"
#include "app/exit_status.h"
#include "app/shell/shell.h"
#include "arch/describe/near_name.h"

namespace archsim {

const char* const kVersion = "0.1.0";

namespace {

constexpr auto kDescription =
    "archsim: what a robot SoC does with a vision-language-action model, in cycles, before any of it is built";
constexpr auto kExamples = R"(Without a command: run.

Examples:
  archsim trace build traces/workloads/pi0.yaml -o pi0.trace
  archsim --config configs/soc/edge_lpddr5.yaml --trace pi0.trace
  archsim run --config configs/soc/edge_lpddr5.yaml --trace pi0.trace --set npu.rows=128
  archsim describe accel/systolic)";

/// Words for the parser, which takes them last first.
std::vector<std::string> words_of(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const std::vector<std::string> for_all{"-h", "--help", "--version", "--completions", "--man"};
  const bool is_for_all = !words.empty() && std::find(for_all.begin(), for_all.end(), words.front()) != for_all.end();
  if (!words.empty() && words.front().starts_with('-') && !is_for_all) words.insert(words.begin(), "run");
  return words;
}

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

/// The innermost command that the words chose.
const CLI::App& chosen(const CLI::App& app) {
  const auto inner = app.get_subcommands();
  return inner.empty() ? app : chosen(*inner.front());
}

std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? "archsim" : full_name(*app.get_parent()) + " " + app.get_name();
}

std::vector<std::string> names_of_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

int refuse(std::string message, std::string help) {
  Diagnostics out;
  out.error({}, std::move(message), std::move(help));
  return tell(out);
}

bool has_commands(const CLI::App& command) { return !names_of_commands(command).empty(); }

int refuse(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = chosen(app);
  const std::string name = full_name(command);
  // A word that nobody takes says more than what is missing without it.
  const auto rest = app.remaining(true);
  const std::string word = rest.empty() ? "" : rest.front().substr(0, rest.front().find('='));
  if (!word.empty() && has_commands(command) && !word.starts_with('-')) {
    return refuse("`" + name + "` has no command `" + word + "`", help_for_unknown(word, names_of_commands(command)));
  }
  if (!word.empty()) {
    return refuse("`" + name + "` does not take `" + word + "`", help_for_unknown(word, names_of_options(command)));
  }
  const bool lacks_something = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (has_commands(command) && lacks_something) {
    return refuse("`" + name + "` needs a command", "one of " + quoted_list(names_of_commands(command)));
  }
  return refuse(error.what(), "see `" + name + " --help`");
}

/// What is printed of the command line itself, and needs no command.
std::optional<std::string> about_itself(const CLI::App& app, int argc, const char* const* argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words == std::vector<std::string>{"--man"}) return man_page(app, kVersion);
  for (const std::string shell : {"bash", "zsh"}) {
    if (words != std::vector<std::string>{"--completions", shell} &&
        words != std::vector<std::string>{"--completions=" + shell})
      continue;
    return shell == "bash" ? bash_completions(app) : zsh_completions(app);
  }
  return std::nullopt;
}

int run_action(const Action& action) {
  try {
    return action();
  } catch (const std::exception& error) {
    fmt::print(stderr, "archsim: a bug of ours: {}\n", error.what());
    return exit_status::kOurBug;
  }
}

}  // namespace

int tell(const Diagnostics& diagnostics) {
  if (!diagnostics.empty()) fmt::print(stderr, "{}", render(diagnostics));
  return diagnostics.has_errors() ? exit_status::kWrongInput : exit_status::kDone;
}

int command_line(int argc, const char* const* argv) {
  CLI::App app{kDescription, "archsim"};
  app.footer(kExamples);
  app.set_version_flag("--version", std::string("archsim ") + kVersion);
  app.require_subcommand(1);
  app.add_option("--completions", "print completions: source <(archsim --completions bash)")
      ->check(CLI::IsMember({"bash", "zsh"}))
      ->type_name("SHELL");
  app.add_flag_function(
      "--man", [](std::int64_t) {}, "print the manual: archsim --man | man -l -");
  Action action;
  add_run(app, action);
  add_check(app, action);
  add_describe(app, action);
  add_trace(app, action);
  add_roofline(app, action);
  add_probe(app, action);
  add_cosim(app, action);
  add_diff(app, action);
  add_report(app, action);
  add_calibrate(app, action);
  add_sweep(app, action);
  add_explain(app, action);
  add_pareto(app, action);
  add_ppa(app, action);
  add_validate(app, action);
  if (const auto text = about_itself(app, argc, argv)) {
    fmt::print("{}", *text);
    return exit_status::kDone;
  }
  try {
    auto words = words_of(argc, argv);
    std::reverse(words.begin(), words.end());
    app.parse(std::move(words));
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return refuse(app, error);
  }
  return run_action(action);
}

}  // namespace archsim
