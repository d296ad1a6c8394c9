// The memory transaction of the SoC: a TLM-2.0 generic payload that may carry a whole extent.
//
// Protocol: blocking transport with timing annotation (loosely timed). `delay` is an offset from sc_time_stamp(): on the way in
// it says when the transaction starts at this point, on return when it is complete. Nothing waits inside, unless an
// outside target does.
//
// An initiator attaches an Extent and sets the payload's own address and length to the extent's FIRST ROW. A target that
// knows the extension serves the whole extent and sets `served_whole`. One that knows only the standard serves the first
// row and leaves the flag; whoever sent the payload (in the SoC: the interconnect) then sends the other rows as plain
// payloads. The data pointer is always valid for the payload's own length; whole-extent targets move no data.
//
// Addresses are those of the SoC's one address space; interconnects do not translate them, and a target knows where its
// region lies (BuildContext::map). A region that is interleaved over several ports is resolved by interconnect and memory
// together: each port that the extent touches gets the whole extent and serves the bytes that it owns. The payload's own
// address and length are then the first contiguous piece that this port owns, and a standard-only target gets piece by piece.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <systemc>
#include <tlm>

#include "arch/block/what_if/needs.h"

namespace archsim {

/// What a transaction's time went into; `Extent::spent` says how much.
enum class Resource : std::uint8_t { dram, sram, noc, dma };
constexpr std::size_t kResources = 4;

/// What a memory may hold back for others (as AXI's AxQOS says it to interconnects and controllers).
enum class ServiceClass : std::uint8_t { normal, background };

struct Extent : tlm::tlm_extension<Extent> {
  std::uint64_t base = 0;
  std::uint64_t row_bytes = 0;
  std::uint64_t rows = 1;
  std::int64_t pitch = 0;           // from row to row, bytes
  std::uint32_t burst_bytes = 512;  // the initiator's request size: one packet on the interconnect each
  std::uint32_t initiator =
      0;  // Fabric::initiators of who sent it, which the interconnect writes down; a cache: on whose behalf
  ServiceClass service_class = ServiceClass::normal;
  /// Of a write: the same data go to further extents, `copy_pitch` from one to the next. The interconnect sends them along shared links
  /// once, and each to its memory as an extent of its own.
  std::uint32_t copies = 1;
  std::uint64_t copy_pitch = 0;
  /// Only what lies at this port of the region; the rest is not meant. A cache slice that stands before one port says so much
  /// with one extent.
  std::optional<std::uint32_t> only_port = {};

  bool served_whole = false;
  /// Offset (as `delay`) at which the first data moves at this point: for a write the first byte's arrival, for a read
  /// (on return) the first byte's departure. Streaming hops pipeline: each may begin at the one before's first byte.
  sc_core::sc_time first_data = sc_core::SC_ZERO_TIME;
  /// Round trip of one burst on an idle path, summed by the hops; the initiator's outstanding limit is taken over it.
  sc_core::sc_time unloaded_latency = sc_core::SC_ZERO_TIME;
  /// The part of it in which that burst's data pass, at the hop where this takes longest.
  sc_core::sc_time burst_time = sc_core::SC_ZERO_TIME;
  /// What each hop added to the completion time.
  std::array<sc_core::sc_time, kResources> spent{};
  /// What it needed of what it shares with others.
  Needs needs;

  std::uint64_t bytes() const { return row_bytes * rows; }
  void burst_takes(const sc_core::sc_time& time) { burst_time = std::max(burst_time, time); }
  void add(Resource resource, const sc_core::sc_time& time) { spent[static_cast<std::size_t>(resource)] += time; }

  tlm_extension_base* clone() const override { return new Extent(*this); }
  void copy_from(const tlm_extension_base& other) override { *this = static_cast<const Extent&>(other); }
};

}  // namespace archsim
