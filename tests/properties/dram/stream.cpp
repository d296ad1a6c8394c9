#include "tests/properties/dram/stream.h"

#include <algorithm>

namespace archsim {
namespace {

constexpr std::uint64_t kSpace = std::uint64_t{1} << 30;

/// Extents in order as bursts, one a slot.
class ExtentBursts final : public BurstSource, public BurstSink {
 public:
  ExtentBursts(const std::vector<ChannelExtent>& extents, const AddressMap& map, const ExactTiming& timing)
      : extents_(extents),
        map_(map),
        burst_bytes_(timing.burst_bytes),
        edges_(timing.edges),
        ends_(extents.size()),
        answers_(extents.size()) {
    begin();
  }

  const Burst* offered(Slot now) override { return now >= offer_ ? &burst_ : nullptr; }
  void accepted(Slot now) override {
    offer_ = now + 1;
    burst_.address += burst_bytes_;
    if (burst_.address < extents_[burst_.tag].end) {
      burst_.at = map_.place(burst_.address);
      return;
    }
    ++burst_.tag;
    begin();
  }
  const Burst& follower() override { return burst_; }
  Slot next_offer() const override { return offer_; }
  void done(const Burst& burst, Slot end) override {
    ends_[burst.tag] = std::max(ends_[burst.tag], end);
    drained_ = std::max(drained_, end);
    if (burst.is_write) end = burst.arrival + 1;
    answers_[burst.tag] = std::max(answers_[burst.tag], end);
  }
  /// The end of the last data, at the device, in clocks.
  double drained() const { return static_cast<double>(drained_) / static_cast<double>(edges_); }
  /// When the first `count` extents are answered, in clocks: writes when the buffer has them.
  double answered(std::size_t count) const {
    const auto last = std::max_element(answers_.begin(), answers_.begin() + static_cast<std::ptrdiff_t>(count));
    return static_cast<double>(*last) / static_cast<double>(edges_);
  }

  /// When the first `count` extents are through, in clocks.
  double end_of(std::size_t count) const {
    const auto last = std::max_element(ends_.begin(), ends_.begin() + static_cast<std::ptrdiff_t>(count));
    return static_cast<double>(*last) / static_cast<double>(edges_);
  }

 private:
  void begin() {
    if (burst_.tag == extents_.size()) {
      offer_ = kNever;
      return;
    }
    const ChannelExtent& extent = extents_[burst_.tag];
    offer_ = std::max(offer_, extent.arrival * edges_);
    burst_.address = extent.first;
    burst_.is_write = extent.is_write;
    burst_.at = map_.place(burst_.address);
  }

  const std::vector<ChannelExtent>& extents_;
  const AddressMap& map_;
  std::uint64_t burst_bytes_, edges_;
  Burst burst_;
  Slot offer_ = 0;
  std::vector<Slot> ends_, answers_;
  Slot drained_ = 0;
};

}  // namespace

std::vector<ChannelExtent> random_extents(const StreamShape& shape, const ChannelTiming& timing, std::uint64_t seed,
                                          std::uint64_t bytes) {
  std::mt19937_64 random(seed);
  const double peak = static_cast<double>(timing.burst_bytes) / static_cast<double>(timing.burst.value);
  struct Place {
    std::uint64_t next = 0, left = 0;
  };
  std::vector<Place> places(shape.initiators);
  std::vector<ChannelExtent> extents;
  double arrival = 0.0;
  for (std::uint64_t sent = 0; sent < bytes; sent += shape.bytes) {
    Place& place = places[random() % places.size()];
    if (place.left == 0) place = {random() % kSpace / shape.bytes * shape.bytes, 1 + random() % shape.longest};
    const bool is_write = static_cast<double>(random() % 1000) < 1000.0 * shape.writes;
    extents.push_back({static_cast<std::uint64_t>(arrival), place.next, place.next + shape.bytes, is_write});
    place.next += shape.bytes;
    --place.left;
    const double spread = 0.5 + static_cast<double>(random() % 1000) / 1000.0;
    if (shape.load > 0.0) arrival += spread * static_cast<double>(shape.bytes) / (peak * shape.load);
  }
  return extents;
}

PathResult run_exactly(const DramStandard& standard, const std::vector<ChannelExtent>& extents) {
  const ExactTiming timing(standard);
  const ControllerParams controller = *find_controller("default");
  const AddressMap map = *AddressMap::make(timing, controller.address_map, controller.xor_row_into);
  ExtentBursts bursts(extents, map, timing);
  ExactChannel channel(standard, controller, bursts);
  channel.run(bursts);
  return {bursts.end_of(extents.size()), bursts.end_of(extents.size() / 2), channel.counts(), bursts.drained(),
          bursts.answered(extents.size() / 2)};
}

PathResult run_fast(const DramStandard& standard, const std::vector<ChannelExtent>& extents) {
  Channel channel{ChannelTiming(standard)};
  PathResult result;
  Cycles end = Cycles::zero();
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const ChannelExtent& extent = extents[i];
    end = std::max(end, channel.serve(Cycles(extent.arrival), extent.first, extent.end, extent.is_write).last);
    if (i + 1 == extents.size() / 2) result.middle = static_cast<double>(end.value);
  }
  result.end = static_cast<double>(end.value);
  const ChannelCounts& counts = channel.counts();
  result.counts = {counts.activates, counts.precharges, counts.reads, counts.writes, channel.refreshes(end)};
  return result;
}

PathResult run_in_order(const DramStandard& standard, const std::vector<ChannelExtent>& extents) {
  OrderedChannel channel(standard);
  PathResult result;
  Cycles answered = Cycles::zero();
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const ChannelExtent& extent = extents[i];
    answered =
        std::max(answered, channel.serve(Cycles(extent.arrival), extent.first, extent.end, extent.is_write).last);
    if (i + 1 == extents.size() / 2) result.answered = static_cast<double>(answered.value);
  }
  const Cycles end = channel.drain();
  result.drained = static_cast<double>(end.value);
  const ChannelCounts counts = channel.counts();
  result.counts = {counts.activates, counts.precharges, counts.reads, counts.writes, channel.refreshes(end)};
  return result;
}

}  // namespace archsim
