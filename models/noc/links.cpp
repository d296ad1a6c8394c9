#include "models/noc/links.h"

#include <algorithm>

namespace archsim {
namespace {

constexpr Cycles kOne = Cycles(1);
/// Flits behind the first take no route and no virtual channel, so they catch up with it.
constexpr Cycles kBodyHop = kBodyRouterCycles + kLinkCycles;

}  // namespace

NocLinks::NocLinks(const NocShape& shape)
    : paths_(shape),
      hop_(router_cycles(shape.router) + kLinkCycles),
      // A single virtual channel is free a cycle after the last flit took the switch; R4 then gives it away in a cycle of its own.
      turns_slowly_(shape.vcs == 1 && shape.router == Router::r4),
      links_(paths_.links()),
      leaving_(paths_.links()),
      queues_(paths_.links() * shape.vcs),
      next_vc_(paths_.links()),
      passed_(paths_.links()) {}

FlitStream NocLinks::carry(const Route& route, FlitStream stream) {
  const Cycles length(stream.flits);
  Cycles head = stream.first + kInjectionCycles;
  Cycles tail = std::max(stream.last, stream.first + length - kOne) + kInjectionCycles;
  const Cycles idle_tail = tail + hop_ * route.size();
  for (const std::uint32_t index : route) {
    Calendar<Cycles>& link = links_[index];
    link.drop_before(now_);
    const auto booking = link.book_within(head, tail + kOne, length);
    head = booking.begin + hop_;
    tail = booking.end - kOne + hop_;
  }
  count(route, stream.flits);
  waited_ += tail - idle_tail;
  const Cycles last_router = hop_ - kLinkCycles;  // behind the ejection link is none
  return {head - last_router, tail - last_router, stream.flits};
}

void NocLinks::wait_in(const Queue& queue, Window& window, Cycles length) const {
  if (queue.left == Cycles::zero() || queue.came > window.head) return;
  // At the front, it takes the router's pipeline up to the switch, less the cycle in which the other's last flit took it.
  const Cycles ready = queue.left + hop_ - kBodyHop + kOne;
  if (ready <= window.head) return;
  window.head = ready;
  window.tail = std::max(window.tail, ready + length - kOne);
}

NocLinks::Queue& NocLinks::queue_behind(std::uint32_t link) {
  const unsigned vcs = paths_.shape().vcs, vc = next_vc_[link];
  next_vc_[link] = static_cast<std::uint8_t>(vc + 1 == vcs ? 0 : vc + 1);
  return queues_[link * vcs + vc];
}

NocLinks::Turn NocLinks::take_turn(std::uint32_t index, const Window& window, Cycles length, Cycles idle) {
  Calendar<Cycles>& link = links_[index];
  link.drop_before(now_);
  const Cycles open = std::min(link.free_within(window.head, window.tail + kOne), length);
  const auto booking = link.book_within(window.head, window.tail + kOne + idle, length + idle);
  const Cycles behind = booking.end - idle - window.tail - kOne;
  // One that came before another whose place was booked earlier shares only what was left of it then.
  return {booking.begin, std::min(behind, length - open + (booking.begin - window.head))};
}

Cycles NocLinks::leave(std::uint32_t index, Cycles from, Cycles end, Cycles length) {
  leaving_[index].drop_before(now_);
  return std::max(end, leaving_[index].book_within(from, std::max(end, from + length), length).end);
}

FlitStream NocLinks::carry_packet(const Route& route, FlitStream packet) {
  const Cycles length(packet.flits), shared = length * (paths_.shape().vcs - 1);
  Window window{packet.first + kInjectionCycles,
                std::max(packet.last, packet.first + length - kOne) + kInjectionCycles};
  const Cycles idle_last = std::max(window.tail, window.head + hop_ * (route.size() - 1) + length - kOne) + kLinkCycles;
  const Turn injection = take_turn(route.front(), window, length, Cycles::zero());
  left_source_ = injection.begin - kInjectionCycles;
  Window sent{injection.begin, window.tail + injection.wait};
  for (std::size_t i = 1; i < route.size(); ++i) {
    window.head = sent.head + hop_;
    window.tail = std::max(window.head + length - kOne, sent.tail + kBodyHop);
    Queue& queue = queue_behind(route[i - 1]);
    wait_in(queue, window, length);
    const Turn turn = take_turn(route[i], window, length, turns_slowly_ ? kOne : Cycles::zero());
    const bool is_shared = turn.wait <= shared;
    const Cycles end =
        leave(route[i - 1], is_shared ? window.head : turn.begin, window.tail + kOne + turn.wait, length);
    queue = {window.head, end - kOne};
    // Those on the link and this one take turns flit by flit. So its first flit does not wait, and those that had the link end later.
    // That is added to this one's end: what the others were told stays, and the sum is right.
    sent.head = is_shared && turn.wait > Cycles::zero() ? std::min(turn.begin, window.head + kOne) : turn.begin;
    sent.tail = end - kOne + std::min(turn.wait, shared);
  }
  count(route, packet.flits);
  const Cycles last = std::max(sent.head + length, sent.tail + kLinkCycles);
  waited_ += last - std::min(last, idle_last);
  return {sent.head + kLinkCycles, last, packet.flits};
}

FlitStream NocLinks::carry_express(const Route& route, FlitStream stream) {
  const Cycles length(stream.flits);
  Cycles head = stream.first + kInjectionCycles;
  for (const std::uint32_t index : route) {
    links_[index].drop_before(now_);
    links_[index].book(head, length);
    head += hop_;
  }
  count(route, stream.flits);
  head -= hop_ - kLinkCycles;
  return {head, std::max(head + length - kOne, head + (stream.last - stream.first)), stream.flits};
}

void NocLinks::count(const Route& route, std::uint64_t flits) {
  for (const std::uint32_t link : route) passed_[link] += flits;
  flit_hops_ += flits * route.size();
}

std::optional<std::size_t> NocLinks::leak() const {
  std::vector<std::uint64_t> in(paths_.graph().routers()), out(paths_.graph().routers());
  for (std::uint32_t link = 0; link < passed_.size(); ++link) {
    const NocPaths::Ends ends = paths_.ends(link);
    if (ends.from) out[*ends.from] += passed_[link];
    if (ends.to) in[*ends.to] += passed_[link];
  }
  const auto [leak, unused] = std::mismatch(in.begin(), in.end(), out.begin());
  if (leak == in.end()) return {};
  return static_cast<std::size_t>(leak - in.begin());
}

bool NocLinks::has(LinkDirection direction) const {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if (paths_.direction(i) == direction) return true;
  }
  return false;
}

Cycles NocLinks::busiest(LinkDirection direction) const {
  Cycles busiest = Cycles::zero();
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if (paths_.direction(i) == direction) busiest = std::max(busiest, links_[i].booked());
  }
  return busiest;
}

}  // namespace archsim
