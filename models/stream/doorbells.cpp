#include "models/stream/doorbells.h"

#include "arch/block/block.h"

namespace archsim {

void Doorbells::add(Time at, std::uint64_t address) {
  if (pending_.empty() || at < pending_.top().at) earlier_.notify(sc_core::SC_ZERO_TIME);
  pending_.push({at, added_++, address});
}

void Doorbells::run() {
  for (;;) {
    if (pending_.empty()) {
      sc_core::wait(earlier_);
      continue;
    }
    const Time now = time_of(sc_core::sc_time_stamp());
    if (pending_.top().at > now) {
      sc_core::wait(sc_time_of(pending_.top().at - now), earlier_);
      continue;
    }
    const std::uint64_t address = pending_.top().address;
    pending_.pop();
    ring_(address);
  }
}

}  // namespace archsim
