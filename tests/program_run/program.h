// Runs the program itself, in the root of the repository, as a user would.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace archsim {

struct Outcome {
  int status = -1;  // exit status; 128 + signal if it was killed
  std::string out, err;
};

Outcome archsim_program(const std::vector<std::string>& arguments);

/// The same, with a SIGINT, as Ctrl-C sends it, after some time.
Outcome archsim_program_interrupted(const std::vector<std::string>& arguments, std::chrono::milliseconds after);

/// A folder of this test's own, empty at first and removed in the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::string text_of_file(const std::string& path);

/// A small pi0: one camera, `layers` layers of vision tower, trunk and expert, two flow steps, int8. Made once for each test.
std::string small_trace(const TemporaryFolder& folder, const std::vector<std::string>& more_settings = {});

constexpr auto kEdge = "configs/soc/edge_lpddr5.yaml";

/// run.json of `config` on `trace`; the test fails if the run does.
nlohmann::ordered_json run_json_of(const std::string& config, const std::string& trace,
                                   const std::vector<std::string>& settings = {});

}  // namespace archsim
