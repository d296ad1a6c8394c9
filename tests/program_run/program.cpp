#include "tests/program_run/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "tests/source_dir.h"

namespace archsim {

namespace fs = std::filesystem;

namespace {

Outcome run_program(const std::vector<std::string>& arguments,
                    std::optional<std::chrono::milliseconds> interrupt_after) {
  const TemporaryFolder folder;
  std::vector<std::string> words{ARCHSIM_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string out = folder.file("out"), err = folder.file("err");
  const pid_t child = ::fork();
  if (child == 0) {
    if (::chdir(ARCHSIM_SOURCE_DIR) != 0) ::_exit(126);
    ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    ::execv(pointers.front(), pointers.data());
    ::_exit(127);
  }
  if (interrupt_after) {
    std::this_thread::sleep_for(*interrupt_after);
    ::kill(child, SIGINT);
  }
  int state = 0;
  ::waitpid(child, &state, 0);
  Outcome outcome{.status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state)};
  outcome.out = text_of_file(out);
  outcome.err = text_of_file(err);
  return outcome;
}

}  // namespace

Outcome archsim_program(const std::vector<std::string>& arguments) { return run_program(arguments, std::nullopt); }

Outcome archsim_program_interrupted(const std::vector<std::string>& arguments, std::chrono::milliseconds after) {
  return run_program(arguments, after);
}

TemporaryFolder::TemporaryFolder() {
  std::string path = (fs::temp_directory_path() / "archsim.XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) ADD_FAILURE() << "cannot make " << path;
  path_ = path;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string small_trace(const TemporaryFolder& folder, const std::vector<std::string>& more_settings) {
  const std::string path = folder.file("small.trace");
  std::vector<std::string> arguments{"trace", "build", "traces/workloads/pi0.yaml", "-o", path};
  for (const char* setting : {"dtype=int8", "cameras=1", "vision_layers=1", "layers=2", "steps=2"}) {
    arguments.insert(arguments.end(), {"--set", setting});
  }
  for (const std::string& setting : more_settings) arguments.insert(arguments.end(), {"--set", setting});
  const Outcome outcome = archsim_program(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return path;
}

nlohmann::ordered_json run_json_of(const std::string& config, const std::string& trace,
                                   const std::vector<std::string>& settings) {
  std::vector<std::string> arguments{"run", "--config", config, "--trace", trace, "--json", "-"};
  for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--set", setting});
  const Outcome outcome = archsim_program(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return nlohmann::ordered_json::parse(outcome.out.empty() ? "{}" : outcome.out);
}

}  // namespace archsim
