// The RTL as a block of an SoC, beside an instance of the systolic model.
#include "arch/soc/soc.h"

#include <gtest/gtest.h>

#include "arch/machine/soc_spec.h"
#include "arch/mapping/map.h"
#include "models/catalog.h"
#include "tests/source_dir.h"

namespace archsim {
namespace {

/// `layers` int8 products, each of the one before.
Trace chain(std::uint32_t layers, std::uint32_t rows, std::uint32_t columns) {
  Trace trace;
  trace.model = "chain";
  trace.loops = {{.name = "once", .count = 1}};
  Repeat body{.loop = 0, .body = {}};
  const auto add = [&](const std::string& name, Role role, std::vector<std::uint64_t> shape) {
    trace.tensors.push_back(
        {.name = name, .role = role, .shape = std::move(shape), .dtype = Dtype::int8, .scale = 0.1});
    return static_cast<std::uint32_t>(trace.tensors.size() - 1);
  };
  std::uint32_t x = add("x", Role::input, {rows, columns});
  for (std::uint32_t i = 0; i < layers; ++i) {
    const auto number = std::to_string(i);
    const std::uint32_t weight = add("weight" + number, Role::weight, {columns, columns});
    const bool is_last = i + 1 == layers;
    const std::uint32_t y = add("y" + number, is_last ? Role::output : Role::activation, {rows, columns});
    Operator op;
    op.name = "linear" + number;
    op.type = OperatorType::linear;
    op.inputs = {{.tensor = x, .copy = {}}, {.tensor = weight, .copy = {}}};
    op.outputs = {{.tensor = y, .copy = {}}};
    trace.operators.push_back(op);
    body.body.emplace_back(i);
    x = y;
  }
  trace.stages = {{.name = "once", .repeat = body}};
  return trace;
}

RunResult run(const Trace& trace, const std::vector<std::string>& settings) {
  const auto spec = read_soc(*read_source(ARCHSIM_SOURCE_DIR "/configs/soc/rtl_small.yaml"), settings, catalog());
  EXPECT_TRUE(spec) << render(spec.diagnostics());
  const auto program = map(trace, machine_view(*spec));
  EXPECT_TRUE(program) << render(program.diagnostics());
  return Soc(*spec, trace, *program).run();
}

double stat(const RunResult& result, const std::string& block, const std::string& key) {
  for (const BlockReport& report : result.blocks) {
    if (report.name != block) continue;
    for (const auto& [name, value] : report.stats) {
      if (name == key) return value;
    }
  }
  ADD_FAILURE() << block << " has no " << key;
  return 0.0;
}

TEST(RtlInASoc, SharesTheWorkWithASystolicInstance) {
  const std::uint32_t layers = 3, rows = 48, columns = 64;
  const RunResult result = run(chain(layers, rows, columns), {"npu.count=2", "npu[1].model=rtl"});
  ASSERT_FALSE(result.fault) << result.fault->what;
  const double systolic = stat(result, "npu0", "macs"), rtl = stat(result, "npu1", "macs");
  EXPECT_EQ(systolic + rtl, static_cast<double>(layers) * rows * columns * columns);
  EXPECT_GT(rtl, 0.5 * systolic);
  EXPECT_LT(rtl, 2.0 * systolic);
  EXPECT_GT(stat(result, "npu1", "load_bytes"), 0.0);
  EXPECT_GT(stat(result, "npu1", "store_bytes"), 0.0);
  EXPECT_EQ(result.operators.size(), layers);
}

TEST(RtlInASoc, KeepsOutputsStationaryIfThatIsAllThereIs) {
  const Trace trace = chain(2, 40, 48);
  const RunResult result = run(trace, {"npu.model=rtl", "npu.dataflows=[output_stationary]"});
  ASSERT_FALSE(result.fault) << result.fault->what;
  EXPECT_EQ(stat(result, "npu", "macs"), 2.0 * 40 * 48 * 48);
}

TEST(RtlInASoc, AloneTakesAboutAsLongAsTheModel) {
  const Trace trace = chain(2, 64, 64);
  const RunResult result = run(trace, {"npu.model=rtl"});
  ASSERT_FALSE(result.fault) << result.fault->what;
  EXPECT_EQ(stat(result, "npu", "macs"), 2.0 * 64 * 64 * 64);
}

}  // namespace
}  // namespace archsim
