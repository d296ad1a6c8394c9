// A DMA of its own, for what goes on beside the work: cameras' frames, displays, radios, copies.
//
// Models:     channels, each with a transfer of up to three dimensions a period; bursts of all channels under way, so many in each
//             direction; priorities among channels, piece by piece (outstanding * burst bytes); fences; set-up of a transfer;
//             writes of the same data to several places.
//             It goes on until the work of all other blocks is done.
// Leaves out: commands from the host while the run goes on; a camera's own pace within a frame, which comes as fast as it is
//             taken; data.
// Numbers:    the params; defaults are assumed.
// Checked by: tests/models/dma (closed forms of bandwidth, pieces, priorities and fences; what a victim waits for beside it).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "arch/block/model.h"
#include "arch/block/timing/clock_grid.h"
#include "models/dma/channel.h"
#include "models/dma/tables.h"
#include "models/stream/memory_port.h"

namespace archsim {

class StandAloneDma final : public Model<DmaParams, DmaStats, DmaEvents> {
 public:
  static constexpr std::string_view kSummary = "transfers beside the work, again and again: cameras, displays, copies";
  static constexpr bool kIsInitiator = true;

  StandAloneDma(const sc_core::sc_module_name& name, const DmaParams& params, const BuildContext& context);

  static BlockCosts costs(const DmaParams& params, Frequency clock);

  std::vector<InitiatorPort*> initiator_ports() override { return {port_.socket()}; }
  Traffic requested() const override;
  BlockReport report(Time elapsed) const override;

 private:
  static constexpr Time kNever = Time(std::uint64_t{1} << 62);  // still an sc_time
  void run();
  struct Lane {
    DmaChannel channel;
    std::uint64_t turn = 0;                   // when it sent last, as a number
    std::uint64_t transfer = 0;               // the number of the one under way
    std::optional<std::uint64_t> fence = {};  // of the one that is due: those with lower numbers are to be complete
  };
  /// The lane whose turn it is at `now`; null if none could send.
  Lane* choose(Time now);
  /// Begins the transfers that are due and not fenced off.
  void begin_due(Time now);
  /// When all transfers before `fence` are complete; kNever if some are not even sent.
  Time complete_before(std::uint64_t fence) const;
  /// Sends the lane's next piece; false after a fault.
  bool send(Lane& lane, Time now);
  /// When a lane that has begun could send, but for others.
  Time can_send(const DmaChannel& channel) const;
  Time next_moment(Time now) const;
  void end_transfer(const Lane& lane);
  void sleep_until(Time time) const;

  ClockGrid grid_;
  MemoryPort port_;
  Requester requester_;
  std::vector<Lane> lanes_;
  BurstWindow reads_, writes_;
  std::map<std::uint64_t, Time> open_;  // transfers by number that may not be complete: when they are, or kNever
  std::uint64_t turn_ = 0, transfer_ = 0;
  DmaStats stats_;
  DmaEvents events_;
  Time busy_ = Time::zero(), busy_until_ = Time::zero();
};

}  // namespace archsim
