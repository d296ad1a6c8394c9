#include "arch/block/what_if/lane_memory.h"

namespace archsim {

void LaneMemory::pass(LaneServer& server, const Lanes& length, double bursts, Lanes& begin, Lanes& done) {
  const Lanes end = server.book(begin, length);
  begin = later(begin, end - length);
  // The round trip of one burst holds that burst's own time already.
  done = later(done, end - length * (1.0 / bursts));
}

LaneMemory::Reply LaneMemory::transfer(const Lanes& sent, const Request& request) {
  const Needs& needs = request.needs;
  // What no target explains takes as long as it did.
  if (needs.memory == Needs::Memory::unknown) return {sent + Lanes(request.latency_ps), sent + Lanes(request.took_ps)};
  const bool is_dram = needs.memory == Needs::Memory::dram;
  const std::size_t direction = request.is_write ? 1 : 0;
  Lanes begin = sent, done = sent;
  const auto memory = [&] {
    const auto doubled = is_dram ? Doubling::dram : Doubling::sram;
    pass(is_dram ? dram_ : sram_[direction], Lanes(needs.memory_ps).with(doubled, needs.memory_ps / 2), request.bursts,
         begin, done);
  };
  const auto cross = [&](LaneServer& server, double part) {
    const double all = (needs.heads_ps + needs.payload_ps) * part;
    pass(server, Lanes(all).with(Doubling::noc, all - needs.payload_ps / 2 * part), request.bursts, begin, done);
  };
  // What a cache lacks comes before what it gives.
  if (needs.dram_ps > 0.0) {
    pass(dram_, Lanes(needs.dram_ps).with(Doubling::dram, needs.dram_ps / 2), request.bursts, begin, done);
  }
  if (!request.is_write) memory();
  cross(link(endpoints_[direction], needs.endpoint), 1.0);
  if (needs.hot_part > 0.0) cross(link(links_, needs.hot_link), needs.hot_part);
  if (request.is_write) memory();
  const Lanes latency = Lanes(request.latency_ps).with(Doubling::noc, request.latency_ps - needs.burst_ps / 2);
  return {begin + latency, done + latency};
}

}  // namespace archsim
