#include "models/accel/engine/dma_engine.h"

#include <fmt/format.h>

#include <algorithm>

namespace archsim {

DmaEngine::DmaEngine(Tile& tile, Engine engine)
    : StreamEngine(tile, engine),
      requester_(tile.memory),
      window_(tile.params.dma.outstanding, tile.grid.span(Cycles(1))),
      completed_(tile.params.dma.descriptors, Cycles::zero()) {}

bool DmaEngine::execute(const Command& command) {
  const Dma& dma = std::get<Dma>(command.payload);
  plan_.plan(tile().shape.dma(), dma);
  const Time first_request = set_up(command);
  OperatorLog::Span span;
  span.start = first_request;
  for (const Piece& piece : plan_.pieces) {
    const Time start = window_.next_request(first_request);
    const Time now = archsim::time_of(sc_core::sc_time_stamp());
    if (start > now) sc_core::wait(sc_time_of(start - now));
    if (!transfer(command, piece, span)) return false;
  }
  const Cycles end = std::max(tile().grid.edge_at(returned_) + Cycles(plan_.repeat_beats), last_completion());
  const Time written = timeline().busy_until(time_of(end));
  span.busy += written;
  span.end = time_of(end);
  if (!dma.local.in_accumulator()) tile().ports.use(engine(), tile().grid.edge_at(span.start), end, plan_.local_bytes);
  tile().context.log->command(command.tag, iteration(), engine(), span);
  count(dma);
  completed_[descriptor_] = end;
  descriptor_ = (descriptor_ + 1) % completed_.size();
  complete(end);
  return true;
}

Time DmaEngine::set_up(const Command& command) {
  const Cycles begin = std::max({ready(), setup_free_, completed_[descriptor_]});
  const Time first_request = window_.next_request(time_of(begin + tile().params.dma.setup));
  setup_free_ = tile().grid.edge_at(first_request);
  stand_still_until(command, time_of(ready()));
  stand_still_until(command, first_request, WaitReason::dma);
  return first_request;
}

BurstWindow::RowBursts DmaEngine::row_bursts(const Piece& piece, Convert convert) const {
  const RowBeats row = row_beats(tile().shape.dma(), piece.row_bytes, convert);
  return {.whole = row.whole_bursts,
          .whole_time = time_of(Cycles(row.whole_beats)),
          .rest = row.rest_bytes == 0 ? 0U : 1U,
          .rest_time = time_of(Cycles(row.rest_beats))};
}

bool DmaEngine::transfer(const Command& command, const Piece& piece, OperatorLog::Span& span) {
  const Dma& dma = std::get<Dma>(command.payload);
  const auto burst_bytes = static_cast<std::uint32_t>(tile().params.dma.burst.value);
  const Requester::Reply reply = requester_.send(piece, engine() == Engine::store, burst_bytes);
  if (reply.is_error) return fault(FaultKind::bad_address, fmt::format("memory at {:#x} does not answer", piece.base));
  const BurstWindow::RowBursts row = row_bursts(piece, dma.convert);
  returned_ = window_.transfer(reply.served, piece.rows, row);
  const Time port_time = Time(piece.rows * (row.whole * row.whole_time.value + row.rest * row.rest_time.value));
  account(command, reply, returned_, port_time, span);
  if (is_in_dram(piece.base)) span.dram_bytes += piece.bytes();
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
  bytes_ += plan_.memory_bytes;
  (is_load ? stats.load : stats.store) += Bytes(plan_.memory_bytes);
  if (is_in_dram(dma.memory_address)) stats.dram += Bytes(plan_.memory_bytes);
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
