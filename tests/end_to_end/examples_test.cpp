// Every example of every help text, as a user would type it in the repository's root, on small inputs of the names that it uses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "tests/program_run/program.h"
#include "tests/source_dir.h"

namespace archsim {
namespace {

namespace fs = std::filesystem;

// What accel-rtl runs: a product of int8.
constexpr auto kProduct = R"(
workload: product
about: one linear
sources: none
parameters:
  dtype: {default: int8, about: of all, source: none, choices: {int8: {weight: int8, activation: int8}}}
tensors:
  x: {role: input, shape: [16, 32], dtype: activation}
  w: {role: weight, shape: [32, 24], dtype: weight}
  y: {role: output, shape: [16, 24], dtype: activation}
stages:
  - stage product:
      body:
        - linear only: {in: [x, w], out: y}
)";

const std::string kRoot = ARCHSIM_SOURCE_DIR;

std::vector<std::string> lines_after(const std::string& text, const std::string& title) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  bool is_inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line == title) {
      is_inside = true;
    } else if (is_inside && line.rfind("  ", 0) != 0) {
      break;
    } else if (is_inside && line.size() > 2 && line[2] != ' ') {
      lines.push_back(line.substr(2));
    }
  }
  return lines;
}

std::string help_of(std::vector<std::string> command) {
  command.emplace_back("--help");
  return archsim_program(command).out;
}

// Exit status 1 says that there is a difference.
bool is_comparison(const std::string& example) { return example.find("trace diff ") != std::string::npos; }

// A command's words, and all below it.
void add_commands(const std::vector<std::string>& command, std::vector<std::vector<std::string>>& all) {
  all.push_back(command);
  for (const auto& line : lines_after(help_of(command), "Subcommands:")) {
    auto below = command;
    below.push_back(line.substr(0, line.find(' ')));
    add_commands(below, all);
  }
}

class Examples : public testing::Test {
 protected:
  Examples() {
    for (const char* name : {"configs", "traces", "docs"}) fs::create_symlink(kRoot + "/" + name, folder_.file(name));
    const std::string trace = small_trace(folder_);
    for (const char* name : {"pi0_int8.trace"}) copy(trace, name);
    copy(kRoot + "/configs/soc/edge_lpddr5.yaml", "soc.yaml");
    copy(kRoot + "/tests/data/onnx/vit2.onnx", "vit.onnx");
    copy(kRoot + "/tests/data/onnx/txf2_dyn.onnx", "llm.onnx");
    std::ofstream(folder_.file("product.yaml")) << kProduct;
    EXPECT_EQ(
        archsim_program({"trace", "build", folder_.file("product.yaml"), "-o", folder_.file("int8.trace")}).status, 0);
    copy(kRoot + "/tests/data/imports/txf2.execution_graph.json", "llama.pt_trace.json");
    EXPECT_EQ(
        archsim_program({"--config", kEdge, "--trace", trace, "--json", folder_.file("run.json"), "--quiet"}).status,
        0);
    for (const char* name : {"results/run.json", "old/run.json", "new/run.json", "edge.json", "humanoid.json"})
      copy(folder_.file("run.json"), name);
    copy(kRoot + "/tests/data/imports/txf2.kineto_like.json", "profile.json");
    for (const char* name : {"results", "results_before", "results_roofline", "results_full"}) sweep_into(name);
  }

  void copy(const std::string& from, const std::string& name) {
    fs::create_directories(fs::path(folder_.file(name)).parent_path());
    fs::copy_file(from, folder_.file(name), fs::copy_options::overwrite_existing);
  }

  void sweep_into(const std::string& name) {
    const Outcome outcome =
        archsim_program({"sweep", "configs/sweeps/bandwidth_vs_sram.yaml", "-o", folder_.file(name)});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
  }

  // As the shell does; what reads the output further on is left out, for it may not be installed.
  Outcome typed(const std::string& example) {
    copy(folder_.file("small.trace"), "pi0.trace");  // some examples make the whole one
    const bool begins_sweep =
        example.find("-o results") != std::string::npos && example.find("--resume") == std::string::npos;
    if (begins_sweep) fs::remove(folder_.file("results/sweep.sqlite"));
    const std::string script = "cd '" + folder_.file("") + "' && PATH='" +
                               fs::path(ARCHSIM_PROGRAM).parent_path().string() + "':\"$PATH\" && " +
                               example.substr(0, example.find(" | ")) + " > out 2> err";
    const int status = std::system(script.c_str());
    return {WEXITSTATUS(status), text_of_file(folder_.file("out")), text_of_file(folder_.file("err"))};
  }

  TemporaryFolder folder_;
};

TEST_F(Examples, AllOfThemWork) {
  std::vector<std::vector<std::string>> commands;
  add_commands({}, commands);
  std::size_t tried = 0;
  for (const auto& command : commands) {
    const auto examples = lines_after(help_of(command), "Examples:");
    EXPECT_FALSE(examples.empty()) << testing::PrintToString(command);
    for (const auto& example : examples) {
      const Outcome outcome = typed(example);
      EXPECT_TRUE(outcome.status == 0 || (outcome.status == 1 && is_comparison(example))) << example << "\n"
                                                                                          << outcome.err;
      EXPECT_EQ(outcome.err.find("error: "), std::string::npos) << example;
      ++tried;
    }
  }
  EXPECT_GE(tried, commands.size());
}

}  // namespace
}  // namespace archsim
