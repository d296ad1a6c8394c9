// Modules from outside: they know SystemC and the TLM-2.0 standard, and nothing of archsim.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <systemc>
#include <tlm>
#include <vector>

namespace outside {

/// A memory of 64 bit data width that holds what is written, one access at a time, and takes bursts of 64 bytes at most.
class Dram : public sc_core::sc_module {
 public:
  enum class Style { annotates, waits };
  Dram(const sc_core::sc_module_name& name, std::size_t bytes, sc_core::sc_time latency, Style style)
      : sc_core::sc_module(name), socket("socket"), contents_(bytes), latency_(latency), style_(style) {
    socket.register_b_transport(this, &Dram::transport);
    socket.register_transport_dbg(this, &Dram::debug);
  }

  tlm_utils::simple_target_socket<Dram, 64> socket;
  std::uint64_t accesses = 0;

 private:
  static constexpr unsigned kBurst = 64;

  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    if (payload.get_data_length() > kBurst) return payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    if (debug(payload) == 0) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    ++accesses;
    const sc_core::sc_time start = std::max(free_, sc_core::sc_time_stamp() + delay);
    free_ = start + sc_core::sc_time(20, sc_core::SC_NS);
    delay = start + latency_ - sc_core::sc_time_stamp();
    if (style_ == Style::waits) {
      wait(delay);
      delay = sc_core::SC_ZERO_TIME;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned debug(tlm::tlm_generic_payload& payload) {
    const std::uint64_t at = payload.get_address(), bytes = payload.get_data_length();
    if (at + bytes > contents_.size()) return 0;
    unsigned char* const data = payload.get_data_ptr();
    payload.is_write() ? std::memcpy(&contents_[at], data, bytes) : std::memcpy(data, &contents_[at], bytes);
    return static_cast<unsigned>(bytes);
  }

  std::vector<unsigned char> contents_;
  sc_core::sc_time latency_, free_;
  Style style_;
};

/// Writes a frame into memory, line by line, reads it back, and compares.
class Camera : public sc_core::sc_module {
 public:
  Camera(const sc_core::sc_module_name& name, unsigned lines, std::uint64_t at)
      : sc_core::sc_module(name), socket("socket"), lines_(lines), at_(at) {
    SC_HAS_PROCESS(Camera);
    SC_THREAD(work);
  }

  tlm_utils::simple_initiator_socket<Camera> socket;
  bool is_done = false;
  unsigned wrong_lines = 0;
  sc_core::sc_time end;

 private:
  static constexpr unsigned kLine = 640;

  void work() {
    std::vector<unsigned char> line(kLine), back(kLine);
    for (unsigned i = 0; i < lines_; ++i) {
      for (unsigned j = 0; j < kLine; ++j) line[j] = static_cast<unsigned char>(i * 7 + j);
      send(tlm::TLM_WRITE_COMMAND, i, line);
      send(tlm::TLM_READ_COMMAND, i, back);
      wrong_lines += line != back ? 1 : 0;
    }
    is_done = true;
    end = sc_core::sc_time_stamp();
  }
  void send(tlm::tlm_command command, unsigned line, std::vector<unsigned char>& data) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(at_ + line * kLine);
    payload.set_data_ptr(data.data());
    payload.set_data_length(kLine);
    payload.set_streaming_width(kLine);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(payload, delay);
    wait(delay);
    wrong_lines += payload.is_response_error() ? 1 : 0;
  }

  unsigned lines_;
  std::uint64_t at_;
};

}  // namespace outside
