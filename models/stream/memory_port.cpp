#include "models/stream/memory_port.h"

#include "arch/describe/diagnostic.h"

namespace archsim {

Requester::Requester(MemoryPort& port, ServiceClass service_class)
    : port_(&port), service_class_(service_class), data_(kLargestPiece) {
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
}

void Requester::prepare(std::uint64_t address, std::uint64_t bytes, bool is_write) {
  payload_.set_command(is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload_.set_address(address);
  payload_.set_data_ptr(data_.data());
  payload_.set_data_length(static_cast<unsigned>(bytes));
  payload_.set_streaming_width(static_cast<unsigned>(bytes));
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

Requester::Reply Requester::send(const Piece& piece, bool is_write, std::uint32_t burst_bytes, const Copies& copies) {
  ARCHSIM_ASSERT(piece.row_bytes > 0 && piece.bytes() <= kLargestPiece, "a piece that is empty or too large");
  extent_ = Extent{};
  extent_.base = piece.base;
  extent_.row_bytes = piece.row_bytes;
  extent_.rows = piece.rows;
  extent_.pitch = piece.pitch;
  extent_.burst_bytes = burst_bytes;
  extent_.service_class = service_class_;
  extent_.copies = copies.number;
  extent_.copy_pitch = copies.pitch;

  const Time now = time_of(sc_core::sc_time_stamp());
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  prepare(piece.base, piece.row_bytes, is_write);
  payload_.set_extension(&extent_);
  port_->transport(payload_, delay);
  payload_.clear_extension(&extent_);

  Reply reply{.is_error = payload_.is_response_error()};
  if (!extent_.served_whole) send_other_rows(piece, copies, delay, reply.is_error);
  const Time latency = time_of(extent_.unloaded_latency);
  const Time back = time_of(sc_core::sc_time_stamp());  // later than `now` if an outside target waited
  const Time done = back + time_of(delay);
  const Time pass = std::min(time_of(extent_.burst_time), latency);
  // Of a write, what moves on the way back are the bursts' acknowledgements.
  const Time first =
      is_write || !extent_.served_whole ? std::min(now + latency - pass, done) : back + time_of(extent_.first_data);
  reply.needs = extent_.needs;
  reply.latency = latency;
  reply.served = {.start = now,
                  .first_data = first,
                  .done = done,
                  .latency = latency - pass,
                  .whole = pass,
                  .whole_bytes = std::min<std::uint64_t>(burst_bytes, piece.row_bytes),
                  .bytes = piece.bytes()};
  for (std::size_t i = 0; i < kResources; ++i) reply.spent[i] = time_of(extent_.spent[i]);
  return reply;
}

void Requester::send_other_rows(const Piece& piece, const Copies& copies, sc_core::sc_time& delay, bool& is_error) {
  for (std::uint64_t i = 1; i < piece.rows * copies.number && !is_error; ++i) {
    const std::uint64_t row = i % piece.rows, copy = i / piece.rows;
    payload_.set_address(piece.base + row * static_cast<std::uint64_t>(piece.pitch) + copy * copies.pitch);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    port_->transport(payload_, delay);
    is_error = payload_.is_response_error();
  }
}

bool Requester::ring(std::uint64_t address) {
  constexpr unsigned kDoorbellBytes = 4;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  prepare(address, kDoorbellBytes, true);
  port_->transport(payload_, delay);
  return !payload_.is_response_error();
}

}  // namespace archsim
