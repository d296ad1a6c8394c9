// An operator has its own accelerator events. Of DRAM, SRAM, interconnect and host it has a share: by DRAM bytes, by bytes that its
// DMA moved elsewhere, by all of these, by the host's time. Refresh, leakage, clock and standing power are nobody's.
#include "arch/machine/price/attribute.h"

#include <algorithm>
#include <functional>

namespace archsim {
namespace {

using Driver = std::function<double(const OperatorRun&)>;

class Attributor {
 public:
  Attributor(const RunResult& run, Ppa& out) : run_(run), out_(out) {
    out_.operators_j.assign(run.operators.size(), 0.0);
  }

  /// Deals `energy_j` out by `driver`; `least` is the sum that it is dealt out over if the operators' is less.
  void deal(const std::string& name, double energy_j, const Driver& driver, double least = 0.0) {
    double sum = 0.0;
    for (const OperatorRun& run : run_.operators) sum += driver(run);
    const double over = std::max(sum, least);
    if (over == 0.0) return leave(name, energy_j);
    for (std::size_t i = 0; i < run_.operators.size(); ++i) {
      out_.operators_j[i] += energy_j * driver(run_.operators[i]) / over;
    }
    leave(name, energy_j * (1.0 - sum / over));
  }

  void leave(const std::string& name, double energy_j) {
    const auto same = std::find_if(out_.unattributed_j.begin(), out_.unattributed_j.end(),
                                   [&](const auto& each) { return each.first == name; });
    if (same != out_.unattributed_j.end()) {
      same->second += energy_j;
    } else if (energy_j > 0.0) {
      out_.unattributed_j.emplace_back(name, energy_j);
    }
  }

 private:
  const RunResult& run_;
  Ppa& out_;
};

/// Energy and count of one line of the accelerators' event tables, over all of them.
struct EventSum {
  double energy_j = 0.0, count = 0.0;
};

std::vector<EventSum> accelerator_events(const std::vector<PricedBlock>& blocks, const Numbers& numbers) {
  std::vector<EventSum> sums(kMostAcceleratorEvents);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (!blocks[b].spec->entry->accelerator) continue;
    for (std::size_t i = 0; i < numbers.blocks[b].events_j.size(); ++i) {
      sums[i].energy_j += numbers.blocks[b].events_j[i];
      sums[i].count += static_cast<double>(blocks[b].report->events[i].second);
    }
  }
  return sums;
}

/// The line of the DMA's bytes.
std::size_t dma_line(const std::vector<PricedBlock>& blocks) {
  for (const PricedBlock& block : blocks) {
    if (!block.spec->entry->accelerator) continue;
    for (std::size_t i = 0; i < block.report->events.size(); ++i) {
      if (block.report->events[i].first == "dma_byte") return i;
    }
  }
  return 0;
}

}  // namespace

void attribute(const RunResult& run, const std::vector<PricedBlock>& blocks, const Numbers& numbers, Ppa& out) {
  Attributor attributor(run, out);
  const auto sums = accelerator_events(blocks, numbers);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto count = [i](const OperatorRun& each) { return static_cast<double>(each.events[i]); };
    attributor.deal("accelerators without an operator", sums[i].energy_j, count, sums[i].count);
  }
  out.operators_own_j = out.operators_j;
  const std::size_t dma = dma_line(blocks);
  const auto dram_bytes = [](const OperatorRun& each) { return static_cast<double>(each.dram_bytes); };
  const auto all_bytes = [=](const OperatorRun& each) {
    return std::max(static_cast<double>(each.events[dma]), dram_bytes(each));
  };
  const auto chip_bytes = [=](const OperatorRun& each) { return all_bytes(each) - dram_bytes(each); };
  const auto host = [](const OperatorRun& each) {
    return static_cast<double>(each.host_busy.value + each.launch.value);
  };
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const PricedBlock& block = blocks[b];
    const BlockNumbers& own = numbers.blocks[b];
    const std::string& kind = block.spec->entry->kind;
    double events_j = 0.0;
    for (const double each : own.events_j) events_j += each;
    if (kind == "dram") {
      const double refresh_j = own.events_j.back();
      attributor.leave("dram refresh", refresh_j);
      const auto& served = block.report->served;
      attributor.deal("dram traffic of no operator", events_j - refresh_j, dram_bytes,
                      static_cast<double>(served.read + served.written));
    } else if (kind == "sram") {
      attributor.deal("sram traffic of no operator", events_j, chip_bytes);
    } else if (kind == "noc") {
      attributor.deal("noc traffic of no operator", events_j, all_bytes);
    } else if (kind == "cpu") {
      attributor.deal("cpu work of no operator", events_j, host);
    } else if (!block.spec->entry->accelerator) {
      attributor.leave(block.spec->name, events_j);
    }
    attributor.leave("leakage", own.leakage_j);
    attributor.leave("clock", own.clock_j);
    attributor.leave("standing", own.standing_j);
  }
}

}  // namespace archsim
