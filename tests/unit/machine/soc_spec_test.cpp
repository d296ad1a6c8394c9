#include "arch/machine/soc_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/machine/small_catalog.h"

namespace archsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kSoc = R"(soc: tiny
clocks: {fast: 1 GHz, slow: 500 MHz}
blocks:
  npu:  {kind: accel, model: square, clock: fast, count: 2, scratchpad: {capacity: 64 KiB}}
  cpu:  {kind: cpu, model: plain, clock: slow}
  l2:   {kind: sram, model: flat, clock: fast, capacity: 1 MiB, ports: 2}
  dram: {kind: dram, model: flat, ports: 2}
  noc:  {kind: noc, model: mesh, clock: fast, columns: 3, rows: 3}
)";

Checked<SocSpec> read(const std::string& text, const std::vector<std::string>& settings = {}) {
  static const Catalog catalog = small::catalog();
  return read_soc(make_source("tiny.yaml", text), settings, catalog);
}

std::vector<std::string> errors(const std::string& text, const std::vector<std::string>& settings = {}) {
  std::vector<std::string> found;
  const auto spec = read(text, settings);
  for (const auto& diagnostic : spec.diagnostics().all()) {
    const auto& at = diagnostic.location;
    found.push_back((at.source ? at.source->path : "-") + ":" + std::to_string(at.line) + ":" +
                    std::to_string(at.column) + " " + diagnostic.message);
  }
  return found;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  return text.replace(text.find(what), what.size(), with);
}

TEST(SocSpec, CountsMakeInstancesAndEverythingElseIsOneBlock) {
  const auto spec = read(kSoc);
  ASSERT_TRUE(spec) << render(spec.diagnostics());
  std::vector<std::string> names;
  for (const auto& block : spec->blocks) names.push_back(block.name);
  EXPECT_THAT(names, ElementsAre("npu0", "npu1", "cpu", "l2", "dram", "noc"));
  EXPECT_EQ(spec->find("cpu")->clock, 500_MHz);
  EXPECT_EQ(spec->find("npu1")->params.get<small::AccelParams>().scratchpad.capacity, 64_KiB);
}

TEST(SocSpec, EndpointsWithoutAPlaceTakeFreeTilesRowByRow) {
  const auto spec = read(kSoc + "placement: {cpu: [[0, 0]]}\n");
  ASSERT_TRUE(spec) << render(spec.diagnostics());
  EXPECT_THAT(spec->find("npu0")->tiles, ElementsAre(Tile{1, 0}));
  EXPECT_THAT(spec->find("npu1")->tiles, ElementsAre(Tile{2, 0}));
  EXPECT_THAT(spec->find("l2")->tiles, ElementsAre(Tile{0, 1}, Tile{1, 1}));
  EXPECT_THAT(spec->find("dram")->tiles, ElementsAre(Tile{2, 1}, Tile{0, 2}));
  EXPECT_EQ(spec->fabric.initiators.size(), 2U /* npu */ + 1U /* cpu */);
  EXPECT_EQ(spec->fabric.targets.size(), 2U /* npu */ + 1U /* cpu */ + 2U /* l2 */ + 2U /* dram */);
}

TEST(SocSpec, TheMemoryMapIsAlignedDisjointAndLeadsToThePort) {
  const auto spec = read(kSoc);
  ASSERT_TRUE(spec) << render(spec.diagnostics());
  const auto& regions = spec->map.regions;
  ASSERT_EQ(regions.size(), 3U /* csr */ + 2U /* scratchpads */ + 1U /* l2 */ + 1U /* dram */);
  for (std::size_t i = 1; i < regions.size(); ++i)
    EXPECT_LE(regions[i - 1].base + regions[i - 1].size, regions[i].base);
  const Region* dram = spec->map.of("dram", RegionKind::dram);
  ASSERT_NE(dram, nullptr);
  EXPECT_EQ(dram->base % (1_GiB).value, 0U);
  EXPECT_EQ(spec->map.at(dram->base + 5), dram);
  EXPECT_EQ(spec->fabric.targets[dram->target_of(dram->base + 1024)].block, "dram");
  EXPECT_EQ(spec->fabric.targets[dram->target_of(dram->base + 1024)].port, 1U);
  EXPECT_EQ(spec->map.at(0), nullptr);
}

TEST(SocSpec, SettingsReachGroupsInstancesAndSections) {
  const auto spec = read(kSoc, {"npu.rows=32", "npu[1].rows=64", "clocks.slow=1.2 GHz", "npu.scratchpad.banks=4"});
  ASSERT_TRUE(spec) << render(spec.diagnostics());
  EXPECT_EQ(spec->find("npu0")->params.get<small::AccelParams>().rows, 32U);
  EXPECT_EQ(spec->find("npu1")->params.get<small::AccelParams>().rows, 64U);
  EXPECT_EQ(spec->find("npu1")->params.get<small::AccelParams>().scratchpad.banks, 4U);
  EXPECT_EQ(spec->find("cpu")->clock, 1200_MHz);
}

TEST(SocSpec, AMistakeInASettingIsShownAsItWasTyped) {
  EXPECT_THAT(errors(kSoc, {"npu.rows=0"}), ElementsAre(HasSubstr("--set:1:10 `rows` is 0")));
  EXPECT_THAT(errors(kSoc, {"npv.rows=1"}), ElementsAre("--set:1:1 the SoC has no block or section `npv`"));
  EXPECT_THAT(errors(kSoc, {"npu.rowz=1"}), ElementsAre(HasSubstr("--set:1:5 ")));
  EXPECT_THAT(errors(kSoc, {"npu[2].rows=1"}), ElementsAre("--set:1:1 there is no `npu[2]`"));
}

TEST(SocSpec, ResolvedIsASocFileThatSaysTheSame) {
  const auto spec = read(kSoc, {"npu[1].rows=64"});
  ASSERT_TRUE(spec) << render(spec.diagnostics());
  const auto again = read(show(spec->resolved()));
  ASSERT_TRUE(again) << show(spec->resolved()) << render(again.diagnostics());
  EXPECT_EQ(show(again->resolved()), show(spec->resolved()));
}

TEST(SocSpec, BasesCanBeGivenAndAreChecked) {
  const auto good = read(kSoc + "memory_map: {dram: 0x8000_0000, npu0.csr: 0x10000}\n");
  ASSERT_TRUE(good) << render(good.diagnostics());
  EXPECT_EQ(good->map.of("dram", RegionKind::dram)->base, 0x8000'0000U);
  EXPECT_EQ(good->map.of("npu0", RegionKind::csr)->base, 0x10000U);
  EXPECT_THAT(errors(kSoc + "memory_map: {dram: 0x8000_0001}\n"),
              ElementsAre("tiny.yaml:9:20 `dram` at 0x80000001 is not aligned"));
  EXPECT_THAT(errors(kSoc + "memory_map: {l2: 0x1000_0000}\n"),
              ElementsAre(HasSubstr("`l2` (0x10000000 .. 0x100fffff) overlaps `npu0.csr`"), HasSubstr("`npu1.csr`"),
                          HasSubstr("`cpu.csr`"), HasSubstr("`npu0.scratchpad`"), HasSubstr("`npu1.scratchpad`")));
  EXPECT_THAT(errors(kSoc + "memory_map: {l2.csr: 0}\n"),
              ElementsAre("tiny.yaml:9:14 the memory map has no region `l2.csr`"));
}

TEST(SocSpec, PlacesAreChecked) {
  EXPECT_THAT(errors(kSoc + "placement: {cpu: [[3, 0]]}\n"),
              ElementsAre("tiny.yaml:9:19 `cpu` at [3, 0] lies outside `noc`"));
  EXPECT_THAT(errors(kSoc + "placement: {npu: [[0, 0], [1, 0]], cpu: [[1, 0]]}\n"),
              ElementsAre("tiny.yaml:9:42 `cpu` and `npu1` stand on one tile, [1, 0]"));
  EXPECT_THAT(errors(kSoc + "placement: {npu: [[0, 0]]}\n"),
              ElementsAre("tiny.yaml:9:18 `npu` needs 2 places and gets 1"));
  EXPECT_THAT(errors(kSoc, {"noc.rows=2"}), ElementsAre("tiny.yaml:8:3 `noc` has 6 tiles, and the blocks need 7"));
}

TEST(SocSpec, MissingAndSuperfluousBlocksAreTold) {
  EXPECT_THAT(errors(replaced(kSoc, "  cpu:  {kind: cpu, model: plain, clock: slow}\n", "")),
              ElementsAre("tiny.yaml:3:1 the SoC has no block of kind `cpu`"));
  EXPECT_THAT(errors(kSoc, {"dram.count=2"}), ElementsAre("tiny.yaml:7:3 the SoC has 2 blocks of kind `dram`"));
}

TEST(SocSpec, AllMistakesAreToldAtOnce) {
  const std::string text = R"(soc: tiny
clocks: {fast: 1000}
blocks:
  npu:  {kind: accel, model: squares, clock: fast}
  cpu:  {kind: cpuu, model: plain, clock: fast}
  l2:   {kind: sram, model: flat, clock: quick, capacity: 1}
  dram: {kind: dram, model: flat, clock: fast, ports: 3}
  noc:  {kind: noc, model: mesh, clock: fast, colums: 3}
  isp:  {model: mesh}
extra: 1
)";
  EXPECT_THAT(errors(text),
              testing::UnorderedElementsAre(
                  HasSubstr("tiny.yaml:2:16 "), "tiny.yaml:4:30 kind `accel` has no model `squares`",
                  "tiny.yaml:5:16 there is no kind of block `cpuu`", "tiny.yaml:6:42 there is no clock `quick`",
                  HasSubstr("tiny.yaml:6:59 "), HasSubstr("tiny.yaml:7:35 "), HasSubstr("tiny.yaml:8:47 "),
                  "tiny.yaml:9:3 block `isp` has no `kind`", HasSubstr("tiny.yaml:10:1 ")));
}

TEST(SocSpec, WhatOnlyAModelKnowsIsCheckedWhereItStands) {
  EXPECT_THAT(errors(kSoc, {"dram.ports=3"}), ElementsAre("--set:1:12 three is not a good number of ports"));
}

TEST(MachineView, SumsUpWhatTheBlocksCan) {
  const auto spec = read(kSoc);
  ASSERT_TRUE(spec) << render(spec.diagnostics());
  const MachineView view = machine_view(*spec);
  ASSERT_EQ(view.accelerators.size(), 2U);
  EXPECT_EQ(view.accelerators[1].name, "npu1");
  EXPECT_EQ(view.peak_macs_per_second(Dtype::int8), 2 /* npus */ * 16.0 * 16.0 * 1e9);
  EXPECT_EQ(view.peak_macs_per_second(Dtype::bf16), 0.0);
  EXPECT_EQ(view.on_chip_capacity(), 1_MiB + 64_KiB * 2);
  EXPECT_EQ(view.dram.base, spec->map.of("dram", RegionKind::dram)->base);
  EXPECT_EQ(view.dram.delivered.value, 100e9 /* less than two links of 64e9 */);
  EXPECT_GT(view.dram.latency, 50_ns);
}

}  // namespace
}  // namespace archsim
