// Plain TLM-2.0 payloads: each a packet, and debug accesses.
#include <algorithm>

#include "models/noc/job.h"
#include "models/noc/network.h"

namespace archsim {

using noc::delay_until;
using noc::now;
using noc::set_piece;

void noc::set_piece(tlm::tlm_generic_payload& piece, const tlm::tlm_generic_payload& whole, std::uint64_t address,
                    std::uint64_t offset, std::uint64_t bytes) {
  piece.set_command(whole.get_command());
  piece.set_address(address);
  piece.set_data_ptr(whole.get_data_ptr() == nullptr ? nullptr : whole.get_data_ptr() + offset);
  piece.set_data_length(static_cast<unsigned>(bytes));
  piece.set_streaming_width(static_cast<unsigned>(bytes));
  piece.set_byte_enable_ptr(nullptr);
  piece.set_dmi_allowed(false);
  piece.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

void Network::transport_plain(unsigned initiator, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t address = payload.get_address(), bytes = std::max(1u, payload.get_data_length());
  const Space* space = find(initiator, address, address + bytes, payload);
  if (space == nullptr) return;
  (payload.is_write() ? stats_.written : stats_.read) += Bytes(payload.get_data_length());
  const std::uint64_t base = space->region->base, first = address - base;
  const auto target = [&](std::uint64_t offset) { return space->first_target + space->ports.way_of(offset); };
  const Time start = now() + time_of(delay);
  Time end = start;
  if (space->ports.granule_of(first) == space->ports.granule_of(first + bytes - 1)) {
    end = forward(initiator, target(first), payload, start);
    attribute(initiator, target(first), *space, payload, payload.get_data_length());
  } else if (payload.get_byte_enable_ptr() != nullptr || payload.get_streaming_width() < bytes) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);  // such a payload stays within a granule
  } else {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    for (std::uint64_t from = first, to = 0; from < first + bytes && payload.is_response_ok(); from = to) {
      to = std::min(first + bytes, (space->ports.granule_of(from) + 1) * space->ports.granule());
      tlm::tlm_generic_payload piece;
      set_piece(piece, payload, base + from, from - first, to - from);
      end = std::max(end, forward(initiator, target(from), piece, start));
      attribute(initiator, target(from), *space, piece, to - from);
      payload.set_response_status(piece.get_response_status());
    }
  }
  delay = delay_until(end);
}

Time Network::forward(unsigned initiator, std::uint32_t target, tlm::tlm_generic_payload& payload, Time start) {
  const Routes& route = routes(initiator, target);
  const Way there{route.forward, initiator, classes_[initiator]}, back{route.back, initiator, classes_[initiator]};
  const bool is_write = payload.is_write();
  const std::uint64_t payload_flits = ceil_div(payload.get_data_length(), params_.link_width.value);
  const Cycles sent = grid_.edge_at(start);
  const auto carry_data = [&](const Way& way, Cycles first) {
    const FlitStream stream{first, first, std::max<std::uint64_t>(1, header_flits(params_.header) + payload_flits)};
    return payload_flits > 1 ? carry(way, stream, 1) : carry_single_flits(way, stream);
  };
  const FlitStream arrival = is_write ? carry_data(there, sent) : carry_single_flits(there, {sent, sent, 1});
  // A standard-only target takes its data at once, so a write begins when all of it is there.
  sc_core::sc_time delay = delay_until(grid_.time_of(is_write ? arrival.last : arrival.first));
  exits_[target]->b_transport(payload, delay);
  const Time served = now() + time_of(delay);
  if (is_write) return acknowledge(back, served, 1);
  return grid_.time_of(carry_data(back, grid_.edge_at(served)).last);
}

unsigned Network::debug(int initiator, tlm::tlm_generic_payload& payload) {
  static_cast<void>(initiator);
  unsigned done = 0;
  const Region* region = context_.map->at(payload.get_address());
  if (region == nullptr) return 0;
  const Space& space = spaces_[static_cast<std::size_t>(region - context_.map->regions.data())];
  const std::uint64_t first = payload.get_address() - region->base;
  const std::uint64_t end = std::min(first + payload.get_data_length(), region->size);
  for (std::uint64_t from = first, to = 0; from < end; from = to) {
    to = std::min(end, (space.ports.granule_of(from) + 1) * space.ports.granule());
    tlm::tlm_generic_payload piece;
    set_piece(piece, payload, region->base + from, from - first, to - from);
    const unsigned moved = exits_[region->target_of(region->base + from)]->transport_dbg(piece);
    done += moved;
    if (moved < to - from) break;
  }
  return done;
}

}  // namespace archsim
