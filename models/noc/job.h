// Scratch of one transaction under way on a network, and what its parts share.
#pragma once

#include <map>
#include <vector>

#include "models/noc/network.h"

namespace archsim {

namespace noc {

inline Time now() { return time_of(sc_core::sc_time_stamp()); }
inline sc_core::sc_time delay_until(Time time) {
  const Time present = now();
  return time > present ? sc_time_of(time - present) : sc_core::SC_ZERO_TIME;
}

/// Makes `piece` the `bytes` at `address` of the transaction `whole`, whose data begins `offset` into its data array.
void set_piece(tlm::tlm_generic_payload& piece, const tlm::tlm_generic_payload& whole, std::uint64_t address,
               std::uint64_t offset, std::uint64_t bytes);

}  // namespace noc

struct Network::Job {
  Job() { payload.set_extension(&extent); }
  ~Job() { payload.clear_extension(&extent); }

  tlm::tlm_generic_payload payload;  // carries `extent`
  tlm::tlm_generic_payload plain;
  Extent extent;
  std::vector<Train> trains;                                // by port
  std::vector<std::map<std::uint32_t, FlitStream>> copied;  // by copy and target: when its data arrive
};

}  // namespace archsim
