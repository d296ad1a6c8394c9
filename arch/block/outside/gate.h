// Where a module that knows only the TLM-2.0 standard meets the SoC: its transactions pass, are counted, and get the addresses
// that each side knows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "arch/block/block.h"
#include "arch/describe/table.h"

namespace archsim {

struct GateStats {
  Total<Bytes> read, written;
  Count transactions;
  static constexpr auto fields() {
    using S = GateStats;
    return fields_of(stat<&S::read>("bytes read"), stat<&S::written>("bytes written"),
                     stat<&S::transactions>("payloads that the module served or sent"));
  }
};

struct GateEvents {
  Count byte;
  static constexpr auto fields() {
    using E = GateEvents;
    return fields_of(event<&E::byte>("a byte read or written", "outside.byte"));
  }
};

/// Passes blocking transport and debug accesses from `into()` to whatever `out` is bound to.
/// `width`: the data width of the module's socket, which is part of its type.
template <unsigned kIntoWidth, unsigned kOutWidth>
class Gate : public sc_core::sc_module {
 public:
  struct Setup {
    // What is address `before` on the side of `into` is address `behind` on the other.
    std::uint64_t before = 0, behind = 0;
    std::uint64_t largest = 0;  // bytes of a payload behind the gate; 0: as it comes
  };

  Gate(const sc_core::sc_module_name& name, const Setup& setup)
      : sc_core::sc_module(name), into("into"), out("out"), setup_(setup) {
    into.register_b_transport(this, &Gate::transport);
    into.register_transport_dbg(this, &Gate::debug);
  }

  tlm_utils::simple_target_socket<Gate, kIntoWidth> into;
  tlm_utils::simple_initiator_socket<Gate, kOutWidth> out;

  const GateStats& stats() const { return stats_; }
  /// Of `elapsed`, the time in which at least one transaction was under way.
  Time busy(Time elapsed) const { return std::min(busy_, elapsed); }

 private:
  std::uint64_t behind(std::uint64_t address) const { return address - setup_.before + setup_.behind; }

  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t address = payload.get_address(), bytes = payload.get_data_length();
    const Time start = time_of(sc_core::sc_time_stamp() + delay);
    const bool is_cut = setup_.largest > 0 && bytes > setup_.largest && payload.get_byte_enable_ptr() == nullptr &&
                        payload.get_streaming_width() >= bytes;
    if (is_cut) {
      send_cut(payload, delay);
    } else {
      payload.set_address(behind(address));
      out->b_transport(payload, delay);
      payload.set_address(address);
      ++stats_.transactions;
    }
    const Time end = time_of(sc_core::sc_time_stamp() + delay);
    busy_ += end - std::min(end, std::max(start, busy_until_));
    busy_until_ = std::max(busy_until_, end);
    if (payload.is_response_ok()) (payload.is_write() ? stats_.written : stats_.read) += Bytes(bytes);
  }

  /// All pieces at once: each begins when the whole does, and the last one's end is the whole's.
  void send_cut(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t bytes = payload.get_data_length();
    const sc_core::sc_time start = sc_core::sc_time_stamp() + delay;
    sc_core::sc_time end = start;
    tlm::tlm_generic_payload piece;
    piece.set_command(payload.get_command());
    piece.set_dmi_allowed(false);
    for (std::uint64_t done = 0; done < bytes; done += setup_.largest) {
      const auto length = static_cast<unsigned>(std::min(setup_.largest, bytes - done));
      piece.set_address(behind(payload.get_address()) + done);
      piece.set_data_ptr(payload.get_data_ptr() == nullptr ? nullptr : payload.get_data_ptr() + done);
      piece.set_data_length(length);
      piece.set_streaming_width(length);
      piece.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      const sc_core::sc_time now = sc_core::sc_time_stamp();  // a target may wait inside
      sc_core::sc_time until = start > now ? start - now : sc_core::SC_ZERO_TIME;
      out->b_transport(piece, until);
      end = std::max(end, sc_core::sc_time_stamp() + until);
      ++stats_.transactions;
      payload.set_response_status(piece.get_response_status());
      if (piece.is_response_error()) break;
    }
    delay = end - sc_core::sc_time_stamp();
  }

  unsigned debug(tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address();
    payload.set_address(behind(address));
    const unsigned moved = out->transport_dbg(payload);
    payload.set_address(address);
    return moved;
  }

  const Setup setup_;
  GateStats stats_;
  Time busy_ = Time::zero(), busy_until_ = Time::zero();
};

}  // namespace archsim
