#include "models/accel/bench/ideal_memory.h"

#include <algorithm>
#include <cmath>

namespace archsim {

IdealMemory::IdealMemory(const sc_core::sc_module_name& name, const IdealMemoryParams& params, std::uint64_t csr_base,
                         std::uint64_t csr_bytes)
    : sc_core::sc_module(name), socket_("socket"), params_(params), csr_base_(csr_base), csr_bytes_(csr_bytes) {
  socket_.register_b_transport(this, &IdealMemory::transport);
}

void IdealMemory::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t address = payload.get_address();
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if (address >= csr_base_ && address - csr_base_ < csr_bytes_) {
    doorbells_.emplace(address, time_of(sc_core::sc_time_stamp() + delay));
    return;
  }
  if (address < params_.base || address - params_.base >= params_.size) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  Extent* extent = params_.knows_extents ? payload.get_extension<Extent>() : nullptr;
  serve(extent == nullptr ? payload.get_data_length() : extent->bytes(), payload.is_write(), extent, delay);
}

Time IdealMemory::length_of(std::uint64_t bytes) const {
  if (params_.bandwidth.value <= 0.0) return Time::zero();
  return Time(static_cast<std::uint64_t>(std::llround(static_cast<double>(bytes) / params_.bandwidth.value * 1e12)));
}

void IdealMemory::serve(std::uint64_t bytes, bool is_write, Extent* extent, sc_core::sc_time& delay) {
  const Time now = time_of(sc_core::sc_time_stamp());
  const Time start = now + time_of(delay);
  Time& free = is_write ? write_free_ : read_free_;
  const Time first = std::max(start + params_.latency, free);
  const Time done = first + length_of(bytes);
  if (params_.bandwidth.value > 0.0) free = done;
  bytes_ += bytes;
  ++transactions_;
  delay = sc_time_of(done - now);
  if (extent == nullptr) return;
  extent->served_whole = true;
  extent->first_data = sc_time_of(first - now);
  const std::uint64_t burst = std::min<std::uint64_t>(extent->row_bytes, extent->burst_bytes);
  extent->unloaded_latency += sc_time_of(params_.latency + length_of(burst));
  extent->burst_takes(sc_time_of(length_of(burst)));
  extent->add(Resource::dram, sc_time_of(done - start));
}

}  // namespace archsim
