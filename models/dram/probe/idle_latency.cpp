#include <algorithm>
#include <array>

#include "models/dram/probe/probe.h"

namespace archsim {
namespace {

constexpr std::size_t kReads = 3;

/// Three reads of 64 B, so far apart that nothing of one is left when the next comes.
class LoneReads final : public BurstSource, public BurstSink {
 public:
  LoneReads(const ExactTiming& timing, const AddressMap& map, const std::array<std::uint64_t, kReads>& addresses)
      : map_(map),
        addresses_(addresses),
        burst_bytes_(timing.burst_bytes),
        bursts_(std::max<std::uint64_t>(1, 64 / timing.burst_bytes)),
        apart_(round_up(timing.refresh_interval / 8, timing.edges)) {
    prepare();
  }

  const Burst* offered(Slot now) override { return now >= offer_ ? &burst_ : nullptr; }
  void accepted(Slot now) override {
    if (next_ % bursts_ == 0) begun_[next_ / bursts_] = now;
    ++next_;
    offer_ = next_ == kReads * bursts_ ? kNever : next_ % bursts_ == 0 ? apart_ * (next_ / bursts_) : now + 1;
    if (offer_ != kNever) prepare();
  }
  const Burst& follower() override { return burst_; }
  Slot next_offer() const override { return offer_; }
  void done(const Burst& burst, Slot end) override {
    Slot& last = ended_[burst.tag / bursts_];
    last = std::max(last, end);
  }
  double latency(std::size_t read, double slot_seconds) const {
    return static_cast<double>(ended_[read] - begun_[read]) * slot_seconds;
  }

 private:
  void prepare() {
    burst_.address = addresses_[next_ / bursts_] + next_ % bursts_ * burst_bytes_;
    burst_.tag = next_;
    burst_.followers = static_cast<std::uint8_t>(bursts_ - 1 - next_ % bursts_);
    burst_.at = map_.place(burst_.address);
  }

  const AddressMap& map_;
  std::array<std::uint64_t, kReads> addresses_;
  std::uint64_t burst_bytes_, bursts_, next_ = 0;
  Slot apart_, offer_ = 0;
  Burst burst_;
  std::array<Slot, kReads> begun_ = {}, ended_ = {};
};

}  // namespace

Checked<DramIdleLatency> idle_latency(const DramStandard& standard, const ControllerParams& controller) {
  const ExactTiming timing(standard);
  const auto map = AddressMap::make(timing, controller.address_map, controller.xor_row_into);
  if (!map) return map.diagnostics();
  // With bg64: the next 64 B of the same bank are behind those of the other bank groups.
  LoneReads reads(timing, *map, {0, 64 * std::uint64_t{timing.groups}, row_stride(timing)});
  ExactChannel channel(standard, controller, reads);
  channel.run(reads);
  return DramIdleLatency{reads.latency(0, timing.slot_seconds), reads.latency(1, timing.slot_seconds),
                         reads.latency(2, timing.slot_seconds)};
}

}  // namespace archsim
