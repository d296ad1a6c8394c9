// Collects, while the simulation runs, what each executed operator instance got. One log for the whole SoC.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arch/block/work_watch.h"
#include "arch/machine/run_result.h"
#include "arch/program/command.h"

namespace archsim {

class OperatorLog {
 public:
  /// One command of an accelerator, or one host operation: it held `engine` from start to end.
  struct Span {
    Time start = Time::zero(), end = Time::zero();
    Time busy = Time::zero();
    std::uint64_t dram_bytes = 0;
    Lanes first{0.0}, last{0.0};  // start and end by the what-if timing
  };
  struct Where {
    Engine engine;
    unsigned accelerator = 0;
  };
  void command(std::uint32_t tag, std::uint64_t iteration, const Where& where, const Span& span);
  void host(std::uint32_t tag, std::uint64_t iteration, const Span& span, Time launch);
  /// A moment in the run as it is and by the what-if timing.
  struct Moment {
    Time time;
    Lanes lanes;
  };
  /// An array or vector unit had done everything before the instance's first command.
  void turned_to(std::uint32_t tag, std::uint64_t iteration, const Moment& when);
  /// What other accelerators or the host make for it was there.
  void inputs(std::uint32_t tag, std::uint64_t iteration, const Moment& when);
  /// `engine` stood still on behalf of the command that it was to issue next, or that it had under way.
  void wait(std::uint32_t tag, std::uint64_t iteration, Engine engine, WaitReason reason, Time time);

  /// Events of one of its commands, by line of the accelerators' event table.
  void events(std::uint32_t tag, std::uint64_t iteration,
              const std::array<std::uint64_t, kMostAcceleratorEvents>& counts);

  /// Has last commands noted by stage. `stage_of`: by operator.
  void note_stages(std::vector<std::uint32_t> stage_of, std::size_t stages, std::size_t accelerators);
  std::vector<StageEnds> take_stages() { return std::move(stages_); }

  /// Is shown every piece of work as it is logged; those of one engine in the order in which it begins them.
  void watch(WorkWatch watcher) { watcher_ = std::move(watcher); }
  /// Is told of each instance when something of it is logged first.
  void on_beginning(std::function<void(std::uint32_t tag, std::uint64_t iteration)> told) { told_ = std::move(told); }

  /// Executed instances so far.
  std::size_t size() const { return runs_.size(); }
  /// Sorted by (operator, iteration).
  std::vector<OperatorRun> take();

 private:
  static constexpr double kNeverPs = 1e300;
  struct Entry {
    OperatorRun run;
    Moment computes{Time(~std::uint64_t{0}), Lanes(kNeverPs)};   // first command of an array or vector unit
    Moment transfers{Time(~std::uint64_t{0}), Lanes(kNeverPs)};  // first one of any other
    Moment turned{Time(~std::uint64_t{0}), Lanes(kNeverPs)};     // first unit that turned to it
    Moment inputs{Time::zero(), Lanes(0.0)};                     // last ones
  };
  static void widen(Entry& entry, Moment& first, const Span& span);
  static void find_start(Entry& entry);
  Entry& at(std::uint32_t tag, std::uint64_t iteration);
  struct Key {
    std::uint64_t tag, iteration;
    friend bool operator==(Key, Key) = default;
  };
  struct Hash {
    std::size_t operator()(Key key) const { return (key.iteration * 0x9E37'79B9'7F4A'7C15) ^ key.tag; }
  };
  std::unordered_map<Key, Entry, Hash> runs_;
  std::vector<std::uint32_t> stage_of_;
  std::vector<StageEnds> stages_;
  WorkWatch watcher_;
  std::function<void(std::uint32_t, std::uint64_t)> told_;
};

}  // namespace archsim
