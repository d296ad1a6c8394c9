#include "app/account/engine_times.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace archsim {

EngineTimes& EngineTimes::operator+=(const OperatorRun& run) {
  const std::array<Time, kEngines> busy{run.load_busy, run.array_busy, run.vector_busy, run.store_busy};
  for (std::size_t e = 0; e < kEngines; ++e) {
    busy_s[e] += seconds(busy[e]);
    for (std::size_t r = 0; r < kWaitReasons; ++r) wait_s[e][r] += seconds(run.waits[e][static_cast<WaitReason>(r)]);
  }
  host_s += seconds(run.host_busy);
  launch_s += seconds(run.launch);
  const auto host = run.host_busy + run.launch;
  if (run.host_busy > Time::zero() && run.end - run.start > host) host_memory_s += seconds(run.end - run.start - host);
  dram_bytes += static_cast<double>(run.dram_bytes);
  return *this;
}

double EngineTimes::transfer(Engine engine) const {
  return busy(engine) + wait(engine, WaitReason::dram) + wait(engine, WaitReason::sram) +
         wait(engine, WaitReason::noc) + wait(engine, WaitReason::dma);
}

double EngineTimes::waits(Engine engine) const {
  const auto& reasons = wait_s[static_cast<std::size_t>(engine)];
  return std::accumulate(reasons.begin(), reasons.end(), 0.0);
}

std::string bound_of(const EngineTimes& times, double duration_s, std::size_t accelerators) {
  const double share = accelerators == 0 ? 0.0 : 1.0 / static_cast<double>(accelerators);
  // Loads and stores share a tile's port and all of the path behind it, so what either of them spent there adds up.
  const auto path = [&](WaitReason reason) {
    return times.wait(Engine::load, reason) + times.wait(Engine::store, reason);
  };
  const double port = times.busy(Engine::load) + times.busy(Engine::store);
  // The first wins among equals.
  const std::array<std::pair<const char*, double>, 8> resources{{
      {"compute", times.busy(Engine::array) * share},
      {"vector", times.busy(Engine::vector) * share},
      {"dram", path(WaitReason::dram) * share},
      {"noc", path(WaitReason::noc) * share},
      {"sram", path(WaitReason::sram) * share},
      {"dma", (port + path(WaitReason::dma)) * share},
      {"cpu", times.host_s},
      {"launch", times.launch_s},
  }};
  const auto longest = std::max_element(resources.begin(), resources.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  // Nobody worked on it for most of its time: it waited for others.
  return longest->second < 0.5 * (duration_s - longest->second) ? "dependency" : longest->first;
}

}  // namespace archsim
