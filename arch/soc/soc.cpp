#include "arch/soc/soc.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arch/block/block.h"
#include "arch/block/build_context.h"
#include "arch/block/operator_log.h"
#include "arch/block/replayed.h"
#include "arch/block/what_if/what_if.h"
#include "arch/block/work_end.h"
#include "arch/soc/batched_runs.h"
#include "arch/soc/fault_recorder.h"
#include "arch/soc/replay.h"

namespace archsim {
namespace {

using Wall = std::chrono::steady_clock;

/// Renamed modules, unbound sockets and the like are bugs of ours, never a line among the results.
void quiet_kernel() {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
  // A slice may be shorter than the time to the next event; that is no mistake.
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
}

std::uint64_t executed_instances(const Trace& trace, const Program& program) {
  const auto all = positions(trace);
  std::uint64_t instances = 0;
  for (std::uint32_t i = 0; i < program.operators.size(); ++i) {
    if (program.operators[i].lead == i) instances += all[i].instances / program.operators[i].batch.count;
  }
  return instances;
}

}  // namespace

const BlockSpec* executes_everything(const SocSpec& spec) {
  for (const BlockSpec* block : spec.accelerators()) {
    if (block->entry->model == "rtl") return block;
  }
  return nullptr;
}

class Soc::Machine {
 public:
  Machine(const SocSpec& spec, const Trace& trace, const Program& program, RunOptions options)
      : spec_(spec),
        program_(program),
        options_(std::move(options)),
        expected_(executed_instances(trace, program)),
        contexts_(spec.blocks.size()),
        blocks_(spec.blocks.size()) {
    quiet_kernel();
    const auto accelerators = static_cast<unsigned>(spec.accelerators().size());
    ARCHSIM_ASSERT(program.accelerators.size() == accelerators, "a program for another machine");
    std::vector<std::string> owners;  // of the semaphores
    for (const BlockSpec* block : spec.accelerators()) owners.push_back(block->name);
    owners.push_back(spec.host().name);
    note_stages(trace, accelerators);
    if (options_.on_work) log_.watch(options_.on_work);
    if (options_.sampling != nullptr) sample_repeats();
    unsigned accelerator = 0;
    std::size_t interconnect = 0;
    for (std::size_t i = 0; i < spec.blocks.size(); ++i) {
      const BlockSpec& block = spec.blocks[i];
      contexts_[i] = {.name = block.name,
                      .clock = block.clock,
                      .seed = options_.seed,
                      .faults = &faults_,
                      .log = &log_,
                      .what_if = &what_if_,
                      .work = &work_,
                      .replayed = replayed_ ? &*replayed_ : nullptr,
                      .map = &spec.map,
                      .fabric = &spec.fabric,
                      .program = &program,
                      .trace = &trace,
                      .accelerator = block.entry->accelerator ? accelerator++ : 0,
                      .accelerators = accelerators,
                      .semaphores = owners};
      if (block.entry->fabric) {
        interconnect = i;
      } else {
        make(i);
      }
    }
    make(interconnect);
    bind(*blocks_[interconnect]);
  }

  RunResult run() {
    try {
      simulate();
    } catch (const std::exception& error) {
      fail_assertion("the simulation ends without an exception", __FILE__, __LINE__, error.what());
    }
    return result();
  }

  Time sampling_error() const { return replay_ ? replay_->error() : Time::zero(); }

 private:
  void note_stages(const Trace& trace, std::size_t accelerators) {
    std::vector<std::uint32_t> stage_of;
    for (const Position& position : positions(trace)) stage_of.push_back(static_cast<std::uint32_t>(position.stage));
    log_.note_stages(std::move(stage_of), trace.stages.size(), accelerators);
  }

  void make(std::size_t i) { blocks_[i] = spec_.blocks[i].entry->make(spec_.blocks[i].params, contexts_[i]); }

  Block& block(const std::string& name) {
    const auto found = std::find_if(spec_.blocks.begin(), spec_.blocks.end(),
                                    [&](const BlockSpec& candidate) { return candidate.name == name; });
    ARCHSIM_ASSERT(found != spec_.blocks.end(), name);
    return *blocks_[static_cast<std::size_t>(found - spec_.blocks.begin())];
  }

  void bind(Block& interconnect) {
    const auto into = interconnect.target_ports();
    const auto out_of = interconnect.initiator_ports();
    ARCHSIM_ASSERT(into.size() == spec_.fabric.initiators.size(), "the interconnect lacks sockets for initiators");
    ARCHSIM_ASSERT(out_of.size() == spec_.fabric.targets.size(), "the interconnect lacks sockets for targets");
    for (std::size_t i = 0; i < into.size(); ++i) {
      const Attachment& attachment = spec_.fabric.initiators[i];
      block(attachment.block).initiator_ports().at(attachment.port)->bind(*into[i]);
    }
    for (std::size_t i = 0; i < out_of.size(); ++i) {
      const Attachment& attachment = spec_.fabric.targets[i];
      out_of[i]->bind(*block(attachment.block).target_ports().at(attachment.port));
    }
  }

  /// In slices of simulated time that take about a tenth of a second of wall time. Where slices end changes no event; the
  /// watchdog looks at multiples of its own period only, so that its verdict does not depend on them either.
  void simulate() {
    Time slice = 10_us;
    Time simulated = Time::zero();  // at least the time of the last event
    Time next_look = options_.watchdog;
    Time next_sample = options_.on_sample ? options_.sample_period : Time(~std::uint64_t{0});
    std::uint64_t seen = 0;
    while (true) {
      const auto began = Wall::now();
      const Time until = std::min({simulated + slice, next_look, next_sample});
      sc_core::sc_start(sc_time_of(until) - sc_core::sc_time_stamp(), sc_core::SC_EXIT_ON_STARVATION);
      if (faults_.first() || !sc_core::sc_pending_activity()) break;
      simulated = until;
      if (simulated == next_sample) {
        sample(simulated);
        next_sample += options_.sample_period;
      }
      if (simulated == next_look) {
        if (is_stuck(seen)) break;
        next_look += options_.watchdog;
      }
      const auto took = Wall::now() - began;
      // One that was cut short by a sample says nothing of how long a whole one takes.
      const bool is_whole = slice < options_.sample_period || !options_.on_sample;
      if (took < std::chrono::milliseconds(50) && is_whole) slice = std::min(slice * 2, options_.watchdog);
      if (took > std::chrono::milliseconds(200) && slice > 1_ns) slice = slice / 2;
      if (!report_and_go_on()) break;
    }
    if (!faults_.first() && !interrupted_ && !is_finished()) {
      faults_.fault(FaultKind::deadlock, first_unfinished(), "nothing can happen any more");
    }
  }

  void sample(Time now) const {
    std::vector<BlockReport> reports;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const CatalogEntry& entry = *spec_.blocks[i].entry;
      if (!entry.memory && !entry.fabric) continue;
      reports.push_back(blocks_[i]->report(now));
      reports.back().name = spec_.blocks[i].name;
      reports.back().kind = entry.kind;
    }
    options_.on_sample(now, reports);
  }

  bool is_stuck(std::uint64_t& seen) {
    std::uint64_t sum = 0;
    for (const auto& block : blocks_) sum += block->progress();
    if (sum != seen) {
      seen = sum;
      return false;
    }
    const auto is_at_work = [](const auto& block) { return block->busy_until() > time_of(sc_core::sc_time_stamp()); };
    if (std::any_of(blocks_.begin(), blocks_.end(), is_at_work)) return false;
    faults_.fault(FaultKind::watchdog, first_unfinished(),
                  "nothing was completed for " + show(options_.watchdog) + " of simulated time");
    return true;
  }

  bool report_and_go_on() {
    if (options_.on_progress && expected_ > 0) {
      const double fraction = static_cast<double>(log_.size()) / static_cast<double>(expected_);
      options_.on_progress(std::min(fraction, 1.0), time_of(sc_core::sc_time_stamp()));
    }
    interrupted_ = options_.is_interrupted && options_.is_interrupted();
    return !interrupted_;
  }

  bool is_finished() const {
    return std::all_of(blocks_.begin(), blocks_.end(), [](const auto& block) { return block->finished(); });
  }

  std::string first_unfinished() const {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (!blocks_[i]->finished()) return spec_.blocks[i].name;
    }
    return {};
  }

  RunResult result() {
    RunResult result;
    result.fault = faults_.first();
    result.interrupted = interrupted_;
    result.operators = log_.take();
    result.stages = log_.take_stages();
    result.time = time_of(sc_core::sc_time_stamp());
    result.ends = what_if_.end();
    for (const OperatorRun& run : result.operators) result.time = std::max(result.time, run.end);
    const bool is_replayed = replay_ && !result.fault && !result.interrupted;
    const Time executed = result.time;
    if (is_replayed) replay_->complete(result);
    result.operators = of_the_trace(result.operators, program_);
    std::size_t looked_at = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (result.fault) {
        for (const std::string& line : blocks_[i]->waiting())
          result.fault->waiting.push_back(spec_.blocks[i].name + "." + line);
      }
      const bool is_copied = is_replayed && !counts_copies(i);
      BlockReport report = report_of(i, is_copied ? executed : result.time);
      if (is_copied) {
        replay_->complete(report, looked_at++, has_exact_traffic());
      }
      if (is_replayed) fill(report, i, result);
      result.blocks.push_back(std::move(report));
    }
    if (!result.fault && !result.interrupted) check_shares(result);
    if (!result.fault && !result.interrupted && (!is_replayed || has_exact_traffic())) check_traffic(result);
    return result;
  }

  /// Engines of accelerators are idle behind their last command, the host never; of others what is left is idle.
  void fill(BlockReport& report, std::size_t i, const RunResult& result) const {
    for (std::size_t e = 0; e < report.engines.size(); ++e) {
      EngineReport& engine = report.engines[e];
      if (!counts_copies(i)) {
        Time used = engine.busy;
        for (const auto& wait : engine.waits) used += wait.second;
        fill_shares(engine, result.time, result.time - std::min(used, result.time));
        continue;
      }
      Time end = report.kind == "cpu" ? result.time : Time::zero();
      for (const StageEnds& stage : result.stages) {
        if (report.kind == "accel") end = std::max(end, stage.ends[contexts_[i].accelerator][e]);
      }
      fill_shares(engine, result.time, result.time - std::min(end, result.time));
    }
  }

  BlockReport report_of(std::size_t i, Time elapsed) const {
    BlockReport report = blocks_[i]->report(elapsed);
    report.name = spec_.blocks[i].name;
    report.kind = spec_.blocks[i].entry->kind;
    report.model = spec_.blocks[i].entry->model;
    report.requested = blocks_[i]->requested();
    report.served = blocks_[i]->served();
    return report;
  }

  void sample_repeats() {
    replay_.emplace(*options_.sampling, [this] {
      std::vector<BlockReport> reports;
      for (std::size_t i = 0; i < blocks_.size(); ++i) {
        if (!counts_copies(i)) reports.push_back(report_of(i, time_of(sc_core::sc_time_stamp())));
      }
      return reports;
    });
    log_.on_beginning([this](std::uint32_t tag, std::uint64_t iteration) { replay_->began(tag, iteration); });
    replayed_.emplace(*options_.sampling, [this](const std::string& from, const std::string& to, bool is_write,
                                                 std::uint64_t bytes) { replay_->moved(from, to, is_write, bytes); });
  }

  /// Whether a block counts a command of a sampled run as often as that stands for others.
  bool counts_copies(std::size_t i) const {
    const CatalogEntry& entry = *spec_.blocks[i].entry;
    return entry.kind == "accel" || entry.kind == "cpu";
  }

  /// Whether all bytes are moved by such blocks, and served where they ask for them.
  bool has_exact_traffic() const {
    const auto& regions = spec_.map.regions;
    if (std::any_of(regions.begin(), regions.end(), [](const Region& region) { return region.front.has_value(); }))
      return false;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (!counts_copies(i) && !blocks_[i]->initiator_ports().empty() && !spec_.blocks[i].entry->fabric) return false;
    }
    return true;
  }

  static void check_shares(const RunResult& result) {
    for (const BlockReport& block : result.blocks) {
      for (const EngineReport& engine : block.engines) {
        Time sum = engine.busy + engine.idle;
        for (const auto& wait : engine.waits) sum += wait.second;
        ARCHSIM_ASSERT(sum == result.time,
                       block.name + "." + engine.name + " has " + show(sum) + " of " + show(result.time));
      }
    }
  }

  static void check_traffic(const RunResult& result) {
    Traffic requested, served;
    for (const BlockReport& block : result.blocks) {
      requested.read += block.requested.read;
      requested.written += block.requested.written;
      served.read += block.served.read;
      served.written += block.served.written;
    }
    ARCHSIM_ASSERT(requested == served,
                   "read " + std::to_string(requested.read) + " of " + std::to_string(served.read) + " bytes, wrote " +
                       std::to_string(requested.written) + " of " + std::to_string(served.written));
    check_hops(result);
  }

  /// What an interconnect carried for a block is what that asked for, or served.
  static void check_hops(const RunResult& result) {
    const auto of = [&](const std::string& name) -> const BlockReport& {
      return *std::find_if(result.blocks.begin(), result.blocks.end(),
                           [&](const BlockReport& block) { return block.name == name; });
    };
    const auto expect = [](const std::string& name, const Traffic& carried, const Traffic& told) {
      ARCHSIM_ASSERT(carried == told, name + " read " + std::to_string(told.read) + " bytes and wrote " +
                                          std::to_string(told.written) + ", carried were " +
                                          std::to_string(carried.read) + " and " + std::to_string(carried.written));
    };
    for (const BlockReport& block : result.blocks) {
      if (block.targets.empty()) continue;  // no interconnect, or one that keeps no account
      for (const TargetReport& target : block.targets) expect(target.name, target.traffic, of(target.name).served);
      for (const InitiatorReport& initiator : block.initiators) {
        expect(initiator.name, initiator.traffic, of(initiator.name).requested);
      }
    }
  }

  const SocSpec& spec_;
  const Program& program_;
  RunOptions options_;
  std::uint64_t expected_;
  bool interrupted_ = false;
  FaultRecorder faults_;
  OperatorLog log_;
  WhatIf what_if_;
  std::optional<Replay> replay_;
  std::optional<Replayed> replayed_;
  WorkEnd work_{[this] { return is_finished(); }};
  std::vector<BuildContext> contexts_;
  std::vector<std::unique_ptr<Block>> blocks_;
};

Soc::Soc(const SocSpec& spec, const Trace& trace, const Program& program, RunOptions options)
    : machine_(std::make_unique<Machine>(spec, trace, program, std::move(options))) {}
Soc::~Soc() = default;

RunResult Soc::run() { return machine_->run(); }

Time Soc::sampling_error() const { return machine_->sampling_error(); }

}  // namespace archsim
