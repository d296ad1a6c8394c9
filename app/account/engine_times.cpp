#include "app/account/engine_times.h"

#include <numeric>

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

}  // namespace archsim
