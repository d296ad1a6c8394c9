#include "arch/block/memory/send_extent.h"

namespace archsim {

void send_extent(InitiatorPort& port, tlm::tlm_generic_payload& payload, Extent& extent, sc_core::sc_time& delay) {
  extent.served_whole = false;
  port->b_transport(payload, delay);
  if (extent.served_whole || payload.is_response_error()) return;
  const sc_dt::uint64 first = payload.get_address();
  payload.clear_extension(&extent);
  for (std::uint64_t row = 1; row < extent.rows && !payload.is_response_error(); ++row) {
    payload.set_address(first + row * static_cast<std::uint64_t>(extent.pitch));
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    port->b_transport(payload, delay);
  }
  payload.set_extension(&extent);
  payload.set_address(first);
}

}  // namespace archsim
