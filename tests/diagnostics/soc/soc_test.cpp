// What is said about bad SoC files, and about bad `--set` (files *.set, one a line, for the file below).
#include <gtest/gtest.h>

#include <fstream>

#include "arch/machine/soc_spec.h"
#include "models/catalog.h"
#include "tests/diagnostics/fixture.h"

namespace archsim {
namespace {

constexpr auto kGood = R"(soc: tiny
clocks: {npu: 1 GHz, noc: 1 GHz, cpu: 2 GHz}
blocks:
  cpu:  {kind: cpu, model: cluster, clock: cpu}
  npu:  {kind: accel, model: systolic, clock: npu, count: 2, rows: 16, cols: 16}
  l2:   {kind: sram, model: banked, clock: noc, capacity: 1 MiB, slices: 2}
  noc:  {kind: noc, model: mesh, clock: noc, columns: 3, rows: 3}
  dram: {kind: dram, model: banked, standard: lpddr5-6400, channels: 2, ports: 2, capacity: 1 GiB}
)";

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

TEST(GoodSoc, HasNothingToTell) {
  const auto spec = read_soc(make_source("good.yaml", kGood), {}, catalog());
  EXPECT_TRUE(spec.diagnostics().empty()) << render(spec.diagnostics());
}

class Soc : public testing::TestWithParam<std::string> {};

TEST_P(Soc, MistakesAreToldInFull) {
  const bool is_settings = GetParam().ends_with(".set");
  const auto source = is_settings ? Checked<Source>(make_source("good.yaml", kGood)) : read_source(GetParam());
  ASSERT_TRUE(source) << render(source.diagnostics());
  const auto settings = is_settings ? lines_of(GetParam()) : std::vector<std::string>{};
  const auto spec = read_soc(*source, settings, catalog());
  EXPECT_FALSE(spec);
  EXPECT_TRUE(is_expected_for(GetParam(), render(spec.diagnostics())));
}

INSTANTIATE_TEST_SUITE_P(Fixtures, Soc, testing::ValuesIn(fixtures_in("tests/diagnostics/soc")),
                         [](const auto& each) { return fixture_name(each.param); });

}  // namespace
}  // namespace archsim
