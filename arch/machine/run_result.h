// What happened in a run, as counts and times; never energy. Pricing and reports are made from this.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arch/machine/lanes.h"
#include "arch/units/quantity.h"

namespace archsim {

/// Where an engine's time went. The parts sum to the elapsed time.
struct EngineReport {
  std::string name;  // "array", "channel3"
  Time busy = Time::zero();
  std::vector<std::pair<std::string, Time>> waits;  // "load", "dependency", ... (column wait_<reason>_s)
  Time idle = Time::zero();                         // nothing to do: before its first and after its last work
};

/// Bytes of memory moved; doorbells and other CSR accesses do not count.
struct Traffic {
  std::uint64_t read = 0, written = 0;
  friend bool operator==(Traffic, Traffic) = default;
  Traffic& operator+=(const Traffic& more) {
    read += more.read;
    written += more.written;
    return *this;
  }
};

/// What one block asked of a memory, or had carried by the interconnect. To a memory, blocks that know only plain payloads are one,
/// with an empty name.
struct InitiatorReport {
  std::string name;
  Traffic traffic;
  Time waited =
      Time::zero();  // by which the memory answered, or streams arrived, later than if it had been idle, summed
};

/// What the interconnect carried to and from a block that serves.
struct TargetReport {
  std::string name;
  Traffic traffic;
};

struct BlockReport {
  std::string name, kind, model;
  Traffic requested, served;  // as an initiator, as a memory; filled by the SoC, as the names are
  std::vector<std::pair<std::string, double>> stats;          // in table order, SI units
  std::vector<std::pair<std::string, std::uint64_t>> events;  // in table order
  std::vector<EngineReport> engines;
  std::vector<InitiatorReport> initiators;  // of a memory or interconnect, in the order of the fabric
  std::vector<TargetReport> targets;        // of an interconnect, likewise
};

/// Reasons that an engine of an accelerator waits for; also the columns' names.
enum class WaitReason : std::uint8_t { load, array, vector, store, dependency, host, dram, sram, noc, dma };
constexpr std::size_t kWaitReasons = 10;
std::string_view name_of(WaitReason reason);

/// Time by reason.
struct WaitTimes {
  std::array<std::uint64_t, kWaitReasons> picoseconds{};
  Time operator[](WaitReason reason) const { return Time(picoseconds[static_cast<std::size_t>(reason)]); }
  void add(WaitReason reason, Time time) { picoseconds[static_cast<std::size_t>(reason)] += time.value; }
};

/// Lines of an accelerator's event table, at most.
constexpr std::size_t kMostAcceleratorEvents = 18;

/// What the machine did for one executed instance of an operator, summed over accelerators and engines.
struct OperatorRun {
  std::uint32_t operator_index = 0;
  std::uint64_t iteration = 0;  // loops as a mixed-radix number, innermost fastest
  /// From when an array or vector unit turned to it and its inputs were there, so its own exposed fetches count and what was
  /// fetched ahead does not; without such work, from its first transfer on. To the end of its last command.
  Time start = Time::zero(), end = Time::zero();
  /// The same moments as the what-if timing (arch/block/what_if) has them, without and with each resource doubled.
  Lanes first{0.0}, last{0.0};
  std::uint64_t dram_bytes = 0;
  Time array_busy = Time::zero(), vector_busy = Time::zero(), load_busy = Time::zero(), store_busy = Time::zero();
  Time host_busy = Time::zero(), launch = Time::zero();
  /// Of the accelerators, by line of their event table.
  std::array<std::uint64_t, kMostAcceleratorEvents> events{};
  /// How long each engine (load, array, vector, store) stood still for each reason.
  std::array<WaitTimes, 4> waits{};

  Time wait(WaitReason reason) const {
    Time sum = Time::zero();
    for (const auto& engine : waits) sum += engine[reason];
    return sum;
  }
};

/// The last command of one engine of one accelerator in one stage of the trace: when it ended; zero if there was none.
struct StageEnds {
  std::vector<std::array<Time, 4>> ends;  // by accelerator and engine
};

enum class FaultKind : std::uint8_t { deadlock, watchdog, illegal_command, bad_address, queue_overflow };
std::string_view name_of(FaultKind kind);

struct Fault {
  FaultKind kind = FaultKind::deadlock;
  std::string block;
  Time time = Time::zero();
  std::string what;
  std::vector<std::string> waiting;  // who waits for whom, one line each
};

struct RunResult {
  Time time = Time::zero();  // start to end
  Lanes ends{0.0};           // the same by the what-if timing
  std::vector<BlockReport> blocks;
  std::vector<StageEnds> stages;       // in trace order
  std::vector<OperatorRun> operators;  // by (operator, iteration), every executed instance
  std::optional<Fault> fault;
  bool interrupted = false;  // by the user; what was done is here
};

}  // namespace archsim
