#include "arch/block/timing/clock_grid.h"

#include <gtest/gtest.h>

#include <random>

namespace archsim {
namespace {

TEST(ClockGrid, IsTheGridOfEdgeTime) {
  std::mt19937_64 random(11);
  for (const std::uint64_t hertz :
       {1'000'000'000ull, 1'200'000'000ull, 800'000'000ull, 1'066'625'000ull, 933'333'333ull}) {
    const ClockGrid grid{Frequency(hertz)};
    for (int i = 0; i < 2000; ++i) {
      const Cycles edge(random() >> (24 + random() % 40));
      EXPECT_EQ(grid.time_of(edge), edge_time(grid.clock(), edge));
      const Time time(random() >> (14 + random() % 50));
      EXPECT_EQ(grid.edge_at(time), next_edge(grid.clock(), time)) << hertz << " " << time.value;
    }
  }
}

}  // namespace
}  // namespace archsim
