#include "models/accel/bench/alone.h"

#include <algorithm>

#include "arch/block/operator_log.h"
#include "arch/describe/diagnostic.h"
#include "models/accel/bench/surroundings.h"
#include "models/stream/command_window.h"

namespace archsim {
namespace {

MemoryMap map_of(const IdealMemoryParams& memory) {
  constexpr std::uint64_t kCsrBytes = 0x1'0000;
  return {{{.block = "npu0", .kind = RegionKind::csr, .base = AloneSetup::kCsrBase, .size = kCsrBytes},
           {.block = "cpu", .kind = RegionKind::csr, .base = AloneSetup::kHostCsrBase, .size = kCsrBytes},
           {.block = "dram", .kind = RegionKind::dram, .base = memory.base, .size = memory.size}}};
}

/// Doorbells, and the words of all pushes in order.
std::vector<RegisterWrite> writes_of(const AloneSetup& setup) {
  std::vector<RegisterWrite> writes;
  for (const auto& [at, semaphore] : setup.doorbells) {
    writes.push_back({.at = at, .address = AloneSetup::kCsrBase + kSemaphoreBytes * semaphore, .value = 1});
  }
  Time at = Time::zero();
  for (const HostPush& push : setup.pushes) {
    const auto number = static_cast<std::uint64_t>(push.engine);
    for (std::uint64_t word = 0; word < CommandWindow::kWords; ++word) {
      const std::uint64_t offset = (number * CommandWindow::kWords + word) * CommandWindow::kWordBytes;
      const std::uint64_t pair = push.command[word / 2];
      at += setup.push_interval;
      writes.push_back({.at = at,
                        .address = AloneSetup::kCsrBase + CommandWindow::kOffset + offset,
                        .value = static_cast<std::uint32_t>(word % 2 == 0 ? pair : pair >> 32)});
    }
  }
  return writes;
}

}  // namespace

AloneResult run_alone(const AloneSetup& setup, AcceleratorStreams streams) {
  for (auto& stream : streams.stream) {
    if (stream.empty()) stream.push_back({.payload = Halt{}});
  }
  Program program;
  program.accelerators.push_back(std::move(streams));
  const MemoryMap map = map_of(setup.memory);
  FirstFault faults;
  OperatorLog log;
  const BuildContext context{.name = "npu0",
                             .clock = setup.clock,
                             .faults = &faults,
                             .log = &log,
                             .map = &map,
                             .program = &program,
                             .accelerator = 0,
                             .accelerators = 1,
                             .semaphores = {"npu0", "cpu"},
                             .fed_by_host = setup.fed_by_host};
  Systolic accelerator("npu0", setup.params, context);
  IdealMemory memory("memory", setup.memory, AloneSetup::kHostCsrBase, map.regions[1].size);
  RegisterWriter writer("writer", writes_of(setup));
  accelerator.initiator_ports().at(0)->bind(*memory.socket());
  writer.port.socket()->bind(*accelerator.target_ports().at(0));
  sc_core::sc_start();

  AloneResult result;
  result.time = time_of(sc_core::sc_time_stamp());
  result.has_finished = accelerator.finished();
  result.report = accelerator.report(result.time);
  result.operators = log.take();
  for (std::size_t i = 0; i < kEngines; ++i) result.completions[i] = accelerator.completions(static_cast<Engine>(i));
  result.fault = faults.first;
  result.waiting = accelerator.waiting();
  for (const auto& [address, when] : memory.doorbells()) {
    if (address == AloneSetup::kHostCsrBase) result.host_doorbells.push_back(when);
  }
  result.requested = accelerator.requested();
  result.transactions = memory.transactions();
  return result;
}

Cycles AloneResult::last(Engine engine) const {
  const auto& times = completions[static_cast<std::size_t>(engine)];
  return times.empty() ? Cycles::zero() : times.back();
}

double AloneResult::stat(std::string_view key) const {
  const auto found =
      std::find_if(report.stats.begin(), report.stats.end(), [&](const auto& s) { return s.first == key; });
  ARCHSIM_ASSERT(found != report.stats.end(), key);
  return found->second;
}

std::uint64_t AloneResult::event(std::string_view name) const {
  const auto found =
      std::find_if(report.events.begin(), report.events.end(), [&](const auto& e) { return e.first == name; });
  ARCHSIM_ASSERT(found != report.events.end(), name);
  return found->second;
}

}  // namespace archsim
