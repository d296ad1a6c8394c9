// The registers through which a host pushes commands: 128 bytes a stream, the write of the last word pushes what they hold. A push into a full
// queue is an overflow, and so is one into a stream that fetches its commands.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <systemc>
#include <vector>

#include "arch/program/encoding.h"
#include "arch/units/quantity.h"

namespace archsim {

class CommandWindow {
 public:
  static constexpr std::uint64_t kOffset = 0x2000;  // in the block's registers
  static constexpr std::uint64_t kWordBytes = 4, kWords = kCommandBits / 32;

  /// `fed`: the streams that take their commands from here.
  CommandWindow(unsigned queue_depth, const std::array<bool, kEngines>& fed);

  bool feeds(Engine engine) const { return streams_[index_of(engine)].is_fed; }

  /// What a write did that pushed a command.
  struct Push {
    Engine engine = Engine::load;
    std::uint64_t index = 0;  // of the command among those of its stream
    bool has_overflown = false;
  };
  /// A write of 4 bytes at `offset` from kOffset, which arrives in cycle `when`; nothing if it pushes no command.
  std::optional<Push> write(std::uint64_t offset, std::uint32_t value, Cycles when);
  static bool contains(std::uint64_t offset) { return offset < kEngines * kWords * kWordBytes; }

  struct Pushed {
    DecodedCommand decoded;
    Cycles arrives = Cycles::zero();  // where it can issue
    std::uint64_t index = 0;
  };
  /// The next command of a stream, once it has been pushed.
  Pushed take(Engine engine);
  /// The next command in turn has issued.
  void issued(Engine engine, Cycles when);

 private:
  struct Place {
    bool is_loop = false;  // executed where it leaves the queue
    Cycles issued = Cycles::zero();
  };
  struct Stream {
    bool is_fed = false;
    EncodedCommand words{};
    std::deque<Pushed> queue;
    std::vector<Place> places;  // of every command
    std::size_t issued = 0;     // of them
    sc_core::sc_event rung;
  };
  bool is_full(const Stream& stream, Cycles when) const;
  static std::size_t index_of(Engine engine) { return static_cast<std::size_t>(engine); }

  unsigned queue_depth_;
  std::array<Stream, kEngines> streams_;
};

}  // namespace archsim
