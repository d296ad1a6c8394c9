#include "app/what_if/what_if.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/what_if/doublings.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kWidestBar = 36;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Runs of this program in a folder that is gone in the end.
class Runs {
 public:
  explicit Runs(const WhatIfJob& job) : job_(job) {
    std::string path = (std::filesystem::temp_directory_path() / "archsim.XXXXXX").string();
    if (::mkdtemp(path.data()) != nullptr) folder_ = path;
  }
  ~Runs() {
    for (const pid_t child : children_) {
      if (child <= 0) continue;
      ::kill(child, SIGTERM);
      ::waitpid(child, nullptr, 0);
    }
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  /// False if interrupted.
  bool run_all(std::vector<WhatIfRow>& rows) {
    const std::size_t most = std::max(1U, std::thread::hardware_concurrency());
    children_.assign(rows.size(), 0);
    std::size_t next = 0, running = 0, done = 0;
    while (done < rows.size()) {
      while (running < most && next < rows.size()) {
        children_[next] = start(next, rows[next]);
        ++next;
        ++running;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (job_.is_interrupted && job_.is_interrupted()) return false;
      for (std::size_t i = 0; i < next; ++i) {
        int state = 0;
        if (children_[i] == 0 || ::waitpid(children_[i], &state, WNOHANG) == 0) continue;
        children_[i] = 0;
        --running;
        ++done;
        finish(i, WIFEXITED(state) && WEXITSTATUS(state) == 0, rows[i]);
      }
    }
    return true;
  }

 private:
  std::string file(std::size_t i, const char* ending) const { return fmt::format("{}/{}.{}", folder_, i, ending); }

  pid_t start(std::size_t i, const WhatIfRow& row) const {
    std::vector<std::string> words{"archsim",  "run",     "--config", job_.config,    "--trace",
                                   job_.trace, "--quiet", "--json",   file(i, "json")};
    words.insert(words.end(), job_.options.begin(), job_.options.end());
    for (const auto* settings : {&job_.settings, &row.settings}) {
      for (const std::string& setting : *settings) words.insert(words.end(), {"--set", setting});
    }
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const std::string said = file(i, "said");
    const pid_t child = ::fork();
    if (child != 0) return child;
    const int out = ::open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    ::execv("/proc/self/exe", pointers.data());
    ::_exit(127);
  }

  void finish(std::size_t i, bool is_good, WhatIfRow& row) const {
    if (is_good) {
      const Json json = Json::parse(read(file(i, "json")), nullptr, false);
      if (json.is_object() && json.contains("time_s")) row.time_s = json["time_s"].get<double>();
    }
    if (row.time_s) return;
    const std::string said = read(file(i, "said"));
    row.why = said.substr(0, said.find('\n'));
  }

  const WhatIfJob& job_;
  std::string folder_;
  std::vector<pid_t> children_;
};

/// What the run's stages save with each resource doubled, as the run's own timing has it.
std::optional<double> told_of(const Json& run, const std::string& resource) {
  double sum = 0.0;
  for (const Json& stage : run["stages"]) {
    if (!stage.contains("if_doubled_s") || !stage["if_doubled_s"].contains(resource)) return std::nullopt;
    sum += stage["if_doubled_s"][resource].get<double>();
  }
  return sum;
}

std::string milliseconds(double time_s) { return fmt::format("{:.3f}", time_s * 1e3); }

}  // namespace

std::vector<WhatIfRow> what_if_again(const WhatIfJob& job, const Json& run) {
  std::vector<WhatIfRow> rows;
  for (auto& [resource, settings] : doublings(run["config"])) {
    rows.push_back({.resource = resource, .settings = settings, .told_s = told_of(run, resource)});
  }
  if (!Runs(job).run_all(rows)) return {};
  const double never = 1e300;
  std::stable_sort(rows.begin(), rows.end(), [&](const WhatIfRow& a, const WhatIfRow& b) {
    return a.time_s.value_or(never) < b.time_s.value_or(never);
  });
  return rows;
}

TextTable what_if_table(const std::vector<WhatIfRow>& rows, double time_s) {
  TextTable table{fmt::format("what if each were doubled, mapped anew; now {} ms", milliseconds(time_s)),
                  {"<resource", "time ms", "saves", "as timed", "<"},
                  {}};
  double most = 0.0;
  for (const WhatIfRow& row : rows) most = std::max(most, std::abs(time_s - row.time_s.value_or(time_s)));
  for (const WhatIfRow& row : rows) {
    if (!row.time_s) {
      table.rows.push_back({row.resource, "", "", "", row.why.substr(0, 60)});
      continue;
    }
    const double saved = time_s - *row.time_s;
    const auto length = static_cast<std::size_t>(most > 0.0 ? std::lround(kWidestBar * std::abs(saved) / most) : 0);
    table.rows.push_back({row.resource, milliseconds(*row.time_s), fmt::format("{:+.1f} %", -100.0 * saved / time_s),
                          row.told_s ? fmt::format("{:+.1f} %", 100.0 * (*row.told_s / time_s - 1.0)) : "",
                          std::string(length, saved >= 0.0 ? '#' : '-')});
  }
  return table;
}

Json what_if_json(const std::vector<WhatIfRow>& rows, double time_s) {
  Json json = Json::array();
  for (const WhatIfRow& row : rows) {
    json.push_back({{"resource", row.resource}, {"settings", row.settings}});
    if (row.time_s) {
      json.back()["time_s"] = *row.time_s;
      json.back()["saves_s"] = time_s - *row.time_s;
    } else {
      json.back()["refused"] = row.why;
    }
    if (row.told_s) json.back()["told_s"] = *row.told_s;
  }
  return json;
}

}  // namespace archsim
