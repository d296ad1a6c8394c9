// A network of wormhole routers between memory ports, slices and initiators. topologies.h has the models of the catalog.
//
// Models:     router pipeline and link latency of every hop; every directed link's bandwidth, injection and ejection links
//             included; one packet a burst (a request or acknowledgement is one head flit, data is payload flits behind a
//             head flit or with headers on wires of their own); streams share links by what they need of them, single packets
//             also by virtual channels (links.h); interleaved regions split over their ports; priorities of initiators, those of
//             equal ones being one class; writes of the same data to several places, on each link once.
// Leaves out: finite buffers and so tree saturation; order within one arbitration: single flits wait for nobody, and a train of
//             packets has no queues of virtual channels.
// Numbers:    zero-load latencies are BookSim 2's (28f43299) for routers of two and four stages.
// Checked by: tests/models/noc (closed forms, fair sharing, conservation of bytes, standard-only TLM-2.0 neighbours; single
//             packets beside the detailed network).
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "arch/block/extent.h"
#include "arch/block/memory/dealing.h"
#include "arch/block/model.h"
#include "arch/block/timing/clock_grid.h"
#include "arch/machine/capabilities.h"
#include "arch/machine/catalog.h"
#include "models/noc/links.h"
#include "models/noc/packets.h"

namespace archsim {

struct NocParams {
  unsigned columns = 4;
  unsigned rows = 4;
  Bytes link_width = Bytes(64);
  Router router = Router::r2;
  unsigned vcs = 4;
  PacketHeader header = PacketHeader::own_flit;

  NocShape shape(NocTopology topology) const {
    return {.topology = topology, .columns = columns, .rows = rows, .router = router, .vcs = vcs};
  }

  static constexpr auto fields() {
    using P = NocParams;
    return fields_of(
        param<&P::columns>("tiles in a row").between(1, 64), param<&P::rows>("rows of tiles").between(1, 64),
        param<&P::link_width>("payload that a link moves in a cycle and direction: one flit")
            .between(Bytes(4), Bytes(1024))
            .power_of_two(),
        param<&P::router>("router pipeline: r2 two stages, r4 four stages"),
        param<&P::vcs>("virtual channels of a link").between(1, 64),
        param<&P::header>("data packets: a flit of its own before the payload, or wires beside each flit"));
  }
};

struct NocStats {
  Count transactions;
  Total<Bytes> read, written;
  Count packets, flits;
  Total<Time> waited;
  Peak<Time> busiest_link;

  static constexpr auto fields() {
    using S = NocStats;
    return fields_of(stat<&S::transactions>("extents and plain payloads carried"),
                     stat<&S::read>("payload carried from targets to initiators"),
                     stat<&S::written>("payload carried from initiators to targets"),
                     stat<&S::packets>("packets: requests, acknowledgements and data"),
                     stat<&S::flits>("flits injected"),
                     stat<&S::waited>("time by which streams ended later than on an idle network, summed"),
                     stat<&S::busiest_link>("time that the busiest link was taken"));
  }
};

struct NocEvents {
  Count router_flits, link_flits;

  static constexpr auto fields() {
    using E = NocEvents;
    return fields_of(event<&E::router_flits>("one flit through one router", "noc.router_flit"),
                     event<&E::link_flits>("one flit over one link", "noc.link_flit"));
  }
};

class Network : public Model<NocParams, NocStats, NocEvents> {
 public:
  /// `context.fabric` and `context.map` are complete.
  Network(const sc_core::sc_module_name& name, const NocShape& shape, const NocParams& params,
          const BuildContext& context);
  ~Network() override;

  std::vector<InitiatorPort*> initiator_ports() override;
  std::vector<TargetPort*> target_ports() override;
  std::uint64_t progress() const override { return stats_.transactions.value; }
  /// Every link's flits went on at its end (links.h), or it is a bug.
  BlockReport report(Time elapsed) const override;

  static FabricCapabilities fabric(const NocShape& shape, Bytes link_width, PacketHeader header, Frequency clock);

 private:
  struct Entrance;  // one initiator's side
  struct Job;       // scratch of one transaction under way
  struct Space {
    const Region* region;
    Dealing ports;
    std::uint32_t first_target;  // of the ports
    std::size_t index;           // in spaces_
  };
  struct Routes {
    Route forward, back;
  };
  /// Where a stream goes, for whom.
  struct Way {
    const Route& route;
    unsigned initiator, priority;
  };
  /// A transaction of an extent.
  struct Asked {
    unsigned initiator, priority;
    Time start;              // of the transaction
    Time data;               // of a write: when the initiator has its first byte
    std::uint32_t copy = 0;  // the one at hand
  };
  /// One extent at one port.
  struct Visit {
    const Asked& asked;
    std::uint32_t target;
    unsigned port;             // of the space
    const FlitStream* copied;  // of a write to several places: when its data arrive
  };
  using Spaces = std::vector<const Space*>;  // by copy
  struct Outcome {
    Time first_data = Time::zero(), end = Time::zero();  // at the initiator
    Needs needs;                                         // of the memory
    Time network = Time::zero();                         // the mesh's part of start to end
    sc_core::sc_time unloaded;                           // round trip of one burst
    sc_core::sc_time burst_time;                         // the part of it in which its data pass
    std::array<sc_core::sc_time, kResources> spent{};
  };

  std::vector<InitiatorReport> initiators() const;
  std::vector<TargetReport> targets() const;

  /// All ports of all copies.
  struct Served {
    Outcome last;
    Time first_data = Time(~std::uint64_t{0});
    sc_core::sc_time unloaded = sc_core::SC_ZERO_TIME;  // summed
    std::uint64_t ports = 0, bytes = 0;
    Needs needs;
  };

  void transport(int initiator, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned debug(int initiator, tlm::tlm_generic_payload& payload);

  void transport_extent(unsigned initiator, tlm::tlm_generic_payload& payload, Extent& extent, sc_core::sc_time& delay);
  /// Where each copy of the extent lies; none, with a fault, if one lies in no region.
  std::optional<Spaces> spaces_of(unsigned initiator, tlm::tlm_generic_payload& payload, const Extent& extent);
  void send_copies(const Asked& asked, const Spaces& spaces, const Extent& extent, Job& job);
  void send_tree(const Asked& asked, const std::vector<std::uint32_t>& targets, const Train& train, Job& job);
  void visit_ports(const Asked& asked, const Space& space, tlm::tlm_generic_payload& payload, Extent& extent, Job& job,
                   Served& served);
  Outcome visit(const Visit& visit, const Space& space, tlm::tlm_generic_payload& payload, const Extent& extent,
                Job& job);
  /// The link that is used most on the initiator's ways to or from the ports of a space, if not its own.
  struct Hot {
    std::uint64_t until = 0;  // the transaction at which it is looked for again
    std::uint32_t link = 0;
    double part = 0.0;  // of the ways that go over it
  };
  const Hot& hot_link(unsigned initiator, const Space& space, bool is_write);
  Needs needs_of(unsigned initiator, const Space& space, bool is_write, std::uint64_t burst,
                 const std::vector<Train>& trains);
  /// Sends the extent to the port, and piece by piece what a standard-only target leaves of it.
  void send(const Visit& visit, const Space& space, tlm::tlm_generic_payload& payload, const Extent& extent, Job& job,
            sc_core::sc_time& delay);

  void transport_plain(unsigned initiator, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  /// Carries `payload` as one packet there and its answer back; returns when that is complete.
  Time forward(unsigned initiator, std::uint32_t target, tlm::tlm_generic_payload& payload, Time start);

  /// The region as `initiator` sees it: through the cache before it, if there is one and it is not that cache.
  const Space& seen_by(unsigned initiator, const Region& region) const;
  /// Null, with a fault, if [first, end) does not lie in one region.
  const Space* find(unsigned initiator, std::uint64_t first, std::uint64_t end, tlm::tlm_generic_payload& payload);
  const Routes& routes(unsigned initiator, std::uint32_t target) const {
    return routes_[initiator * exits_.size() + target];
  }
  /// Memory traffic that was answered without an error, to both ends.
  void attribute(unsigned initiator, std::uint32_t target, const Space& space, const tlm::tlm_generic_payload& payload,
                 std::uint64_t bytes);
  FlitStream carry(const Way& way, FlitStream stream, std::uint64_t packets);
  FlitStream carry_single_flits(const Way& way, FlitStream stream);
  /// One acknowledgement a packet, the last of them ready at `last`; returns when that has arrived.
  Time acknowledge(const Way& way, Time last, std::uint64_t packets);
  void count(std::uint64_t links, std::uint64_t routers, std::uint64_t packets, std::uint64_t flits);

  ClockGrid grid_;
  std::vector<bool> acts_for_others_;  // by Fabric::initiators: caches
  std::vector<unsigned> classes_;      // of priority, by Fabric::initiators
  NocLinks links_;
  std::vector<Space> spaces_;  // in the order of the memory map; then regions with a cache before them, seen through it
  std::vector<Routes> routes_;
  std::vector<Hot> hot_;  // by space, initiator and direction
  std::deque<Entrance> entrances_;
  std::deque<tlm_utils::simple_initiator_socket_tagged<Network>> exits_;
  std::vector<std::unique_ptr<Job>> idle_jobs_;
  struct Share {
    Traffic traffic;
    Cycles waited = Cycles::zero();
  };
  std::vector<Share> shares_;       // by Fabric::initiators
  std::vector<Traffic> delivered_;  // by Fabric::targets
  NocStats stats_;
  NocEvents events_;
};

}  // namespace archsim
