#include "tests/rtl_clock/rtl_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "arch/machine/soc_spec.h"
#include "arch/mapping/map.h"
#include "models/accel/cosim/matmul_trace.h"
#include "models/accel/rtl/built.h"
#include "models/catalog.h"
#include "tests/source_dir.h"

namespace archsim {
namespace {

SocSpec small_soc() { return *read_soc(*read_source(ARCHSIM_SOURCE_DIR "/configs/soc/rtl_small.yaml"), {}, catalog()); }

CosimRequest request_on(const SocSpec& spec) {
  const BlockSpec& block = *spec.accelerators().front();
  const auto& given = block.params.get<SystolicParams>();
  CosimRequest request{.params = rtl_subset(given), .clock = block.clock, .core = *core_for(given, 1, {})};
  const MemoryCapabilities dram = machine_view(spec).dram;
  request.memory = {.name = dram.name, .base = dram.base, .bytes = dram.capacity.value};
  return request;
}

/// Commands that wait for all loads.
Command after_loads(const Payload& payload, std::uint32_t loads) {
  Command command{.payload = payload};
  command.wait_for[0] = kCounterStart + loads;
  return command;
}

}  // namespace

std::string ClockCase::name() const {
  return fmt::format("{}x{}x{} {} latency {}", m, n, k, name_of(dataflow), latency);
}

std::vector<ClockCase> clock_cases(std::size_t count, std::uint64_t seed, std::uint32_t largest) {
  std::mt19937_64 random(seed);
  const auto part = [&random] { return static_cast<double>(random() % 10000) / 10000.0; };
  const auto size = [&] {
    return static_cast<std::uint32_t>(std::floor(std::exp(part() * std::log(static_cast<double>(largest + 1)))));
  };
  std::vector<ClockCase> cases;
  for (std::size_t i = 0; i < count; ++i) {
    ClockCase one{.m = size(), .n = size(), .k = size()};
    one.latency = 10 + random() % 491;
    one.dataflow = i % 3 == 2 ? Dataflow::output_stationary : Dataflow::weight_stationary;
    one.seed = seed + i;
    cases.push_back(one);
  }
  return cases;
}

CosimResult run_product(const ClockCase& one) {
  const SocSpec spec = small_soc();
  CosimRequest request = request_on(spec);
  request.params.dataflows = {one.dataflow};
  MachineView machine = machine_view(spec);
  AcceleratorCapabilities can = rtl_capabilities(request.params, request.clock);
  can.name = machine.accelerators.front().name;
  machine.accelerators = {can};
  const Trace trace = matmul_trace(one.m, one.n, one.k);
  const auto program = map(trace, machine);
  ARCHSIM_ASSERT(program.has_value(), render(program.diagnostics()));
  request.program = &*program;
  request.latency = one.latency;
  request.seed = one.seed;
  return cosim(request);
}

CosimResult run_array(std::uint64_t seed, std::size_t matmuls) {
  const SocSpec spec = small_soc();
  CosimRequest request = request_on(spec);
  request.params.dataflows = {Dataflow::weight_stationary, Dataflow::output_stationary};
  return run_array(request, seed, matmuls);
}

CosimResult run_array(CosimRequest request, std::uint64_t seed, std::size_t matmuls) {
  std::mt19937_64 random(seed);
  const std::uint64_t operands = std::min<std::uint64_t>(request.params.scratchpad.capacity.value, 16 << 10);
  const auto size = [&random] { return static_cast<std::uint32_t>(1 + random() % (random() % 3 == 0 ? 60 : 20)); };
  Program program;
  program.accelerators.resize(1);
  auto& streams = program.accelerators.front().stream;
  const auto at = [&](std::uint64_t bytes, std::uint64_t alignment) {
    return random() % (operands / 4 * 3 - bytes) / alignment * alignment;
  };
  streams[0].push_back({.payload = WaitSemaphore{.semaphore = 1, .value = kCounterStart + 1}});
  streams[0].push_back(
      {.payload = Dma{.memory_address = request.memory.base, .row_bytes = static_cast<std::uint32_t>(operands)}});
  for (std::size_t i = 0; i < matmuls; ++i) {
    Matmul matmul{.m = size(), .k = size(), .n = size()};
    while (std::uint64_t{4} * matmul.m * matmul.n > request.params.accumulator.value) matmul.n /= 2;
    matmul.transpose_w = random() % 3 == 0;
    matmul.accumulate = random() % 2 == 0;
    matmul.dataflow = random() % 2 == 0 ? Dataflow::weight_stationary : Dataflow::output_stationary;
    matmul.a_pitch = matmul.k;
    matmul.w_pitch = matmul.transpose_w ? matmul.k : matmul.n;
    matmul.out_pitch = 4 * matmul.n;
    matmul.a = LocalAddress::scratchpad(at(std::uint64_t{matmul.m} * matmul.k, 1));
    matmul.w = LocalAddress::scratchpad(at(std::uint64_t{matmul.k} * matmul.n, 1));
    matmul.out = LocalAddress::accumulator(0);
    streams[1].push_back(after_loads(matmul, 1));
  }
  for (auto& stream : streams) stream.push_back({.payload = Halt{}});
  program.host.push_back({.payload = Signal{.semaphore = 1, .first = 0, .count = 1}});
  program.host.push_back({.payload = Halt{}});
  request.program = &program;
  request.seed = seed;
  return cosim(request);
}

ClockVerdict verdict(const CosimResult& result) {
  constexpr double kCommandError = 0.01;
  constexpr std::uint64_t kCommandCycles = 2;
  ClockVerdict verdict{.program_error = std::abs(result.error()), .commands = result.commands.size()};
  for (const CosimCommand& command : result.commands) {
    const std::uint64_t model = command.model.cycles, rtl = command.rtl.cycles;
    const std::uint64_t apart = std::max(model, rtl) - std::min(model, rtl);
    verdict.farthest = std::max(verdict.farthest, apart);
    if (apart > 0 && command.model.engine == Engine::array) verdict.inexact_array.push_back(command);
    if (apart > kCommandCycles && static_cast<double>(apart) > kCommandError * static_cast<double>(rtl))
      verdict.far.push_back(command);
  }
  return verdict;
}

std::string text_of(const CosimCommand& command) {
  const CommandTime& model = command.model;
  return fmt::format("{} command {} ({}): model {}, RTL {} cycles", name_of(model.engine), model.position, model.opcode,
                     model.cycles, command.rtl.cycles);
}

}  // namespace archsim
