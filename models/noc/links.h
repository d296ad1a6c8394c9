// The links of a network, and when what passes them. No SystemC in here.
//
// Models:     every directed link's bandwidth, injection and ejection links included; packets that share a link flit by flit, and the port behind it; queues of
//             virtual channels, where a packet waits for the one before it; pipelines of routers.
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
  explicit NocLinks(const NocShape& shape);

  const NocPaths& paths() const { return paths_; }

  /// Sends a train of packets from where it is ready; returns when it arrives. It waits for the links' earlier bookings; one that is
  /// slower than a link leaves it room for others.
  FlitStream carry(const Route& route, FlitStream stream);
  /// Sends one packet. It shares links with others, and waits in queues of virtual channels.
  FlitStream carry_packet(const Route& route, FlitStream packet);
  /// Single flits (requests, acknowledgements, doorbells) of a train: arbitration is by packet, so they wait for nobody; they take
  /// their links' time from what comes behind.
  FlitStream carry_express(const Route& route, FlitStream stream);
  /// Nothing will be sent before `now` any more.
  void drop_before(Cycles now) { now_ = now; }

  /// When the last carried packet's first flit left its source's queue.
  Cycles left_source() const { return left_source_; }
  /// Of the busiest link of this direction.
  Cycles busiest(LinkDirection direction) const;
  bool has(LinkDirection direction) const;
  Cycles booked(std::uint32_t link) const { return links_[link].booked(); }
  std::uint64_t flit_hops() const { return flit_hops_; }  // flits times links
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

  void count(const Route& route, std::uint64_t flits);
  Turn take_turn(std::uint32_t link, const Window& window, Cycles length, Cycles idle);
  /// The end of a packet that leaves the port behind `link`, which gives a flit a cycle, from `from` on and until `end` at the earliest.
  Cycles leave(std::uint32_t link, Cycles from, Cycles end, Cycles length);
  /// Waits for the packet before it in the queue that it is in, if that came earlier.
  void wait_in(const Queue& queue, Window& window, Cycles length) const;
  Queue& queue_behind(std::uint32_t link);

  NocPaths paths_;
  Cycles hop_;
  bool turns_slowly_;
  std::vector<Calendar<Cycles>> links_, leaving_;  // leaving_: the port behind a link
  std::vector<Queue> queues_;                      // by link and virtual channel
  std::vector<std::uint8_t> next_vc_;              // by link
  Cycles now_ = Cycles::zero(), left_source_ = Cycles::zero();
  std::vector<std::uint64_t> passed_;  // flits by link
  std::uint64_t flit_hops_ = 0;
  Cycles waited_ = Cycles::zero();
};

}  // namespace archsim
