#include "models/dram/window/ordered_channel.h"

#include <algorithm>
#include <bit>

namespace archsim {

OrderedChannel::OrderedChannel(const DramStandard& standard)
    : timing_(standard),
      edges_(standard.command_edges),
      stripe_shift_(static_cast<unsigned>(std::countr_zero(timing_.stripe_bytes))),
      bank_shift_(static_cast<unsigned>(std::countr_zero(timing_.banks))),
      burst_shift_(static_cast<unsigned>(std::countr_zero(timing_.burst_bytes))),
      window_(ExactTiming(standard)) {}

Channel::Service OrderedChannel::serve(Cycles arrival, std::uint64_t first, std::uint64_t end, bool is_write) {
  Channel::Service service{Cycles(~std::uint64_t{0}), arrival, Cycles(~std::uint64_t{0})};
  const Slot slot = arrival.value * edges_;
  while (first < end) {
    const std::uint64_t stripe = first >> stripe_shift_, inside = first & (timing_.stripe_bytes - 1);
    const std::uint64_t until = std::min(end, (stripe + 1) << stripe_shift_);
    const std::uint64_t first_burst = inside >> burst_shift_,
                        last_burst = (inside + (until - first) - 1) >> burst_shift_;
    const ControllerWindow::Run run{.row = static_cast<std::uint32_t>(stripe >> bank_shift_),
                                    .bank = static_cast<std::uint32_t>(stripe & (timing_.banks - 1)),
                                    .first = first_burst,
                                    .count = last_burst - first_burst + 1,
                                    .is_write = is_write};
    const Channel::Service part = serve_run(slot, run);
    service.first = std::min(service.first, part.first);
    service.last = std::max(service.last, part.last);
    service.accepted = std::min(service.accepted, part.accepted);
    service.taken += part.taken;
    first = until;
  }
  return service;
}

Channel::Service OrderedChannel::serve_run(Slot arrival, const ControllerWindow::Run& run) {
  const auto entered = window_.enter(run, arrival);
  Channel::Service service{clocks(entered.first + 1), clocks(entered.last + 1), clocks(entered.first)};
  const Cycles busy = timing_.burst * run.count;
  if (!run.is_write) {
    service.last = clocks(window_.expected_end(run));
    const Cycles soonest = service.accepted + timing_.rl + timing_.burst, streaming = timing_.burst * (run.count - 1);
    service.first = std::max(soonest, service.last - std::min(service.last, streaming));
  }
  const Cycles from = std::max(clocks(arrival), taken_until_), until = std::max(service.last, from);
  service.taken = from > taken_until_ ? std::min(until - from, busy) : until - from;
  taken_until_ = until;
  return service;
}

ChannelCounts OrderedChannel::counts() const {
  const DramCounts& counts = window_.counts();
  return {counts.reads, counts.writes, counts.activates, counts.precharges};
}

Channel::Shares OrderedChannel::shares() const {
  const auto& shares = window_.shares();
  return {clocks(shares.busy), clocks(shares.turnaround), clocks(shares.refresh), clocks(shares.asked)};
}

}  // namespace archsim
