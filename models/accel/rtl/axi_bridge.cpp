#include "models/accel/rtl/axi_bridge.h"

#include <algorithm>
#include <cstring>

namespace archsim {

AxiBridge::AxiBridge(MemoryPort& port, const ClockGrid& grid, std::uint64_t port_bytes, const MemoryMap& map)
    : port_(&port), grid_(grid), port_bytes_(port_bytes), map_(&map) {}

std::uint64_t AxiBridge::transport(bool is_write, std::uint64_t address, unsigned char* data, std::uint64_t bytes,
                                   std::uint64_t edge, rtl::Response& response) {
  tlm::tlm_generic_payload payload;
  payload.set_command(is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(data);
  payload.set_data_length(static_cast<unsigned>(bytes));
  payload.set_streaming_width(static_cast<unsigned>(bytes));
  payload.set_byte_enable_ptr(nullptr);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  port_->transport(payload, delay);
  response = payload.is_response_ok() ? rtl::Response::okay : rtl::Response::decode_error;
  const std::uint64_t done = grid_.edge_at(time_of(sc_core::sc_time_stamp() + delay)).value;
  return std::max(done, edge + 1);
}

void AxiBridge::ask(const rtl::AddressChannel& request, std::uint64_t edge) {
  const std::uint64_t line = request.address / port_bytes_ * port_bytes_;
  const std::uint64_t bytes = request.beats * port_bytes_ - (request.address - line);
  Read read{.beats = request.beats, .id = request.id};
  read.data.assign(request.beats * port_bytes_, 0);
  read.last =
      transport(false, request.address, read.data.data() + (request.address - line), bytes, edge, read.response);
  // A plain target has the whole burst at once; its beats are the last ones before that, one a cycle.
  read.first = std::max(edge + 1, read.last - std::min<std::uint64_t>(read.last, request.beats - 1));
  traffic_.read += bytes;
  reads_.push_back(std::move(read));
}

std::uint64_t AxiBridge::edge_of(const Read& read, std::uint32_t beat) const {
  return std::max(read.first + beat, beat + 1 == read.beats ? read.last : 0);
}

void AxiBridge::send(Write& write, std::uint64_t edge) {
  // The bytes that count are one run: bursts have no holes.
  std::vector<unsigned char> run;
  std::uint64_t first = write.request.address;
  const std::uint64_t line = first / port_bytes_ * port_bytes_;
  for (std::size_t beat = 0; beat < write.beats.size(); ++beat) {
    for (std::size_t byte = 0; byte < port_bytes_; ++byte) {
      if (!write.beats[beat].strobe[byte]) continue;
      if (run.empty()) first = line + beat * port_bytes_ + byte;
      run.push_back(static_cast<unsigned char>(write.beats[beat].data[byte]));
    }
  }
  write.is_sent = true;
  write.done = transport(true, first, run.data(), run.size(), edge, write.response);
  const Region* region = map_->at(first);
  if (region != nullptr && region->kind == RegionKind::csr) {
    ++doorbells_;
    write.done = edge + 1;  // posted
  } else {
    traffic_.written += run.size();
  }
}

void AxiBridge::drive(rtl::CoreInputs& in, std::uint64_t edge) {
  in.ar_ready = in.aw_ready = in.w_ready = true;
  in.r_valid = false;
  if (!reads_.empty()) {
    const Read& read = reads_.front();
    // A beat is taken at the edge that ends its cycle.
    in.r_valid = edge + 1 >= edge_of(read, read.given);
    in.r_id = read.id;
    in.r_last = read.given + 1 == read.beats;
    in.r_response = read.response;
    std::memcpy(in.r_data.data(), read.data.data() + read.given * port_bytes_, port_bytes_);
  }
  in.b_valid = !writes_.empty() && writes_.front().is_sent && edge + 1 >= writes_.front().done;
  if (!in.b_valid) return;
  in.b_id = writes_.front().request.id;
  in.b_response = writes_.front().response;
}

void AxiBridge::clock(const rtl::CoreInputs& in, const rtl::CoreOutputs& out, std::uint64_t edge) {
  if (in.r_valid && out.r_ready && ++reads_.front().given == reads_.front().beats) reads_.pop_front();
  if (in.b_valid && out.b_ready) writes_.pop_front();
  if (out.ar.valid) ask(out.ar, edge);
  if (out.aw.valid) writes_.push_back({.request = out.aw});
  if (out.w.valid) beats_.push_back(out.w);
  for (Write& write : writes_) {
    if (write.is_sent) continue;
    while (!beats_.empty() && write.beats.size() < write.request.beats) {
      write.beats.push_back(beats_.front());
      beats_.pop_front();
    }
    if (write.beats.size() < write.request.beats) return;
    send(write, edge);
  }
}

std::uint64_t AxiBridge::next_edge() const {
  std::uint64_t next = UINT64_MAX;
  if (!reads_.empty()) next = std::min(next, edge_of(reads_.front(), reads_.front().given));
  if (!writes_.empty() && writes_.front().is_sent) next = std::min(next, writes_.front().done);
  return next;
}

}  // namespace archsim
