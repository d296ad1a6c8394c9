// A memory for one accelerator or host alone: a latency, a bandwidth, nothing else. Outside of it lie CSRs that count doorbells.
#pragma once

#include <cstdint>
#include <map>
#include <systemc>

#include "arch/block/block.h"
#include "arch/block/extent.h"

namespace archsim {

struct IdealMemoryParams {
  Time latency = Time::zero();  // from a request to its first data
  /// Of reads and of writes, each. Zero: any number of bytes at once.
  Bandwidth bandwidth{0.0};
  /// False: it knows nothing but the standard, and gets an extent's rows one by one.
  bool knows_extents = true;
  /// Where it lies; other addresses do not answer.
  std::uint64_t base = 0, size = 0;
};

class IdealMemory : public sc_core::sc_module {
 public:
  IdealMemory(const sc_core::sc_module_name& name, const IdealMemoryParams& params, std::uint64_t csr_base,
              std::uint64_t csr_bytes);

  TargetPort* socket() { return &socket_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t transactions() const { return transactions_; }
  /// When each doorbell arrived, by address.
  const std::multimap<std::uint64_t, Time>& doorbells() const { return doorbells_; }

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  /// How long so many bytes take.
  Time length_of(std::uint64_t bytes) const;
  void serve(std::uint64_t bytes, bool is_write, Extent* extent, sc_core::sc_time& delay);

  tlm_utils::simple_target_socket<IdealMemory> socket_;
  IdealMemoryParams params_;
  std::uint64_t csr_base_, csr_bytes_;
  Time read_free_ = Time::zero(), write_free_ = Time::zero();
  std::uint64_t bytes_ = 0, transactions_ = 0;
  std::multimap<std::uint64_t, Time> doorbells_;
};

}  // namespace archsim
