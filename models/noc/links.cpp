#include "models/noc/links.h"

#include <algorithm>

namespace archsim {
namespace {

constexpr Cycles kOne = Cycles(1);

}  // namespace

NocLinks::NocLinks(const NocShape& shape, unsigned classes)
    : paths_(shape),
      classes_(classes),
      vcs_(shape.vcs / classes),
      behind_head_(router_cycles(shape.router) - kBodyRouterCycles + kOne),
      // A single virtual channel is free a cycle after the last flit took the switch; R4 then gives it away in a cycle of its own.
      turns_slowly_(vcs_ == 1 && shape.router == Router::r4),
      links_(paths_.links() * classes),
      leaving_(paths_.links() * classes),
      queues_(paths_.links() * classes * vcs_),
      next_vc_(paths_.links() * classes),
      passed_(paths_.links()),
      copied_(paths_.graph().routers()) {
  ARCHSIM_ASSERT(classes >= 1 && vcs_ >= 1, "a class without a virtual channel");
  for (std::size_t link = 0; link < paths_.links(); ++link) {
    const NocSpan& span = paths_.span(link);
    // Flits behind the first take no route and no virtual channel, so they catch up with it.
    paces_.push_back({.head = router_cycles(shape.router) + Cycles(span.latency),
                      .body = kBodyRouterCycles + Cycles(span.latency),
                      .flit = Cycles(span.flit_cycles),
                      .extra = Cycles(span.flit_cycles - 1)});
  }
}

void NocLinks::take_from_lower(std::uint32_t link, Cycles head, Cycles length, unsigned priority) {
  while (priority > 0) {
    Calendar<Cycles>& lower = calendar(link, --priority);
    lower.drop_before(now_);
    lower.book(head, length);
  }
}

FlitStream NocLinks::carry(const Route& route, FlitStream stream, unsigned priority) {
  Window window{stream.first + kInjectionCycles,
                std::max(stream.last, stream.first + Cycles(stream.flits) - kOne) + kInjectionCycles};
  Window idle = window;
  for (const std::uint32_t index : route) {
    const Pace& pace = paces_[index];
    const Cycles length = pace.flit * stream.flits;
    Calendar<Cycles>& link = calendar(index, priority);
    link.drop_before(now_);
    idle.tail = std::max(idle.tail + pace.extra, idle.head + length - kOne) + pace.head;
    idle.head += pace.extra + pace.head;
    const auto booking = link.book_within(window.head, window.tail + pace.extra + kOne, length);
    if (priority > 0) take_from_lower(index, booking.begin, length, priority);
    window = {booking.begin + pace.extra + pace.head, booking.end - kOne + pace.head};
  }
  count(route, stream.flits);
  waited_ += window.tail - std::min(window.tail, idle.tail);
  const Cycles last_router = router_cycles(paths_.shape().router);  // behind the ejection link is none
  return {window.head - last_router, window.tail - last_router, stream.flits};
}

void NocLinks::carry_tree(const RouteTree& tree, FlitStream stream, std::vector<FlitStream>& arrivals,
                          unsigned priority) {
  std::vector<Window> windows;  // at the end of each of the tree's links
  windows.reserve(tree.links.size());
  for (const RouteTree::Link& branch : tree.links) {
    const Window window =
        branch.before == RouteTree::kNone
            ? Window{stream.first + kInjectionCycles,
                     std::max(stream.last, stream.first + Cycles(stream.flits) - kOne) + kInjectionCycles}
            : windows[branch.before];
    const Pace& pace = paces_[branch.link];
    const Cycles length = pace.flit * stream.flits;
    Calendar<Cycles>& link = calendar(branch.link, priority);
    link.drop_before(now_);
    const auto booking = link.book_within(window.head, window.tail + pace.extra + kOne, length);
    if (priority > 0) take_from_lower(branch.link, booking.begin, length, priority);
    waited_ += booking.begin - window.head;
    windows.push_back({booking.begin + pace.extra + pace.head, booking.end - kOne + pace.head});
    passed_[branch.link] += stream.flits;
    const auto into = paths_.ends(branch.link).to;
    if (into) copied_[*into] += stream.flits * (branch.branches - 1);
  }
  flit_hops_ += stream.flits * tree.links.size();
  arrivals.clear();
  const Cycles last_router = router_cycles(paths_.shape().router);
  for (const std::size_t leaf : tree.leaves) {
    arrivals.push_back({windows[leaf].head - last_router, windows[leaf].tail - last_router, stream.flits});
  }
}

void NocLinks::wait_in(const Queue& queue, Window& window, Cycles length) const {
  if (queue.left == Cycles::zero() || queue.came > window.head) return;
  // At the front, it takes the router's pipeline up to the switch, less the cycle in which the other's last flit took it.
  const Cycles ready = queue.left + behind_head_;
  if (ready <= window.head) return;
  window.head = ready;
  window.tail = std::max(window.tail, ready + length - kOne);
}

NocLinks::Queue& NocLinks::queue_behind(std::uint32_t link, unsigned priority) {
  const std::size_t at = priority * paths_.links() + link;
  const unsigned vc = next_vc_[at];
  next_vc_[at] = static_cast<std::uint8_t>(vc + 1 == vcs_ ? 0 : vc + 1);
  return queues_[at * vcs_ + vc];
}

NocLinks::Turn NocLinks::take_turn(Calendar<Cycles>& link, const Window& window, Cycles length, Cycles idle) {
  link.drop_before(now_);
  const Cycles open = std::min(link.free_within(window.head, window.tail + kOne), length);
  const auto booking = link.book_within(window.head, window.tail + kOne + idle, length + idle);
  const Cycles behind = booking.end - idle - window.tail - kOne;
  // One that came before another whose place was booked earlier shares only what was left of it then.
  return {booking.begin, std::min(behind, length - open + (booking.begin - window.head))};
}

Cycles NocLinks::leave(std::uint32_t index, Cycles from, Cycles end, Cycles length, unsigned priority) {
  for (unsigned lower = 0; lower < priority; ++lower) {
    Calendar<Cycles>& port = leaving_[lower * paths_.links() + index];
    port.drop_before(now_);
    port.book(from, length);
  }
  Calendar<Cycles>& port = leaving_[priority * paths_.links() + index];
  port.drop_before(now_);
  return std::max(end, port.book_within(from, std::max(end, from + length), length).end);
}

Cycles NocLinks::idle_end(const Route& route, const Window& window, Cycles flits) const {
  Window idle = window;
  for (std::size_t i = 1; i < route.size(); ++i) {
    const Pace &before = paces_[route[i - 1]], &pace = paces_[route[i]];
    idle.head += before.extra + before.head;
    idle.tail = std::max(idle.head + pace.flit * flits.value - kOne, idle.tail + before.body + pace.extra);
  }
  return idle.tail + kLinkCycles;
}

FlitStream NocLinks::carry_packet(const Route& route, FlitStream packet, unsigned priority) {
  const Cycles flits(packet.flits);
  Window window{packet.first + kInjectionCycles, std::max(packet.last, packet.first + flits - kOne) + kInjectionCycles};
  const Cycles idle_last = idle_end(route, window, flits);
  const Turn injection = take_turn(calendar(route.front(), priority), window, flits, Cycles::zero());
  if (priority > 0) take_from_lower(route.front(), injection.begin, flits, priority);
  left_source_ = injection.begin - kInjectionCycles;
  Window sent{injection.begin, window.tail + injection.wait};
  for (std::size_t i = 1; i < route.size(); ++i) {
    const Pace &before = paces_[route[i - 1]], &pace = paces_[route[i]];
    const Cycles length = pace.flit * packet.flits, shared = length * (vcs_ - 1);
    window.head = sent.head + before.extra + before.head;
    window.tail = std::max(window.head + length - kOne, sent.tail + before.body + pace.extra);
    Queue& queue = queue_behind(route[i - 1], priority);
    wait_in(queue, window, length);
    const Turn turn = take_turn(calendar(route[i], priority), window, length, turns_slowly_ ? kOne : Cycles::zero());
    if (priority > 0) take_from_lower(route[i], turn.begin, length, priority);
    const bool is_shared = turn.wait <= shared;
    const Cycles end =
        leave(route[i - 1], is_shared ? window.head : turn.begin, window.tail + kOne + turn.wait, flits, priority);
    queue = {window.head, end - kOne};
    // Those on the link and this one take turns flit by flit. So its first flit does not wait, and those that had the link end later.
    // That is added to this one's end: what the others were told stays, and the sum is right.
    sent.head = is_shared && turn.wait > Cycles::zero() ? std::min(turn.begin, window.head + pace.flit) : turn.begin;
    sent.tail = end - kOne + std::min(turn.wait, shared);
  }
  count(route, packet.flits);
  const Cycles last = std::max(sent.head + flits, sent.tail + kLinkCycles);
  waited_ += last - std::min(last, idle_last);
  return {sent.head + kLinkCycles, last, packet.flits};
}

FlitStream NocLinks::carry_express(const Route& route, FlitStream stream, unsigned priority) {
  Cycles head = stream.first + kInjectionCycles, slowest = kOne;
  for (const std::uint32_t index : route) {
    const Pace& pace = paces_[index];
    const Cycles length = pace.flit * stream.flits;
    Calendar<Cycles>& link = calendar(index, priority);
    link.drop_before(now_);
    link.book(head, length);
    if (priority > 0) take_from_lower(index, head, length, priority);
    slowest = std::max(slowest, pace.flit);
    head += pace.extra + pace.head;
  }
  count(route, stream.flits);
  head -= router_cycles(paths_.shape().router);
  return {head, head + std::max(slowest * (stream.flits - 1), stream.last - stream.first), stream.flits};
}

void NocLinks::count(const Route& route, std::uint64_t flits) {
  for (const std::uint32_t link : route) passed_[link] += flits;
  flit_hops_ += flits * route.size();
}

std::optional<std::size_t> NocLinks::leak() const {
  std::vector<std::uint64_t> in = copied_, out(copied_.size());
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
  for (std::size_t i = 0; i < paths_.links(); ++i) {
    if (paths_.direction(i) == direction) return true;
  }
  return false;
}

Cycles NocLinks::busiest(LinkDirection direction) const {
  Cycles busiest = Cycles::zero();
  for (std::size_t i = 0; i < paths_.links(); ++i) {
    if (paths_.direction(i) == direction) busiest = std::max(busiest, links_[i].booked());
  }
  return busiest;
}

}  // namespace archsim
