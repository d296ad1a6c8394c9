#include "models/dram/exact_channel.h"

#include <algorithm>

#include "arch/describe/diagnostic.h"

namespace archsim {

ExactChannel::ExactChannel(const DramStandard& standard, const ControllerParams& params, BurstSink& sink,
                           DramTemperature temperature)
    : params_(params),
      device_(ExactTiming(standard, temperature)),
      scheduler_(DramScheduler::make(params_, device_, sink)) {}

Slot ExactChannel::run(BurstSource& source) {
  Slot now = 0;
  while (true) {
    scheduler_->step(now, source);
    Slot next = scheduler_->wake();
    const Slot offer = source.next_offer();
    if (offer == kNever && scheduler_->is_drained()) return now + 1;
    // A burst that finds no room is offered again in every slot, to no avail until a command goes.
    const bool is_blocked = offer <= now && !scheduler_->has_room(*source.offered(now));
    if (offer != kNever && !is_blocked) next = std::min(next, std::max(now + 1, offer));
    ARCHSIM_ASSERT(next != kNever, "requests wait in a DRAM channel and no command will ever go");
    now = next;
  }
}

}  // namespace archsim
