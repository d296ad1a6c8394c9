// A rough clock along the tape of one accelerator, in its cycles: it decides how many weights stand in front of a wait for
// activations. Too few, and DRAM idles while the load engine waits; too many, and the activations queue behind them.
#pragma once

#include "arch/machine/capabilities.h"
#include "arch/mapping/emit/tape.h"

namespace archsim {

class Timeline {
 public:
  Timeline(const MachineView& machine, std::uint32_t accelerator);

  /// When the groups so far are complete everywhere, and the next one's activations could be loaded.
  double chain() const { return chain_; }
  /// When the load engine is through with what stands on the tape.
  double stream() const { return stream_; }

  /// A weight of `bytes` is loaded, its place being free from `free` on. Returns when it is there.
  double load_weight(std::uint64_t bytes, double free);
  double weight_cycles(std::uint64_t bytes) const { return static_cast<double>(bytes) / weight_rate_; }
  /// The load engine moves something else.
  void load_other(std::uint64_t bytes);
  /// A product starts when its weight is there, and keeps the array for `cycles`. Returns when it is done.
  double multiply(double weight_arrival, double cycles);
  /// The first operands of a group arrive; its last results are stored and every accelerator knows.
  void begin_group(std::uint64_t first_bytes);
  void end_group(double drain_cycles);
  /// All of a group at once: the items of the tape from `first` on. Some accelerator needs `slowest` cycles for its part.
  void group(const Tape& tape, std::size_t first, double slowest);
  /// A group that others do in `cycles`.
  void idle(double cycles) { chain_ += cycles + synchronisation_; }
  /// Cycles for the items of the tape from `first` on.
  double cycles(const Tape& tape, std::size_t first) const;

  /// Time starts anew: the load engine is ahead of the groups by `lead`.
  void restart(double lead);

 private:
  struct Busy {
    double load = 0.0, longest = 0.0, all = 0.0;  // cycles of engines
    double together() const;
  };
  Busy busy(const Tape& tape, std::size_t first) const;

  const AcceleratorCapabilities& npu_;
  double weight_rate_, port_rate_;  // bytes a cycle
  double synchronisation_;          // cycles
  double chain_ = 0.0, stream_ = 0.0;
};

}  // namespace archsim
