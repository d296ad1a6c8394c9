// Pricing: every model's events have a cost, energies have a closed form, and what must hold of any technology.
#include <gmock/gmock.h>

#include <algorithm>

#include "arch/machine/price/price.h"
#include "models/catalog.h"
#include "tests/source_dir.h"

namespace archsim {
namespace {

SocSpec edge(const std::vector<std::string>& settings = {}) {
  const auto source = read_source(std::string(ARCHSIM_SOURCE_DIR) + "/configs/soc/edge_lpddr5.yaml");
  auto spec = read_soc(*source, settings, catalog());
  EXPECT_TRUE(spec.has_value()) << render(spec.diagnostics());
  return *std::move(spec);
}

Tech tech(const SocSpec& spec, const std::string& name = {}) {
  auto found = tech_of(spec, name);
  EXPECT_TRUE(found.has_value()) << render(found.diagnostics());
  return *std::move(found);
}

/// A run of a second that counted `count` of every event.
RunResult run_of(const SocSpec& spec, std::uint64_t count) {
  RunResult run;
  run.time = Time(kPicosecondsPerSecond);
  for (const BlockSpec& block : spec.blocks) {
    BlockReport& report = run.blocks.emplace_back();
    report.name = block.name;
    report.kind = block.entry->kind;
    for (const EventEntry& event : block.entry->events.entries()) report.events.emplace_back(event.name, count);
  }
  return run;
}

TEST(Pricing, EveryEventOfEveryModelHasACost) {
  for (const CatalogEntry& entry : catalog().entries()) {
    if (entry.model == "graph") continue;  // has no default: it names a file
    const BlockCosts costs = entry.costs(entry.params.defaults(), Frequency(1'000'000'000));
    ASSERT_EQ(costs.events.size(), entry.events.entries().size()) << entry.kind << "/" << entry.model;
    for (const char* name : {"n28", "n16", "n7", "n5"}) {
      const auto found = find_tech({name, {}, {}});
      ASSERT_TRUE(found.has_value()) << render(found.diagnostics());
      CostValues values = found->nominal();
      values.tile_pitch_mm = 1.0;
      for (const EventCost& event : costs.events)
        EXPECT_GT(event.energy_pj(values), 0.0) << entry.kind << "/" << entry.model;
    }
  }
}

TEST(Pricing, AProductCostsItsArithmeticAndItsOperandsWay) {
  const SocSpec spec = edge();
  const Tech n7 = tech(spec);
  RunResult run = run_of(spec, 0);
  for (BlockReport& block : run.blocks) {
    if (block.name == "npu0") block.events.front().second = 1'000'000;  // mac_int8
  }
  const Ppa idle = price(run_of(spec, 0), spec, n7, Bands::without), busy = price(run, spec, n7, Bands::without);
  const double product_pj = 0.055;               // mac_int8
  const double delivery_pj = (8 + 32) * 0.0009;  // operand and sum, register_bit
  EXPECT_NEAR(busy.energy_j.nominal - idle.energy_j.nominal, 1e6 * (product_pj + delivery_pj) * 1e-12, 1e-15);
}

TEST(Pricing, EnergyGrowsWithEveryEvent) {
  const SocSpec spec = edge();
  const Tech n7 = tech(spec);
  const RunResult run = run_of(spec, 1000);
  const double base = price(run, spec, n7, Bands::without).energy_j.nominal;
  for (std::size_t b = 0; b < run.blocks.size(); ++b) {
    for (std::size_t e = 0; e < run.blocks[b].events.size(); ++e) {
      RunResult more = run;
      more.blocks[b].events[e].second += 1'000'000'000;
      EXPECT_GT(price(more, spec, n7, Bands::without).energy_j.nominal, base)
          << run.blocks[b].name << " " << run.blocks[b].events[e].first;
    }
  }
}

TEST(Pricing, HalvingACoefficientMovesItsShare) {
  const RunResult run = run_of(edge(), 1'000'000);
  const Ppa whole = price(run, edge(), tech(edge()));
  const Ppa halved =
      price(run, edge({"tech.lpddr5_io_bit=1.8 pJ"}), tech(edge({"tech.lpddr5_io_bit=1.8 pJ"})), Bands::without);
  const double bits = 2 * 1e6 * 32 * 8;  // bursts read and written
  EXPECT_NEAR(whole.energy_j.nominal - halved.energy_j.nominal, bits * 1.8e-12, 1e-12);
  const auto use = std::find_if(whole.sources.begin(), whole.sources.end(),
                                [](const SourceUse& u) { return u.cost == Cost::lpddr5_io_bit; });
  ASSERT_NE(use, whole.sources.end());
  EXPECT_NEAR(use->energy_share, bits * 3.6e-12 / whole.energy_j.nominal, 1e-9);
}

TEST(Pricing, AreaAddsUpAndIntervalsHoldTheirNumber) {
  const SocSpec spec = edge();
  const Ppa ppa = price(run_of(spec, 1000), spec, tech(spec));
  double area = ppa.overhead_mm2, energy = 0.0;
  for (const BlockPpa& block : ppa.blocks) {
    double parts = 0.0;
    for (const auto& [name, mm2] : block.area_by_part_mm2) parts += mm2;
    EXPECT_NEAR(parts, block.area_mm2.nominal, 1e-9) << block.name;
    area += block.area_mm2.nominal, energy += block.energy_j.nominal;
    EXPECT_LE(block.energy_j.low, block.energy_j.nominal);
    EXPECT_GE(block.energy_j.high, block.energy_j.nominal);
  }
  EXPECT_NEAR(area, ppa.area_mm2.nominal, 1e-9);
  EXPECT_NEAR(energy, ppa.energy_j.nominal, 1e-12);
  EXPECT_EQ(ppa.contributors.size(), 3u);
  EXPECT_LT(ppa.area_mm2.low, ppa.area_mm2.nominal);
  double nobody = 0.0;
  for (const auto& [name, joules] : ppa.unattributed_j) nobody += joules;
  EXPECT_NEAR(nobody, ppa.energy_j.nominal, 1e-12);  // there are no operators
}

TEST(Pricing, NewerNodesTakeLessAreaAndEnergy) {
  const SocSpec spec = edge();
  const RunResult run = run_of(spec, 1'000'000);
  double area = 1e9, energy = 1e9;
  for (const char* name : {"n28", "n16", "n7", "n5"}) {
    const Ppa ppa = price(run, spec, tech(spec, name), Bands::without);
    EXPECT_LT(ppa.area_mm2.nominal, area) << name;
    EXPECT_LT(ppa.energy_j.nominal, energy) << name;
    area = ppa.area_mm2.nominal, energy = ppa.energy_j.nominal;
  }
}

TEST(Pricing, BlocksThatAreNotPricedAreNamedAndLeftOut) {
  const SocSpec spec = edge({"cpu.priced=false"});
  const Ppa ppa = price(spec, tech(spec));
  EXPECT_THAT(ppa.not_priced, testing::ElementsAre("cpu"));
  for (const BlockPpa& block : ppa.blocks) EXPECT_NE(block.name, "cpu");
}

TEST(Pricing, MistakesInCoefficientsAreToldWhereTheyStand) {
  const auto source = read_source(std::string(ARCHSIM_SOURCE_DIR) + "/configs/soc/edge_lpddr5.yaml");
  const auto misspelt = read_soc(*source, {"tech.mac_in8=0.3 pJ"}, catalog());
  ASSERT_FALSE(misspelt.has_value());
  EXPECT_THAT(render(misspelt.diagnostics()), testing::HasSubstr("did you mean `mac_int8`?"));
  const auto unit = read_soc(*source, {"tech.mac_int8=0.3 mW"}, catalog());
  ASSERT_FALSE(unit.has_value());
  EXPECT_THAT(render(unit.diagnostics()), testing::HasSubstr("`0.3 mW` is no value for `mac_int8`"));
}

}  // namespace
}  // namespace archsim
