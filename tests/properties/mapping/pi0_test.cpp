// pi0 on the README's machine: it maps, and fits.
#include <gtest/gtest.h>

#include "arch/mapping/map.h"
#include "tests/properties/mapping/machine.h"
#include "tests/source_dir.h"
#include "traces/generate/generate.h"

namespace archsim {
namespace {

Checked<Trace> pi0(const std::string& dtype) {
  return build_trace(std::string(ARCHSIM_SOURCE_DIR) + "/traces/workloads/pi0.yaml", {"dtype=" + dtype});
}

MachineView edge() {
  auto view = view_of({.accelerators = 4,
                       .side = 64,
                       .scratchpad = 2 << 20,
                       .accumulator = 512 << 10,
                       .l2 = 16 << 20,
                       .vector_lanes = 128});
  view.dram.capacity = 16_GiB;
  view.dram.base = 0x1'0000'0000;
  view.dram.delivered = Bandwidth(95e9);
  view.l2->delivered = Bandwidth(256e9);
  return view;
}

TEST(Pi0, MapsAndFits) {
  for (const char* dtype : {"int8", "bf16"}) {
    const auto trace = pi0(dtype);
    ASSERT_TRUE(trace) << render(trace.diagnostics());
    const auto program = map(*trace, edge());
    ASSERT_TRUE(program) << render(program.diagnostics());
    for (const auto& peak : program->peaks) EXPECT_LE(peak.used_bytes, peak.capacity_bytes) << peak.memory;
    for (std::size_t i = 0; i < trace->operators.size(); ++i) {
      if (trace->operators[i].type == OperatorType::linear || trace->operators[i].type == OperatorType::attention) {
        EXPECT_EQ(program->operators[i].runs_on, RunsOn::array)
            << trace->operators[i].name << ": " << program->operators[i].why;
      }
    }
  }
}

}  // namespace
}  // namespace archsim
