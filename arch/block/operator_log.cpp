#include "arch/block/operator_log.h"

#include <algorithm>

namespace archsim {
namespace {

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

OperatorLog::Entry& OperatorLog::at(std::uint32_t tag, std::uint64_t iteration) {
  const auto [found, is_new] = runs_.try_emplace(Key{tag, iteration});
  Entry& entry = found->second;
  if (is_new && told_) told_(tag, iteration);
  entry.run.operator_index = tag;
  entry.run.iteration = iteration;
  return entry;
}

void OperatorLog::widen(Entry& entry, Moment& first, const Span& span) {
  first = {std::min(first.time, span.start), earlier(first.lanes, span.first)};
  entry.run.end = std::max(entry.run.end, span.end);
  entry.run.last = later(entry.run.last, span.last);
  entry.run.dram_bytes += span.dram_bytes;
}

void OperatorLog::find_start(Entry& entry) {
  OperatorRun& run = entry.run;
  if (entry.computes.time == Time(~std::uint64_t{0})) {
    run.start = entry.transfers.time == Time(~std::uint64_t{0}) ? run.end : entry.transfers.time;
    run.first = earlier(entry.transfers.lanes, run.last);
    return;
  }
  run.start = std::min(std::max(entry.turned.time, entry.inputs.time), entry.computes.time);
  run.first = earlier(later(entry.turned.lanes, entry.inputs.lanes), entry.computes.lanes);
}

void OperatorLog::turned_to(std::uint32_t tag, std::uint64_t iteration, const Moment& when) {
  if (tag == Command::kNoOperator) return;
  Moment& turned = at(tag, iteration).turned;
  turned = {std::min(turned.time, when.time), earlier(turned.lanes, when.lanes)};
}

void OperatorLog::inputs(std::uint32_t tag, std::uint64_t iteration, const Moment& when) {
  if (tag == Command::kNoOperator) return;
  Moment& inputs = at(tag, iteration).inputs;
  inputs = {std::max(inputs.time, when.time), later(inputs.lanes, when.lanes)};
}

void OperatorLog::note_stages(std::vector<std::uint32_t> stage_of, std::size_t stages, std::size_t accelerators) {
  constexpr std::array<Time, kEngines> kNothing{Time::zero(), Time::zero(), Time::zero(), Time::zero()};
  stage_of_ = std::move(stage_of);
  stages_.assign(stages, StageEnds{.ends = {accelerators, kNothing}});
}

void OperatorLog::command(std::uint32_t tag, std::uint64_t iteration, const Where& where, const Span& span) {
  if (tag == Command::kNoOperator) return;
  Entry& entry = at(tag, iteration);
  const auto [engine, accelerator] = where;
  const bool computes = engine == Engine::array || engine == Engine::vector;
  widen(entry, computes ? entry.computes : entry.transfers, span);
  busy_of(entry.run, engine) += span.busy;
  if (watcher_) watcher_({tag, iteration, false, engine, accelerator, span.start, span.end, span.busy});
  if (stages_.empty()) return;
  Time& end = stages_[stage_of_[tag]].ends[accelerator][static_cast<std::size_t>(engine)];
  end = std::max(end, span.end);
}

void OperatorLog::host(std::uint32_t tag, std::uint64_t iteration, const Span& span, Time launch) {
  if (tag == Command::kNoOperator) return;
  Entry& entry = at(tag, iteration);
  widen(entry, entry.transfers, span);
  entry.run.host_busy += span.busy;
  entry.run.launch += launch;
  if (watcher_) watcher_({tag, iteration, true, Engine::array, 0, span.start, span.end, span.busy + launch});
}

void OperatorLog::wait(std::uint32_t tag, std::uint64_t iteration, Engine engine, WaitReason reason, Time time) {
  if (tag == Command::kNoOperator) return;
  at(tag, iteration).run.waits[static_cast<std::size_t>(engine)].add(reason, time);
}

void OperatorLog::events(std::uint32_t tag, std::uint64_t iteration,
                         const std::array<std::uint64_t, kMostAcceleratorEvents>& counts) {
  if (tag == Command::kNoOperator) return;
  auto& own = at(tag, iteration).run.events;
  for (std::size_t i = 0; i < counts.size(); ++i) own[i] += counts[i];
}

std::vector<OperatorRun> OperatorLog::take() {
  std::vector<OperatorRun> runs;
  runs.reserve(runs_.size());
  for (auto& [key, entry] : runs_) {
    if (entry.run.end == Time::zero()) continue;  // it only waited, and a fault ended that
    find_start(entry);
    runs.push_back(entry.run);
  }
  runs_.clear();
  std::sort(runs.begin(), runs.end(), [](const OperatorRun& a, const OperatorRun& b) {
    return std::pair(a.operator_index, a.iteration) < std::pair(b.operator_index, b.iteration);
  });
  return runs;
}

}  // namespace archsim
