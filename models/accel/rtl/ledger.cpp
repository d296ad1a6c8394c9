#include "models/accel/rtl/ledger.h"

#include <algorithm>

namespace archsim {
namespace {

std::vector<std::string_view> wait_names() {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kWaitReasons; ++i) names.push_back(name_of(static_cast<WaitReason>(i)));
  return names;
}

}  // namespace

Ledger::Ledger(const SystolicParams& params, const BuildContext& context)
    : context_(&context), shape_(params), grid_(context.clock), semaphores_(context.semaphores.size()) {
  for (const auto& stream : context.program->accelerators.at(context.accelerator).stream) {
    streams_.push_back({.sequencer = Sequencer(stream), .timeline = Timeline(wait_names())});
  }
}

void Ledger::wait_for(Stream& stream, const std::vector<std::uint64_t>& times, std::uint32_t value, WaitReason reason) {
  if (value <= kCounterStart || times.empty()) return;
  const std::uint64_t when = times[std::min<std::size_t>(value - kCounterStart, times.size()) - 1];
  if (when <= stream.ready) return;
  stream.ready = when;
  stream.reason = reason;
}

void Ledger::skip_to_work(Stream& stream) {
  constexpr std::array reasons{WaitReason::load, WaitReason::array, WaitReason::vector, WaitReason::store};
  for (; !stream.sequencer.halted(); stream.sequencer.advance()) {
    const Command command = stream.sequencer.resolved();
    for (std::size_t e = 0; e < kEngines; ++e) wait_for(stream, streams_[e].times, command.wait_for[e], reasons[e]);
    if (const auto* wait = std::get_if<WaitSemaphore>(&command.payload)) {
      const bool is_host = wait->semaphore == context_->accelerators;
      wait_for(stream, semaphores_.at(wait->semaphore), wait->value,
               is_host ? WaitReason::host : WaitReason::dependency);
    }
    if (const auto* signal = std::get_if<Signal>(&command.payload)) raise_own(stream, *signal);
    if (command.is_work()) return;
  }
}

void Ledger::raise_own(const Stream& stream, const Signal& signal) {
  const unsigned self = context_->accelerator;
  if (self < signal.first || self >= unsigned{signal.first} + signal.count) return;
  raised(signal.semaphore, std::max(stream.ready, stream.times.empty() ? 0 : stream.times.back()));
}

bool Ledger::is_blocked() const {
  return std::all_of(streams_.begin(), streams_.end(), [this](const Stream& stream) { return is_blocked(stream); });
}

bool Ledger::is_blocked(const Stream& stream) const {
  const auto is_short = [](const std::vector<std::uint64_t>& times, std::uint32_t value) {
    return value > kCounterStart && value - kCounterStart > times.size();
  };
  for (Sequencer next = stream.sequencer; !next.halted(); next.advance()) {
    const Command command = next.resolved();
    for (std::size_t e = 0; e < kEngines; ++e) {
      if (is_short(streams_[e].times, command.wait_for[e])) return true;
    }
    const auto* wait = std::get_if<WaitSemaphore>(&command.payload);
    // What it signals to itself is not known before it has gone on.
    if (wait != nullptr && wait->semaphore == context_->accelerator) return false;
    if (wait != nullptr && is_short(semaphores_.at(wait->semaphore), wait->value)) return true;
    if (command.is_work()) return false;
  }
  return true;
}

void Ledger::complete(Engine engine, std::uint64_t edge) {
  Stream& stream = streams_[static_cast<std::size_t>(engine)];
  skip_to_work(stream);
  const Command command = stream.sequencer.resolved();
  const std::uint64_t instance = stream.sequencer.instance();
  const std::uint64_t before = stream.times.empty() ? 0 : stream.times.back();
  const std::uint64_t begin = std::min(edge, std::max(stream.ready, before));
  const Time waited = stream.timeline.wait_until(grid_.time_of(Cycles(begin)), static_cast<std::size_t>(stream.reason));
  if (waited > Time::zero()) context_->log->wait(command.tag, instance, engine, stream.reason, waited);
  const Time busy = stream.timeline.busy_until(grid_.time_of(Cycles(edge)));
  const Time from = grid_.time_of(Cycles(begin)), to = grid_.time_of(Cycles(edge));
  // What doubled resources would do to it, the RTL does not say: nothing, as far as the labels know.
  OperatorLog::Span span{.start = from, .end = to, .busy = busy, .first = Lanes(from), .last = Lanes(to)};
  ++stats_.commands;
  ++events_.command;
  if (const auto* matmul = std::get_if<Matmul>(&command.payload)) count_matmul(*matmul, edge - begin);
  if (const auto* dma = std::get_if<Dma>(&command.payload)) span.dram_bytes = count_dma(engine, *dma);
  if (engine == Engine::array) {
    const Time turned = grid_.time_of(Cycles(before));
    context_->log->turned_to(command.tag, instance, {turned, Lanes(turned)});
  }
  context_->log->command(command.tag, instance, {engine, context_->accelerator}, span);
  stream.times.push_back(edge);
  stream.sequencer.advance();
}

void Ledger::raised(std::size_t semaphore, std::uint64_t edge) {
  if (semaphore < semaphores_.size()) semaphores_[semaphore].push_back(edge);
}

void Ledger::end(std::uint64_t edge) {
  for (Stream& stream : streams_) {
    skip_to_work(stream);
    const std::uint64_t until = std::min(stream.ready, edge);
    stream.timeline.wait_until(grid_.time_of(Cycles(until)), static_cast<std::size_t>(stream.reason));
  }
}

void Ledger::count_matmul(const Matmul& matmul, std::uint64_t busy_cycles) {
  constexpr std::uint64_t kResultBytes = 4;
  const std::uint64_t macs = std::uint64_t{matmul.m} * matmul.k * matmul.n;
  const auto results = shape_.results(matmul);
  stats_.macs += macs;
  stats_.mac_slots += static_cast<std::uint64_t>(static_cast<double>(busy_cycles) * shape_.peak_macs(matmul));
  events_.mac_int8 += macs;
  events_.scratchpad_read += shape_.folds(matmul).operand_bytes;
  events_.accumulator_written += results.written * kResultBytes;
  events_.accumulator_read += results.read * kResultBytes;
}

std::uint64_t Ledger::count_dma(Engine engine, const Dma& dma) {
  DmaPlan plan;
  plan.plan(shape_.dma(), dma);
  const bool is_load = engine == Engine::load, in_accumulator = dma.local.in_accumulator();
  (is_load ? stats_.load : stats_.store) += Bytes(plan.memory_bytes);
  events_.dma_byte += plan.memory_bytes;
  ++events_.dma_descriptor;
  if (is_load) {
    (in_accumulator ? events_.accumulator_written : events_.scratchpad_written) += plan.local_bytes;
  } else {
    (in_accumulator ? events_.accumulator_read : events_.scratchpad_read) += plan.local_bytes;
  }
  const Region* region = context_->map->at(dma.memory_address);
  if (region == nullptr || region->kind != RegionKind::dram) return 0;
  stats_.dram += Bytes(plan.memory_bytes);
  return plan.memory_bytes;
}

std::array<std::uint64_t, kEngines> Ledger::completed() const {
  std::array<std::uint64_t, kEngines> counts{};
  for (std::size_t e = 0; e < kEngines; ++e) counts[e] = streams_[e].times.size();
  return counts;
}

std::uint64_t Ledger::completions() const {
  std::uint64_t sum = 0;
  for (const Stream& stream : streams_) sum += stream.times.size();
  return sum;
}

std::vector<EngineReport> Ledger::engines(Time elapsed) const {
  std::vector<EngineReport> reports;
  for (std::size_t e = 0; e < kEngines; ++e) {
    reports.push_back(streams_[e].timeline.report(std::string(name_of(static_cast<Engine>(e))), elapsed));
  }
  return reports;
}

}  // namespace archsim
