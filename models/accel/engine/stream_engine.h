// One engine's command stream: loops, waits, signals, and the order of everything.
//
// Its process plans ahead: a command whose operands' completions are published is timed at once, even where that lies ahead of the
// simulation's time. It sleeps only for what is not published yet, and (DMA) for the time at which memory is asked.
//
// Where its time goes, what comes first has it: at work (DMA: data at the port, then what the transfer waited for, split in
// proportion to what the interconnect, the memory and the DMA itself added); then, with work still to come, the
// dependency that was met last; idle once it has halted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arch/program/sequencer.h"
#include "models/accel/engine/tile.h"
#include "models/accel/timing/issue.h"
#include "models/accel/timing/legality.h"
#include "models/stream/timeline.h"

namespace archsim {

class StreamEngine {
 public:
  StreamEngine(Tile& tile, Engine engine);
  virtual ~StreamEngine() = default;

  /// The process.
  void run();

  bool has_halted() const { return has_halted_; }
  /// What it waits for, one line; empty if it does not.
  std::string waiting() const;
  EngineReport report(Time elapsed) const { return timeline_.report(std::string(name_of(engine_)), elapsed); }
  Time busy() const { return timeline_.busy(); }

 protected:
  /// Times a work command that may begin at `ready()`. False if it ended in a fault.
  virtual bool execute(const Command& command) = 0;
  /// When it has a place for its next command.
  virtual Cycles takes_next() const { return Cycles::zero(); }

  Tile& tile() { return *tile_; }
  const Tile& tile() const { return *tile_; }
  Engine engine() const { return engine_; }
  Cycles ready() const { return ready_; }
  Time time_of(Cycles edge) const { return tile_->grid.time_of(edge); }
  /// `ready()` in every lane, and the time of a number of cycles.
  const Lanes& lanes_ready() const { return lanes_ready_; }
  const Lanes& lanes_last() const { return lanes_last_; }
  Lanes lanes_of(Cycles length) const { return Lanes(static_cast<double>(length.value) * tile_->cycle_ps); }
  /// Of the array and the vector unit, before a command: tells where it turned to another operator.
  void turn_to(const Command& command);
  Cycles last_completion() const { return last_completion_; }
  /// The instance of the operator that the current command belongs to.
  std::uint64_t iteration() const { return iteration_; }
  /// How often the current command counts.
  std::uint64_t weight() const { return weight_; }

  /// Up to `begin` the engine stood still for what it waited for.
  void stand_still_until(const Command& command, Time begin);
  void stand_still_until(const Command& command, Time begin, WaitReason reason);
  void complete(Cycles when, const Lanes& lanes);
  Timeline& timeline() { return timeline_; }
  bool fault(FaultKind kind, const std::string& what);

 private:
  void note_issue(Cycles when);

  struct Blocked {
    const TimedCounter* counter = nullptr;
    std::uint32_t value = 0;
    std::string_view whose;  // engine or block
    bool is_semaphore = false;
  };

  bool step(const Command& command);
  void run_program();
  void run_pushed();
  /// A command that the host pushed, loops and all. False if it ended in a fault.
  bool step_pushed(const Command& command);
  bool await(const Command& command, const WaitSemaphore& wait);
  void await(TimedCounter& counter, std::uint32_t value, WaitReason reason, std::string_view whose, bool is_semaphore);
  bool signal(const Signal& signal);
  void halt();

  Tile* tile_;
  Engine engine_;
  Sequencer sequencer_;
  IssueClock issue_;
  std::size_t position_ = 0;                    // in its stream
  unsigned open_loops_ = 0;                     // of a stream that is pushed
  Cycles ready_ = Cycles::zero();               // when the next command may begin, as far as its waits go
  WaitReason reason_ = WaitReason::dependency;  // what set it
  Cycles last_completion_ = Cycles::zero();
  std::uint64_t iteration_ = 0;
  std::uint64_t weight_ = 1;
  Lanes lanes_ready_{0.0}, lanes_last_{0.0};
  std::uint32_t turned_to_ = Command::kNoOperator;  // and the instance of that
  std::uint64_t turned_to_iteration_ = 0;
  Timeline timeline_;
  Blocked blocked_;
  sc_core::sc_event published_;
  bool has_halted_ = false;
};

}  // namespace archsim
