// Links, credits and endpoints; router.cpp has what a router does in a cycle.
#include "models/noc/detailed/network.h"

#include <algorithm>
#include <bit>

namespace archsim {
namespace {

std::uint64_t low_bits(unsigned count) { return count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1; }

constexpr std::uint64_t kLinkDelay = 2;    // from a router's output register to where it is used
constexpr std::uint64_t kCreditDelay = 3;  // a link, and a cycle in the router

}  // namespace

DetailedNetwork::DetailedNetwork(const NocGraph& graph, const NocRoutes& routes, const DetailedNocParams& params)
    : graph_(graph), routes_(routes), params_(params), is_speculative_(params.router == Router::r2) {
  const unsigned own = params.vcs / params.classes;
  ARCHSIM_ASSERT(params.classes >= 1 && own >= 1, "a class without a virtual channel");
  for (unsigned priority = 0; priority < params.classes; ++priority) {
    vcs_of_priority_.push_back(low_bits(own) << (priority * own));
    for (std::uint8_t vc_class = 0; vc_class < routes.classes(); ++vc_class) {
      const VcRange range = routes.vcs_of({0, vc_class}, own);
      vcs_of_class_.push_back(low_bits(range.count) << (range.first + priority * own));
    }
  }
  ARCHSIM_ASSERT(params.vcs >= 1 && params.vcs <= DetailedNocParams::kMostVcs && params.buffer >= 1 &&
                 params.buffer <= DetailedNocParams::kMostBuffer);
  ARCHSIM_ASSERT(graph.most_ports() <= NocGraph::kMostPorts);
  for (std::uint32_t i = 0; i < graph.routers(); ++i) {
    const auto first = static_cast<std::uint32_t>(router_of_port_.size());
    const auto ports = static_cast<std::uint32_t>(graph.ports(i).size());
    routers_.push_back({first, ports});
    router_of_port_.resize(first + ports, i);
  }
  const std::size_t ports = router_of_port_.size(), most = graph.most_ports();
  inputs_.resize(ports);
  outputs_.resize(ports);
  input_vcs_.resize(ports * params.vcs);
  output_vcs_.resize(ports * params.vcs);
  flits_.resize(ports * params.vcs * params.buffer);
  is_busy_.resize((routers_.size() + 63) / 64);
  endpoints_.resize(graph.endpoints() * params.classes);
  sending_.resize(params.classes);
  sent_until_.resize(graph.endpoints());
  requesters_.resize(most);
  vcs_granted_.resize(most * params.vcs);
  wanted_outputs_.resize(most);
  wanting_inputs_.resize(most);
  granting_outputs_.resize(most);
  candidate_.resize(most * most);
  candidate_rank_.resize(most * most);
  make_wheels();
  connect();
  connect_endpoints();
}

void DetailedNetwork::make_wheels() {
  std::uint64_t longest = kCreditDelay;
  for (std::size_t router = 0; router < graph_.routers(); ++router) {
    for (const NocPort& port : graph_.ports(router)) {
      longest = std::max<std::uint64_t>(longest, kCreditDelay + port.span.latency - 1 + port.span.flit_cycles - 1);
    }
  }
  const std::uint64_t length = std::bit_ceil(longest + 1);
  wheel_mask_ = length - 1;
  to_routers_.resize(length);
  to_endpoints_.resize(length);
  credits_to_routers_.resize(length);
  credits_to_endpoints_.resize(length);
}

void DetailedNetwork::connect() {
  for (OutputVc& vc : output_vcs_) vc.credits = static_cast<std::uint16_t>(params_.buffer);
  for (OutputPort& port : outputs_) port.free_vcs = port.with_credit = low_bits(params_.vcs);
  for (std::uint32_t router = 0; router < routers_.size(); ++router) {
    const auto& ports = graph_.ports(router);
    for (std::uint32_t i = 0; i < ports.size(); ++i) {
      const std::uint32_t port = routers_[router].first_port + i;
      const bool is_to_endpoint = ports[i].leads == NocPort::Leads::to_endpoint;
      const std::uint32_t other = is_to_endpoint ? ports[i].index : routers_[ports[i].index].first_port + ports[i].port;
      inputs_[port].source = outputs_[port].sink = other;
      inputs_[port].is_from_endpoint = outputs_[port].is_to_endpoint = is_to_endpoint;
      const NocSpan& span = ports[i].span;  // links go both ways alike
      inputs_[port].longer = static_cast<std::uint8_t>(span.latency - 1);
      outputs_[port].longer = static_cast<std::uint16_t>(span.latency - 1 + span.flit_cycles - 1);
      outputs_[port].flit_cycles = static_cast<std::uint16_t>(span.flit_cycles);
    }
  }
}

void DetailedNetwork::connect_endpoints() {
  for (std::uint32_t i = 0; i < endpoints_.size(); ++i) {
    Endpoint& endpoint = endpoints_[i];
    endpoint.index = i / params_.classes;
    endpoint.priority = i % params_.classes;
    const NocGraph::Attachment& at = graph_.endpoint(endpoint.index);
    endpoint.port = routers_[at.router].first_port + at.port;
    endpoint.free_vcs = endpoint.with_credit = vcs_of_priority_[endpoint.priority];
    endpoint.credits.assign(params_.vcs, static_cast<std::uint16_t>(params_.buffer));
  }
}

void DetailedNetwork::receive() {
  delivered_.clear();
  auto& flits = arriving(to_endpoints_, 0);
  for (const FlitEvent& event : flits) deliver(event);
  flits.clear();
  auto& credits = arriving(credits_to_endpoints_, 0);
  for (const CreditEvent& event : credits) {
    const unsigned priority = event.vc / (params_.vcs / params_.classes);
    Endpoint& endpoint = endpoints_[event.sink * params_.classes + priority];
    ++endpoint.credits[event.vc];
    endpoint.with_credit |= Mask{1} << event.vc;
  }
  credits.clear();
}

void DetailedNetwork::deliver(const FlitEvent& event) {
  ++delivered_flits_;
  arriving(credits_to_routers_, kCreditDelay).push_back({endpoints_[event.sink * params_.classes].port, event.vc});
  if ((event.flit & kTail) == 0) return;
  const std::uint32_t slot = event.flit >> kFlitBits;
  Packet& packet = packets_[slot];
  ARCHSIM_ASSERT(packet.destination == event.sink, "a packet arrived elsewhere");
  packet.arrived = now_;
  delivered_.push_back(packet);
  free_packets_.push_back(slot);
}

void DetailedNetwork::offer(const Packet& packet) {
  const std::uint32_t sender = packet.source * params_.classes + packet.priority;
  Endpoint& endpoint = endpoints_[sender];
  ARCHSIM_ASSERT(endpoint.left == 0 && packet.flits > 0, "the endpoint sends another packet");
  if (free_packets_.empty()) {
    free_packets_.push_back(static_cast<std::uint32_t>(packets_.size()));
    packets_.emplace_back();
  }
  endpoint.packet = free_packets_.back();
  free_packets_.pop_back();
  packets_[endpoint.packet] = packet;
  packets_[endpoint.packet].hops = 0;
  endpoint.left = packet.flits;
  sending_[packet.priority].push_back(sender);
}

bool DetailedNetwork::choose_vc(Endpoint& endpoint) const {
  const Mask open = endpoint.free_vcs & endpoint.with_credit;
  if (open == 0) return false;
  const Mask from = open & ~low_bits(endpoint.vc_from);
  endpoint.vc = static_cast<std::uint8_t>(std::countr_zero(from != 0 ? from : open));
  return true;
}

void DetailedNetwork::send_from(Endpoint& endpoint) {
  Packet& packet = packets_[endpoint.packet];
  const bool is_head = endpoint.left == packet.flits, is_tail = endpoint.left == 1;
  if (sent_until_[endpoint.index] > now_) return;  // a higher class's flit went
  if (is_head && !choose_vc(endpoint)) return;
  const Mask bit = Mask{1} << endpoint.vc;
  if ((endpoint.with_credit & bit) == 0) return;
  if (is_head) {
    packet.injected = now_;
    endpoint.free_vcs &= ~bit;
    endpoint.vc_from = static_cast<std::uint8_t>((endpoint.vc + 1U) % params_.vcs);
  }
  if (is_tail) endpoint.free_vcs |= bit;
  if (--endpoint.credits[endpoint.vc] == 0) endpoint.with_credit &= ~bit;
  --endpoint.left;
  sent_until_[endpoint.index] = now_ + 1;
  const std::uint32_t flit = endpoint.packet << kFlitBits | (is_head ? kHead : 0) | (is_tail ? kTail : 0);
  arriving(to_routers_, kLinkDelay).push_back({endpoint.port, flit, endpoint.vc});
}

void DetailedNetwork::advance() {
  for (auto senders = sending_.rbegin(); senders != sending_.rend(); ++senders) {
    for (const std::uint32_t i : *senders) send_from(endpoints_[i]);
    std::erase_if(*senders, [&](std::uint32_t i) { return endpoints_[i].left == 0; });
  }
  auto& flits = arriving(to_routers_, 0);
  for (const FlitEvent& event : flits) take_flit(event);
  flits.clear();
  auto& credits = arriving(credits_to_routers_, 0);
  for (const CreditEvent& event : credits) take_credit(event);
  credits.clear();
  for (std::size_t word = 0; word < is_busy_.size(); ++word) {
    for (std::uint64_t left = is_busy_[word]; left != 0; left &= left - 1) {
      const auto router = static_cast<std::uint32_t>(word * 64 + static_cast<unsigned>(std::countr_zero(left)));
      work(router);
      if (routers_[router].is_idle()) is_busy_[word] &= ~(left & -left);
    }
  }
  ++now_;
}

void DetailedNetwork::take_flit(const FlitEvent& event) {
  const std::uint32_t index = vc_index(event.sink, event.vc);
  InputVc& vc = input_vcs_[index];
  ARCHSIM_ASSERT(vc.count < params_.buffer, "a flit without a credit");
  std::uint32_t at = vc.first + vc.count;
  if (at >= params_.buffer) at -= params_.buffer;
  flits_[index * params_.buffer + at] = event.flit;
  const bool is_first = vc.count++ == 0;
  if (vc.state == VcState::idle) {
    begin_packet(event.sink, event.vc);
  } else if (is_first && vc.state == VcState::active) {
    const std::uint32_t router = router_of_port_[event.sink];
    inputs_[event.sink].switching |= Mask{1} << event.vc;
    routers_[router].switching |= Mask{1} << (event.sink - routers_[router].first_port);
    is_busy_[router / 64] |= std::uint64_t{1} << (router % 64);
  }
}

void DetailedNetwork::take_credit(const CreditEvent& event) {
  ++output_vcs_[vc_index(event.sink, event.vc)].credits;
  outputs_[event.sink].with_credit |= Mask{1} << event.vc;
}

}  // namespace archsim
