// A program as a tree of loops in the order in which it could run one command at a time; its four streams, with the waits that
// this order needs.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "arch/program/program.h"

namespace archsim::random_programs {

/// Bytes that a command touches over all iterations.
struct Touch {
  enum class Space : std::uint8_t { scratchpad, accumulator, memory };
  Space space = Space::memory;
  std::uint64_t first = 0, end = 0;
  bool writes = false;
};

struct Item {
  Engine engine = Engine::load;
  Command command;
  std::vector<Touch> touches;
  std::vector<std::int64_t> strides;  // of a dma's address, of the outermost loop first; empty: it stays
};

struct Node {
  // A loop if `count` is not 0, else a step.
  std::uint32_t count = 0;
  std::vector<Node> body;
  Item step;
};

/// Commands that the nodes execute, loop control aside.
std::uint64_t executed(const std::vector<Node>& nodes);

/// `random` picks waits that nothing needs, too.
AcceleratorStreams streams_of(const std::vector<Node>& nodes, std::mt19937_64& random);

}  // namespace archsim::random_programs
