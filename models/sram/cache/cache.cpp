#include "models/sram/cache/cache.h"

#include <fmt/format.h>

#include <algorithm>

#include "arch/block/memory/send_extent.h"
#include "arch/describe/diagnostic.h"

namespace archsim {
namespace {

const Region* region_behind(const BuildContext& context) {
  for (const Region& region : context.map->regions) {
    if (region.front && region.front->block == context.name) return &region;
  }
  ARCHSIM_ASSERT(false, "a cache that stands before nothing");
  return nullptr;
}

std::uint64_t sets_of(const Cache::Setup& setup, unsigned slices) {
  return setup.capacity.value / (slices * setup.params.line.value * setup.params.ways);
}

/// Takes the extent off the payload again, also if the simulation ends while the transaction is under way.
class Carried {
 public:
  Carried(tlm::tlm_generic_payload& payload, Extent& extent) : payload_(payload), extent_(extent) {
    payload.set_extension(&extent);
  }
  ~Carried() { payload_.clear_extension(&extent_); }
  Carried(const Carried&) = delete;
  Carried& operator=(const Carried&) = delete;

 private:
  tlm::tlm_generic_payload& payload_;
  Extent& extent_;
};

bool is_dealt_alike(const Dealing& a, const Dealing& b) { return a.granule() == b.granule() && a.ways() == b.ways(); }

}  // namespace

Cache::Cache(const BuildContext& context, const Setup& setup)
    : setup_(setup),
      region_(region_behind(context)),
      grid_(context.clock),
      slices_of_(Dealing::to_ports(region_->front->interleave)),
      stands_before_ports_(is_dealt_alike(Dealing::to_ports(region_->interleave), slices_of_)) {
  const CacheParams& params = setup.params;
  const unsigned slices = slices_of_.ways();
  const CacheTags tags({.sets = sets_of(setup, slices), .ways = params.ways, .replacement = params.replacement});
  const LineWindow window(params.mshrs, grid_.span(Cycles(1)));
  for (unsigned i = 0; i < slices; ++i) {
    slices_.push_back({.tags = tags,
                       .banks = BankedSlice(setup.banks, setup.latency),
                       .fills = window,
                       .leaving = window,
                       .there = std::vector<Time>(tags.slots(), Time::zero())});
    ports_.emplace_back(fmt::format("behind{}", i).c_str());
  }
}

std::vector<InitiatorPort*> Cache::ports() {
  std::vector<InitiatorPort*> ports;
  for (MemoryPort& port : ports_) ports.push_back(port.socket());
  return ports;
}

CacheCounts Cache::counts() const {
  CacheCounts counts = counts_;
  for (const Slice& slice : slices_) {
    counts.mshr_waits += slice.fills.waits();
    counts.mshr_waited += slice.fills.waited();
  }
  return counts;
}

std::uint64_t Cache::in_region(std::uint64_t address, unsigned port) const {
  const std::uint64_t granule = slices_of_.granule(), round = address / granule;
  return slices_of_.granule_in_round(round, port) * granule + address % granule;
}

LineRange Cache::range_of(std::uint64_t address, std::uint64_t bytes, unsigned port) const {
  if (stands_before_ports_) return {.first = address, .bytes = bytes};
  const std::uint64_t first = in_region(address, port);
  return {.first = first, .bytes = std::min(bytes, region_->size - first)};  // a region may end within a line
}

std::vector<LineRun> Cache::runs(const std::vector<LineRange>& ranges) const {
  return runs_of(ranges, kLargestPiece, stands_before_ports_ ? RowsOfRuns::one : RowsOfRuns::many);
}

void Cache::use_line(std::uint64_t line, bool is_write, bool is_covered, Slice& slice, Time at, Looked& looked) {
  const CacheTags::Look look = slice.tags.use(line, is_write);
  Time& there = slice.there[look.slot];
  if (look.is_hit) {
    ++counts_.hits;
    if (there <= at) return;
    ++counts_.late_hits;
    looked.late = std::max(looked.late, there);
    return;
  }
  ++counts_.misses;
  std::size_t victim = kNone;
  if (look.displaces_dirty) {
    ++counts_.writebacks;
    victim = looked.victims.size();
    looked.victims.push_back({look.displaced, there});
  }
  there = at;
  if (!is_write || !is_covered) looked.fetches.push_back({line, look.slot, victim});
}

void Cache::write_through(std::uint64_t first, std::uint64_t end, unsigned port, Slice& slice, Looked& looked) {
  const std::uint64_t bytes = setup_.params.line.value;
  for (std::uint64_t line = first / bytes; line * bytes < end; ++line) {
    const std::uint64_t from = std::max(first, line * bytes), to = std::min(end, (line + 1) * bytes);
    const bool is_hit = slice.tags.use_if_present(line).is_hit;
    ++(is_hit ? counts_.hits : counts_.misses);
    if (is_hit) looked.words.add(from, to);
    looked.through.push_back(range_of(from, to - from, port));
  }
}

Cache::Looked Cache::look_up(const MemoryAccess& access, Slice& slice, Time at) {
  Looked looked{.words = BankTally(setup_.banks)};
  const std::uint64_t bytes = setup_.params.line.value;
  const bool goes_through = access.is_write && setup_.params.write == WritePolicy::write_through;
  for (std::uint64_t row = 0; row < access.rows.count; ++row) {
    const std::uint64_t from = access.rows.base + row * access.rows.pitch;
    const auto own = slices_of_.share(from, from + access.rows.bytes, access.port);
    if (own.is_empty()) continue;
    const std::uint64_t first = own.first / bytes, last = (own.end - 1) / bytes;
    looked.bytes += own.end - own.first;
    looked.lines += last + 1 - first;
    if (goes_through) {
      write_through(own.first, own.end, access.port, slice, looked);
      continue;
    }
    looked.words.add(own.first, own.end);
    for (std::uint64_t line = first; line <= last; ++line) {
      const bool is_first = looked.bytes == own.end - own.first && line == first;
      const bool is_covered = own.first <= line * bytes && (line + 1) * bytes <= own.end;
      use_line(line, access.is_write, is_covered, slice, at, looked);
      if (is_first) looked.is_first_there = looked.fetches.empty() && looked.late == Time::zero();
    }
  }
  return looked;
}

Cache::Answer Cache::send(const LineRun& run, bool is_write, Time start, Trip& trip) {
  Extent extent;
  if (stands_before_ports_) {
    // From its first byte to its last, all of this port.
    const std::uint64_t first = in_region(run.first, trip.port);
    extent.base = region_->base + first;
    extent.row_bytes = in_region(run.first + run.row_bytes - 1, trip.port) + 1 - first;
    extent.only_port = trip.port;
  } else {
    extent.base = region_->base + run.first;
    extent.row_bytes = run.row_bytes;
  }
  extent.rows = run.rows;
  extent.pitch = static_cast<std::int64_t>(run.pitch);
  extent.burst_bytes = static_cast<std::uint32_t>(setup_.params.line.value);
  extent.service_class = trip.service_class;
  extent.initiator = trip.initiator;
  const Time now = time_of(sc_core::sc_time_stamp());
  sc_core::sc_time delay = sc_time_of(start - std::min(start, now));
  extent.first_data = delay;
  tlm::tlm_generic_payload payload;
  payload.set_command(is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(extent.base);
  payload.set_data_length(static_cast<unsigned>(extent.row_bytes));
  payload.set_streaming_width(static_cast<unsigned>(extent.row_bytes));
  const Carried carried(payload, extent);
  send_extent(*ports_[trip.port].socket(), payload, extent, delay);

  (is_write ? requested_.written : requested_.read) += run.bytes();
  trip.behind.dram_ps += extent.needs.memory_ps;
  trip.behind.dram_bytes += run.bytes();
  const Time back = time_of(sc_core::sc_time_stamp());  // later than `now` if an outside target waited
  const Time done = back + time_of(delay), latency = time_of(extent.unloaded_latency);
  const Time pass = std::min(time_of(extent.burst_time), latency);
  const Time first = is_write ? start + (latency - pass) : back + time_of(extent.first_data);
  Answer answer{.first = std::min(first, done), .done = done, .latency = latency};
  for (std::size_t i = 0; i < kResources; ++i) answer.spent[i] = time_of(extent.spent[i]);
  return answer;
}

void Cache::move_lines(Slice& slice, std::uint64_t lines, Time at, bool is_write) {
  BankTally words(setup_.banks);
  words.add(0, lines * setup_.params.line.value);
  slice.banks.serve(grid_.edge_at(at), words, is_write);
  (is_write ? counts_.words_written : counts_.words_read) += words.words();
}

MemoryService Cache::serve(const MemoryAccess& access) {
  Slice& slice = slices_[access.port];
  slice.banks.drop_before(grid_.edge_at(time_of(sc_core::sc_time_stamp())));
  const Cycles arrival = grid_.edge_at(access.first_data);
  const Time at = grid_.time_of(arrival + setup_.latency);
  const Looked looked = look_up(access, slice, at);
  MemoryService service{.bytes = looked.bytes,
                        .first_data = access.start,
                        .end = access.start,
                        .unloaded = Time::zero(),
                        .burst_time = Time::zero()};
  if (looked.bytes == 0) return service;
  Trip trip{.port = access.port, .service_class = access.service_class, .initiator = access.initiator};
  const std::vector<Time> granted = displace(looked, at, trip);
  const Moved fetched = fetch(looked, granted, at, trip);
  const Moved passed = pass_on(looked.through, at, trip);
  service.behind = trip.behind;
  const std::uint64_t burst_words = ceil_div(std::min(access.burst_bytes, looked.bytes), setup_.banks.word);
  service.burst_time = grid_.span(Cycles(burst_words));
  service.unloaded = grid_.span(setup_.latency + Cycles(burst_words) - Cycles(1));
  service.busy_ps = static_cast<double>(grid_.span(looked.words.cycles()).value) / static_cast<double>(slices_.size());
  service.first_data = service.end = at;
  Time waited = Time::zero();  // for the banks
  if (looked.words.words() > 0) {
    const auto banks = slice.banks.serve(arrival, looked.words, access.is_write);
    (access.is_write ? counts_.words_written : counts_.words_read) += looked.words.words();
    service.first_data = grid_.time_of(banks.first);
    service.end = grid_.time_of(banks.last);
    waited = grid_.span(banks.last + Cycles(1) - arrival - setup_.latency - looked.words.cycles());
  }
  if (!access.is_write) {
    await_lines(looked, fetched, service);
  } else if (!looked.through.empty()) {
    await(passed, passed.last, service);
    service.unloaded += passed.latency;
  } else {
    // Complete when its words are in the banks or in lines of MSHRs, and its victims have their buffers.
    service.end = std::max({service.end, fetched.asked, granted.empty() ? at : granted.back()});
  }
  service.own = service.end - access.first_data - std::min(waited, service.end - access.first_data);
  return service;
}

void Cache::await(const Moved& moved, Time last, MemoryService& service) {
  if (last < service.end) return;
  service.end = last;
  service.behind.spent = moved.spent;
}

void Cache::await_lines(const Looked& looked, const Moved& fetched, MemoryService& service) const {
  const Time forwarded = grid_.span(Cycles(1));
  Time first = service.first_data;
  if (looked.late > Time::zero()) {
    service.end = std::max(service.end, looked.late + forwarded);
    if (!looked.is_first_there) first = looked.late;
  }
  if (!looked.fetches.empty()) {
    await(fetched, fetched.last + forwarded, service);
    service.unloaded += Time(fetched.latency.value * looked.fetches.size() / looked.lines);
    if (!looked.is_first_there) first = fetched.first + forwarded;
  }
  service.first_data = std::min(std::max(first, service.first_data), service.end);
}

}  // namespace archsim
