// The target side of a memory: its sockets, the extent protocol, plain TLM-2.0 payloads with their data, and byte counts.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <vector>

#include "arch/block/block.h"
#include "arch/block/build_context.h"
#include "arch/block/extent.h"
#include "arch/block/memory/contents.h"
#include "arch/block/memory/dealing.h"

namespace archsim {

/// One transaction at one port. The port serves what it owns of the rows.
struct MemoryAccess {
  unsigned port;
  bool is_write;
  Rows rows;                  // offsets from the start of the memory
  Time start;                 // absolute
  Time first_data;            // of a write: the first byte's arrival
  std::uint64_t burst_bytes;  // the initiator's request size
  ServiceClass service_class = ServiceClass::normal;
  std::uint32_t initiator = 0;  // Fabric::initiators of who sent it, if it is an extent
};

struct MemoryService {
  std::uint64_t bytes;  // that this port owned
  Time first_data;      // of a read: the first data's departure
  Time end;
  Time unloaded;            // of one burst, alone
  Time burst_time;          // the part of it in which the burst's data pass
  Time own = Time::zero();  // from its first data to its end, if nobody else had been there
  double busy_ps = 0.0;     // all of the memory, if its channels or slices share the work evenly
  /// Of a cache: what the memory behind it had to do, and the part of start to end that went by there and on the way.
  struct Behind {
    double dram_ps = 0.0;
    std::uint64_t dram_bytes = 0;
    std::array<Time, kResources> spent{Time::zero(), Time::zero(), Time::zero(), Time::zero()};
  } behind = {};
};

class MemoryPorts {
 public:
  struct Setup {
    Resource resource;
    RegionKind region;
    Interleave interleave;
    Bytes capacity;
    /// Of a cache: the region before which it stands, whose size is then the capacity, and a socket by which the data of
    /// plain payloads are moved to and from there.
    const Region* stands_before = nullptr;
    InitiatorPort* behind = nullptr;
  };
  using Serve = std::function<MemoryService(const MemoryAccess&)>;

  /// Makes `interleave.ports` sockets in the module under construction.
  MemoryPorts(const BuildContext& context, const Setup& setup, Serve serve);

  std::vector<TargetPort*> ports();
  const Traffic& served() const { return served_; }
  std::uint64_t transactions() const { return transactions_; }
  /// What it was asked by whom; the bytes add up to `served()`.
  std::vector<InitiatorReport> initiators() const;

 private:
  void transport(int port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned debug(int port, tlm::tlm_generic_payload& payload);
  void transport_extent(const MemoryAccess& access, Extent& extent, sc_core::sc_time& delay);
  bool lies_inside(const tlm::tlm_generic_payload& payload, std::uint64_t first, std::uint64_t end) const;
  void move_data(tlm::tlm_generic_payload& payload);
  /// Bytes at an offset from the memory's start, of its own or behind it.
  void move_bytes(bool is_write, std::uint64_t address, unsigned char* data, unsigned bytes);

  const std::string name_;
  FaultSink* faults_;
  const Setup setup_;
  const Serve serve_;
  std::uint64_t base_;
  Contents contents_;
  Traffic served_;
  struct Share {
    Traffic traffic;
    Time waited = Time::zero();
  };
  void attribute(const MemoryAccess& access, const MemoryService& service, const Extent* extent);
  const Fabric* fabric_;
  std::vector<Share> shares_;  // by Fabric::initiators; the last one: plain payloads
  std::uint64_t transactions_ = 0;
  std::deque<tlm_utils::simple_target_socket_tagged<MemoryPorts>> sockets_;
};

}  // namespace archsim
