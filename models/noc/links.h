// The links of a network, and when what passes them. No SystemC in here.
//
// Models:     every directed link's bandwidth and latency, injection and ejection links included; packets that share a link flit by flit, and the port behind it;
//             queues of virtual channels, where a packet waits for the one before it; pipelines of routers; priority classes, of
//             which the higher ones' flits go first; trees of links, each of which a train takes once.
// Leaves out: full buffers, and so what waits behind them (tree saturation): good up to four fifths of saturation.
// Numbers:    pipelines are those of models/noc/topology/router.h.
// Checked by: tests/models/noc/links_test.cpp (closed forms), tests/models/noc/detailed/fast_test.cpp (random traffic beside the detailed network).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "arch/block/timing/calendar.h"
#include "models/noc/topology/paths.h"

namespace archsim {

/// Flits on their way: when the first is, or arrives, and when the last.
struct FlitStream {
  Cycles first, last;
  std::uint64_t flits;
};

class NocLinks {
 public:
  /// `classes` of priority, 0 the lowest, have an equal part of the virtual channels each.
  explicit NocLinks(const NocShape& shape, unsigned classes = 1);

  const NocPaths& paths() const { return paths_; }

  /// Sends a train of packets from where it is ready; returns when it arrives. It waits for the links' earlier bookings; one that is
  /// slower than a link leaves it room for others.
  FlitStream carry(const Route& route, FlitStream stream, unsigned priority = 0);
  /// Sends one packet. It shares links with others, and waits in queues of virtual channels.
  FlitStream carry_packet(const Route& route, FlitStream packet, unsigned priority = 0);
  /// Single flits (requests, acknowledgements, doorbells) of a train: arbitration is by packet, so they wait for nobody; they take
  /// their links' time from what comes behind.
  FlitStream carry_express(const Route& route, FlitStream stream, unsigned priority = 0);
  /// Sends a train of packets to several places at once; `arrivals` is as long as the tree's leaves.
  void carry_tree(const RouteTree& tree, FlitStream stream, std::vector<FlitStream>& arrivals, unsigned priority = 0);
  /// Nothing will be sent before `now` any more.
  void drop_before(Cycles now) { now_ = now; }

  /// When the last carried packet's first flit left its source's queue.
  Cycles left_source() const { return left_source_; }
  /// Of the busiest link of this direction.
  Cycles busiest(LinkDirection direction) const;
  bool has(LinkDirection direction) const;
  Cycles booked(std::uint32_t link) const { return links_[link].booked(); }  // of all classes: the lowest sees them
  std::uint64_t flit_hops() const { return flit_hops_; }                     // flits times links
  /// A router into which other links' flits went than came out; none if all is well.
  std::optional<std::size_t> leak() const;
  Cycles waited() const { return waited_; }  // that streams ended later than on an idle network

 private:
  /// The packet that was last put into a virtual channel's queue: when it came to its front, and left.
  struct Queue {
    Cycles came = Cycles::zero(), left = Cycles::zero();
  };
  /// A packet's flits at a link: when the first is ready for it, and when the last.
  struct Window {
    Cycles head, tail;
  };

  /// On a link: when its first flit could go if it went behind the others, and by how much the last one is later than it was ready.
  struct Turn {
    Cycles begin, wait;
  };

  /// A link's own bookings, seen by a class: of itself and higher ones.
  Calendar<Cycles>& calendar(std::uint32_t link, unsigned priority) { return links_[priority * paths_.links() + link]; }
  /// Lower classes have the time that is left.
  void take_from_lower(std::uint32_t link, Cycles head, Cycles length, unsigned priority);
  void count(const Route& route, std::uint64_t flits);
  Turn take_turn(Calendar<Cycles>& link, const Window& window, Cycles length, Cycles idle);
  /// The end of a packet that leaves the port behind `link`, which gives a flit a cycle, from `from` on and until `end` at the earliest.
  Cycles leave(std::uint32_t link, Cycles from, Cycles end, Cycles length, unsigned priority);
  /// Waits for the packet before it in the queue that it is in, if that came earlier.
  void wait_in(const Queue& queue, Window& window, Cycles length) const;
  Queue& queue_behind(std::uint32_t link, unsigned priority);
  /// When a packet that nothing stands in the way of has passed, of which the first flit and the last are ready as `window` says.
  Cycles idle_end(const Route& route, const Window& window, Cycles length) const;

  /// What a flit takes from its last cycle on a link to its first one on the next, and how often it takes the link.
  struct Pace {
    Cycles head, body, flit, extra;  // `extra`: flit - 1
  };

  NocPaths paths_;
  unsigned classes_, vcs_;  // vcs_: of a class
  Cycles behind_head_;      // what a queue's next packet takes to the switch, from the last flit of the one before on
  bool turns_slowly_;
  std::vector<Pace> paces_;                        // by link
  std::vector<Calendar<Cycles>> links_, leaving_;  // by class and link; leaving_: the port behind a link
  std::vector<Queue> queues_;                      // by class, link and virtual channel
  std::vector<std::uint8_t> next_vc_;              // by class and link
  Cycles now_ = Cycles::zero(), left_source_ = Cycles::zero();
  std::vector<std::uint64_t> passed_;  // flits by link
  std::vector<std::uint64_t> copied_;  // flits that a router made of others, by router
  std::uint64_t flit_hops_ = 0;
  Cycles waited_ = Cycles::zero();
};

}  // namespace archsim
