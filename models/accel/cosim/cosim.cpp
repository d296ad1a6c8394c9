#include "models/accel/cosim/cosim.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "arch/program/functional/machine.h"
#include "arch/program/sequencer.h"
#include "models/accel/bench/alone.h"
#include "models/accel/timing/dma_plan.h"

namespace archsim {
namespace {

/// Calls `visit` for each row in memory of every executed dma of the load or the store stream.
template <class Visit>
void for_each_row(const AcceleratorStreams& streams, Engine engine, Visit visit) {
  const auto& stream = streams.stream[static_cast<std::size_t>(engine)];
  for (Sequencer sequencer(stream); !sequencer.halted(); sequencer.advance()) {
    const Command command = sequencer.resolved();
    const auto* dma = std::get_if<Dma>(&command.payload);
    if (dma == nullptr) continue;
    for (std::uint32_t plane = 0; plane < dma->planes; ++plane) {
      for (std::uint32_t row = 0; row < dma->rows; ++row) {
        const std::int64_t offset = plane * dma->memory_plane_pitch + row * dma->memory_row_pitch;
        visit(dma->memory_address + static_cast<std::uint64_t>(offset), dma->row_bytes);
      }
    }
  }
}

template <class Write>
void initialize(const CosimRequest& request, const AcceleratorStreams& streams, Write write) {
  if (request.contents != nullptr) return write(request.memory.base, std::span<const std::byte>(*request.contents));
  std::mt19937_64 random(request.seed);
  std::vector<std::byte> row;
  for_each_row(streams, Engine::load, [&](std::uint64_t address, std::uint32_t bytes) {
    row.resize(bytes);
    for (auto& byte : row) byte = static_cast<std::byte>(random() & 0xFF);
    write(address, std::span<const std::byte>(row));
  });
}

/// How often the host signals.
std::vector<unsigned> host_doorbells(const Program& program) {
  std::vector<unsigned> doorbells;
  if (program.host.empty()) return doorbells;
  for (Sequencer sequencer(program.host); !sequencer.halted(); sequencer.advance()) {
    const auto* signal = std::get_if<Signal>(&sequencer.current().payload);
    if (signal != nullptr && signal->count > 0) doorbells.push_back(signal->semaphore);
  }
  return doorbells;
}

AloneResult run_model(const CosimRequest& request, double bytes_per_cycle, const std::vector<unsigned>& doorbells) {
  AloneSetup setup{.params = request.params, .clock = request.clock};
  setup.memory = {.latency = edge_time(request.clock, Cycles(request.latency)),
                  .bandwidth = Bandwidth(bytes_per_cycle * static_cast<double>(request.clock.value)),
                  .base = request.memory.base,
                  .size = request.memory.bytes};
  for (const unsigned semaphore : doorbells) setup.doorbells.emplace_back(Time::zero(), semaphore);
  return run_alone(setup, request.program->accelerators.front());
}

rtl::BenchSetup bench_setup(const CosimRequest& request, double bytes_per_cycle,
                            const std::vector<unsigned>& doorbells) {
  constexpr std::uint64_t kCsrBytes = 0x1'0000;
  rtl::BenchSetup setup{.core = request.core, .pauses = request.pauses, .doorbells = doorbells, .waves = request.waves};
  for_each_line<SystolicStats>([&](const auto&) { ++setup.stats; });
  setup.memory = {.latency = request.latency,
                  .bytes_per_cycle = bytes_per_cycle,
                  .port_bytes = request.core->params.port_bytes,
                  .base = request.memory.base,
                  .size = request.memory.bytes,
                  .csr_base = AloneSetup::kHostCsrBase,
                  .csr_size = kCsrBytes,
                  .is_hasty = request.is_hasty};
  return setup;
}

bool data_matches(const CosimRequest& request, const SparseMemory& memory, std::string& problem) {
  const Trace none;
  Program program;
  program.accelerators = request.program->accelerators;
  for (auto& stream : program.accelerators.front().stream) {
    if (stream.empty()) stream.push_back({.payload = Halt{}});
  }
  program.host = request.program->host.empty() ? std::vector<Command>{{.payload = Halt{}}} : request.program->host;
  ProgramLimits limits;
  limits.memories.push_back(request.memory);
  limits.accelerators.push_back({.name = "npu0",
                                 .scratchpad = request.params.scratchpad.capacity.value,
                                 .accumulator = request.params.accumulator.value});
  FunctionalMachine machine(none, program, limits);
  const AcceleratorStreams& streams = program.accelerators.front();
  initialize(request, streams, [&](std::uint64_t address, auto bytes) { machine.memory().write(address, bytes); });
  const FunctionalResult result = machine.run(request.seed);
  if (!result.finished) {
    problem = "the functional executor does not finish: " + result.report;
    return false;
  }
  bool is_equal = true;
  std::vector<std::byte> expected, given;
  for_each_row(streams, Engine::store, [&](std::uint64_t address, std::uint32_t bytes) {
    expected.resize(bytes);
    given.resize(bytes);
    machine.memory().read(address, expected);
    memory.read(address, given);
    is_equal = is_equal && expected == given;
  });
  return is_equal;
}

std::string why_unfinished(const AloneResult& model, const rtl::BenchResult& rtl) {
  if (model.fault) return fmt::format("the model stops: {}", model.fault->what);
  if (!model.has_finished) return fmt::format("the model is stuck: {}", fmt::join(model.waiting, "; "));
  if (rtl.error) {
    return fmt::format("the RTL stops with error {} at command {} of the {} stream",
                       static_cast<unsigned>(rtl.error->code), rtl.error->index,
                       name_of(static_cast<Engine>(rtl.error->stream)));
  }
  if (!rtl.finished) return fmt::format("the RTL has not finished after {} cycles", rtl.cycles);
  return {};
}

/// What the RTL calls memory, the model tells apart.
double model_cycles(const EngineReport& engine, std::string_view time, Frequency clock) {
  constexpr std::array<std::string_view, 4> kMemory{"dram", "sram", "noc", "dma"};
  Time sum = time == "busy" ? engine.busy : Time::zero();
  for (const auto& [reason, waited] : engine.waits) {
    const bool is_memory = std::find(kMemory.begin(), kMemory.end(), reason) != kMemory.end();
    if (reason == time || (time == "memory" && is_memory)) sum += waited;
  }
  return static_cast<double>(sum.value) * 1e-12 * static_cast<double>(clock.value);
}

std::vector<CosimCounter> counters_of(const CosimRequest& request, const AloneResult& model,
                                      const rtl::BenchCounters& rtl) {
  constexpr std::array<std::string_view, rtl::registers::kEngineTimes> kTimes{"busy",  "load",       "array", "vector",
                                                                              "store", "dependency", "host",  "memory"};
  std::vector<CosimCounter> counters;
  for (std::size_t s = 0; s < rtl.stats.size(); ++s) {
    const auto& [name, value] = model.report.stats.at(s);
    counters.push_back({.name = name, .model = value, .rtl = static_cast<double>(rtl.stats[s])});
  }
  for (std::size_t e = 0; e < kEngines; ++e) {
    const EngineReport& engine = model.engine(static_cast<Engine>(e));
    for (std::size_t t = 0; t < kTimes.size(); ++t) {
      counters.push_back({.name = engine.name + "." + std::string(kTimes[t]),
                          .model = model_cycles(engine, kTimes[t], request.clock),
                          .rtl = static_cast<double>(rtl.times[e][t])});
    }
  }
  return counters;
}

CompletionTimes times_of(const AloneResult& model) {
  CompletionTimes times;
  for (std::size_t e = 0; e < kEngines; ++e) {
    for (const Cycles when : model.completions[e]) times[e].push_back(when.value);
  }
  return times;
}

std::uint64_t last(const CompletionTimes& times) {
  std::uint64_t latest = 0;
  for (const auto& engine : times) {
    if (!engine.empty()) latest = std::max(latest, engine.back());
  }
  return latest;
}

}  // namespace

CosimResult cosim(const CosimRequest& request) {
  const double bytes_per_cycle =
      request.bytes_per_cycle > 0.0 ? request.bytes_per_cycle : static_cast<double>(request.core->params.port_bytes);
  const AcceleratorStreams& streams = request.program->accelerators.front();
  const std::vector<unsigned> doorbells = host_doorbells(*request.program);
  const AloneResult model = run_model(request, bytes_per_cycle, doorbells);
  rtl::Bench bench(bench_setup(request, bytes_per_cycle, doorbells), rtl::encode(streams));
  initialize(request, streams, [&](std::uint64_t address, auto bytes) { bench.memory().write(address, bytes); });
  const rtl::BenchResult rtl = bench.run();

  CosimResult result;
  const CompletionTimes model_times = times_of(model);
  result.model_cycles = last(model_times);
  result.rtl_cycles = last(rtl.completions);
  const auto of_model = command_times(streams, model_times), of_rtl = command_times(streams, rtl.completions);
  result.problem = why_unfinished(model, rtl);
  if (!result.problem.empty()) return result;
  ARCHSIM_ASSERT(of_model.size() == of_rtl.size(), "both have finished, and executed different commands");
  for (std::size_t i = 0; i < of_model.size(); ++i) result.commands.push_back({of_model[i], of_rtl[i]});
  result.counters = counters_of(request, model, rtl.counters);
  result.data_match = data_matches(request, bench.memory(), result.problem);
  return result;
}

}  // namespace archsim
