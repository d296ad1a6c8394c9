#include "tests/validate/labels.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/doubled/doubled.h"

namespace archsim {
namespace {

struct Workload {
  std::string name, file;
  std::vector<std::string> settings;
  std::vector<DoubledCase> machines;  // without the trace
};

std::vector<Workload> workloads() {
  const std::string edge = "edge_lpddr5.yaml", humanoid = "humanoid_hbm3.yaml", small = "rtl_small.yaml";
  return {
      {.name = "pi0 int8",
       .file = "pi0.yaml",
       .settings = {"dtype=int8"},
       .machines = {{edge, "", {}}, {edge, "", {"npu.rows=128"}}, {humanoid, "", {}}}},
      // Two layers of everything: as above, but quick.
      {.name = "pi0 bf16, 2 layers",
       .file = "pi0.yaml",
       .settings = {"layers=2", "vision_layers=2", "steps=3"},
       .machines = {{edge, "", {}},
                    {humanoid, "", {}},
                    {edge, "", {"dram.channels=4", "dram.capacity=8 GiB"}},
                    {edge, "", {"npu.vector_lanes=4"}},
                    {edge, "", {"noc.link_width=16 B"}},
                    {edge, "", {"npu.dma.outstanding=2"}},
                    {edge, "", {"npu.scratchpad.banks=2"}},
                    {edge, "", {"l2.port_width=8 B"}},
                    {edge, "", {"clocks.npu=2 GHz", "dram.channels=32"}}}},
      {.name = "tiny", .file = "tiny.yaml", .settings = {}, .machines = {{edge, "", {}}, {small, "", {}}}},
      {.name = "tiny, wide and long",
       .file = "tiny.yaml",
       .settings = {"width=384", "mlp=1024", "tokens=256", "actions=32", "steps=5"},
       .machines = {{edge, "", {}}, {humanoid, "", {}}, {small, "", {}}}},
  };
}

bool print(const DoubledStage& stage) {
  const double percent = stage.time_s == 0.0 ? 0.0 : 100.0 / stage.time_s;
  fmt::print("{:4} {:<15} {:>10.4f} ms  {:<10} saves {:5.1f} %, best {:<8} {:5.1f} %   told, measured:",
             stage.holds() ? "ok" : "MISS", stage.name, stage.time_s * 1e3, stage.bound, stage.label_s() * percent,
             stage.best(), stage.best_s() * percent);
  for (const auto& [resource, told_s] : stage.told_s) {
    fmt::print(" {} {:.1f}, {:.1f};", resource, told_s * percent, stage.measured_s.at(resource) * percent);
  }
  fmt::print("\n");
  return stage.holds();
}

}  // namespace

bool labels_hold() {
  std::string folder = (std::filesystem::temp_directory_path() / "archsim_labels.XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return false;
  const std::string trace = folder + "/trace";
  std::size_t stages = 0, held = 0;
  bool has_run = true;
  for (const auto& workload : workloads()) {
    has_run = make_trace(workload.file, workload.settings, trace) && has_run;
    for (DoubledCase given : workload.machines) {
      given.trace = trace;
      std::string what = workload.name + " on " + given.soc;
      for (const auto& setting : given.settings) what += " " + setting;
      fmt::print("{}\n", what);
      const auto told = double_each(given);
      has_run = has_run && !told.empty();
      for (const auto& stage : told) held += print(stage) ? 1 : 0;
      stages += told.size();
    }
  }
  std::filesystem::remove_all(folder);
  fmt::print("labels: {} of {} stages name a resource whose doubling saves most, to 3 % of their time\n\n", held,
             stages);
  return has_run && held == stages;
}

}  // namespace archsim
