// The structure of one stream: its loops, and for each command how often it runs and which values its registers take.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "arch/program/command.h"

namespace archsim {

/// Lowest and highest value of something over all iterations.
struct Span {
  std::int64_t low = 0;
  std::int64_t high = 0;
  friend Span operator+(Span a, Span b) { return {a.low + b.low, a.high + b.high}; }
};

/// What `count` steps of `step` cover, the first of which is none. Far beyond any address it saturates, at 2^56.
Span reach(std::uint64_t count, std::int64_t step);

struct ScannedCommand {
  std::size_t index = 0;  // in the stream
  std::uint64_t instances = 1;
  std::array<Span, loop_register::kCount> registers{};
};

struct StreamScan {
  std::vector<ScannedCommand> commands;  // without loop control and halt
  struct Mistake {
    std::size_t index = 0;
    std::string text;
  };
  std::vector<Mistake> mistakes;  // if there are any, `commands` is empty
};

StreamScan scan_stream(const std::vector<Command>& stream);

}  // namespace archsim
