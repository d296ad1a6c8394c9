// docs/workloads.md lists every workload with what it counts; ARCHSIM_UPDATE_EXPECTED=1 writes the table anew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "arch/workload/count.h"
#include "tests/source_dir.h"
#include "traces/generate/generate.h"

namespace archsim {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = ARCHSIM_SOURCE_DIR;
const std::string kBegin = "<!-- counts -->\n", kEnd = "<!-- end of counts -->";

std::vector<fs::path> workloads() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kRoot / "traces/workloads")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string table() {
  std::string text =
      "| workload | stage | repeat | GMAC | of which attention | weights M | activations MiB | KV read MiB | KV "
      "written MiB |\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  const auto mebibytes = [](std::uint64_t bytes) { return static_cast<double>(bytes) / (1024.0 * 1024.0); };
  for (const auto& file : workloads()) {
    const auto trace = build_trace(file.string(), {});
    EXPECT_TRUE(trace) << render(trace.diagnostics());
    if (!trace) continue;
    const auto counts = count(*trace);
    for (const auto& stage : counts.stages) {
      const auto& once = stage.once;
      if (once.macs == 0) continue;
      text +=
          fmt::format("| {} | {} | {} | {:.3f} | {:.3f} | {:.2f} | {:.1f} | {:.2f} | {:.2f} |\n", file.stem().string(),
                      stage.name, stage.repeat, static_cast<double>(once.macs) / 1e9,
                      static_cast<double>(once.attention_macs) / 1e9, static_cast<double>(once.weight_elements) / 1e6,
                      mebibytes(once.activation_bytes), mebibytes(once.kv_read_bytes), mebibytes(once.kv_write_bytes));
    }
    text += fmt::format("| {} | **all** | 1 | {:.1f} | {:.1f} | {:.1f} | | | |\n", file.stem().string(),
                        static_cast<double>(counts.macs) / 1e9, static_cast<double>(counts.attention_macs) / 1e9,
                        static_cast<double>(counts.parameters) / 1e6);
  }
  return text;
}

TEST(WorkloadPage, IsWhatTheWorkloadsCount) {
  const auto page = kRoot / "docs/workloads.md";
  std::ifstream in(page);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const auto begin = text.find(kBegin), end = text.find(kEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const auto first = begin + kBegin.size();
  const auto wanted = table();
  EXPECT_EQ(text.substr(first, end - first), wanted) << "write it anew with ARCHSIM_UPDATE_EXPECTED=1";
  if (std::getenv("ARCHSIM_UPDATE_EXPECTED") != nullptr)
    std::ofstream(page) << text.replace(first, end - first, wanted);
}

TEST(WorkloadPage, EveryWorkloadHasTheNameOfItsFile) {
  for (const auto& file : workloads()) {
    const auto trace = build_trace(file.string(), {});
    ASSERT_TRUE(trace) << render(trace.diagnostics());
    EXPECT_EQ(trace->model, file.stem().string());
  }
}

}  // namespace
}  // namespace archsim
