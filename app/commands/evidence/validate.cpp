#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/exit_status.h"
#include "app/files/write_file.h"

namespace archsim {
namespace {

struct ValidateRequest {
  std::vector<std::string> families;
  std::string json;
};

/// The book is a program of its own, because it holds the data of other simulators and is built with the tests.
int validate(const ValidateRequest& request) {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "tests/archsim_validate";
  Diagnostics out;
  if (error || !std::filesystem::exists(program)) {
    out.error({}, fmt::format("the validation book `{}` is not there", program.string()),
              "it is built with the tests: `scripts/build`");
  }
  if (!request.json.empty()) out.append(keeps_inputs(request.json, {}));
  if (out.has_errors()) return tell(out);
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), request.families.begin(), request.families.end());
  if (!request.json.empty()) words.insert(words.end(), {"--json", request.json});
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  ::execv(pointers.front(), pointers.data());
  out.error({}, fmt::format("cannot run `{}`: {}", program.string(), std::strerror(errno)), "");
  return tell(out);
}

}  // namespace

void add_validate(CLI::App& app, Action& action) {
  const auto request = std::make_shared<ValidateRequest>();
  CLI::App* command = app.add_subcommand("validate", "published, derived and measured numbers beside those of archsim");
  command->add_option(
      "family", request->families,
      "array, dram, memory, noc, roofline, rtl, run, labels: all if none is named; and, only if named, the slow ones: "
      "mapping, directions, sweep, sampled");
  command->add_option("--json", request->json, "write every anchor there; `-`: standard output")->type_name("FILE");
  command->footer(
      "Examples:\n"
      "  archsim validate array roofline\n"
      "  archsim validate dram --json -");
  command->callback([request, &action] { action = [request] { return validate(*request); }; });
}

}  // namespace archsim
