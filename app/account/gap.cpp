#include "app/account/gap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "app/account/engine_times.h"
#include "models/roofline/peaks.h"

namespace archsim {
namespace {

using Shares = std::map<std::string, double>;

/// What one stage would take at peak.
struct Ideal {
  double compute_s = 0.0, vector_s = 0.0, host_s = 0.0;
};

std::vector<std::pair<std::string, double>> longest_first(const Shares& shares) {
  std::vector<std::pair<std::string, double>> sorted(shares.begin(), shares.end());
  sorted.erase(std::remove_if(sorted.begin(), sorted.end(), [](const auto& share) { return share.second == 0.0; }),
               sorted.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
  return sorted;
}

double sum(const std::vector<std::pair<std::string, double>>& shares) {
  double total = 0.0;
  for (const auto& share : shares) total += share.second;
  return total;
}

/// What DRAM channels lost of their whole run, as parts of it.
Shares channel_losses(const RunResult& result) {
  Shares losses;
  double channels = 0.0;
  for (const auto& block : result.blocks) {
    if (block.kind != "dram") continue;
    for (const auto& channel : block.engines) {
      channels += 1.0;
      for (const auto& [reason, time] : channel.waits) losses["dram_" + reason] += seconds(time);
    }
  }
  for (auto& [name, loss] : losses) loss /= channels * seconds(result.time);
  return losses;
}

class StageAccount {
 public:
  StageAccount(const EngineTimes& times, const Ideal& ideal, std::size_t accelerators)
      : times_(times), ideal_(ideal), share_(accelerators == 0 ? 0.0 : 1.0 / static_cast<double>(accelerators)) {}

  /// What the window of the stage has beside the commands of the stage's own operators, by engine, mean over accelerators.
  struct Edges {
    std::array<double, kEngines> before_s{};  // told for this stage's commands, but spent in the one before
    std::array<double, kEngines> after_s{};   // behind the engine's last command
  };

  StageGap make(double time_s, double bound_s, double bytes_per_second, const Shares& losses, const Edges& edges) {
    StageGap gap{.time_s = time_s, .bound_s = bound_s};
    bound_s_ = bound_s;
    const auto engine = critical();
    if (!engine) {
      gap.engine = "host";
      tell_host(time_s);
    } else {
      gap.engine = name_of(*engine);
      if (*engine == Engine::load || *engine == Engine::store) {
        tell_transfers(*engine, bytes_per_second, time_s, losses);
      } else {
        tell_arithmetic(*engine);
      }
      const auto e = static_cast<std::size_t>(*engine);
      add("wait_rest_of_stage", edges.after_s[e]);
      cut_before_the_stage(edges.before_s[e]);
    }
    gap.shares = longest_first(shares_);
    return gap;
  }

 private:
  std::optional<Engine> critical() const {
    const std::array<std::pair<Engine, double>, kEngines> work{{
        {Engine::array, times_.busy(Engine::array)},
        {Engine::vector, times_.busy(Engine::vector)},
        {Engine::load, times_.transfer(Engine::load)},
        {Engine::store, times_.transfer(Engine::store)},
    }};
    const auto longest =
        std::max_element(work.begin(), work.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (longest->second * share_ < times_.host_s) return std::nullopt;
    return longest->first;
  }

  // What it does, it does one after another; else it waits for accelerators.
  void tell_host(double time_s) {
    add("host_beyond_peak", times_.host_s - ideal_.host_s);
    add("host_memory", times_.host_memory_s);
    add("launch", times_.launch_s);
    add("hidden_in_bound", ideal_.host_s - bound_s_);
    const double known_s = times_.host_s + times_.host_memory_s + times_.launch_s;
    add("wait_dependency", std::max(0.0, time_s - known_s));
    add("hidden_in_bound", std::min(0.0, time_s - known_s));  // done while the stage before went on
  }

  // Array and vector unit: busy beyond useful work at peak is fill, drain, edge tiles and padding.
  void tell_arithmetic(Engine engine) {
    const double ideal = engine == Engine::array ? ideal_.compute_s : ideal_.vector_s;
    add(engine == Engine::array ? "array_fill_drain_edges" : "vector_beyond_peak",
        times_.busy(engine) * share_ - ideal);
    // The bound may put some of this work into the shadow of other stages, or count more than this engine's work.
    add("hidden_in_bound", ideal - bound_s_);
    for (std::size_t r = 0; r < kWaitReasons; ++r) {
      const auto reason = static_cast<WaitReason>(r);
      const double waited = times_.wait(engine, reason) * share_;
      if (reason == WaitReason::load) {
        tell_operands(waited);
      } else {
        add("wait_" + std::string(name_of(reason)), waited);
      }
    }
  }

  // Waiting for operands is waiting for whatever the load engine was doing meanwhile.
  void tell_operands(double waited) {
    const double moving = times_.busy(Engine::load), all = moving + times_.waits(Engine::load);
    if (all <= 0.0) return add("wait_load", waited);
    add("wait_load_port", waited * moving / all);
    for (std::size_t r = 0; r < kWaitReasons; ++r) {
      const auto reason = static_cast<WaitReason>(r);
      add("wait_load_" + std::string(name_of(reason)), waited * times_.wait(Engine::load, reason) / all);
    }
  }

  // The load or store engine: bytes beyond the bound's, then the path's losses, then waits for others.
  void tell_transfers(Engine engine, double bytes_per_second, double time_s, const Shares& losses) {
    const double pins_s = bytes_per_second > 0.0 ? times_.dram_bytes / bytes_per_second : 0.0;
    add("bytes_beyond_bound", std::max(0.0, pins_s - bound_s_));
    add("hidden_in_bound",
        std::min(0.0, pins_s - bound_s_));  // the bound has bytes here that moved under another stage
    double path_s = (times_.busy(engine) + times_.wait(engine, WaitReason::dram)) * share_ - pins_s;
    for (const auto& [name, part] : losses) {
      const double lost = std::min(part * time_s, std::max(path_s, 0.0));
      add(name, lost);
      path_s -= lost;
    }
    add("dram_latency_and_imbalance", path_s);
    for (std::size_t r = 0; r < kWaitReasons; ++r) {
      const auto reason = static_cast<WaitReason>(r);
      if (reason != WaitReason::dram) add("wait_" + std::string(name_of(reason)), times_.wait(engine, reason) * share_);
    }
  }

  // An engine may wait for a stage's first inputs, and begin with it, while the stage before still runs. That time is told
  // there, as the rest of that stage: here it is taken from the waits for others, then from all waits, then from the work.
  void cut_before_the_stage(double excess) {
    for (const char* reason : {"host", "dependency"}) {
      for (const std::string prefix : {"wait_", "wait_load_"}) excess -= cut(prefix + reason, excess);
    }
    double waits = 0.0;
    for (const auto& [name, share_s] : shares_) waits += is_cut(name) ? share_s : 0.0;
    const double part = waits > 0.0 ? std::clamp(excess / waits, 0.0, 1.0) : 0.0;
    for (auto& [name, share_s] : shares_) share_s -= is_cut(name) ? part * share_s : 0.0;
    add("hidden_in_bound", -std::max(0.0, excess - waits));
  }
  static bool is_cut(const std::string& name) { return name.starts_with("wait_") && name != "wait_rest_of_stage"; }

  double cut(const std::string& name, double excess) {
    const auto found = shares_.find(name);
    if (found == shares_.end() || excess <= 0.0) return 0.0;
    const double taken = std::min(found->second, excess);
    found->second -= taken;
    return taken;
  }

  void add(const std::string& name, double share_s) { shares_[name] += share_s; }

  const EngineTimes& times_;
  const Ideal& ideal_;
  double share_;  // of one accelerator in a sum over all
  double bound_s_ = 0.0;
  Shares shares_;
};

/// When each engine was last at work before a stage, and in it.
class EngineEnds {
 public:
  explicit EngineEnds(std::size_t accelerators)
      : last_(accelerators, {Time::zero(), Time::zero(), Time::zero(), Time::zero()}) {}

  /// The next stage, which took from `begin` to `end`.
  StageAccount::Edges next(const StageEnds& stage, Time begin, Time end) {
    StageAccount::Edges edges;
    const double share = 1.0 / static_cast<double>(last_.size());
    for (std::size_t a = 0; a < last_.size(); ++a) {
      for (std::size_t e = 0; e < kEngines; ++e) {
        const Time here = stage.ends[a][e];
        if (here > last_[a][e]) {
          edges.before_s[e] += seconds(begin - std::min(begin, last_[a][e])) * share;
          last_[a][e] = here;
        }
        edges.after_s[e] += seconds(end - std::min(end, std::max(begin, last_[a][e]))) * share;
      }
    }
    return edges;
  }

 private:
  std::vector<std::array<Time, kEngines>> last_;
};

}  // namespace

double StageGap::unaccounted_s() const { return gap_s() - sum(shares); }

GapAccount gap_account(const Trace& trace, const MachineView& machine, const Bound& bound, const RunResult& result,
                       const std::vector<Time>& ends) {
  const auto where = positions(trace);
  const auto peaks = operator_peaks(trace, machine);
  const auto losses = channel_losses(result);
  std::vector<EngineTimes> times(trace.stages.size());
  std::vector<Ideal> ideal(trace.stages.size());
  for (const auto& run : result.operators) times[where[run.operator_index].stage] += run;
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    auto& stage = ideal[where[i].stage];
    const auto instances = static_cast<double>(where[i].instances);
    stage.compute_s += peaks[i].compute_s * instances;
    stage.vector_s += peaks[i].vector_s * instances;
    stage.host_s += peaks[i].host_s * instances;
  }
  GapAccount account;
  Shares shares;
  EngineEnds engines(machine.accelerators.size());
  Time end = Time::zero(), lower = Time::zero();
  double unaccounted_s = 0.0;
  for (std::size_t s = 0; s < trace.stages.size(); ++s) {
    const Time next_end = std::max(end, ends[s]), next_lower = std::max(lower, bound.stages[s]);
    account.stages.push_back(StageAccount(times[s], ideal[s], machine.accelerators.size())
                                 .make(seconds(next_end - end), seconds(next_lower - lower), machine.dram.peak.value,
                                       losses, engines.next(result.stages[s], end, next_end)));
    end = next_end;
    lower = next_lower;
    for (const auto& [name, share_s] : account.stages.back().shares) shares[name] += share_s;
    unaccounted_s += std::abs(account.stages.back().unaccounted_s());
  }
  account.shares = longest_first(shares);
  account.gap_s = seconds(end) - seconds(lower);
  if (account.gap_s > 0.0) account.accounted = std::max(0.0, 1.0 - unaccounted_s / account.gap_s);
  return account;
}

}  // namespace archsim
