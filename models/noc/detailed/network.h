// A network of input-queued routers, flit by flit and cycle by cycle. Plain C++; the SoC uses the packet-level model beside it.
//
// Models:     virtual channels with private buffers and credits; separable allocation of virtual channels and of the switch (iSLIP, one
//             iteration; McKeown 1999; higher classes of priority first); r4: a cycle each for route, virtual channel, switch, traversal; r2: look-ahead routes, and
//             virtual channel and switch asked for in one cycle (speculation: a switch won without a channel is wasted); links of one
//             cycle, injection and ejection too, or longer and narrower ones as the graph has them; credits that take a link and one cycle; endpoints that take every flit.
// Leaves out: adaptive routing, shared buffers, speedup.
// Numbers:    stage and credit delays are those of BookSim 2 (28f43299), router `iq`.
// Checked by: tests/models/noc/detailed (closed forms, conservation), scripts/validate noc (378 BookSim runs).
#pragma once

#include <cstdint>
#include <vector>

#include "models/noc/topology/router.h"
#include "models/noc/topology/routes.h"

namespace archsim {

struct DetailedNocParams {
  static constexpr unsigned kMostVcs = 64, kMostBuffer = 1024;
  unsigned vcs = 4;     // of a link
  unsigned buffer = 8;  // flits a virtual channel
  Router router = Router::r2;
  unsigned classes =
      1;  // of priority, each with an equal part of the virtual channels; the highest goes first everywhere
};

class DetailedNetwork {
 public:
  struct Packet {
    std::uint32_t source = 0, destination = 0, flits = 1;
    std::uint64_t created = 0, injected = 0;  // cycles; injected: of the first flit
    std::uint64_t arrived = 0;                // of the last one
    std::uint32_t hops = 0;                   // routers visited
    std::uint32_t priority = 0;               // a class, 0 the lowest
    bool is_measured = false;                 // the user's
  };

  /// `graph` and `routes` outlive the network; check_routes() had nothing to say.
  DetailedNetwork(const NocGraph& graph, const NocRoutes& routes, const DetailedNocParams& params);

  std::uint64_t now() const { return now_; }
  /// Begins a cycle: what is at endpoints now, flits and credits.
  void receive();
  /// Whether the endpoint has sent all of its packet of this class and may be offered the next.
  bool is_free(std::size_t endpoint, unsigned priority = 0) const {
    return endpoints_[endpoint * params_.classes + priority].left == 0;
  }
  void offer(const Packet& packet);
  /// Endpoints send, routers work; the cycle is over.
  void advance();

  /// Packets whose last flit arrived in this cycle's receive().
  const std::vector<Packet>& delivered() const { return delivered_; }
  std::uint64_t delivered_flits() const { return delivered_flits_; }
  std::uint64_t router_flits() const { return router_flits_; }  // flits times routers
  std::uint64_t packets_under_way() const { return packets_.size() - free_packets_.size(); }

 private:
  using Mask = std::uint64_t;
  static constexpr std::uint32_t kHead = 1, kTail = 2, kFlitBits = 2;
  enum class VcState : std::uint8_t { idle, routing, allocating, active };

  /// The packet at the front of a buffer, and the buffer's ring.
  struct InputVc {
    VcState state = VcState::idle;
    std::uint8_t out_port = 0, out_vc = 0;
    bool has_won_vc = false;             // in this cycle
    std::uint16_t first = 0, count = 0;  // flits
    std::uint16_t accept_from = 0;       // iSLIP pointer: output virtual channels
    Mask allowed = 0;                    // virtual channels of the output
    std::uint8_t priority = 0;
  };
  struct InputPort {
    Mask routing = 0, allocating = 0, switching = 0;  // virtual channels that are to be served
    std::uint32_t source = 0;                         // the port or endpoint that sends here
    bool is_from_endpoint = false;
    std::uint8_t longer = 0;                    // cycles of the link's latency beyond one
    std::uint8_t vc_from = 0, accept_from = 0;  // round-robin pointers: virtual channels, output ports
  };
  struct OutputPort {
    Mask free_vcs = 0, with_credit = 0;
    std::uint32_t sink = 0;  // the port or endpoint that receives
    bool is_to_endpoint = false;
    std::uint8_t grant_from = 0;    // iSLIP pointer: input ports
    std::uint16_t flit_cycles = 1;  // that a flit takes of the link
    std::uint16_t longer = 0;       // cycles beyond one until all of a flit has arrived
    std::uint64_t busy_until = 0;
  };
  struct OutputVc {
    std::uint16_t credits = 0, grant_from = 0;  // iSLIP pointer: input virtual channels
  };
  struct RouterState {
    std::uint32_t first_port = 0, ports = 0;
    Mask routing = 0, allocating = 0, switching = 0;  // input ports
    bool is_idle() const { return (routing | allocating | switching) == 0; }
  };
  /// What sends the packets of one class at an endpoint.
  struct Endpoint {
    std::uint32_t port = 0;  // of its router
    std::uint32_t index = 0, priority = 0;
    std::uint32_t packet = 0, left = 0;
    std::uint8_t vc = 0, vc_from = 0;
    Mask free_vcs = 0, with_credit = 0;
    std::vector<std::uint16_t> credits;
  };
  struct FlitEvent {
    std::uint32_t sink, flit;
    std::uint8_t vc;
  };
  struct CreditEvent {
    std::uint32_t sink;
    std::uint8_t vc;
  };
  template <class Event>
  using Wheel =
      std::vector<std::vector<Event>>;  // by cycle modulo its length, a power of two: nothing is under way for longer
  struct Requester {
    std::uint32_t port, vc;  // an input's
    std::uint32_t index;     // of the virtual channel in the router
  };
  struct Match {
    std::uint8_t in, vc, out;
  };

  std::uint32_t vc_index(std::uint32_t port, unsigned vc) const { return port * params_.vcs + vc; }
  template <class Event>
  std::vector<Event>& arriving(Wheel<Event>& wheel, std::uint64_t cycles) const {
    return wheel[(now_ + cycles) & wheel_mask_];
  }

  void connect();
  void make_wheels();
  void connect_endpoints();
  void deliver(const FlitEvent& event);
  void send_from(Endpoint& endpoint);
  bool choose_vc(Endpoint& endpoint) const;
  void take_flit(const FlitEvent& event);
  void take_credit(const CreditEvent& event);
  /// The packet whose head is at the front now.
  void begin_packet(std::uint32_t port, unsigned vc);
  void route(std::uint32_t router, InputVc& vc, std::uint32_t packet);

  void work(std::uint32_t router);
  void allocate_vcs(const RouterState& router);
  void grant_vcs(const RouterState& router, unsigned out);
  void accept_vcs(unsigned out, unsigned outputs);
  void allocate_switch(const RouterState& router);
  /// Of those inputs that ask for `out`, or outputs that turned to `in`, the ones whose packet is of the highest class.
  Mask highest_inputs(const RouterState& router, Mask inputs, unsigned out) const;
  Mask highest_outputs(const RouterState& router, Mask outputs, unsigned in) const;
  unsigned priority_of(const RouterState& router, unsigned in, unsigned out) const;
  void request_outputs(const RouterState& router, unsigned in);
  bool may_ask_for_switch(const RouterState& router, const InputVc& vc) const;
  void grant_outputs(const RouterState& router, Mask wanted);
  void accept_outputs(const RouterState& router, Mask granted);
  void accept(const RouterState& router, unsigned in, unsigned vc, unsigned out);
  bool is_misspeculated(const RouterState& router, const Match& match) const;
  void end_routing(RouterState& router);
  void take_vcs(RouterState& router);
  void traverse(RouterState& router, const Match& match);
  void after_flit(RouterState& router, const Match& match, bool was_tail);

  const NocGraph& graph_;
  const NocRoutes& routes_;
  DetailedNocParams params_;
  bool is_speculative_;
  std::vector<Mask> vcs_of_priority_;  // by class of priority
  std::vector<Mask> vcs_of_class_;     // by class of priority, then of the route
  std::uint64_t wheel_mask_ = 0;
  std::uint64_t now_ = 0;

  std::vector<RouterState> routers_;
  std::vector<std::uint32_t> router_of_port_;
  std::vector<InputPort> inputs_;
  std::vector<OutputPort> outputs_;
  std::vector<InputVc> input_vcs_;
  std::vector<OutputVc> output_vcs_;
  std::vector<std::uint32_t> flits_;  // all buffers: packet and kHead, kTail
  std::vector<Endpoint> endpoints_;
  std::vector<std::vector<std::uint32_t>> sending_;  // by class: endpoints_ with a packet
  std::vector<std::uint64_t> sent_until_;            // by endpoint: its link is free from this cycle on
  std::vector<Packet> packets_;
  std::vector<std::uint32_t> free_packets_;

  Wheel<FlitEvent> to_routers_, to_endpoints_;
  Wheel<CreditEvent> credits_to_routers_, credits_to_endpoints_;
  std::vector<std::uint64_t> is_busy_;  // routers, a bit each

  // Scratch of one router's cycle.
  std::vector<std::vector<Requester>> requesters_;  // by output port
  std::vector<Mask> vcs_granted_;                   // by requester
  std::vector<Requester> vcs_won_;
  std::vector<Mask> wanted_outputs_, wanting_inputs_, granting_outputs_;
  std::vector<std::uint8_t> candidate_;        // by input and output port
  std::vector<std::uint16_t> candidate_rank_;  // likewise
  std::vector<Match> matches_;

  std::vector<Packet> delivered_;
  std::uint64_t delivered_flits_ = 0, router_flits_ = 0;
};

}  // namespace archsim
