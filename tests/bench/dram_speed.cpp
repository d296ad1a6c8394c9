// How many 64 B requests a second of CPU time one DRAM channel serves, by the fast and by the exact path, beside what it must.
//
//   bench_dram_speed     Exit 1 if a target is missed.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "arch/describe/values/enum_names.h"
#include "models/dram/channel.h"
#include "models/dram/probe/probe.h"

namespace archsim {
namespace {

constexpr double kSequential = 400e6, kRandom = 5e6, kExact = 0.5e6;
const std::vector<std::string> kMemories = {"lpddr4-3200", "lpddr4-4266", "lpddr5-6400", "lpddr5x-8533",
                                            "hbm2-2000",   "hbm3-6400",   "ddr4-3200",   "ddr5-4800"};

/// 64 B requests that `work` stands for, over the CPU time that it took; the best of a few tries, for others compute too.
template <class Fn>
double rate(std::uint64_t requests, Fn work) {
  double best = 0.0;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t begin = std::clock();
    work();
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    best = std::max(best, static_cast<double>(requests) / std::max(seconds, 1e-9));
  }
  return best;
}

bool holds(double given, double target, const std::string& what) {
  fmt::print("{} {:<70} {:8.2f} M/s, at least {:g} M/s\n", given >= target ? "ok  " : "MISS", what, given / 1e6,
             target / 1e6);
  return given >= target;
}

double sequential(const ChannelTiming& timing) {
  constexpr std::uint64_t kExtent = 32768, kExtents = 5000;
  return rate(kExtent / 64 * kExtents, [&] {
    Channel channel(timing);
    for (std::uint64_t i = 0; i < kExtents; ++i) {
      const auto served = channel.serve(Cycles::zero(), i * kExtent, (i + 1) * kExtent, false);
      channel.drop_before(served.first);
    }
  });
}

double random_64(const ChannelTiming& timing) {
  constexpr std::uint64_t kRequests = 100'000;
  return rate(kRequests, [&] {
    std::mt19937_64 random(1);
    Channel channel(timing);
    for (std::uint64_t i = 0; i < kRequests; ++i) {
      const std::uint64_t address = random() % (1 << 24) * 64;
      const auto served = channel.serve(Cycles::zero(), address, address + 64, false);
      channel.drop_before(served.accepted);
    }
  });
}

struct Slowest {
  double rate = 1e18;
  std::string what;
};

Slowest slowest_exact(const std::string& controller) {
  constexpr std::uint64_t kRequests = 4000;
  Slowest slowest;
  for (const std::string& memory : kMemories) {
    DramProbe probe{.standard = *find_dram_standard_as(controller, memory), .controller = *find_controller(controller)};
    probe.requests = kRequests;
    for (const std::string& pattern : enum_name_list<DramPattern>()) {
      for (const std::string& access : enum_name_list<DramAccess>()) {
        probe.pattern = *enum_from<DramPattern>(pattern);
        probe.access = *enum_from<DramAccess>(access);
        const double given = rate(kRequests, [&] { (void)probe_exactly(probe); });
        if (given < slowest.rate) slowest = {given, memory + " " + pattern + " " + access};
      }
    }
  }
  return slowest;
}

bool bench() {
  bool all = true;
  for (const std::string& memory : kMemories) {
    const ChannelTiming timing(*find_dram_standard(memory, {}));
    all = holds(sequential(timing), kSequential, "fast, " + memory + ", sequential extents of 32 KiB") && all;
    all = holds(random_64(timing), kRandom, "fast, " + memory + ", random 64 B") && all;
  }
  for (const std::string& controller : controller_names()) {
    const Slowest slowest = slowest_exact(controller);
    all = holds(slowest.rate, kExact, "exact, " + controller + ", the slowest of all: " + slowest.what) && all;
  }
  return all;
}

}  // namespace
}  // namespace archsim

int main() { return archsim::bench() ? 0 : 1; }

// libsystemc.so refers to this symbol.
extern "C" int sc_main(int, char**) { return 0; }
