#include "models/sram/banked.h"

#include <fmt/format.h>

#include <algorithm>

namespace archsim {
namespace {

Interleave interleave_of(const BankedSramParams& params) {
  return {.granule = params.granule().value, .ways = params.slices, .ports = params.slices};
}

BankShape shape_of(const BankedSramParams& params) {
  return {.banks = params.banks, .word = params.port_width.value, .bank_cycle = params.bank_cycle};
}

Cache::Setup cache_setup(const BankedSramParams& params) {
  return {.params = params.cache, .banks = shape_of(params), .capacity = params.capacity, .latency = params.latency};
}

void add(const CacheCounts& counts, BankedSramStats& stats, BankedSramEvents& events) {
  stats.hits += counts.hits;
  stats.misses += counts.misses;
  stats.late_hits += counts.late_hits;
  stats.writebacks += counts.writebacks;
  stats.mshr_waits += counts.mshr_waits;
  stats.mshr_waited += counts.mshr_waited;
  events.word_read += counts.words_read;
  events.word_written += counts.words_written;
}

}  // namespace

BankedSram::BankedSram(const sc_core::sc_module_name& name, const BankedSramParams& params, const BuildContext& context)
    : Model(name, params, context),
      grid_(context.clock),
      slices_of_(Dealing::to_ports(interleave_of(params))),
      slices_(params.slices, BankedSlice(shape_of(params), params.latency)),
      cache_(params.mode == SramMode::cache ? std::make_unique<Cache>(context, cache_setup(params)) : nullptr),
      ports_(context, ports_setup(),
             [this](const MemoryAccess& access) { return cache_ ? cache_->serve(access) : serve(access); }) {}

MemoryPorts::Setup BankedSram::ports_setup() const {
  MemoryPorts::Setup setup{.resource = Resource::sram,
                           .region = RegionKind::l2,
                           .interleave = interleave_of(params_),
                           .capacity = params_.capacity};
  if (cache_) {
    setup.stands_before = cache_->region();
    setup.interleave = cache_->region()->front->interleave;
    setup.capacity = Bytes(cache_->region()->size);
    setup.behind = cache_->ports().front();
  }
  return setup;
}

std::vector<InitiatorPort*> BankedSram::initiator_ports() {
  return cache_ ? cache_->ports() : std::vector<InitiatorPort*>{};
}

MemoryService BankedSram::serve(const MemoryAccess& access) {
  BankTally tally(shape_of(params_));
  std::uint64_t bytes = 0;
  for (std::uint64_t row = 0; row < access.rows.count; ++row) {
    const std::uint64_t first = access.rows.base + row * access.rows.pitch;
    const auto in_slice = slices_of_.share(first, first + access.rows.bytes, access.port);
    tally.add(in_slice.first, in_slice.end);
    bytes += in_slice.end - in_slice.first;
  }
  if (bytes == 0)
    return {.bytes = 0,
            .first_data = access.start,
            .end = access.start,
            .unloaded = Time::zero(),
            .burst_time = Time::zero()};
  (access.is_write ? events_.word_written : events_.word_read) += tally.words();
  stats_.conflict += tally.cycles() - Cycles(tally.words());

  BankedSlice& slice = slices_[access.port];
  slice.drop_before(grid_.edge_at(time_of(sc_core::sc_time_stamp())));
  const auto service = slice.serve(grid_.edge_at(access.first_data), tally, access.is_write);
  const std::uint64_t burst_words = ceil_div(std::min(access.burst_bytes, bytes), params_.port_width.value);
  return {.bytes = bytes,
          .first_data = grid_.time_of(service.first),
          .end = grid_.time_of(service.last),
          .unloaded = grid_.span(params_.latency + Cycles(burst_words) - Cycles(1)),
          .burst_time = grid_.span(Cycles(burst_words)),
          .own = grid_.span(params_.latency + tally.cycles() - Cycles(1)),
          .busy_ps = static_cast<double>(grid_.span(tally.cycles()).value) / params_.slices};
}

BlockReport BankedSram::report(Time elapsed) const {
  BankedSramStats stats = stats_;
  stats.read += Bytes(ports_.served().read);
  stats.written += Bytes(ports_.served().written);
  stats.transactions += ports_.transactions();
  BankedSramEvents events = events_;
  if (cache_) add(cache_->counts(), stats, events);
  BlockReport report = make_report("sram", "banked", stats, events);
  report.initiators = ports_.initiators();
  for (unsigned slice = 0; slice < params_.slices; ++slice) {
    for (const bool is_write : {false, true}) {
      const BankedSlice::Port& port = this->slice(slice).port(is_write);
      const Time busy = std::min(grid_.span(port.words), elapsed);
      const Time bank = std::min(grid_.span(port.taken.booked()), elapsed) - busy;
      report.engines.push_back({.name = fmt::format("slice{}_{}", slice, is_write ? "write" : "read"),
                                .busy = busy,
                                .waits = {{"bank", bank}},
                                .idle = elapsed - busy - bank});
    }
  }
  return report;
}

MemoryCapabilities BankedSram::memory(const BankedSramParams& params, Frequency clock) {
  const double port = static_cast<double>(params.port_width.value) * static_cast<double>(clock.value);
  // A bank gives a word every bank_cycle; few slow banks cannot feed both ports, one direction may still be full.
  const double banks = static_cast<double>(params.banks) / static_cast<double>(params.bank_cycle.value);
  const double words = std::min(1.0, banks);
  MemoryCapabilities memory;
  memory.capacity = params.capacity;
  memory.interleave = interleave_of(params);
  memory.peak = Bandwidth(port * std::min(2.0, banks) * params.slices);
  memory.delivered = Bandwidth(port * words * params.slices);
  memory.latency = ClockGrid(clock).span(params.latency);
  if (params.mode == SramMode::cache) {
    memory.cache_line = params.cache.line;
    if (!params.interleave) memory.interleave.granule = 0;  // the SoC says
  }
  return memory;
}

void BankedSram::check(const BankedSramParams& params, const ParamLocation& where, Diagnostics& out) {
  if (params.mode != SramMode::cache) return;
  const CacheParams& cache = params.cache;
  const Bytes slice = params.capacity / params.slices;
  const std::uint64_t set = cache.line.value * cache.ways;
  if (cache.line > slice) {
    out.error(where("cache.line"),
              fmt::format("a line of {} is larger than a slice of {}", show(cache.line), show(slice)),
              "smaller lines, fewer slices, or more capacity");
  } else if (params.interleave && cache.line > *params.interleave) {
    out.error(where("cache.line"),
              fmt::format("a line of {} would lie in several slices, which take {} in turns", show(cache.line),
                          show(*params.interleave)),
              "a line of `interleave` bytes at most");
  } else if (slice.value % set != 0) {
    out.error(where("cache.ways"),
              fmt::format("a slice of {} is no whole number of sets of {} lines of {}", show(slice), cache.ways,
                          show(cache.line)),
              fmt::format("a set has {}; `ways` that divide the {} lines of a slice", show(Bytes(set)),
                          slice.value / cache.line.value));
  }
}

}  // namespace archsim
