// Executes a Program on numbers, in every order that the program allows.
//
// Models: all four engines of each accelerator and the host, with exact numbers (datapath/datapath.h). At each step one
//   of the engines that can go on is chosen at random, by seed. A command takes effect at a random moment between its issue
//   and its completion, and several commands of an engine may be in flight, so that a missing dependency gives wrong
//   numbers for some seed. Memory that nothing wrote holds NaN.
// Leaves out: time; the order of bytes within one command.
// Numbers: arch/program/command.h defines them.
// Checked by: tests/unit/program.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "arch/program/datapath/datapath.h"
#include "arch/program/program.h"
#include "arch/program/sequencer.h"

namespace archsim {

struct FunctionalResult {
  bool finished = false;
  std::string report;          // why it did not finish: who waits for what, or which command touched what
  std::uint64_t commands = 0;  // issued, without loop control
};

class FunctionalMachine {
 public:
  /// All three must outlive the machine, and the program must pass check_program.
  FunctionalMachine(const Trace& trace, const Program& program, const ProgramLimits& limits);

  AddressSpace& memory() { return memory_; }
  /// Runs to the end, or until nothing can go on. Once.
  FunctionalResult run(std::uint64_t seed);

 private:
  static constexpr std::size_t kInFlight = 6;
  enum Action : std::uint8_t { issue, take_effect, retire };
  static constexpr std::size_t kActions = 3;

  struct InFlight {
    Command command;  // resolved
    std::vector<LoopIteration> loops;
    bool executed = false;
  };
  struct Stream {
    std::string name;
    std::size_t owner = 0;  // accelerator; the number of accelerators is the host
    Engine engine = Engine::load;
    Sequencer sequencer;
    Command next;  // resolved
    std::deque<InFlight> in_flight;
    std::array<std::uint32_t, kActions> weight{};
  };
  struct Choice {
    Stream* stream = nullptr;
    Action action = issue;
  };

  bool is_host(const Stream& stream) const { return stream.owner == local_.size(); }
  void add_stream(std::string name, std::size_t owner, Engine engine, const std::vector<Command>& commands);
  bool step();
  void shuffle_speeds();
  bool can(const Stream& stream, Action action) const;
  bool waits_are_over(const Stream& stream) const;
  void perform(Stream& stream, Action action);
  void execute_one(Stream& stream, const InFlight& flight);
  void run_on_host(const InFlight& flight);
  void signal(const Signal& signal);
  std::string why_waiting(const Stream& stream) const;
  std::string describe(const Stream& stream, const Command& command) const;
  std::string owner_name(std::size_t owner) const;

  const Trace& trace_;
  const Program& program_;
  const ProgramLimits& limits_;
  std::vector<Position> positions_;
  AddressSpace memory_;
  std::vector<LocalMemories> local_;
  std::vector<std::array<std::uint32_t, kEngines>> completed_;  // progress counters, by accelerator
  std::vector<std::vector<std::uint32_t>> semaphores_;          // by owner
  std::vector<Stream> streams_;
  std::mt19937_64 random_;
  std::uint64_t commands_ = 0;
};

}  // namespace archsim
