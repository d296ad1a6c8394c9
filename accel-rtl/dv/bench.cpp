#include "accel-rtl/dv/bench.h"

#include <algorithm>
#include <utility>

#include "arch/describe/diagnostic.h"

namespace archsim::rtl {
namespace {

AxiMemoryParams with(AxiMemoryParams memory, const PauseParams& pauses) {
  memory.pauses = pauses;
  return memory;
}

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

}  // namespace

Bench::Bench(const BenchSetup& setup, EncodedStreams streams)
    : setup_(setup),
      core_(setup.core->make()),
      memory_(with(setup.memory, setup.pauses)),
      program_(std::move(streams), setup.fetch_latency, setup.pauses),
      host_(setup.pauses) {
  constexpr int kResetCycles = 4;
  for (int i = 0; i < kResetCycles; ++i) {
    core_->settle(CoreInputs{.reset = true});
    core_->clock();
  }
}

void Bench::step() {
  memory_.drive(in_);
  program_.drive(in_);
  host_.drive(in_);
  const CoreOutputs& out = core_->settle(in_);
  irq_ = out.irq;
  const std::uint64_t now = core_->cycle();
  for (std::size_t e = 0; e < kEngines; ++e) {
    // The counter shows it behind the edge that ends this cycle.
    if (out.complete[e]) completions_[e].push_back(now + 1);
  }
  memory_.clock(in_, out);
  program_.clock(in_, out);
  host_.clock(in_, out);
  core_->clock();
}

void Bench::write_register(std::uint32_t address, std::uint32_t value) {
  host_.write(address, value);
  while (!host_.is_idle()) step();
  ARCHSIM_ASSERT(host_.take_answer()->response == Response::okay, "a register that cannot be written");
}

std::uint32_t Bench::read_register(std::uint32_t address) {
  host_.read(address);
  while (!host_.is_idle()) step();
  const auto answer = host_.take_answer();
  ARCHSIM_ASSERT(answer->response == Response::okay, "a register that cannot be read");
  return answer->data;
}

void Bench::configure() {
  using namespace registers;
  const AxiMemoryParams& memory = setup_.memory;
  write_register(kRegion, low(memory.base));
  write_register(kRegion + 4, high(memory.base) | kRegionIsDram);
  const std::uint64_t end = memory.base + (setup_.declared_bytes == 0 ? memory.size : setup_.declared_bytes);
  write_register(kRegion + 8, low(end));
  write_register(kRegion + 12, high(end));
  // Bank 0 is the core's own; every other one is the host's.
  write_register(kSelfIndex, 0);
  for (std::uint32_t bank = 1; bank < setup_.core->params.semaphores; ++bank) {
    write_register(kPeerBase + 8 * bank, low(memory.csr_base));
    write_register(kPeerBase + 8 * bank + 4, high(memory.csr_base));
  }
  write_register(kInterruptEnable, kFinishedInterrupt | kErrorInterrupt);
}

/// What the host rings, it rings once the streams have fetched what they can. Behind the last doorbell cycle 0 begins.
void Bench::start() {
  using namespace registers;
  write_register(kControl, kStart);
  constexpr int kFetched = 100;
  for (int i = 0; i < kFetched && !setup_.doorbells.empty(); ++i) step();
  if (!setup_.doorbells.empty()) note_waits();
  for (const unsigned semaphore : setup_.doorbells) write_register(kSemaphore + 4 * semaphore, 1);
  // The doorbell shows in the cycle behind the answer to its write: the commands that wait for it issue.
  start_ = core_->cycle();
}

/// Up to the doorbell every engine stands still, so one of its times counts every cycle, or none does.
void Bench::note_waits() {
  for (std::uint32_t e = 0; e < kEngines; ++e) {
    for (std::uint32_t t = 0; t < registers::kEngineTimes; ++t) {
      const std::uint32_t address = registers::kEngineTime + 64 * e + 8 * t;
      const std::uint64_t before = read_counter(address);
      Noted& noted = noted_[e][t];
      noted.at = core_->cycle();
      noted.value = read_counter(address);
      noted.counts = noted.value != before;
    }
  }
}

std::uint64_t Bench::read_counter(std::uint32_t address) {
  const std::uint64_t low_word = read_register(address);
  return low_word | std::uint64_t{read_register(address + 4)} << 32;
}

void Bench::read_counters(BenchCounters& counters) {
  using namespace registers;
  for (std::uint32_t s = 0; s < setup_.stats; ++s) counters.stats.push_back(read_counter(kStat + 8 * s));
  for (std::uint32_t e = 0; e < kEngines; ++e) {
    for (std::uint32_t t = 0; t < kEngineTimes; ++t) {
      const Noted& noted = noted_[e][t];
      const std::uint64_t at_start = noted.value + (noted.counts ? start_ - noted.at : 0);
      counters.times[e][t] = read_counter(kEngineTime + 64 * e + 8 * t) - at_start;
    }
  }
}

BenchResult Bench::run() {
  using namespace registers;
  configure();
  start();
  if (!setup_.waves.path.empty()) {
    core_->trace(setup_.waves.path, start_ + setup_.waves.first,
                 setup_.waves.last > UINT64_MAX - start_ ? UINT64_MAX : start_ + setup_.waves.last);
  }
  while (!irq_ && core_->cycle() < start_ + setup_.limit) step();
  BenchResult result;
  finish(result);
  return result;
}

void Bench::finish(BenchResult& result) {
  using namespace registers;
  result.interrupted = irq_;
  result.cycles = core_->cycle() - start_;
  for (std::size_t e = 0; e < kEngines; ++e) {
    for (const std::uint64_t when : completions_[e]) result.completions[e].push_back(when - std::min(when, start_));
  }
  for (AxiMemory::Doorbell doorbell : memory_.doorbells()) {
    doorbell.cycle -= std::min(doorbell.cycle, start_);
    result.doorbells.push_back(doorbell);
  }
  const std::uint32_t status = read_register(kStatus);
  result.finished = (status & kFinished) != 0;
  for (std::uint32_t e = 0; e < kEngines; ++e) result.progress[e] = read_register(kProgress + 4 * e);
  read_counters(result.counters);
  if ((status & kFailed) == 0) return;
  const std::uint32_t error = read_register(kError);
  constexpr std::uint32_t kCode = 0xFF, kStream = 3;
  result.error = BenchError{.code = static_cast<ErrorCode>(error & kCode),
                            .stream = (error >> 8) & kStream,
                            .index = read_register(kErrorIndex)};
}

}  // namespace archsim::rtl
