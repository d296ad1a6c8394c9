// A cache before the DRAM: slices with tags, lines on their way, and victims on theirs.
//
// Models:     sets and ways; a miss goes on `latency` after the request, as one packet a line, when an MSHR is free; a dirty
//             victim leaves when it is there and has a buffer, and its successor is fetched no earlier than that; hits on lines
//             that are still on their way wait for them; a line that a write covers is not fetched; fills and victims take
//             the banks' time.
// Leaves out: prefetch; tags' ports; sectors; a flush at the end of a run, so that what is dirty then never reaches the DRAM.
//             Within one access, hits and misses answer at one pace.
// Numbers:    the params; the way to the DRAM is the interconnect's and the DRAM's.
// Checked by: tests/models/sram/cache (a plain cache beside it on random accesses, closed forms).
#pragma once

#include <array>
#include <deque>
#include <vector>

#include "arch/block/memory/memory_ports.h"
#include "arch/block/timing/clock_grid.h"
#include "models/sram/banks.h"
#include "models/sram/cache/line_window.h"
#include "models/sram/cache/params.h"
#include "models/sram/cache/runs.h"
#include "models/sram/cache/tags.h"
#include "models/stream/memory_port.h"

namespace archsim {

struct CacheCounts {
  std::uint64_t hits = 0, misses = 0;  // lines that accesses touched, row by row
  std::uint64_t late_hits = 0;         // of the hits: the line was still on its way
  std::uint64_t writebacks = 0;        // dirty lines displaced
  std::uint64_t mshr_waits = 0;        // fetches that waited for an MSHR
  Time mshr_waited = Time::zero();
  std::uint64_t words_read = 0, words_written = 0;  // in the banks
};

class Cache {
 public:
  struct Setup {
    CacheParams params;
    BankShape banks;
    Bytes capacity;  // of all slices
    Cycles latency;
  };
  /// Before the region whose front `context` names. Makes a port a slice.
  Cache(const BuildContext& context, const Setup& setup);

  MemoryService serve(const MemoryAccess& access);

  const Region* region() const { return region_; }
  std::vector<InitiatorPort*> ports();
  Traffic requested() const { return requested_; }
  CacheCounts counts() const;
  const BankedSlice& slice(unsigned index) const { return slices_[index].banks; }

 private:
  struct Slice {
    CacheTags tags;
    BankedSlice banks;
    LineWindow fills, leaving;
    std::vector<Time> there;  // by slot: when its line is
  };
  struct Victim {
    std::uint64_t line;
    Time there;
  };
  struct Fetch {
    std::uint64_t line;
    std::size_t slot;
    std::size_t victim;  // that must have its buffer before; kNone: none
  };
  /// What the lines of an access are to the slice.
  struct Looked {
    BankTally words;  // that the banks move for the access itself
    std::uint64_t bytes = 0, lines = 0;
    std::vector<Victim> victims;
    std::vector<Fetch> fetches;
    std::vector<LineRange> through;  // writes that go on
    Time late = Time::zero();        // the latest of the lines that were on their way
    bool is_first_there = false;
  };
  /// What an access has the slice at `port` ask of the DRAM.
  struct Trip {
    unsigned port;
    ServiceClass service_class;
    std::uint32_t initiator;  // on whose behalf
    MemoryService::Behind behind = {};
  };
  /// What came of a list of runs.
  struct Moved {
    Time first = Time::zero(), last = Time::zero();  // arrivals
    Time asked = Time::zero();                       // the last one
    Time latency = Time::zero();                     // of a line, on an idle path
    std::array<Time, kResources> spent{Time::zero(), Time::zero(), Time::zero(), Time::zero()};  // of the last run
  };
  /// One run in the DRAM.
  struct Answer {
    Time first = Time::zero(), done = Time::zero(), latency = Time::zero();
    std::array<Time, kResources> spent{Time::zero(), Time::zero(), Time::zero(), Time::zero()};
  };
  static constexpr std::size_t kNone = ~std::size_t{0};

  Looked look_up(const MemoryAccess& access, Slice& slice, Time at);
  void use_line(std::uint64_t line, bool is_write, bool is_covered, Slice& slice, Time at, Looked& looked);
  void write_through(std::uint64_t first, std::uint64_t end, unsigned port, Slice& slice, Looked& looked);

  /// When each victim has its buffer; all of them leave.
  std::vector<Time> displace(const Looked& looked, Time at, Trip& trip);
  Moved fetch(const Looked& looked, const std::vector<Time>& granted, Time at, Trip& trip);
  Moved pass_on(const std::vector<LineRange>& ranges, Time at, Trip& trip);
  Answer send(const LineRun& run, bool is_write, Time start, Trip& trip);
  /// Nothing is complete before what it waits for.
  static void await(const Moved& moved, Time last, MemoryService& service);
  void await_lines(const Looked& looked, const Moved& fetched, MemoryService& service) const;
  /// The banks move `lines` lines from `at` on.
  void move_lines(Slice& slice, std::uint64_t lines, Time at, bool is_write);

  /// What to ask of the DRAM for these, in order.
  std::vector<LineRun> runs(const std::vector<LineRange>& ranges) const;
  /// Where the byte at `address` of the slice's own address space is in the region.
  std::uint64_t in_region(std::uint64_t address, unsigned port) const;
  /// A part of a slice's address space; before a port it stays one, as extents may be meant for one port only.
  LineRange range_of(std::uint64_t address, std::uint64_t bytes, unsigned port) const;
  LineRange line_range(std::uint64_t line, unsigned port) const {
    return range_of(line * setup_.params.line.value, setup_.params.line.value, port);
  }

  const Setup setup_;
  const Region* const region_;
  ClockGrid grid_;
  Dealing slices_of_;
  const bool stands_before_ports_;  // of the DRAM, each slice before one
  std::vector<Slice> slices_;
  std::deque<MemoryPort> ports_;
  CacheCounts counts_;
  Traffic requested_;
};

}  // namespace archsim
