// Collects, while the simulation runs, what each executed operator instance got. One log for the whole SoC.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

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
  };
  void command(std::uint32_t tag, std::uint64_t iteration, Engine engine, const Span& span);
  void host(std::uint32_t tag, std::uint64_t iteration, const Span& span, Time launch);
  /// `engine` stood still on behalf of the command that it was to issue next, or that it had under way.
  void wait(std::uint32_t tag, std::uint64_t iteration, Engine engine, WaitReason reason, Time time);

  /// Executed instances so far.
  std::size_t size() const { return runs_.size(); }
  /// Sorted by (operator, iteration).
  std::vector<OperatorRun> take();

 private:
  OperatorRun& at(std::uint32_t tag, std::uint64_t iteration);
  struct Key {
    std::uint64_t tag, iteration;
    friend bool operator==(Key, Key) = default;
  };
  struct Hash {
    std::size_t operator()(Key key) const { return (key.iteration * 0x9E37'79B9'7F4A'7C15) ^ key.tag; }
  };
  std::unordered_map<Key, OperatorRun, Hash> runs_;
};

}  // namespace archsim
