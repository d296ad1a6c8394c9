#include "arch/mapping/emit/timeline.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "arch/mapping/tile/estimates.h"

namespace archsim {
namespace {

// Assumed, from runs of small groups: first load's latency, store, signal, wait; in seconds.
constexpr double kSynchronisation = 0.7e-6;
// A group of several tiles hides all but about this share of its faster engines behind the slowest.
constexpr double kUnhidden = 0.25;
// Its loads wait for room as tiles are used up, so the last ones begin about then.
constexpr double kLastLoads = 0.75;

}  // namespace

Timeline::Timeline(const MachineView& machine, std::uint32_t accelerator)
    : npu_(machine.accelerators[accelerator]),
      weight_rate_(
          std::min(per_cycle(machine.dram.delivered, npu_.clock) / static_cast<double>(machine.accelerators.size()),
                   per_cycle(npu_.memory_port, npu_.clock))),
      port_rate_(per_cycle(npu_.memory_port, npu_.clock)),
      synchronisation_(kSynchronisation * static_cast<double>(npu_.clock.value)) {}

double Timeline::load_weight(std::uint64_t bytes, double free) {
  stream_ = std::max(stream_, free) + weight_cycles(bytes);
  return stream_;
}

void Timeline::load_other(std::uint64_t bytes) {
  stream_ = std::max(stream_, chain_) + static_cast<double>(bytes) / port_rate_;
}

double Timeline::multiply(double weight_arrival, double cycles) {
  chain_ = std::max(chain_, weight_arrival) + cycles;
  return chain_;
}

void Timeline::begin_group(std::uint64_t first_bytes) {
  stream_ = std::max(stream_, chain_);
  chain_ = stream_ + static_cast<double>(first_bytes) / port_rate_;
}

void Timeline::end_group(double drain_cycles) { chain_ += drain_cycles + synchronisation_; }

double Timeline::Busy::together() const { return longest + kUnhidden * (all - longest); }

Timeline::Busy Timeline::busy(const Tape& tape, std::size_t first) const {
  std::array<double, kEngines> by_engine{};
  for (std::size_t i = first; i < tape.items().size(); ++i) {
    const auto& item = tape.items()[i];
    if (item.kind == TapeItem::Kind::work)
      by_engine[static_cast<std::size_t>(item.engine)] += command_cycles(npu_, item.command);
  }
  return {.load = by_engine[static_cast<std::size_t>(Engine::load)],
          .longest = *std::max_element(by_engine.begin(), by_engine.end()),
          .all = std::accumulate(by_engine.begin(), by_engine.end(), 0.0)};
}

double Timeline::cycles(const Tape& tape, std::size_t first) const { return busy(tape, first).together(); }

void Timeline::group(const Tape& tape, std::size_t first, double slowest) {
  const Busy own = busy(tape, first);
  const double cycles = std::max(own.together(), slowest);
  if (cycles == 0.0) return;
  const double start = std::max(stream_, chain_);
  if (own.load > 0.0) stream_ = start + std::max(own.load, kLastLoads * cycles);
  chain_ = (own.all > 0.0 ? start : chain_) + cycles + synchronisation_;
}

void Timeline::restart(double lead) {
  stream_ = 0.0;
  chain_ = std::max(0.0, lead);
}

}  // namespace archsim
