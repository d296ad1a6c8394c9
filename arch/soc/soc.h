// A checked SoC made of SystemC blocks, and the run of a program on it.
//
// One a process: the SystemC kernel is global.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "arch/block/work_watch.h"
#include "arch/machine/run_result.h"
#include "arch/machine/soc_spec.h"
#include "arch/program/program.h"
#include "arch/program/sampling.h"
#include "arch/workload/trace.h"

namespace archsim {

struct RunOptions {
  std::uint64_t seed = 1;
  /// Simulated time in which something must complete, else the machine counts as stuck.
  Time watchdog = 100_ms;
  /// Called a few times a second of wall time, with the share of the operators that has begun.
  std::function<void(double fraction, Time simulated)> on_progress;
  /// Asked as often; true ends the run.
  std::function<bool()> is_interrupted;
  /// Shown every piece of work of the accelerators and the host; empty: nobody.
  WorkWatch on_work;
  /// Called every `sample_period` of simulated time with what memories and interconnect have done since the start. Where
  /// it is called changes no event.
  std::function<void(Time, const std::vector<BlockReport>&)> on_sample;
  Time sample_period = 1_us;
  /// How the program was shortened; the result is that of the whole run. Null: it was not.
  const Sampling* sampling = nullptr;
};

/// The first accelerator whose model counts only what it executes, so that a sampled run would miss the rest; null: there is none.
const BlockSpec* executes_everything(const SocSpec& spec);

class Soc {
 public:
  /// What is passed outlives the Soc.
  Soc(const SocSpec& spec, const Trace& trace, const Program& program, RunOptions options = {});
  ~Soc();

  /// Runs to the end, to a fault or to an interruption. It is a bug of ours if bytes get lost between initiators and memories
  /// or if an engine's time shares do not sum to the elapsed time.
  RunResult run();
  /// Of a sampled run, after it: by how much its time may differ from that of a whole run, as far as repeats differ.
  Time sampling_error() const;

 private:
  class Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace archsim
