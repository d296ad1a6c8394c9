// One accelerator alone, with an ideal memory: for probes, for holding estimates to the model, and for running the RTL beside it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arch/program/encoding.h"
#include "models/accel/bench/ideal_memory.h"
#include "models/accel/systolic.h"

namespace archsim {

struct HostPush {
  Engine engine = Engine::load;
  EncodedCommand command{};
};

struct AloneSetup {
  SystolicParams params;
  Frequency clock = 1_GHz;
  IdealMemoryParams memory{.base = kMemoryBase, .size = kMemoryBytes};
  /// Doorbells that others ring at it: when, and which semaphore (0: its own, 1: the host's).
  std::vector<std::pair<Time, unsigned>> doorbells;
  /// Streams whose commands are pushed, and those commands: each is written word by word, a word in `push_interval`, from time 0 on.
  std::array<bool, kEngines> fed_by_host{};
  std::vector<HostPush> pushes;
  Time push_interval = Time::zero();

  static constexpr std::uint64_t kCsrBase = 0x1000'0000;
  static constexpr std::uint64_t kHostCsrBase = 0x1001'0000;
  static constexpr std::uint64_t kMemoryBase = 0x8000'0000;
  static constexpr std::uint64_t kMemoryBytes = std::uint64_t{4} << 30;
};

struct AloneResult {
  Time time = Time::zero();  // when everything had happened
  bool has_finished = false;
  BlockReport report;
  std::vector<OperatorRun> operators;
  std::array<std::vector<Cycles>, kEngines> completions;  // of every work command
  std::optional<Fault> fault;
  std::vector<std::string> waiting;
  std::vector<Time> host_doorbells;  // when the host's semaphore 0 was rung
  Traffic requested;
  std::uint64_t transactions = 0;

  Cycles last(Engine engine) const;
  const EngineReport& engine(Engine engine) const { return report.engines.at(static_cast<std::size_t>(engine)); }
  double stat(std::string_view key) const;
  std::uint64_t event(std::string_view name) const;
};

/// Runs the four streams to the end, in a SystemC kernel that has run nothing yet. A stream left empty is one that halts.
AloneResult run_alone(const AloneSetup& setup, AcceleratorStreams streams);

}  // namespace archsim
