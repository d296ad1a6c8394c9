#include "arch/soc/replay.h"

#include <algorithm>
#include <cmath>

namespace archsim {
namespace {

Traffic difference(const Traffic& after, const Traffic& before) {
  return {.read = after.read - before.read, .written = after.written - before.written};
}

Traffic repeated(const Traffic& traffic, std::uint64_t times) {
  return {.read = traffic.read * times, .written = traffic.written * times};
}

template <class Report>
const Report* find(const std::vector<Report>& reports, const std::string& name) {
  const auto found =
      std::find_if(reports.begin(), reports.end(), [&](const Report& report) { return report.name == name; });
  return found == reports.end() ? nullptr : &*found;
}

/// `sum` += `times` x (`after` - `before`), for what blocks count; a block names its lines in the same order every time.
void add(BlockReport& sum, std::uint64_t times, const BlockReport& after, const BlockReport& before) {
  sum.served += repeated(difference(after.served, before.served), times);
  sum.requested += repeated(difference(after.requested, before.requested), times);
  for (std::size_t i = 0; i < sum.stats.size(); ++i) {
    sum.stats[i].second += static_cast<double>(times) * (after.stats[i].second - before.stats[i].second);
  }
  for (std::size_t i = 0; i < sum.events.size(); ++i) {
    sum.events[i].second += times * (after.events[i].second - before.events[i].second);
  }
  for (std::size_t i = 0; i < sum.engines.size(); ++i) {
    EngineReport& engine = sum.engines[i];
    const auto more = [&](Time now, Time then) { return (std::max(now, then) - then) * times; };
    engine.busy += more(after.engines[i].busy, before.engines[i].busy);
    for (std::size_t w = 0; w < engine.waits.size(); ++w) {
      engine.waits[w].second += more(after.engines[i].waits[w].second, before.engines[i].waits[w].second);
    }
  }
  for (InitiatorReport& initiator : sum.initiators) {
    const auto* now = find(after.initiators, initiator.name);
    const auto* then = find(before.initiators, initiator.name);
    if (now == nullptr) continue;
    initiator.waited += (now->waited - (then == nullptr ? Time::zero() : then->waited)) * times;
    initiator.traffic += repeated(difference(now->traffic, then == nullptr ? Traffic{} : then->traffic), times);
  }
  for (std::size_t i = 0; i < sum.targets.size(); ++i) {
    sum.targets[i].traffic += repeated(difference(after.targets[i].traffic, before.targets[i].traffic), times);
  }
}

/// The same lines, all zero.
BlockReport nothing_of(const BlockReport& block) {
  BlockReport none = block;
  none.requested = none.served = {};
  for (auto& stat : none.stats) stat.second = 0.0;
  for (auto& event : none.events) event.second = 0;
  for (EngineReport& engine : none.engines) {
    engine.busy = engine.idle = Time::zero();
    for (auto& wait : engine.waits) wait.second = Time::zero();
  }
  for (InitiatorReport& initiator : none.initiators) initiator = {.name = initiator.name, .traffic = {}};
  for (TargetReport& target : none.targets) target.traffic = {};
  return none;
}

double ratio(std::uint64_t exact, std::uint64_t about) {
  return about == 0 ? 1.0 : static_cast<double>(exact) / static_cast<double>(about);
}

}  // namespace

void fill_shares(EngineReport& engine, Time time, Time idle) {
  Time left = time - std::min(idle, time);
  const auto take = [&left](Time& part) {
    part = std::min(part, left);
    left -= part;
  };
  take(engine.busy);
  for (auto& wait : engine.waits) take(wait.second);
  const auto most = std::max_element(engine.waits.begin(), engine.waits.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  engine.idle = std::min(idle, time);
  if (most != engine.waits.end() && most->second > Time::zero()) {
    most->second += left;
  } else {
    engine.idle += left;
  }
}

void Replay::began(std::uint32_t op, std::uint64_t executed) {
  if (op >= sampling_.positions.size()) return;
  bool has_looked = false;
  const auto& path = sampling_.positions[op].loops;
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    const SampledLoop& loop = sampling_.loops[*at];
    const auto iteration = static_cast<std::uint32_t>(executed % loop.simulated);
    const Key key{*at, executed};
    executed /= loop.simulated;
    if (loop.copied == 0 || iteration < loop.first || iteration > loop.first + loop.copied) continue;
    if (beginnings_.contains(key)) continue;
    if (!has_looked) looks_.push_back(look_());
    has_looked = true;
    beginnings_[key] = looks_.size() - 1;
  }
}

void Replay::moved(const std::string& initiator, const std::string& memory, bool is_write, std::uint64_t bytes) {
  Traffic& traffic = moved_[{initiator, memory}];
  (is_write ? traffic.written : traffic.read) += bytes;
}

void Replay::find_ends(const RunResult& result) {
  for (const OperatorRun& run : result.operators) {
    runs_[{run.operator_index, run.iteration}] = &run;
    std::uint64_t executed = run.iteration;
    const auto& path = sampling_.positions[run.operator_index].loops;
    for (auto at = path.rbegin(); at != path.rend(); ++at) {
      Moment& end = ends_[{*at, executed}];
      end.time = std::max(end.time, run.end);
      end.lanes = later(end.lanes, run.last);
      executed /= sampling_.loops[*at].simulated;
    }
  }
}

void Replay::replay(std::uint32_t op, Place place, const Moment& late) {
  const auto run = runs_.find({op, place.executed});
  if (run == runs_.end()) return;  // another operator's commands do its work
  OperatorRun copy = *run->second;
  copy.iteration = place.whole;
  copy.start += late.time;
  copy.end += late.time;
  copy.first += late.lanes;
  copy.last += late.lanes;
  whole_.push_back(copy);
}

/// `late`: by how much what comes next is later in the whole run than in the executed one.
void Replay::replay(const Repeat& repeat, Place place, Moment& late) {
  const SampledLoop& loop = sampling_.loops[repeat.loop];
  Moment end;  // of the iteration before, in the whole run
  std::vector<Time> lengths(loop.simulated, Time::zero());
  for (std::uint32_t i = 0; i < loop.count; ++i) {
    const std::uint32_t executed = loop.stands_for(i);
    const Place body{place.executed * loop.simulated + executed, place.whole * loop.count + i};
    const auto own = ends_.find({repeat.loop, body.executed});
    const auto before = ends_.find({repeat.loop, body.executed - 1});
    if (executed > 0 && before != ends_.end()) {
      late = {end.time - std::min(before->second.time, end.time), end.lanes - before->second.lanes};
    }
    for (const Step& step : repeat.body) {
      if (const auto* op = std::get_if<std::uint32_t>(&step)) {
        replay(*op, body, late);
      } else {
        replay(std::get<Repeat>(step), body, late);
      }
    }
    if (own == ends_.end()) continue;
    const Moment now{own->second.time + late.time, own->second.lanes + late.lanes};
    lengths[executed] = now.time - std::min(end.time, now.time);
    end = now;
    if (loop.is_copy(i)) ++copies_[{repeat.loop, body.executed}];
  }
  if (loop.copied > 0) error_ps_ += spread(loop, lengths);
}

/// What is left out takes the mean of the copied iterations, which is wrong by half their spread at most. Where one is copied, its
/// distance from the next one tells. In picoseconds, of all that this execution of the loop leaves out.
double Replay::spread(const SampledLoop& loop, const std::vector<Time>& lengths) {
  const auto first = lengths.begin() + loop.first;
  const auto [least, most] = std::minmax_element(first, first + std::max(loop.copied, 2U));
  const double spread = static_cast<double>((*most - *least).value);
  return static_cast<double>(loop.left_out()) * (loop.copied > 1 ? spread / 2.0 : spread);
}

BlockReport Replay::added(std::size_t block) const {
  BlockReport sum = nothing_of(looks_.front()[block]);
  for (const auto& [key, times] : copies_) {
    const auto from = beginnings_.find(key), to = beginnings_.find({key.loop, key.number + 1});
    if (from == beginnings_.end() || to == beginnings_.end()) continue;
    add(sum, times, looks_[to->second][block], looks_[from->second][block]);
  }
  return sum;
}

Traffic Replay::moved_between(const std::string& initiator, const std::string& memory) const {
  Traffic sum;
  for (const auto& [ends, traffic] : moved_) {
    if ((initiator.empty() || ends.first == initiator) && (memory.empty() || ends.second == memory)) sum += traffic;
  }
  return sum;
}

void Replay::complete(BlockReport& block, std::size_t index, bool is_exact) const {
  if (looks_.empty()) return;
  BlockReport more = added(index);
  if (is_exact) make_exact(more);
  for (std::size_t i = 0; i < block.stats.size(); ++i) block.stats[i].second += more.stats[i].second;
  for (std::size_t i = 0; i < block.events.size(); ++i) block.events[i].second += more.events[i].second;
  for (std::size_t i = 0; i < block.engines.size(); ++i) {
    block.engines[i].busy += more.engines[i].busy;
    for (std::size_t w = 0; w < block.engines[i].waits.size(); ++w) {
      block.engines[i].waits[w].second += more.engines[i].waits[w].second;
    }
  }
  for (InitiatorReport& initiator : block.initiators) {
    const auto* its = find(more.initiators, initiator.name);
    if (its == nullptr) continue;
    initiator.waited += its->waited;
    initiator.traffic += its->traffic;
  }
  for (std::size_t i = 0; i < block.targets.size(); ++i) block.targets[i].traffic += more.targets[i].traffic;
  block.served += more.served;
  block.requested += more.requested;
}

/// Bytes as they were counted by those who moved them, and what goes with bytes in proportion.
void Replay::make_exact(BlockReport& more) const {
  const bool is_memory = more.kind != "noc";
  const std::string memory = is_memory ? more.name : "";
  const Traffic exact = moved_between("", memory);
  Traffic about = more.served;
  if (!is_memory) {  // an interconnect's own bytes have doorbells among them
    for (const TargetReport& target : more.targets) about += target.traffic;
  }
  const double reads = ratio(exact.read, about.read), writes = ratio(exact.written, about.written),
               both = ratio(exact.read + exact.written, about.read + about.written);
  const auto factor = [&](const std::string& key) {
    if (key.find("read") != std::string::npos) return reads;
    return key.find("writ") != std::string::npos ? writes : both;
  };
  for (auto& [key, value] : more.stats) {
    const bool is_time = key.size() > 2 && key.compare(key.size() - 2, 2, "_s") == 0;
    value = is_time ? value * factor(key) : std::round(value * factor(key));
  }
  for (auto& [key, value] : more.events) {
    value = static_cast<std::uint64_t>(std::llround(static_cast<double>(value) * factor(key)));
  }
  for (InitiatorReport& initiator : more.initiators) initiator.traffic = moved_between(initiator.name, memory);
  for (TargetReport& target : more.targets) target.traffic = moved_between("", target.name);
  if (is_memory) more.served = exact;
}

void Replay::complete(RunResult& result) {
  find_ends(result);
  Moment late;
  for (std::size_t s = 0; s < sampling_.stages.size(); ++s) {
    replay(sampling_.stages[s].repeat, {}, late);
    for (auto& engines : result.stages[s].ends) {
      for (Time& end : engines) {
        if (end > Time::zero()) end += late.time;
      }
    }
  }
  result.operators = std::move(whole_);
  result.time += late.time;
  result.ends += late.lanes;
  for (const OperatorRun& run : result.operators) result.time = std::max(result.time, run.end);
}

}  // namespace archsim
