// Makes the result of a whole run of that of a sampled one.
//
// Models:     an iteration that was left out as a copy of the executed one that stands for it: as long as that took from the end of the
//             iteration before, with its operators at the same places in it, and with what memories and interconnect counted in it.
// Leaves out: what addresses change from iteration to iteration: which channel and slice, where in a refresh period, where on the
//             network. How much the executed iterations differ tells how much that may be: the error that is estimated.
// Numbers:    none of its own.
// Checked by: tests/properties/sampled: counts equal and time within 1 % of runs that execute everything.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arch/machine/run_result.h"
#include "arch/machine/soc_spec.h"
#include "arch/program/sampling.h"

namespace archsim {

/// Makes the shares of an engine that is idle for `idle` sum to `time`: what is too much is cut off its last waits, and what it lacks
/// it waited for what it waits for most: iterations that are left out pass while it waits for their end.
void fill_shares(EngineReport& engine, Time time, Time idle);

class Replay {
 public:
  using Look = std::function<std::vector<BlockReport>()>;

  /// `look` reports, at the time of the call, on blocks that keep no account of what they do once for several times.
  Replay(const Sampling& sampling, Look look) : sampling_(sampling), look_(std::move(look)) {}

  /// An executed instance has begun: the first one of an iteration is where iterations are divided.
  void began(std::uint32_t op, std::uint64_t executed);
  /// A repeated command moved bytes: `times` more than were carried.
  void moved(const std::string& initiator, const std::string& memory, bool is_write, std::uint64_t bytes);

  /// Instances, times and blocks of the whole run; `result` is that of the sampled one, before batches are divided.
  void complete(RunResult& result);
  /// After complete(): by how much the time may be wrong, as far as executed iterations differ.
  Time error() const { return Time(static_cast<std::uint64_t>(error_ps_)); }
  /// Adds what the copies did to a block; `index`: among those that `look` reports on. `is_exact`: all bytes that blocks move were
  /// told by `moved`.
  void complete(BlockReport& block, std::size_t index, bool is_exact) const;

 private:
  /// An executed iteration of a loop: the number of the loop's instances with it, innermost fastest.
  struct Key {
    std::uint32_t loop;
    std::uint64_t number;
    friend bool operator==(Key, Key) = default;
  };
  struct Hash {
    std::size_t operator()(Key key) const { return (key.number * 0x9E37'79B9'7F4A'7C15) ^ key.loop; }
  };
  struct Moment {
    Time time = Time::zero();
    Lanes lanes{0.0};
  };
  /// Numbers of an iteration among those executed and among all.
  struct Place {
    std::uint64_t executed = 0, whole = 0;
  };

  void find_ends(const RunResult& result);
  void replay(const Repeat& repeat, Place place, Moment& late);
  void replay(std::uint32_t op, Place place, const Moment& late);
  static double spread(const SampledLoop& loop, const std::vector<Time>& lengths);
  /// What the copies added to a block, as they were looked at.
  BlockReport added(std::size_t block) const;
  Traffic moved_between(const std::string& initiator, const std::string& memory) const;
  void make_exact(BlockReport& more) const;

  const Sampling& sampling_;
  Look look_;
  std::unordered_map<Key, std::size_t, Hash> beginnings_;  // into looks_
  std::vector<std::vector<BlockReport>> looks_;

  std::unordered_map<Key, Moment, Hash> ends_;
  std::unordered_map<Key, std::uint64_t, Hash> copies_;  // how often an executed iteration was replayed
  std::unordered_map<Key, const OperatorRun*, Hash> runs_;
  std::vector<OperatorRun> whole_;
  double error_ps_ = 0.0;
  std::map<std::pair<std::string, std::string>, Traffic> moved_;  // by initiator and memory
};

}  // namespace archsim
