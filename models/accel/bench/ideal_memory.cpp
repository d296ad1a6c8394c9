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
  serve(extent == nullptr ? payload.get_data_length() : extent->bytes(), extent, delay);
}

void IdealMemory::serve(std::uint64_t bytes, Extent* extent, sc_core::sc_time& delay) {
  const Time now = time_of(sc_core::sc_time_stamp());
  const Time start = now + time_of(delay);
  const bool is_limited = params_.bandwidth.value > 0.0;
  const Time length(
      is_limited ? static_cast<std::uint64_t>(std::llround(static_cast<double>(bytes) / params_.bandwidth.value * 1e12))
                 : 0);
  const Time first = std::max(start + params_.latency, free_);
  const Time done = first + length;
  free_ = is_limited ? done : free_;
  bytes_ += bytes;
  ++transactions_;
  delay = sc_time_of(done - now);
  if (extent == nullptr) return;
  extent->served_whole = true;
  extent->first_data = sc_time_of(first - now);
  extent->unloaded_latency += sc_time_of(params_.latency);
  extent->add(Resource::dram, sc_time_of(done - start));
}

}  // namespace archsim
