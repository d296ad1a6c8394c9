// The program memory behind the core's command port: the four streams, encoded, a command a cycle.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "accel-rtl/dv/pins.h"
#include "accel-rtl/dv/surroundings/pauses.h"
#include "arch/program/program.h"

namespace archsim::rtl {

using EncodedStreams = std::array<std::vector<EncodedCommand>, kEngines>;

/// A stream left empty is one that halts.
EncodedStreams encode(const AcceleratorStreams& streams);

class ProgramMemory {
 public:
  /// `latency`: from the cycle of a fetch to that of its command, at least 1.
  ProgramMemory(EncodedStreams streams, std::uint64_t latency, const PauseParams& pauses);

  void drive(CoreInputs& in);
  void clock(const CoreInputs& in, const CoreOutputs& out);

  /// Fetches behind the end of a stream: they are answered with halt.
  std::uint64_t overruns() const { return overruns_; }

 private:
  struct Fetch {
    unsigned stream = 0;
    std::uint32_t index = 0;
    std::uint64_t due = 0;
  };
  EncodedStreams streams_;
  std::uint64_t latency_;
  std::uint64_t cycle_ = 0;
  std::deque<Fetch> fetches_;
  bool holds_ = false;
  Pauses fetch_pause_, command_pause_;
  std::uint64_t overruns_ = 0;
};

}  // namespace archsim::rtl
