#include "models/accel/engine/dma_engine.h"

#include <fmt/format.h>

#include <algorithm>

namespace archsim {

DmaEngine::DmaEngine(Tile& tile, Engine engine)
    : StreamEngine(tile, engine),
      requester_(tile.memory),
      window_(tile.params.dma.outstanding, tile.grid.span(Cycles(1))),
      completed_(tile.params.dma.descriptors, Cycles::zero()),
      lanes_window_(tile.params.dma.outstanding, 2 * std::uint64_t{tile.params.dma.outstanding}),
      lanes_completed_(tile.params.dma.descriptors, Lanes(0.0)) {}

bool DmaEngine::execute(const Command& command) {
  const Dma& dma = std::get<Dma>(command.payload);
  plan_.plan(tile().shape.dma(), dma);
  const Time first_request = set_up(command);
  lanes_first_ = set_up_again();
  OperatorLog::Span span;
  span.start = first_request;
  for (const Piece& piece : plan_.pieces) {
    sleep_until(window_.next_request(first_request));
    translate(piece);
    if (!transfer(command, piece, span)) return false;
  }
  transfer_again();
  const Cycles end = std::max(tile().grid.edge_at(returned_), last_completion());
  const Time written = timeline().busy_until(time_of(end));
  span.busy += written;
  span.end = time_of(end);
  span.first = lanes_first_;
  span.last = later(lanes_returned_, lanes_last());
  if (!dma.local.in_accumulator()) tile().ports.use(engine(), tile().grid.edge_at(span.start), end, plan_.local_bytes);
  tile().context.log->command(command.tag, iteration(), {engine(), tile().context.accelerator}, span);
  {
    const EventScope scope(tile(), command.tag, iteration());
    count(dma);
  }
  completed_[descriptor_] = end;
  lanes_completed_[descriptor_] = span.last;
  descriptor_ = (descriptor_ + 1) % completed_.size();
  complete(end, span.last);
  return true;
}

void DmaEngine::sleep_until(Time time) {
  const Time now = archsim::time_of(sc_core::sc_time_stamp());
  if (time > now) sc_core::wait(sc_time_of(time - now));
}

void DmaEngine::translate(const Piece& piece) {
  const std::uint64_t before = tile().translation.walks();
  const Time known = tile().translation.translate(piece, archsim::time_of(sc_core::sc_time_stamp()));
  const std::uint64_t walks = tile().translation.walks() - before;
  if (walks == 0) return;
  tile().stats.walks += walks * weight();
  tile().events.page_walk += walks * weight();
  transfer_again();
  lanes_first_ = later(lanes_first_, lanes_window_.free()) + lanes_of(tile().params.smmu.walk * walks);
  sleep_until(known);
}

Time DmaEngine::set_up(const Command& command) {
  const Cycles begin = std::max({ready(), setup_free_, completed_[descriptor_]});
  const Time is_set_up = time_of(begin + tile().params.dma.setup);
  window_.fetch_from(is_set_up);
  const Time first_request = window_.next_request(is_set_up);
  setup_free_ = tile().grid.edge_at(first_request);
  stand_still_until(command, time_of(ready()));
  stand_still_until(command, first_request, WaitReason::dma);
  return first_request;
}

Lanes DmaEngine::set_up_again() {
  const Lanes begin = later(later(lanes_ready(), lanes_setup_free_), lanes_completed_[descriptor_]);
  const Lanes setup = lanes_of(tile().params.dma.setup);
  lanes_setup_free_ = later(begin + setup.with(Doubling::dma, setup[Doubling::dma] / 2), lanes_window_.free());
  return lanes_setup_free_;
}

void DmaEngine::gather(const Requester::Reply& reply, std::uint64_t bursts, std::uint64_t bytes, Time port_time) {
  if (gathered_.bursts == 0) {
    gathered_ = {.needs = reply.needs, .latency = reply.latency};
  } else {
    gathered_.needs.add(reply.needs);
  }
  gathered_.bytes += bytes;
  gathered_.bursts += bursts;
  gathered_.took += reply.served.done - reply.served.start;
  gathered_.port += port_time;
  if (gathered_.bytes >= kGathered) transfer_again();
}

void DmaEngine::transfer_again() {
  if (gathered_.bursts == 0) return;
  const Lanes sent = later(lanes_first_, lanes_window_.free());
  const LaneMemory::Request request{.needs = gathered_.needs,
                                    .is_write = engine() == Engine::store,
                                    .bursts = static_cast<double>(gathered_.bursts),
                                    .latency_ps = static_cast<double>(gathered_.latency.value),
                                    .took_ps = static_cast<double>(gathered_.took.value)};
  const auto port_ps = static_cast<double>(gathered_.port.value);
  lanes_returned_ = lanes_window_.transfer(sent, tile().what_if.memory.transfer(sent, request), request,
                                           Lanes(port_ps).with(Doubling::dma, port_ps / 2));
  gathered_.bursts = 0;
}

bool DmaEngine::transfer(const Command& command, const Piece& piece, OperatorLog::Span& span) {
  const auto burst_bytes = static_cast<std::uint32_t>(tile().params.dma.burst.value);
  const Requester::Reply reply = requester_.send(piece, engine() == Engine::store, burst_bytes);
  if (reply.is_error) return fault(FaultKind::bad_address, fmt::format("memory at {:#x} does not answer", piece.base));
  PieceBursts bursts(tile().shape.dma(), plan_, piece);
  std::uint64_t port_cycles = 0;
  const bool is_store = engine() == Engine::store;
  const auto next = [&] {
    const BurstBeats burst = bursts.next(is_store ? &beats_ : nullptr);
    port_cycles += burst.port;
    return BurstWindow::Burst{.bytes = burst.bytes, .port = time_of(Cycles(burst.port)), .beats = beats_};
  };
  const std::uint64_t count = bursts.count();
  returned_ = is_store ? window_.write(reply.served, count, next) : window_.read(reply.served, count, next);
  const Time port_time = time_of(Cycles(port_cycles));
  gather(reply, count, piece.bytes(), port_time);
  account(command, reply, returned_, port_time, span);
  if (is_in_dram(piece.base)) {
    // A cache may have had them, or have displaced others.
    const std::uint64_t bytes = region_->front ? reply.needs.dram_bytes : piece.bytes();
    span.dram_bytes += bytes;
    tile().stats.dram += Bytes(bytes * weight());
  }
  if (weight() > 1)
    tile().context.replayed->moved(tile().context.name, region_, is_store, piece.bytes() * (weight() - 1));
  return true;
}

void DmaEngine::account(const Command& command, const Requester::Reply& reply, Time returned, Time port_time,
                        OperatorLog::Span& span) {
  constexpr std::array reasons{WaitReason::dram, WaitReason::sram, WaitReason::noc, WaitReason::dma};
  static_assert(reasons.size() == kResources);
  auto weights = Timeline::no_waits();
  for (std::size_t i = 0; i < kResources; ++i) weights[static_cast<std::size_t>(reasons[i])] = reply.spent[i];
  // What the window and the port added to the memory system's time is the DMA's own.
  if (returned > reply.served.done) weights[static_cast<std::size_t>(WaitReason::dma)] += returned - reply.served.done;
  const auto split = timeline().split_until(returned, port_time, weights, static_cast<std::size_t>(WaitReason::dma));
  span.busy += split.busy;
  for (const WaitReason reason : reasons) {
    const Time waited = split.waits[static_cast<std::size_t>(reason)];
    if (waited > Time::zero()) tile().context.log->wait(command.tag, iteration(), engine(), reason, waited);
  }
}

bool DmaEngine::is_in_dram(std::uint64_t address) {
  if (region_ == nullptr || !region_->contains(address)) region_ = tile().context.map->at(address);
  return region_ != nullptr && region_->kind == RegionKind::dram;
}

void DmaEngine::count(const Dma& dma) {
  SystolicStats& stats = tile().stats;
  SystolicEvents& events = tile().events;
  const bool is_load = engine() == Engine::load;
  bytes_ += plan_.memory_bytes * weight();
  (is_load ? stats.load : stats.store) += Bytes(plan_.memory_bytes);
  events.dma_byte += plan_.memory_bytes;
  ++events.dma_descriptor;
  const bool in_accumulator = dma.local.in_accumulator();
  if (is_load) {
    (in_accumulator ? events.accumulator_written : events.scratchpad_written) += plan_.local_bytes;
  } else {
    (in_accumulator ? events.accumulator_read : events.scratchpad_read) += plan_.local_bytes;
  }
}

}  // namespace archsim
