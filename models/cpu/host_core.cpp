#include "models/cpu/host_core.h"

#include <fmt/format.h>

#include <algorithm>

#include "arch/block/guarded.h"
#include "arch/block/replayed.h"
#include "arch/block/work_end.h"
#include "models/cpu/price.h"

namespace archsim {
namespace {

Time now() { return time_of(sc_core::sc_time_stamp()); }

Lanes launching(Time cost) { return Lanes(cost).with(Doubling::launch, static_cast<double>(cost.value) / 2); }

}  // namespace

HostCore::HostCore(const ClusterParams& params, const BuildContext& context)
    : params_(params),
      context_(context),
      grid_(context.clock),
      csr_(csr_bases(context)),
      memory_("memory"),
      semaphores_("semaphores", grid_, csr_.size(), {csr_.size() - 1, csr_.back()}, context.what_if),
      requester_(memory_),
      window_(params.memory.outstanding, grid_.span(Cycles(1))),
      sequencer_(context.program->host),
      timeline_({"launch", "interrupt", "accelerator", "dram", "sram", "noc", "dma"}),
      alone_(context.what_if == nullptr ? std::make_unique<WhatIf>() : nullptr),
      what_if_(context.what_if == nullptr ? *alone_ : *context.what_if),
      lanes_window_(params.memory.outstanding, params.memory.outstanding) {
  sc_core::sc_spawn([this] { run_guarded(context_, [this] { run(); }); }, "host");
}

void HostCore::run() {
  while (!sequencer_.halted()) {
    if (!step_for_all(sequencer_.resolved())) return;
    sequencer_.advance();
  }
  what_if_.halt(lanes_now_);
  has_halted_ = true;
  if (context_.work != nullptr) context_.work->tell();
}

/// Of a sampled run: with all that the command stands for.
bool HostCore::step_for_all(const Command& command) {
  if (context_.replayed == nullptr) return step(command);
  const auto* operation = std::get_if<HostOperation>(&command.payload);
  const std::uint32_t op = operation == nullptr || operation->index >= context_.program->host_operations.size()
                               ? command.tag
                               : context_.program->host_operations[operation->index].operator_index;
  weight_ = context_.replayed->weight(op, sequencer_.instance());
  timeline_.set_weight(weight_);
  const ClusterStats stats = stats_;
  const ClusterEvents events = events_;
  if (!step(command)) return false;
  count_again(stats_, stats, weight_ - 1);
  count_again(events_, events, weight_ - 1);
  return true;
}

bool HostCore::step(const Command& command) {
  if (std::any_of(command.wait_for.begin(), command.wait_for.end(), [](std::uint32_t count) { return count != 0; })) {
    return fault(FaultKind::illegal_command, "the host has no engines to wait for");
  }
  if (const auto* wait = std::get_if<WaitSemaphore>(&command.payload)) return await(command, *wait);
  if (const auto* doorbells = std::get_if<Signal>(&command.payload)) return signal(command, *doorbells);
  const auto* operation = std::get_if<HostOperation>(&command.payload);
  if (operation == nullptr || operation->index >= context_.program->host_operations.size()) {
    return fault(FaultKind::illegal_command, fmt::format("{} on the host's stream", opcode_name(command)));
  }
  return operate(context_.program->host_operations[operation->index]);
}

bool HostCore::await(const Command& command, const WaitSemaphore& wait) {
  if (wait.semaphore >= semaphores_.size()) {
    return fault(FaultKind::illegal_command, fmt::format("there is no semaphore {}", wait.semaphore));
  }
  TimedCounter& counter = semaphores_[wait.semaphore];
  if (!counter.has_published(wait.value)) {
    blocked_ = &wait;
    counter.notify_at(wait.value, published_);
    while (!counter.has_published(wait.value)) sc_core::wait(published_);
    blocked_ = nullptr;
  }
  const Time reached = grid_.time_of(counter.time_of(wait.value));
  const bool has_slept = reached > timeline_.until();
  wait_until(reached, Wait::accelerator);
  lanes_now_ = later(lanes_now_, counter.lanes_of(wait.value));
  if (has_slept && wait.semaphore < context_.accelerators) {
    ++stats_.interrupts;
    const OperatorLog::Moment before{now(), lanes_now_};
    wait_until(before.time + params_.interrupt, Wait::interrupt);
    lanes_now_ += launching(params_.interrupt);
    context_.log->host(command.tag, sequencer_.instance(),
                       {.start = before.time, .end = now(), .first = before.lanes, .last = lanes_now_},
                       params_.interrupt);
  }
  return true;
}

bool HostCore::signal(const Command& command, const Signal& signal) {
  if (signal.semaphore >= semaphores_.size() || signal.first + signal.count > context_.accelerators) {
    return fault(FaultKind::illegal_command, "a signal to a block that does not exist");
  }
  if (signal.count > 0) {
    ++stats_.launches;
    const Time start = now();
    const Lanes first = lanes_now_;
    wait_until(start + params_.launch, Wait::launch);
    lanes_now_ += launching(params_.launch);
    context_.log->host(command.tag, sequencer_.instance(),
                       {.start = start, .end = now(), .first = first, .last = lanes_now_}, params_.launch);
  }
  for (unsigned i = 0; i < signal.count; ++i) {
    what_if_.ring(signal.first + i, signal.semaphore, now(), lanes_now_);
    const std::uint64_t address = csr_[signal.first + i] + kSemaphoreBytes * signal.semaphore;
    if (!requester_.ring(address)) {
      return fault(FaultKind::bad_address, fmt::format("a doorbell at {:#x}: nobody answers", address));
    }
  }
  if (signal.to_host) semaphores_[signal.semaphore].advance(grid_.edge_at(now()), lanes_now_);
  return true;
}

bool HostCore::operate(const HostWork& work) {
  const OperatorType type = context_.trace->operators.at(work.operator_index).type;
  const auto computing = host_time(params_, context_.clock, type, work.elements);
  if (!computing) return fault(FaultKind::illegal_command, fmt::format("the host cannot run {}", name_of(type)));
  OperatorLog::Span span;
  span.start = now();
  span.first = lanes_now_;
  for (const HostTransfer& read : work.transfers) {
    if (read.write) continue;
    maintain(read, span);
    if (!transfer(read, span)) return false;
  }
  sleep_until(now() + *computing);
  span.busy += timeline_.busy_until(now());
  lanes_now_ += computing_again(work, *computing);
  for (const HostTransfer& write : work.transfers) {
    if (!write.write) continue;
    maintain(write, span);
    if (!transfer(write, span)) return false;
  }
  span.end = now();
  span.last = lanes_now_;
  context_.log->host(work.operator_index, sequencer_.instance(), span, Time::zero());
  ++stats_.operations;
  stats_.elements += work.elements;
  events_.core_cycle += params_.cores * grid_.edge_at(*computing).value;
  return true;
}

void HostCore::maintain(const HostTransfer& transfer, OperatorLog::Span& span) {
  if (!transfer.is_shared || params_.maintenance_cycles == 0.0) return;
  const Time taken = maintenance_time(params_, context_.clock, transfer.bytes);
  sleep_until(now() + taken);
  span.busy += timeline_.busy_until(now());
  lanes_now_ += Lanes(taken).with(Doubling::cpu, static_cast<double>(taken.value) / 2);
  stats_.maintained += ceil_div(transfer.bytes, params_.memory.line.value);
  events_.core_cycle += grid_.edge_at(taken).value;
}

bool HostCore::transfer(const HostTransfer& transfer, OperatorLog::Span& span) {
  const std::uint64_t line = params_.memory.line.value;
  const auto base = transfer.address + static_cast<std::uint64_t>(sequencer_.register_value(transfer.address_register));
  Time returned = now();
  for (std::uint64_t done = 0; done < transfer.bytes; done += kLargestPiece) {
    const Piece piece{.base = base + done, .row_bytes = std::min(kLargestPiece, transfer.bytes - done)};
    sleep_until(window_.next_request(now()));
    const auto reply = requester_.send(piece, transfer.write, static_cast<std::uint32_t>(line));
    if (reply.is_error)
      return fault(FaultKind::bad_address, fmt::format("memory at {:#x} does not answer", piece.base));
    const Time each = grid_.span(Cycles(1));
    const std::uint64_t lines = ceil_div(piece.row_bytes, line);
    std::uint64_t left = piece.row_bytes;
    returned = window_.read(reply.served, lines, [&] {
      const std::uint64_t bytes = std::min(left, line);
      left -= bytes;
      return BurstWindow::Burst{.bytes = bytes, .port = each};
    });
    transfer_again(reply, lines, transfer.write);
    account(reply, returned);
    const Region* region = context_.map->at(piece.base);
    if (weight_ > 1) {
      context_.replayed->moved(context_.name, region, transfer.write, piece.row_bytes * (weight_ - 1));
    }
    if (region != nullptr && region->kind == RegionKind::dram) {
      span.dram_bytes += region->front ? reply.needs.dram_bytes : piece.row_bytes;
    }
  }
  sleep_until(returned);
  lanes_now_ = later(lanes_now_, lanes_returned_);
  (transfer.write ? stats_.written : stats_.read) += Bytes(transfer.bytes);
  events_.line_moved += ceil_div(transfer.bytes, line);
  return true;
}

void HostCore::account(const Requester::Reply& reply, Time returned) {
  constexpr std::array reasons{Wait::dram, Wait::sram, Wait::noc, Wait::dma};
  auto weights = Timeline::no_waits();
  for (std::size_t i = 0; i < kResources; ++i) weights[static_cast<std::size_t>(reasons[i])] = reply.spent[i];
  if (returned > reply.served.done) weights[static_cast<std::size_t>(Wait::dma)] += returned - reply.served.done;
  timeline_.split_until(returned, Time::zero(), weights, static_cast<std::size_t>(Wait::dma));
}

void HostCore::transfer_again(const Requester::Reply& reply, std::uint64_t bursts, bool is_write) {
  lanes_now_ = later(lanes_now_, lanes_window_.free());
  const LaneMemory::Request request{.needs = reply.needs,
                                    .is_write = is_write,
                                    .bursts = static_cast<double>(bursts),
                                    .latency_ps = static_cast<double>(reply.latency.value),
                                    .took_ps = static_cast<double>((reply.served.done - reply.served.start).value)};
  const double port_ps = request.bursts * static_cast<double>(grid_.span(Cycles(1)).value);
  lanes_returned_ = lanes_window_.transfer(lanes_now_, what_if_.memory.transfer(lanes_now_, request), request,
                                           Lanes(port_ps).with(Doubling::cpu, port_ps / 2));
}

Lanes HostCore::computing_again(const HostWork& work, Time computing) const {
  ClusterParams quick = params_;
  quick.fork_join = quick.fork_join / 2;
  const OperatorType type = context_.trace->operators.at(work.operator_index).type;
  const auto faster = host_time(params_, Frequency(context_.clock.value * 2), type, work.elements);
  const auto launched = host_time(quick, context_.clock, type, work.elements);
  return Lanes(computing)
      .with(Doubling::cpu, static_cast<double>(faster->value))
      .with(Doubling::launch, static_cast<double>(launched->value));
}

bool HostCore::fault(FaultKind kind, const std::string& what) {
  context_.faults->fault(kind, context_.name, fmt::format("host command {}: {}", sequencer_.position(), what));
  return false;
}

std::string HostCore::waiting() const {
  if (blocked_ == nullptr) return {};
  const std::uint32_t is_at = semaphores_[blocked_->semaphore].value() - kCounterStart;
  return fmt::format("host waits for {}'s operator {}, which is at {}", context_.semaphores[blocked_->semaphore],
                     blocked_->value - kCounterStart, is_at);
}

void HostCore::sleep_until(Time when) {
  busy_until_ = when;
  if (when > now()) sc_core::wait(sc_time_of(when - now()));
}

void HostCore::wait_until(Time when, Wait reason) {
  sleep_until(when);
  timeline_.wait_until(when, static_cast<std::size_t>(reason));
}

}  // namespace archsim
