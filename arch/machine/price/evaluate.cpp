#include "arch/machine/price/evaluate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace archsim {
namespace {

constexpr double kPico = 1e-12, kMilli = 1e-3;

double busy_s(const PricedBlock& block, const std::string& engine) {
  if (block.report == nullptr || engine.empty()) return 0.0;
  for (const EngineReport& each : block.report->engines) {
    if (each.name == engine) return seconds(each.busy);
  }
  return 0.0;
}

void add_parts(const PricedBlock& block, double time_s, const CostValues& values, BlockNumbers& out) {
  for (const Part& part : block.costs.parts) {
    const double area = part.area_mm2 ? part.area_mm2(values) : 0.0;
    out.parts_mm2.push_back(area);
    const double leakage_w = part.leakage_mw ? part.leakage_mw(values) * kMilli * values.warm : 0.0;
    const double standing_w = part.standing_mw ? part.standing_mw(values) * kMilli : 0.0;
    const double clock_w =
        part.register_bits == 0.0 ? 0.0 : part.register_bits * values(Cost::clock_bit) * kPico * block.costs.clock_hz;
    const double idle = part.register_bits == 0.0 ? 0.0 : values(Cost::idle_clock_share);
    const double busy = std::min(busy_s(block, part.busy_with), time_s);
    out.leakage_w += leakage_w;
    out.peak_w += leakage_w + standing_w + clock_w * (part.busy_with.empty() ? idle : 1.0);
    out.leakage_j += leakage_w * time_s;
    out.standing_j += standing_w * time_s;
    out.clock_j += clock_w * (busy + idle * (time_s - busy));
  }
}

void add_events(const PricedBlock& block, const CostValues& values, BlockNumbers& out) {
  std::map<std::string, double> groups;
  for (std::size_t i = 0; i < block.costs.events.size(); ++i) {
    const EventCost& event = block.costs.events[i];
    const double energy_j = event.energy_pj(values) * kPico;
    const double peak_w = energy_j * event.peak_per_s;
    if (event.group.empty()) {
      out.peak_w += peak_w;
    } else {
      groups[event.group] = std::max(groups[event.group], peak_w);
    }
    if (block.report == nullptr) continue;
    const auto count = static_cast<double>(block.report->events[i].second);
    out.events_j.push_back(count * energy_j);
    if (event.delivery_pj) out.delivery_j += count * event.delivery_pj(values) * kPico;
  }
  for (const auto& [name, peak_w] : groups) out.peak_w += peak_w;
}

}  // namespace

double BlockNumbers::energy_j() const {
  return std::accumulate(events_j.begin(), events_j.end(), leakage_j + clock_j + standing_j);
}

double BlockNumbers::area_mm2() const { return std::accumulate(parts_mm2.begin(), parts_mm2.end(), 0.0); }

std::vector<PricedBlock> priced_blocks(const SocSpec& spec, const RunResult* run) {
  std::vector<PricedBlock> blocks;
  for (const BlockSpec& block : spec.blocks) {
    if (!block.is_priced) continue;
    PricedBlock priced{&block, block.entry->costs(block.params, block.clock), nullptr};
    if (run != nullptr) {
      const auto found = std::find_if(run->blocks.begin(), run->blocks.end(),
                                      [&](const BlockReport& r) { return r.name == block.name; });
      ARCHSIM_ASSERT(found != run->blocks.end(), "a run has a report of every block");
      ARCHSIM_ASSERT(found->events.size() == priced.costs.events.size(),
                     "every event of `" + block.name + "` has a cost");
      priced.report = &*found;
    }
    blocks.push_back(std::move(priced));
  }
  return blocks;
}

Numbers evaluate(const std::vector<PricedBlock>& blocks, double time_s, CostValues& values) {
  Numbers out;
  double tiles = 0.0;
  bool is_chip = false;
  for (const PricedBlock& block : blocks) {
    tiles = std::max(tiles, static_cast<double>(block.costs.tiles));
    is_chip = is_chip || block.costs.is_chip;
    for (const Part& part : block.costs.parts) out.area_mm2 += part.area_mm2 ? part.area_mm2(values) : 0.0;
  }
  if (is_chip) out.overhead_mm2 = out.area_mm2 * values(Cost::die_overhead);
  out.area_mm2 += out.overhead_mm2;
  if (is_chip) out.die = die_of(out.area_mm2, values);
  // The die is divided among the tiles; links are as long as a tile's side.
  out.tile_pitch_mm = tiles > 0.0 ? std::sqrt(out.area_mm2 / tiles) : 0.0;
  values.tile_pitch_mm = out.tile_pitch_mm;
  for (const PricedBlock& block : blocks) {
    BlockNumbers& numbers = out.blocks.emplace_back();
    add_events(block, values, numbers);
    add_parts(block, time_s, values, numbers);
    out.energy_j += numbers.energy_j();
    out.peak_w += numbers.peak_w;
    out.leakage_w += numbers.leakage_w;
  }
  return out;
}

}  // namespace archsim
