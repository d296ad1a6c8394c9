#include "models/accel/cosim/command_times.h"

#include <algorithm>

#include "arch/program/sequencer.h"

namespace archsim {
namespace {

class Walk {
 public:
  Walk(const AcceleratorStreams& streams, const CompletionTimes& completions)
      : streams_(streams), completions_(completions) {}

  std::vector<CommandTime> run() {
    // The signals' times first; those that wait for signals themselves are then right in the second round.
    constexpr int kRounds = 3;
    std::vector<CommandTime> times;
    for (int round = 0; round < kRounds; ++round) {
      std::vector<std::uint64_t> signals;
      times.clear();
      for (std::size_t e = 0; e < kEngines; ++e) walk(static_cast<Engine>(e), times, signals);
      std::sort(signals.begin(), signals.end());
      signals_ = std::move(signals);
    }
    return times;
  }

 private:
  static std::uint64_t reached(const std::vector<std::uint64_t>& times, std::uint32_t value) {
    if (value <= kCounterStart || times.empty()) return 0;
    return times[std::min<std::size_t>(value - kCounterStart, times.size()) - 1];
  }

  void walk(Engine engine, std::vector<CommandTime>& times, std::vector<std::uint64_t>& signals) const {
    const auto index = static_cast<std::size_t>(engine);
    if (streams_.stream[index].empty()) return;
    const auto& done = completions_[index];
    std::uint64_t ready = 0, last = 0;
    std::size_t next = 0;
    for (Sequencer sequencer(streams_.stream[index]); !sequencer.halted(); sequencer.advance()) {
      const Command command = sequencer.resolved();
      for (std::size_t e = 0; e < kEngines; ++e) ready = std::max(ready, reached(completions_[e], command.wait_for[e]));
      if (const auto* wait = std::get_if<WaitSemaphore>(&command.payload); wait != nullptr && wait->semaphore == 0) {
        ready = std::max(ready, reached(signals_, wait->value));
      }
      if (const auto* signal = std::get_if<Signal>(&command.payload); signal != nullptr && signal->count > 0) {
        signals.push_back(std::max(ready, last));
      }
      if (!command.is_work()) continue;
      if (next == done.size()) return;
      const std::uint64_t begin = std::max(ready, last), end = done[next++];
      times.push_back({.engine = engine,
                       .position = sequencer.position(),
                       .tag = command.tag,
                       .opcode = opcode_name(command),
                       .cycles = end - std::min(begin, end)});
      last = std::max(last, end);
    }
  }

  const AcceleratorStreams& streams_;
  const CompletionTimes& completions_;
  std::vector<std::uint64_t> signals_;  // of the accelerator to itself
};

}  // namespace

std::vector<CommandTime> command_times(const AcceleratorStreams& streams, const CompletionTimes& completions) {
  return Walk(streams, completions).run();
}

}  // namespace archsim
