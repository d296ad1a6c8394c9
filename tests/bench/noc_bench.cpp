// How fast networks simulate: packet-hops a second on the fast one, as a SoC uses it, and cycles a second of the detailed one beside
// BookSim's. Exit 1 if a target is missed. Processor time, so that other work on the machine counts less.
#include <fmt/format.h>

#include <ctime>
#include <random>
#include <vector>

#include "models/noc/links.h"
#include "models/noc/packets.h"
#include "models/noc/probe/loaded_network.h"
#include "models/noc/probe/probe.h"

namespace archsim {
namespace {

constexpr double kPacketHops = 50e6;   // a second
constexpr double kBookSim = 38e3;      // cycles a second: 8x8, 4 channels, 8 flits, uniform at 0.05
constexpr double kTimesBookSim = 5.0;  // 8 to 10 were seen on a machine that others load too

double seconds_of(const auto& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// humanoid_hbm3's network: 8x4 tiles, 256 B links, reads of `bytes` dealt to the 8 ports of a row in bursts of 512 B.
double packet_hops_a_second(std::uint64_t bytes) {
  NocLinks links({.columns = 8, .rows = 4, .router = Router::r2});
  const Dealing dealing(1024, 8);
  std::mt19937_64 random(1);
  std::vector<Train> trains;
  double hops = 0.0;
  const double seconds = seconds_of([&] {
    Route there, back;
    for (std::uint64_t i = 0; i < 40'000; ++i) {
      const Cycles now(i * bytes / 3200);  // of 4096 B a cycle that the ports send
      links.drop_before(now);
      const auto reader = static_cast<unsigned>(random() % 8);
      count_trains({.base = random() % (1U << 30) / 1024 * 1024, .bytes = bytes, .count = 1, .pitch = 0}, dealing, 512,
                   256, trains);
      for (unsigned port = 0; port < 8; ++port) {
        if (trains[port].packets == 0) continue;
        links.paths().find(reader, 8 + port, there);
        links.paths().find(8 + port, reader, back);
        const FlitStream asked = links.carry_express(there, {now, now, trains[port].packets});
        const std::uint64_t flits = trains[port].packets + trains[port].payload_flits;
        const FlitStream answer{asked.first + Cycles(100), asked.first + Cycles(100 + flits), flits};
        trains[port].packets == 1 ? links.carry_packet(back, answer) : links.carry(back, answer);
        hops += 2.0 * static_cast<double>(trains[port].packets * hops_of(back.size()));
      }
    }
  });
  return hops / seconds;
}

double detailed_cycles_a_second(double rate) {
  const NocProbe probe{.router = Router::r4, .rate = rate};
  const NocPaths paths(probe.shape());
  LoadedNetwork network(paths.graph(), paths.routes(), {.vcs = 4, .buffer = 8, .router = Router::r4},
                        probe.traffic_params(), probe.packet_flits);
  network.run(2000);
  constexpr std::uint64_t kCycles = 100'000;
  return static_cast<double>(kCycles) / seconds_of([&] { network.run(kCycles); });
}

bool print(const std::string& what, double given, double target) {
  fmt::print("{:4} {:<60} {:10.3f} M/s, target {:10.3f} M/s\n", given >= target ? "ok" : "MISS", what, given * 1e-6,
             target * 1e-6);
  return given >= target;
}

int bench() {
  bool all = print("fast network, 64 KiB reads: packet-hops", packet_hops_a_second(64 << 10), kPacketHops);
  all = print("fast network, 4 KiB reads: packet-hops", packet_hops_a_second(4 << 10), 0.0) && all;
  all = print("detailed 8x8 at 0.05: cycles", detailed_cycles_a_second(0.05), kTimesBookSim * kBookSim) && all;
  all = print("detailed 8x8 at 0.20: cycles", detailed_cycles_a_second(0.20), 0.0) && all;
  return all ? 0 : 1;
}

}  // namespace
}  // namespace archsim

int main() { return archsim::bench(); }

// libsystemc.so refers to this symbol.
extern "C" int sc_main(int, char**) { return 0; }
