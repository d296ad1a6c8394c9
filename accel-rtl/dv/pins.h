// The pins of `accel_core` as plain values, whatever its parameters: what a harness drives and what it sees.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>

#include "arch/program/encoding.h"

namespace archsim::rtl {

/// The widest memory port, in bytes, that a harness serves.
constexpr std::size_t kWidestPort = 256;
using Beat = std::array<std::byte, kWidestPort>;

enum class Response : std::uint8_t { okay = 0, slave_error = 2, decode_error = 3 };

/// An AXI4 address channel, incrementing bursts.
struct AddressChannel {
  bool valid = false;
  std::uint8_t id = 0;
  std::uint64_t address = 0;
  std::uint32_t beats = 1;       // AxLEN + 1
  std::uint32_t beat_bytes = 1;  // 1 << AxSIZE
};

struct WriteData {
  bool valid = false, last = false;
  Beat data{};
  std::bitset<kWidestPort> strobe;
};

/// What the core drives. Valid once the inputs of the cycle have settled.
struct CoreOutputs {
  bool irq = false;
  AddressChannel ar, aw;
  WriteData w;
  bool r_ready = false, b_ready = false;

  bool axil_aw_ready = false, axil_w_ready = false, axil_b_valid = false;
  Response axil_b_response = Response::okay;
  bool axil_ar_ready = false, axil_r_valid = false;
  std::uint32_t axil_r_data = 0;
  Response axil_r_response = Response::okay;

  bool fetch_valid = false;  // cmd_ar_*
  unsigned fetch_stream = 0;
  std::uint32_t fetch_index = 0;
  bool command_ready = false;  // cmd_r_ready

  std::array<bool, kEngines> complete{};  // a work command of this engine ends with this cycle
};

/// What the surroundings drive.
struct CoreInputs {
  bool reset = false;  // rst_ni low
  bool ar_ready = false, aw_ready = false, w_ready = false;
  bool r_valid = false, r_last = false;
  std::uint8_t r_id = 0, b_id = 0;
  Response r_response = Response::okay;
  Beat r_data{};
  bool b_valid = false;
  Response b_response = Response::okay;

  bool axil_aw_valid = false, axil_w_valid = false, axil_b_ready = false;
  std::uint32_t axil_aw_address = 0, axil_w_data = 0;
  bool axil_ar_valid = false, axil_r_ready = false;
  std::uint32_t axil_ar_address = 0;

  bool fetch_ready = false;
  bool command_valid = false;
  unsigned command_stream = 0;
  EncodedCommand command{};
};

}  // namespace archsim::rtl
