// How a block that executes commands asks memory: one piece a transaction, with a socket of its own.
#pragma once

#include <array>
#include <cstdint>
#include <systemc>
#include <vector>

#include "arch/block/block.h"
#include "arch/block/extent.h"
#include "models/stream/burst_window.h"

namespace archsim {

/// The socket that several requesters share.
class MemoryPort : public sc_core::sc_module {
 public:
  explicit MemoryPort(const sc_core::sc_module_name& name) : sc_core::sc_module(name), socket_("socket") {}
  InitiatorPort* socket() { return &socket_; }
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) { socket_->b_transport(payload, delay); }

 private:
  tlm_utils::simple_initiator_socket<MemoryPort> socket_;
};

/// Places that a write's data go to, `pitch` from one to the next.
struct Copies {
  std::uint32_t number = 1;
  std::uint64_t pitch = 0;
};

/// One process's transactions: each process has its own, because a target may wait inside.
class Requester {
 public:
  explicit Requester(MemoryPort& port, ServiceClass service_class = ServiceClass::normal);
  ~Requester() { payload_.clear_extension(&extent_); }  // a transaction may be under way when the simulation ends

  struct Reply {
    bool is_error = false;
    BurstWindow::Served served;
    Time latency = Time::zero();  // of one whole burst on an idle path
    std::array<Time, kResources> spent{Time::zero(), Time::zero(), Time::zero(), Time::zero()};
    Needs needs;
  };
  /// Now. Pieces are at most kLargestPiece.
  Reply send(const Piece& piece, bool is_write, std::uint32_t burst_bytes, const Copies& copies = {});
  /// A posted write of 4 bytes, now; false if nobody is there.
  bool ring(std::uint64_t address);

 private:
  void prepare(std::uint64_t address, std::uint64_t bytes, bool is_write);
  /// The rows behind the first, and the copies, for a target that knows no extents.
  void send_other_rows(const Piece& piece, const Copies& copies, sc_core::sc_time& delay, bool& is_error);

  MemoryPort* port_;
  ServiceClass service_class_;
  tlm::tlm_generic_payload payload_;
  Extent extent_;
  std::vector<unsigned char> data_;
};

}  // namespace archsim
