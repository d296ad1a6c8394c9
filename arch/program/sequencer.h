// Walks one command stream: executes its loop commands and hands out every other command in turn, with the loop registers
// added in, so that whoever issues commands sees plain addresses and counts.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arch/program/command.h"

namespace archsim {

/// One active loop of a stream.
struct LoopIteration {
  std::uint32_t count = 1;
  std::uint32_t iteration = 0;
};

/// A loop command that was executed on the way to the current command.
struct LoopStep {
  bool jumps = false;          // an end_loop with iterations to come
  std::uint32_t restored = 0;  // strides of the loop that an end_loop leaves
};

class Sequencer {
 public:
  /// `stream` must outlive the sequencer, have balanced loops and end with Halt (arch/program/check.h).
  explicit Sequencer(const std::vector<Command>& stream);

  bool halted() const;
  /// The command to issue next, never one of loop control, as it stands in the stream.
  const Command& current() const { return (*stream_)[position_]; }
  /// The same with every register added; its register fields are kZero.
  Command resolved() const;
  void advance();

  /// The loop commands between the command before and the current one, in the order of their execution.
  const std::vector<LoopStep>& passed() const { return passed_; }

  std::size_t position() const { return position_; }  // index into the stream
  /// A loop register as it is now.
  std::int64_t register_value(std::uint8_t index) const { return registers_[index]; }
  /// The loops' iterations as a mixed-radix number, innermost fastest: the instance of the current command's operator.
  std::uint64_t instance() const;
  /// The loops around the current command, outermost first.
  std::vector<LoopIteration> iterations() const;

 private:
  struct Frame {
    std::size_t body = 0;  // position of the first command behind loop_begin
    LoopIteration loop;
    std::array<std::int64_t, loop_register::kCount> at_entry{};
    std::vector<Stride> strides;
  };

  void skip_loop_control();
  void end_iteration();

  const std::vector<Command>* stream_;
  std::size_t position_ = 0;
  std::array<std::int64_t, loop_register::kCount> registers_{};
  std::vector<Frame> frames_;
  std::vector<LoopStep> passed_;
};

}  // namespace archsim
