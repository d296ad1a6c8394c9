#include "arch/block/operator_log.h"

#include <algorithm>

namespace archsim {
namespace {

void widen(OperatorRun& run, const OperatorLog::Span& span) {
  if (run.end == Time::zero() || span.start < run.start) run.start = span.start;
  run.end = std::max(run.end, span.end);
  run.dram_bytes += span.dram_bytes;
}

Time& busy_of(OperatorRun& run, Engine engine) {
  switch (engine) {
    case Engine::load:
      return run.load_busy;
    case Engine::array:
      return run.array_busy;
    case Engine::vector:
      return run.vector_busy;
    case Engine::store:
      break;
  }
  return run.store_busy;
}

}  // namespace

OperatorRun& OperatorLog::at(std::uint32_t tag, std::uint64_t iteration) {
  OperatorRun& run = runs_[Key{tag, iteration}];
  run.operator_index = tag;
  run.iteration = iteration;
  return run;
}

void OperatorLog::command(std::uint32_t tag, std::uint64_t iteration, Engine engine, const Span& span) {
  if (tag == Command::kNoOperator) return;
  OperatorRun& run = at(tag, iteration);
  widen(run, span);
  busy_of(run, engine) += span.busy;
}

void OperatorLog::host(std::uint32_t tag, std::uint64_t iteration, const Span& span, Time launch) {
  if (tag == Command::kNoOperator) return;
  OperatorRun& run = at(tag, iteration);
  widen(run, span);
  run.host_busy += span.busy;
  run.launch += launch;
}

void OperatorLog::wait(std::uint32_t tag, std::uint64_t iteration, Engine engine, WaitReason reason, Time time) {
  if (tag == Command::kNoOperator) return;
  at(tag, iteration).waits[static_cast<std::size_t>(engine)].add(reason, time);
}

std::vector<OperatorRun> OperatorLog::take() {
  std::vector<OperatorRun> runs;
  runs.reserve(runs_.size());
  for (const auto& entry : runs_) runs.push_back(entry.second);
  runs_.clear();
  std::sort(runs.begin(), runs.end(), [](const OperatorRun& a, const OperatorRun& b) {
    return std::pair(a.operator_index, a.iteration) < std::pair(b.operator_index, b.iteration);
  });
  return runs;
}

}  // namespace archsim
