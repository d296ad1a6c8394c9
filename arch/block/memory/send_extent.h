// The initiator's side of the extent protocol (extent.h).
#pragma once

#include "arch/block/block.h"
#include "arch/block/extent.h"

namespace archsim {

/// Sends `payload`, which carries `extent` and names its first row. Rows that the target leaves, because it knows only the
/// standard, follow as plain payloads, one after another. `delay` is when all of it is complete; the response status is
/// that of the last payload, or of the first that failed.
void send_extent(InitiatorPort& port, tlm::tlm_generic_payload& payload, Extent& extent, sc_core::sc_time& delay);

}  // namespace archsim
