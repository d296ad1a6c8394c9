#include "models/stream/semaphore_bank.h"

#include <cstring>

#include "arch/describe/diagnostic.h"

namespace archsim {
std::vector<std::uint64_t> csr_bases(const BuildContext& context) {
  ARCHSIM_ASSERT(context.semaphores.size() == context.accelerators + 1U, "every accelerator and the host have a bank");
  std::vector<std::uint64_t> bases;
  for (const std::string& block : context.semaphores) {
    const Region* region = context.map->of(block, RegionKind::csr);
    ARCHSIM_ASSERT(region != nullptr, block + " has no CSRs in the memory map");
    bases.push_back(region->base);
  }
  return bases;
}

SemaphoreBank::SemaphoreBank(const sc_core::sc_module_name& name, const ClockGrid& grid, std::size_t semaphores,
                             const Place& place, WhatIf* what_if)
    : sc_core::sc_module(name),
      socket_("socket"),
      grid_(grid),
      semaphores_(semaphores),
      place_(place),
      what_if_(what_if) {
  socket_.register_b_transport(this, &SemaphoreBank::transport);
}

void SemaphoreBank::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t address = payload.get_address();
  const std::uint64_t index = (address - place_.base) / kSemaphoreBytes;
  const bool is_other = index >= semaphores_.size() && others_ != nullptr;
  if (address < place_.base || (index >= semaphores_.size() && !is_other)) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (address % kSemaphoreBytes != 0 || payload.get_data_length() != kSemaphoreBytes) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  if (is_other) {
    std::uint32_t value = 0;
    std::memcpy(&value, payload.get_data_ptr(), sizeof value);
    const Cycles when = grid_.edge_at(time_of(sc_core::sc_time_stamp() + delay));
    const bool is_taken = payload.is_write() && others_(address - place_.base, value, when);
    payload.set_response_status(is_taken ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (payload.is_write()) {
    const Time now = time_of(sc_core::sc_time_stamp() + delay);
    const Lanes lanes = what_if_ == nullptr ? Lanes(now) : what_if_->arrive(place_.number, index, now);
    semaphores_[index].advance(grid_.edge_at(now), lanes);
  } else {
    const std::uint32_t value = semaphores_[index].value();
    std::memcpy(payload.get_data_ptr(), &value, sizeof value);
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace archsim
