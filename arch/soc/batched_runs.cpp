#include "arch/soc/batched_runs.h"

#include <algorithm>

namespace archsim {
namespace {

// Part `k` of `count` parts of a whole number.
std::uint64_t part_of(std::uint64_t whole, std::uint64_t k, std::uint64_t count) {
  return whole * (k + 1) / count - whole * k / count;
}

OperatorRun share(const OperatorRun& run, std::uint64_t k, const Batch& batch) {
  OperatorRun own = run;
  own.iteration = (run.iteration / batch.inner * batch.count + k) * batch.inner + run.iteration % batch.inner;
  own.dram_bytes = part_of(run.dram_bytes, k, batch.count);
  for (Time OperatorRun::*time : {&OperatorRun::array_busy, &OperatorRun::vector_busy, &OperatorRun::load_busy,
                                  &OperatorRun::store_busy, &OperatorRun::host_busy, &OperatorRun::launch}) {
    own.*time = Time(part_of((run.*time).value, k, batch.count));
  }
  for (std::size_t i = 0; i < run.events.size(); ++i) own.events[i] = part_of(run.events[i], k, batch.count);
  for (std::size_t engine = 0; engine < run.waits.size(); ++engine) {
    for (std::size_t reason = 0; reason < kWaitReasons; ++reason) {
      own.waits[engine].picoseconds[reason] = part_of(run.waits[engine].picoseconds[reason], k, batch.count);
    }
  }
  return own;
}

}  // namespace

std::vector<OperatorRun> of_the_trace(const std::vector<OperatorRun>& runs, const Program& program) {
  std::vector<OperatorRun> all;
  all.reserve(runs.size());
  for (const OperatorRun& run : runs) {
    const Batch& batch = program.operators[run.operator_index].batch;
    for (std::uint64_t k = 0; k < batch.count; ++k) all.push_back(share(run, k, batch));
  }
  std::sort(all.begin(), all.end(), [](const OperatorRun& a, const OperatorRun& b) {
    return std::pair(a.operator_index, a.iteration) < std::pair(b.operator_index, b.iteration);
  });
  return all;
}

}  // namespace archsim
