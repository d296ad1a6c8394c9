// The memories and the interconnect in every lane: transactions queue for what they share.
//
// A memory is one server, its channels or slices being dealt to evenly; links are servers: the initiator's own, and the most used
// one on the way if that is used more. A transaction streams through them: it begins at the next when it begins at the one before.
#pragma once

#include <array>
#include <vector>

#include "arch/block/what_if/lane_server.h"
#include "arch/block/what_if/needs.h"

namespace archsim {

class LaneMemory {
 public:
  struct Request {
    const Needs& needs;
    bool is_write = false;
    double bursts = 1.0;
    double latency_ps = 0.0;  // round trip of one burst on an idle path
    double took_ps = 0.0;     // in the run as it was
  };
  struct Reply {
    Lanes first, done;  // data of the first and of the last burst
  };
  Reply transfer(const Lanes& sent, const Request& request);

 private:
  /// Books a hop: `begin` moves to where it begins there, `done` to where it is through, at least.
  static void pass(LaneServer& server, const Lanes& length, double bursts, Lanes& begin, Lanes& done);
  LaneServer& link(std::vector<LaneServer>& links, std::uint32_t index) {
    if (index >= links.size()) links.resize(index + 1);
    return links[index];
  }

  using Directions = std::array<LaneServer, 2>;  // read, write
  LaneServer dram_;
  Directions sram_;
  std::array<std::vector<LaneServer>, 2> endpoints_;
  std::vector<LaneServer> links_;
};

}  // namespace archsim
