#include "arch/machine/price/price.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "arch/machine/price/attribute.h"
#include "arch/machine/price/evaluate.h"
#include "arch/machine/price/power.h"

namespace archsim {
namespace {

/// A larger value of these makes things cheaper.
bool is_inverse(std::size_t i) { return i == static_cast<std::size_t>(Cost::sram_efficiency); }

double& value_of(CostValues& values, std::size_t i) { return values.values[i]; }

double end_of(const Tech& tech, std::size_t i, bool is_dear) {
  const Band& band = tech.coefficients[i].value;
  return is_dear != is_inverse(i) ? band.high : band.low;
}

/// Squares of the ways down and up, summed over sources.
struct Spread {
  double down = 0.0, up = 0.0;
  void add(double nominal, double cheap, double dear) {
    const double lowest = std::min({nominal, cheap, dear}), highest = std::max({nominal, cheap, dear});
    down += (nominal - lowest) * (nominal - lowest);
    up += (highest - nominal) * (highest - nominal);
  }
  Amount around(double nominal) const {
    return {std::max(0.0, nominal - std::sqrt(down)), nominal, nominal + std::sqrt(up)};
  }
};

class Pricer {
 public:
  Pricer(const RunResult* run, const SocSpec& spec, const Tech& tech)
      : run_(run),
        spec_(spec),
        tech_(tech),
        blocks_(priced_blocks(spec, run)),
        time_s_(run == nullptr ? 0.0 : seconds(run->time)) {
    CostValues values = tech.nominal();
    nominal_ = evaluate(blocks_, time_s_, values);
    used_ = values.used;
    out_.tech = tech.name;
    out_.node_nm = tech.node_nm, out_.voltage_v = tech.voltage_v, out_.temperature_k = tech.temperature_k;
    out_.has_run = run != nullptr;
    out_.time_s = time_s_;
    for (const BlockSpec& block : spec.blocks) {
      if (!block.is_priced) out_.not_priced.push_back(block.name);
    }
  }

  Ppa make(Bands bands) {
    add_nominal();
    if (bands == Bands::with) {
      add_bands();
      add_contributors();
    }
    if (run_ != nullptr) attribute(*run_, blocks_, nominal_, out_);
    if (run_ != nullptr && !run_->operators.empty())
      out_.power = power_over_time(*run_, out_, machine_view(spec_).dram.peak.value);
    return std::move(out_);
  }

 private:
  static Amount exactly(double value) { return {value, value, value}; }

  void add_nominal() {
    out_.energy_j = exactly(nominal_.energy_j);
    out_.average_power_w = exactly(time_s_ == 0.0 ? 0.0 : nominal_.energy_j / time_s_);
    out_.peak_power_w = exactly(nominal_.peak_w);
    out_.leakage_w = exactly(nominal_.leakage_w);
    out_.area_mm2 = exactly(nominal_.area_mm2);
    out_.overhead_mm2 = nominal_.overhead_mm2;
    if (const auto& die = nominal_.die) {
      out_.die = DieCost{.per_wafer = die->per_wafer,
                         .yield = die->yield,
                         .wafer_usd = tech_[Cost::wafer_price].value.nominal,
                         .defects_per_cm2 = tech_[Cost::defect_density].value.nominal,
                         .cost_usd = exactly(die->cost_usd)};
    }
    out_.tile_pitch_mm = nominal_.tile_pitch_mm;
    for (std::size_t b = 0; b < blocks_.size(); ++b) out_.blocks.push_back(block_of(b));
    for (std::size_t i = 0; i < kCostCount; ++i) {
      if (used_.test(i)) out_.sources.push_back({static_cast<Cost>(i), tech_.coefficients[i], 0.0});
    }
  }

  BlockPpa block_of(std::size_t b) {
    const BlockNumbers& numbers = nominal_.blocks[b];
    const BlockSpec& spec = *blocks_[b].spec;
    BlockPpa block{.name = spec.name, .kind = spec.entry->kind};
    block.energy_j = exactly(numbers.energy_j());
    block.peak_power_w = exactly(numbers.peak_w);
    block.area_mm2 = exactly(numbers.area_mm2());
    block.leakage_w = numbers.leakage_w;
    if (spec.entry->kind == "dram") {
      out_.dram_energy_j += numbers.energy_j();
      out_.dram_peak_power_w += numbers.peak_w;
    }
    for (std::size_t i = 0; i < numbers.events_j.size(); ++i) {
      block.energy_by_event_j.emplace_back(blocks_[b].report->events[i].first, numbers.events_j[i]);
    }
    if (run_ != nullptr) {
      if (numbers.delivery_j > 0.0)
        block.energy_by_event_j.emplace_back("of_these_operand_delivery", numbers.delivery_j);
      block.energy_by_event_j.emplace_back("leakage", numbers.leakage_j);
      block.energy_by_event_j.emplace_back("clock", numbers.clock_j);
      if (numbers.standing_j > 0.0) block.energy_by_event_j.emplace_back("standing", numbers.standing_j);
    }
    for (std::size_t i = 0; i < numbers.parts_mm2.size(); ++i) {
      block.area_by_part_mm2.emplace_back(blocks_[b].costs.parts[i].name, numbers.parts_mm2[i]);
    }
    return block;
  }

  Numbers at(const std::function<bool(std::size_t)>& moves, bool is_dear) const {
    CostValues values = tech_.nominal();
    for (std::size_t i = 0; i < kCostCount; ++i) {
      if (used_.test(i) && moves(i)) value_of(values, i) = end_of(tech_, i, is_dear);
    }
    return evaluate(blocks_, time_s_, values);
  }

  void add_bands() {
    std::set<std::string> sources;
    for (std::size_t i = 0; i < kCostCount; ++i) {
      if (used_.test(i)) sources.insert(tech_.coefficients[i].source);
    }
    Spread energy, peak, leakage, area, die;
    std::vector<std::array<Spread, 3>> blocks(blocks_.size());
    for (const std::string& source : sources) {
      const auto moves = [&](std::size_t i) { return tech_.coefficients[i].source == source; };
      const Numbers cheap = at(moves, false), dear = at(moves, true);
      energy.add(nominal_.energy_j, cheap.energy_j, dear.energy_j);
      peak.add(nominal_.peak_w, cheap.peak_w, dear.peak_w);
      leakage.add(nominal_.leakage_w, cheap.leakage_w, dear.leakage_w);
      area.add(nominal_.area_mm2, cheap.area_mm2, dear.area_mm2);
      if (out_.die) die.add(nominal_.die->cost_usd, cheap.die->cost_usd, dear.die->cost_usd);
      for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const BlockNumbers &n = nominal_.blocks[b], &c = cheap.blocks[b], &d = dear.blocks[b];
        blocks[b][0].add(n.energy_j(), c.energy_j(), d.energy_j());
        blocks[b][1].add(n.peak_w, c.peak_w, d.peak_w);
        blocks[b][2].add(n.area_mm2(), c.area_mm2(), d.area_mm2());
      }
    }
    out_.energy_j = energy.around(nominal_.energy_j);
    for (auto [power, joules] : {std::pair(&out_.average_power_w, &out_.energy_j)}) {
      if (time_s_ > 0.0) *power = {joules->low / time_s_, joules->nominal / time_s_, joules->high / time_s_};
    }
    out_.peak_power_w = peak.around(nominal_.peak_w);
    out_.leakage_w = leakage.around(nominal_.leakage_w);
    out_.area_mm2 = area.around(nominal_.area_mm2);
    if (out_.die) out_.die->cost_usd = die.around(nominal_.die->cost_usd);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      out_.blocks[b].energy_j = blocks[b][0].around(out_.blocks[b].energy_j.nominal);
      out_.blocks[b].peak_power_w = blocks[b][1].around(out_.blocks[b].peak_power_w.nominal);
      out_.blocks[b].area_mm2 = blocks[b][2].around(out_.blocks[b].area_mm2.nominal);
    }
  }

  void add_contributors() {
    std::vector<Contributor> total, area;
    const double base = run_ == nullptr ? nominal_.peak_w : nominal_.energy_j;
    for (SourceUse& use : out_.sources) {
      const auto index = static_cast<std::size_t>(use.cost);
      const auto moves = [&](std::size_t i) { return i == index; };
      const Numbers cheap = at(moves, false), dear = at(moves, true);
      const auto of = [&](const Numbers& numbers) { return run_ == nullptr ? numbers.peak_w : numbers.energy_j; };
      total.push_back({use.cost, of(cheap) - base, of(dear) - base});
      area.push_back({use.cost, cheap.area_mm2 - nominal_.area_mm2, dear.area_mm2 - nominal_.area_mm2});
      CostValues halved = tech_.nominal();
      value_of(halved, index) /= 2.0;
      if (base > 0.0) use.energy_share = 2.0 * (1.0 - of(evaluate(blocks_, time_s_, halved)) / base);
    }
    out_.contributors = greatest(std::move(total));
    out_.area_contributors = greatest(std::move(area));
  }

  static std::vector<Contributor> greatest(std::vector<Contributor> all) {
    const auto width = [](const Contributor& each) { return std::abs(each.up - each.down); };
    std::stable_sort(all.begin(), all.end(),
                     [&](const Contributor& a, const Contributor& b) { return width(a) > width(b); });
    while (!all.empty() && (all.size() > 3 || width(all.back()) == 0.0)) all.pop_back();
    return all;
  }

  const RunResult* run_;
  const SocSpec& spec_;
  const Tech& tech_;
  std::vector<PricedBlock> blocks_;
  double time_s_;
  Numbers nominal_;
  std::bitset<kCostCount> used_;
  Ppa out_;
};

}  // namespace

Checked<Tech> tech_of(const SocSpec& spec, const std::string& name) {
  TechChoice choice = spec.tech_choice;
  if (!name.empty()) {
    choice.name = name;
    choice.where = {make_source("--tech", name), 1, 1};
  }
  if (!choice.name.empty()) return find_tech(choice);
  return Diagnostic{.message = "SoC `" + spec.name + "` names no technology",
                    .help = "add `tech: n7` to its file, or give `--tech n7`"};
}

Diagnostics unpriced(const SocSpec& spec) {
  Diagnostics out;
  for (const BlockSpec& block : spec.blocks) {
    if (!block.is_priced) continue;
    const BlockCosts costs = block.entry->costs(block.params, block.clock);
    const auto& events = block.entry->events.entries();
    if (costs.events.size() == events.size()) continue;
    const std::string& key = events[costs.events.size()].cost_key;
    out.error(block.where(block.entry->kind == "dram" ? "standard" : ""),
              "no technology prices `" + key + "` of block `" + block.name + "`",
              block.entry->kind == "dram"
                  ? "energies are known of ddr4, ddr5, lpddr4, lpddr5, hbm2, hbm3: the start of the standard's name"
                  : "`priced: false` leaves the block out");
  }
  return out;
}

Ppa price(const SocSpec& spec, const Tech& tech, Bands bands) { return Pricer(nullptr, spec, tech).make(bands); }

Ppa price(const RunResult& run, const SocSpec& spec, const Tech& tech, Bands bands) {
  return Pricer(&run, spec, tech).make(bands);
}

}  // namespace archsim
