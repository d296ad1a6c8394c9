// DRAM behind interleaved ports: channels of bank groups and banks with open rows, all-bank refresh and a shared data bus.
//
// Models:     every timing of the standard that a stream, a row conflict, a turnaround or a refresh meets; rows stay open;
//             activates overlap other banks' transfers; a long run within a row is one booking, whatever its length; the places of
//             the controller's buffer, the command bus, and the gathering of writes, for accesses that are short enough to meet them;
//             a regulator for background traffic (token_bucket.h).
// Leaves out: the order of single commands unless asked for, so conflicts of many small accesses and of reads with writes are approximate
//             (docs/decisions/0017 has how much), postponed refreshes, power-down. A write is complete when it is in the banks.
//             With `order: controller` the default controller's order is kept (window/ordered_channel.h, docs/decisions/0020).
// Numbers:    configs/dram/*.yaml, each timing with its source; energy from the technology file.
// Checked by: tests/models/dram (closed forms of streams and conflicts; idle latencies of Ramulator 2.1 within 2 clocks),
//             tests/properties/dram (the exact channel on random streams).
#pragma once

#include <array>
#include <vector>

#include "arch/block/memory/memory_ports.h"
#include "arch/block/model.h"
#include "arch/block/timing/clock_grid.h"
#include "arch/machine/capabilities.h"
#include "models/dram/channel.h"
#include "models/dram/standard.h"
#include "models/dram/token_bucket.h"
#include "models/dram/window/ordered_channel.h"

namespace archsim {

constexpr unsigned kMostChannels = 256;

struct BackgroundParams {
  double share = 1.0;
  Bytes burst = Bytes(16384);

  static constexpr auto fields() {
    using P = BackgroundParams;
    return fields_of(
        param<&P::share>("part of the peak that traffic of class `background` gets at most; 1: it is not held back")
            .between(0.001, 1.0),
        param<&P::burst>("bytes of it that may come at once after a pause").between(Bytes(64), Bytes(1 << 30)));
  }
};

/// booked: a row at a time, in the order of the calls. controller: command by command where the order matters, some times slower.
enum class DramOrder { booked, controller };

struct BankedDramParams {
  DramStandardName standard = {};
  unsigned channels = 8;
  unsigned ports = 4;
  Bytes interleave = Bytes(1024);
  Bytes capacity = Bytes(std::uint64_t{16} << 30);
  DramOrder order = DramOrder::booked;
  BackgroundParams background;

  static constexpr auto fields() {
    using P = BankedDramParams;
    return fields_of(
        param<&P::standard>("a file of configs/dram: organization and timings of a channel"),
        param<&P::channels>("channels (HBM: pseudo-channels), each with a data bus of its own")
            .between(1, kMostChannels),
        param<&P::ports>("endpoints of the interconnect; channels are dealt to them in order").between(1, 64),
        param<&P::interleave>("consecutive bytes in one channel before the next one's turn")
            .between(Bytes(64), Bytes(1 << 20))
            .power_of_two(),
        param<&P::capacity>("of all channels").between(Bytes(1 << 20), Bytes(std::uint64_t{1} << 46)),
        param<&P::order>(
            "booked: rows in the order of the requests; controller: the default controller's order, command by "
            "command where it matters, which takes some times as long to simulate"),
        param<&P::background>("what is held back for others, before the channels"));
  }

  static constexpr auto rules() {
    using P = BankedDramParams;
    return rules_of(
        rule<&P::ports>("`ports` must divide `channels`", [](const P& p) { return p.channels % p.ports == 0; }),
        rule<&P::capacity>("`capacity` must be a whole number of `interleave` granules in every channel",
                           [](const P& p) { return p.capacity.value % (p.interleave.value * p.channels) == 0; }));
  }
};

struct BankedDramStats {
  Total<Bytes> read, written;
  Count reads, writes;
  Count activates, precharges;
  Count row_hits, row_misses;
  Count refreshes;

  static constexpr auto fields() {
    using S = BankedDramStats;
    return fields_of(stat<&S::read>("bytes read"), stat<&S::written>("bytes written"), stat<&S::reads>("read bursts"),
                     stat<&S::writes>("write bursts"),
                     stat<&S::activates>("rows opened, those that a refresh had closed included"),
                     stat<&S::precharges>("precharges; that of all banks before a refresh is one"),
                     stat<&S::row_hits>("bursts that found their row open"),
                     stat<&S::row_misses>("bursts that had a row opened"), stat<&S::refreshes>("all-bank refreshes"));
  }
};

struct BankedDramEvents {
  Count burst_read, burst_written, row_activated, refresh;

  static constexpr auto fields() {
    using E = BankedDramEvents;
    return fields_of(event<&E::burst_read>("one burst read", "dram.burst_read"),
                     event<&E::burst_written>("one burst written", "dram.burst_written"),
                     event<&E::row_activated>("one row opened and closed", "dram.row_activated"),
                     event<&E::refresh>("one refresh of all banks of a channel", "dram.refresh"));
  }
};

class BankedDram final : public Model<BankedDramParams, BankedDramStats, BankedDramEvents> {
 public:
  static constexpr std::string_view kSummary = "DRAM: interleaved channels of banks with open rows and refresh";
  static constexpr bool kHasClock = false;  // the standard has one

  BankedDram(const sc_core::sc_module_name& name, const BankedDramParams& params, const BuildContext& context);

  std::vector<TargetPort*> target_ports() override { return ports_.ports(); }
  Traffic served() const override { return ports_.served(); }
  std::uint64_t progress() const override { return ports_.transactions(); }
  BlockReport report(Time elapsed) const override;

  /// `delivered` is the best a stream gets, refresh taken off; `latency` that of a 64 B read of a closed bank.
  static MemoryCapabilities memory(const BankedDramParams& params, Frequency);
  static BlockCosts costs(const BankedDramParams& params, Frequency);

 private:
  MemoryService serve(const MemoryAccess& access);
  Channel::Service serve_in(unsigned channel, Cycles arrival, std::uint64_t first, std::uint64_t end, bool is_write);
  template <class AnyChannel>
  void add_channel(const AnyChannel& channel, Time elapsed, BankedDramStats& stats,
                   std::vector<EngineReport>& engines) const;
  /// When it may go to the channels. What is held back waits in the call: were it booked ahead, others would find it in the
  /// controller's buffer.
  Time admitted(const MemoryAccess& access);
  /// What of it lies at its port.
  std::uint64_t own_bytes(const MemoryAccess& access) const;
  /// The DRAM's own bursts that one of the initiator's takes in a channel.
  std::uint64_t bursts_of_a_request(const MemoryAccess& access) const;

  std::shared_ptr<const DramStandard> standard_;
  ClockGrid grid_;
  ChannelTiming timing_;
  Dealing ports_of_, channels_of_;  // addresses to ports, addresses within a port to channels
  std::vector<Channel> booked_;     // one of the two, as `order` says
  std::vector<OrderedChannel> ordered_;
  TokenBucket background_;
  MemoryPorts ports_;
};

/// The part of the time that a sequential stream of reads has the data bus for: 1 - (tRFC + tRP + tRCD) / tREFI.
double stream_efficiency(const DramStandard& standard);

}  // namespace archsim
