// What a router does in a cycle: every stage works on what the cycle began with.
#include <algorithm>
#include <bit>

#include "models/noc/detailed/network.h"

namespace archsim {
namespace {

/// Round robin: the first bit of `mask` from `from` on, or from 0.
unsigned pick(std::uint64_t mask, unsigned from) {
  const std::uint64_t ahead = from < 64 ? mask >> from << from : 0;
  return static_cast<unsigned>(std::countr_zero(ahead != 0 ? ahead : mask));
}

template <class Do>
void for_each_bit(std::uint64_t mask, const Do& what) {
  for (; mask != 0; mask &= mask - 1) what(static_cast<unsigned>(std::countr_zero(mask)));
}

/// The one after `index` in a circle of `size`.
constexpr unsigned after(unsigned index, unsigned size) { return index + 1 == size ? 0 : index + 1; }

constexpr std::uint64_t bit(unsigned index) { return std::uint64_t{1} << index; }

/// From the switch won to the next router's buffer: traversal and link.
constexpr std::uint64_t kTraversalDelay = 3;

}  // namespace

void DetailedNetwork::begin_packet(std::uint32_t port, unsigned vc) {
  const std::uint32_t router = router_of_port_[port];
  RouterState& state = routers_[router];
  const std::uint32_t index = vc_index(port, vc);
  InputVc& input = input_vcs_[index];
  const Mask here = bit(port - state.first_port);
  route(router, input, flits_[index * params_.buffer + input.first] >> kFlitBits);
  if (is_speculative_) {
    input.state = VcState::allocating;
    inputs_[port].allocating |= bit(vc);
    inputs_[port].switching |= bit(vc);
    state.allocating |= here;
    state.switching |= here;
  } else {
    input.state = VcState::routing;
    inputs_[port].routing |= bit(vc);
    state.routing |= here;
  }
  is_busy_[router / 64] |= bit(router % 64);
}

void DetailedNetwork::route(std::uint32_t router, InputVc& vc, std::uint32_t packet) {
  const NocHop& hop = routes_.at(router, packets_[packet].destination);
  const std::uint32_t priority = packets_[packet].priority;
  vc.out_port = hop.port;
  vc.priority = static_cast<std::uint8_t>(priority);
  vc.allowed = hop.vc_class == NocHop::kAnyClass ? vcs_of_priority_[priority]
                                                 : vcs_of_class_[priority * routes_.classes() + hop.vc_class];
}

void DetailedNetwork::work(std::uint32_t index) {
  RouterState& router = routers_[index];
  vcs_won_.clear();
  matches_.clear();
  if (router.allocating != 0) allocate_vcs(router);
  if (router.switching != 0) allocate_switch(router);
  if (router.routing != 0) end_routing(router);
  if (!vcs_won_.empty()) take_vcs(router);
  for (const Match& match : matches_) traverse(router, match);
}

void DetailedNetwork::allocate_vcs(const RouterState& router) {
  Mask asked = 0;
  for_each_bit(router.allocating, [&](unsigned in) {
    const std::uint32_t port = router.first_port + in;
    for_each_bit(inputs_[port].allocating, [&](unsigned vc) {
      const unsigned out = input_vcs_[vc_index(port, vc)].out_port;
      if (!(asked & bit(out))) requesters_[out].clear();
      asked |= bit(out);
      requesters_[out].push_back({port, vc, in * params_.vcs + vc});
    });
  });
  for_each_bit(asked, [&](unsigned out) {
    grant_vcs(router, out);
    accept_vcs(out, router.ports * params_.vcs);
  });
}

/// Each free virtual channel of the output turns to one of those that ask for it.
void DetailedNetwork::grant_vcs(const RouterState& router, unsigned out) {
  const auto& asking = requesters_[out];
  if (asking.size() == 1) {
    const InputVc& only = input_vcs_[vc_index(asking[0].port, asking[0].vc)];
    vcs_granted_[0] = outputs_[router.first_port + out].free_vcs & only.allowed;
    return;
  }
  std::fill_n(vcs_granted_.begin(), asking.size(), Mask{0});
  for_each_bit(outputs_[router.first_port + out].free_vcs, [&](unsigned vc) {
    const unsigned from = output_vcs_[vc_index(router.first_port + out, vc)].grant_from;
    std::size_t granted = asking.size();
    for (std::size_t i = 0; i < asking.size(); ++i) {
      if (!(input_vcs_[vc_index(asking[i].port, asking[i].vc)].allowed & bit(vc))) continue;
      if (granted == asking.size()) granted = i;
      if (asking[i].index < from) continue;
      granted = i;
      break;
    }
    if (granted < asking.size()) vcs_granted_[granted] |= bit(vc);
  });
}

/// Each of those takes one that turned to it.
void DetailedNetwork::accept_vcs(unsigned out, unsigned all) {
  const auto& asking = requesters_[out];
  const unsigned first = out * params_.vcs;  // of the output's virtual channels, in the router
  for (std::size_t i = 0; i < asking.size(); ++i) {
    if (vcs_granted_[i] == 0) continue;
    InputVc& input = input_vcs_[vc_index(asking[i].port, asking[i].vc)];
    const unsigned taken = pick(vcs_granted_[i], input.accept_from > first ? input.accept_from - first : 0);
    const std::uint32_t port = routers_[router_of_port_[asking[i].port]].first_port + out;
    output_vcs_[vc_index(port, taken)].grant_from = static_cast<std::uint16_t>(after(asking[i].index, all));
    input.accept_from = static_cast<std::uint16_t>(after(first + taken, all));
    input.out_vc = static_cast<std::uint8_t>(taken);
    input.has_won_vc = true;
    vcs_won_.push_back(asking[i]);
  }
}

bool DetailedNetwork::may_ask_for_switch(const RouterState& router, const InputVc& vc) const {
  const OutputPort& output = outputs_[router.first_port + vc.out_port];
  if (output.busy_until > now_) return false;
  if (vc.state == VcState::active) return (output.with_credit & bit(vc.out_vc)) != 0;
  return (output.with_credit & output.free_vcs & vc.allowed) != 0;
}

/// One request for each output: of the virtual channels that want it, the highest class first, then one that holds a channel before one
/// that speculates.
void DetailedNetwork::request_outputs(const RouterState& router, unsigned in) {
  const std::uint32_t port = router.first_port + in;
  Mask wanted = 0;
  for_each_bit(inputs_[port].switching, [&](unsigned vc) {
    const InputVc& input = input_vcs_[vc_index(port, vc)];
    if (!may_ask_for_switch(router, input)) return;
    const unsigned from = inputs_[port].vc_from, turn = vc >= from ? vc - from : vc + params_.vcs - from;
    const unsigned lower = params_.classes - 1 - input.priority;
    const auto rank =
        static_cast<std::uint16_t>(turn + ((input.state == VcState::active ? 0 : 1) + 2 * lower) * params_.vcs);
    const std::size_t at = in * router.ports + input.out_port;
    if ((wanted & bit(input.out_port)) && candidate_rank_[at] <= rank) return;
    wanted |= bit(input.out_port);
    candidate_[at] = static_cast<std::uint8_t>(vc);
    candidate_rank_[at] = rank;
  });
  wanted_outputs_[in] = wanted;
}

void DetailedNetwork::allocate_switch(const RouterState& router) {
  if (std::has_single_bit(router.switching)) {  // mostly: nobody to compete with
    const auto in = static_cast<unsigned>(std::countr_zero(router.switching));
    const std::uint32_t port = router.first_port + in;
    if (std::has_single_bit(inputs_[port].switching)) {
      const auto vc = static_cast<unsigned>(std::countr_zero(inputs_[port].switching));
      const InputVc& only = input_vcs_[vc_index(port, vc)];
      if (may_ask_for_switch(router, only)) accept(router, in, vc, only.out_port);
      return;
    }
  }
  Mask wanted = 0;
  for_each_bit(router.switching, [&](unsigned in) {
    request_outputs(router, in);
    for_each_bit(wanted_outputs_[in], [&](unsigned out) {
      if (!(wanted & bit(out))) wanting_inputs_[out] = 0;
      wanted |= bit(out);
      wanting_inputs_[out] |= bit(in);
    });
  });
  grant_outputs(router, wanted);
}

unsigned DetailedNetwork::priority_of(const RouterState& router, unsigned in, unsigned out) const {
  return input_vcs_[vc_index(router.first_port + in, candidate_[in * router.ports + out])].priority;
}

DetailedNetwork::Mask DetailedNetwork::highest_inputs(const RouterState& router, Mask inputs, unsigned out) const {
  unsigned highest = 0;
  for_each_bit(inputs, [&](unsigned in) { highest = std::max(highest, priority_of(router, in, out)); });
  Mask those = 0;
  for_each_bit(inputs, [&](unsigned in) { those |= priority_of(router, in, out) == highest ? bit(in) : 0; });
  return those;
}

DetailedNetwork::Mask DetailedNetwork::highest_outputs(const RouterState& router, Mask outputs, unsigned in) const {
  unsigned highest = 0;
  for_each_bit(outputs, [&](unsigned out) { highest = std::max(highest, priority_of(router, in, out)); });
  Mask those = 0;
  for_each_bit(outputs, [&](unsigned out) { those |= priority_of(router, in, out) == highest ? bit(out) : 0; });
  return those;
}

void DetailedNetwork::grant_outputs(const RouterState& router, Mask wanted) {
  Mask granted = 0;
  for_each_bit(wanted, [&](unsigned out) {
    if (params_.classes > 1) wanting_inputs_[out] = highest_inputs(router, wanting_inputs_[out], out);
    const unsigned in = pick(wanting_inputs_[out], outputs_[router.first_port + out].grant_from);
    if (!(granted & bit(in))) granting_outputs_[in] = 0;
    granted |= bit(in);
    granting_outputs_[in] |= bit(out);
  });
  accept_outputs(router, granted);
}

void DetailedNetwork::accept_outputs(const RouterState& router, Mask granted) {
  for_each_bit(granted, [&](unsigned in) {
    if (params_.classes > 1) granting_outputs_[in] = highest_outputs(router, granting_outputs_[in], in);
    const unsigned out = pick(granting_outputs_[in], inputs_[router.first_port + in].accept_from);
    accept(router, in, candidate_[in * router.ports + out], out);
  });
}

void DetailedNetwork::accept(const RouterState& router, unsigned in, unsigned vc, unsigned out) {
  InputPort& input = inputs_[router.first_port + in];
  outputs_[router.first_port + out].grant_from = static_cast<std::uint8_t>(after(in, router.ports));
  input.accept_from = static_cast<std::uint8_t>(after(out, router.ports));
  input.vc_from = static_cast<std::uint8_t>(after(vc, params_.vcs));
  const Match match{static_cast<std::uint8_t>(in), static_cast<std::uint8_t>(vc), static_cast<std::uint8_t>(out)};
  if (!is_misspeculated(router, match)) matches_.push_back(match);
}

/// It won the switch for a packet that got no virtual channel, or one without a credit.
bool DetailedNetwork::is_misspeculated(const RouterState& router, const Match& match) const {
  const InputVc& input = input_vcs_[vc_index(router.first_port + match.in, match.vc)];
  if (input.state == VcState::active) return false;
  return !input.has_won_vc || !(outputs_[router.first_port + match.out].with_credit & bit(input.out_vc));
}

void DetailedNetwork::end_routing(RouterState& router) {
  for_each_bit(router.routing, [&](unsigned in) {
    InputPort& input = inputs_[router.first_port + in];
    for_each_bit(input.routing,
                 [&](unsigned vc) { input_vcs_[vc_index(router.first_port + in, vc)].state = VcState::allocating; });
    input.allocating |= input.routing;
    input.routing = 0;
  });
  router.allocating |= router.routing;
  router.routing = 0;
}

void DetailedNetwork::take_vcs(RouterState& router) {
  for (const Requester& winner : vcs_won_) {
    InputPort& port = inputs_[winner.port];
    InputVc& input = input_vcs_[vc_index(winner.port, winner.vc)];
    const Mask here = bit(winner.port - router.first_port);
    input.has_won_vc = false;
    input.state = VcState::active;
    outputs_[router.first_port + input.out_port].free_vcs &= ~bit(input.out_vc);
    port.allocating &= ~bit(winner.vc);
    if (port.allocating == 0) router.allocating &= ~here;
    port.switching |= bit(winner.vc);
    router.switching |= here;
  }
}

void DetailedNetwork::traverse(RouterState& router, const Match& match) {
  const std::uint32_t from = router.first_port + match.in, to = router.first_port + match.out;
  const std::uint32_t index = vc_index(from, match.vc);
  InputVc& input = input_vcs_[index];
  OutputPort& output = outputs_[to];
  const std::uint32_t flit = flits_[index * params_.buffer + input.first];
  if (++input.first == params_.buffer) input.first = 0;
  --input.count;
  ++router_flits_;

  const Mask out_vc = bit(input.out_vc);
  if (--output_vcs_[vc_index(to, input.out_vc)].credits == 0) output.with_credit &= ~out_vc;
  auto& flits = output.is_to_endpoint ? to_endpoints_ : to_routers_;
  output.busy_until = now_ + output.flit_cycles;
  arriving(flits, kTraversalDelay + output.longer).push_back({output.sink, flit, input.out_vc});
  const InputPort& port = inputs_[from];
  if (port.is_from_endpoint) {
    arriving(credits_to_endpoints_, 2).push_back({port.source, match.vc});
  } else {
    arriving(credits_to_routers_, 3U + port.longer).push_back({port.source, match.vc});
  }
  const bool is_tail = (flit & kTail) != 0;
  if (is_tail) {
    output.free_vcs |= out_vc;
    ++packets_[flit >> kFlitBits].hops;
  }
  after_flit(router, match, is_tail);
}

void DetailedNetwork::after_flit(RouterState& router, const Match& match, bool was_tail) {
  const std::uint32_t port = router.first_port + match.in;
  InputVc& input = input_vcs_[vc_index(port, match.vc)];
  if (!was_tail && input.count > 0) return;
  inputs_[port].switching &= ~bit(match.vc);
  if (was_tail) {
    input.state = VcState::idle;
    if (input.count > 0) begin_packet(port, match.vc);
  }
  if (inputs_[port].switching == 0) router.switching &= ~bit(match.in);
}

}  // namespace archsim
