// The memory behind the core's AXI4 port: the ideal memory of models/accel/bench, beat by beat and with data.
//
// A burst whose address is taken in cycle t has its first data in cycle t + latency, or once the burst before is through; bytes
// then move at the bandwidth, reads and writes each. A write is acknowledged when the ideal memory is done with it and its last
// beat has been under way for the latency.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "accel-rtl/dv/pins.h"
#include "accel-rtl/dv/surroundings/pauses.h"
#include "arch/program/datapath/sparse_memory.h"

namespace archsim::rtl {

struct AxiMemoryParams {
  std::uint64_t latency = 10;     // cycles, at least 1
  double bytes_per_cycle = 16.0;  // each way
  std::uint64_t port_bytes = 16;
  std::uint64_t base = 0, size = 0;          // other addresses answer with a decode error
  std::uint64_t csr_base = 0, csr_size = 0;  // writes in here are doorbells, served at once
  PauseParams pauses;
  /// Reads see memory as it is when their data leaves, writes change it when their last beat arrives; otherwise reads see it as
  /// it is when they are asked, writes change it when they are acknowledged. Both are legal; a missing wait shows in one of them.
  bool is_hasty = false;
};

class AxiMemory {
 public:
  explicit AxiMemory(const AxiMemoryParams& params);

  /// Sets what the memory drives in this cycle.
  void drive(CoreInputs& in);
  /// Takes what was exchanged in this cycle, and ends it.
  void clock(const CoreInputs& in, const CoreOutputs& out);

  SparseMemory& contents() { return contents_; }
  const SparseMemory& contents() const { return contents_; }
  struct Doorbell {
    std::uint64_t address = 0, cycle = 0;
  };
  const std::vector<Doorbell>& doorbells() const { return doorbells_; }
  std::uint64_t bytes_read() const { return bytes_read_; }
  std::uint64_t bytes_written() const { return bytes_written_; }
  bool is_idle() const { return reads_.empty() && writes_.empty(); }

 private:
  enum class Target : std::uint8_t { memory, doorbell, nobody };
  struct Burst {
    AddressChannel request;
    Target target = Target::memory;
    double first = 0.0;             // when its data may begin
    std::uint64_t bytes = 0;        // of the beats that have moved
    std::uint32_t beats = 0;        // that have moved
    std::vector<Beat> sampled;      // a read's data, if it is taken at once
    std::vector<WriteData> data;    // a write's
    std::uint64_t acknowledge = 0;  // a write's first cycle of B, once its last beat is in
  };
  /// Which bytes of the port a beat uses, and the address of the first.
  struct Lanes {
    std::uint64_t address = 0;
    std::size_t first = 0, count = 0;
  };

  Target target_of(std::uint64_t address) const;
  Burst accept(const AddressChannel& request, double& free);
  Lanes lanes(const Burst& burst, std::uint32_t beat) const;
  /// The cycle in which the next beat may be at the port.
  std::uint64_t cycle_of_next(const Burst& burst) const;
  void offer_read(CoreInputs& in);
  void read_beat(const Burst& burst, std::uint32_t beat, Beat& into) const;
  void fill_writes();
  void take(Burst& burst, const WriteData& beat);
  void commit(const Burst& burst);

  AxiMemoryParams params_;
  SparseMemory contents_;
  std::uint64_t cycle_ = 0;
  std::deque<Burst> reads_, writes_;
  std::deque<WriteData> beats_;  // that came before their address
  double read_free_ = 0.0, write_free_ = 0.0;
  bool holds_r_ = false, holds_b_ = false;  // offered and not yet taken: stays
  Pauses ar_pause_, aw_pause_, w_pause_, r_pause_, b_pause_;
  std::vector<Doorbell> doorbells_;
  std::uint64_t bytes_read_ = 0, bytes_written_ = 0;
};

}  // namespace archsim::rtl
