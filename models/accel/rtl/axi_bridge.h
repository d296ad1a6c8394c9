// From the core's AXI4 port to TLM-2.0: every burst is one plain payload with its data, sent when its address (a read) or its last
// beat (a write) is there; what the payload's time says becomes the cycles of R and B.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "accel-rtl/dv/pins.h"
#include "arch/block/block.h"
#include "arch/block/timing/clock_grid.h"
#include "models/stream/memory_port.h"

namespace archsim {

class AxiBridge {
 public:
  /// Writes into CSRs of `map` are doorbells.
  AxiBridge(MemoryPort& port, const ClockGrid& grid, std::uint64_t port_bytes, const MemoryMap& map);

  /// Of the cycle that begins with `edge`.
  void drive(rtl::CoreInputs& in, std::uint64_t edge);
  void clock(const rtl::CoreInputs& in, const rtl::CoreOutputs& out, std::uint64_t edge);

  bool is_idle() const { return reads_.empty() && writes_.empty() && beats_.empty(); }
  /// When it next has something for the core; far away if never.
  std::uint64_t next_edge() const;
  Traffic traffic() const { return traffic_; }
  std::uint64_t doorbells() const { return doorbells_; }

 private:
  struct Read {
    std::uint32_t beats = 0, given = 0;
    std::uint8_t id = 0;
    rtl::Response response = rtl::Response::okay;
    std::vector<unsigned char> data;    // from the first beat's byte 0 on
    std::uint64_t first = 0, last = 0;  // edges at which the first and the last beat are there
  };
  struct Write {
    rtl::AddressChannel request;
    std::vector<rtl::WriteData> beats;
    bool is_sent = false;
    rtl::Response response = rtl::Response::okay;
    std::uint64_t done = 0;  // edge
  };

  std::uint64_t edge_of(const Read& read, std::uint32_t beat) const;
  void ask(const rtl::AddressChannel& request, std::uint64_t edge);
  void send(Write& write, std::uint64_t edge);
  /// When it is complete.
  std::uint64_t transport(bool is_write, std::uint64_t address, unsigned char* data, std::uint64_t bytes,
                          std::uint64_t edge, rtl::Response& response);

  MemoryPort* port_;
  ClockGrid grid_;
  std::uint64_t port_bytes_;
  const MemoryMap* map_;
  std::deque<Read> reads_;
  std::deque<Write> writes_;
  std::deque<rtl::WriteData> beats_;  // that came before their address
  Traffic traffic_;
  std::uint64_t doorbells_ = 0;
};

}  // namespace archsim
