#include "sweep/run/digest.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "arch/describe/diagnostic.h"

namespace archsim {
namespace {

namespace fs = std::filesystem;

std::string hex(const std::string& text) {
  const auto digest = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", digest.high64, digest.low64);
}

std::string text_of(const std::string& path) {
  const auto source = read_source(path);
  return source ? (*source)->text : "";
}

/// All data files that a SoC or workload file may name, in the order of their names.
std::string data_files(const std::vector<fs::path>& roots) {
  std::vector<std::string> paths;
  for (const auto& root : roots) {
    for (const char* part : {"dram", "noc", "recipes", "tech"}) {
      std::error_code error;
      for (const auto& entry : fs::recursive_directory_iterator(root / part, error)) {
        if (entry.is_regular_file(error)) paths.push_back(entry.path().string());
      }
    }
  }
  std::sort(paths.begin(), paths.end());
  std::string all;
  for (const auto& path : paths) all += hex(text_of(path)) + "\n";
  return all;
}

}  // namespace

PointDigest::PointDigest(const Plan& plan, const std::string& version, Fidelity fidelity) {
  const fs::path beside = fs::path(plan.soc_path).parent_path();
  base_ = fmt::format("{}\n{}\n{}\n{}\n", version, name_of(fidelity), fidelity == Fidelity::roofline ? 0 : plan.seed,
                      hex(plan.soc_source->text));
  for (const auto& use : plan.workloads) {
    base_ += fmt::format("{} {} {}\n", hex(text_of(use.path)), use.weight, use.recipe);
    for (const auto& setting : use.settings) base_ += setting + "\n";
  }
  base_ += hex(data_files({fs::path(ARCHSIM_CONFIGS_DIR), beside, beside / ".."})) + "\n";
}

std::string PointDigest::operator()(const Variant& variant) const { return hex(base_ + variant.text()); }

}  // namespace archsim
