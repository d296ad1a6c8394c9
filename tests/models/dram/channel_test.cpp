#include "models/dram/channel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

#include "models/dram/banked.h"
#include "tests/source_dir.h"

namespace archsim {
namespace {

const std::vector<std::string>& standards() {
  static const std::vector<std::string> kNames{"lpddr5-6400", "lpddr5x-8533", "hbm3-6400", "ddr4-3200"};
  return kNames;
}

DramStandard standard(const std::string& name) { return *find_dram_standard(name, {}); }

/// Bytes a clock over the bus's own.
double efficiency(const ChannelTiming& timing, std::uint64_t bytes, Cycles clocks) {
  const double peak = static_cast<double>(timing.burst_bytes) / static_cast<double>(timing.burst.value);
  return static_cast<double>(bytes) / static_cast<double>(clocks.value) / peak;
}

// All requests are there from the start, in order.
double saturated(const ChannelTiming& timing, const std::vector<std::uint64_t>& addresses, std::uint64_t bytes,
                 bool is_write = false) {
  Channel channel(timing);
  Cycles end = Cycles::zero();
  for (const std::uint64_t address : addresses) {
    end = std::max(end, channel.serve(Cycles::zero(), address, address + bytes, is_write).last);
  }
  return efficiency(timing, bytes * addresses.size(), end);
}

std::vector<std::uint64_t> strided(std::size_t count, std::uint64_t pitch) {
  std::vector<std::uint64_t> addresses;
  for (std::size_t i = 0; i < count; ++i) addresses.push_back(i * pitch);
  return addresses;
}

TEST(Channel, ASequentialStreamLosesRefreshAlone) {
  for (const std::string& name : standards()) {
    const DramStandard s = standard(name);
    const ChannelTiming timing(s);
    const double refresh = 1.0 - static_cast<double>((timing.rfc + timing.rp + timing.rcd_read).value) /
                                     static_cast<double>(timing.refi.value);
    EXPECT_NEAR(saturated(timing, strided(4096, 2048), 2048), refresh, 0.01) << name;
    EXPECT_NEAR(saturated(timing, strided(40000, 64), 64), refresh, 0.01) << name;
    EXPECT_NEAR(stream_efficiency(s), refresh, 0.001) << name;
  }
}

TEST(Channel, ConflictingReadsTakeARowCycleEach) {
  for (const std::string& name : standards()) {
    const ChannelTiming timing(standard(name));
    const Cycles last = timing.ccd_l * (timing.unit_bursts - 1);  // from the first of the 64 B to the last
    const Cycles read = std::max(timing.rc, timing.rcd_read + last + timing.rtp + timing.rp);
    const Cycles write =
        std::max(timing.rc, timing.rcd_write + last + timing.wl + timing.burst + timing.wr + timing.rp);
    const double refresh = 1.0 - static_cast<double>((timing.rfc + timing.rp + timing.rcd_read).value) /
                                     static_cast<double>(timing.refi.value);
    const auto rows = strided(10000, timing.stripe_bytes * timing.banks);
    EXPECT_NEAR(saturated(timing, rows, 64), refresh * efficiency(timing, 64, read), 0.002) << name;
    EXPECT_NEAR(saturated(timing, rows, 64, true), refresh * efficiency(timing, 64, write), 0.002) << name;
  }
}

// Measured by the reference for these two patterns; pinned to what dram_reference.csv says.
TEST(Channel, Lpddr5StreamsAsRamulatorMeasuredThem) {
  const ChannelTiming timing(standard("lpddr5-6400"));
  EXPECT_NEAR(saturated(timing, strided(40000, 64), 64), 0.9347, 0.01);
  EXPECT_NEAR(saturated(timing, strided(40000, 64), 64, true), 0.9245, 0.01);
  EXPECT_NEAR(saturated(timing, strided(10000, 32768), 64), 0.0768, 0.001);
  EXPECT_NEAR(saturated(timing, strided(10000, 32768), 64, true), 0.0507, 0.001);
}

TEST(Channel, InterleavedStreamsThatDoNotCollideKeepTheBusFull) {
  for (const std::string& name : standards()) {
    const ChannelTiming timing(standard(name));
    for (const std::uint64_t bytes : {512, 2048}) {
      std::vector<std::uint64_t> addresses;
      for (std::uint64_t i = 0; i < 8192; ++i) {
        const std::uint64_t stream = i % 4;
        addresses.push_back(stream * (256ull * 1024 * 1024 + timing.stripe_bytes) + i / 4 * bytes);
      }
      EXPECT_GT(saturated(timing, addresses, bytes), 0.85) << name << " " << bytes;
      EXPECT_LT(saturated(timing, addresses, bytes), 1.0) << name << " " << bytes;
    }
  }
}

TEST(Channel, IdleReadLatenciesAreRamulatorsWithinTwoClocks) {
  std::ifstream file(std::string(ARCHSIM_SOURCE_DIR) + "/tests/data/dram_idle_latency.csv");
  const std::map<std::string, std::string> names{{"LPDDR5_6400", "lpddr5-6400"},
                                                 {"LPDDR5X_8533", "lpddr5x-8533"},
                                                 {"HBM3_6400", "hbm3-6400"},
                                                 {"DDR4_3200AA", "ddr4-3200"}};
  std::size_t rows = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    std::vector<std::string> cell;
    for (std::string text; std::getline(cells, text, ',');) cell.push_back(text);
    if (cell.size() != 6 || names.count(cell[2]) == 0) continue;
    ++rows;
    const DramStandard s = standard(names.at(cell[2]));
    const ChannelTiming timing(s);
    const double clock_ns = 1e9 / static_cast<double>(s.clock.value);
    Channel channel(timing);
    const auto latency_ns = [&](std::uint64_t arrival, std::uint64_t address) {
      const Cycles at(arrival);
      return static_cast<double>((channel.serve(at, address, address + 64, false).last - at).value) * clock_ns;
    };
    EXPECT_NEAR(latency_ns(500, 0), std::stod(cell[3]), 2 * clock_ns) << line;                    // closed bank
    EXPECT_NEAR(latency_ns(1000, 64 * timing.groups), std::stod(cell[4]), 2 * clock_ns) << line;  // row hit
    EXPECT_NEAR(latency_ns(1500, timing.stripe_bytes * timing.banks), std::stod(cell[5]), 2 * clock_ns)
        << line;  // conflict
  }
  EXPECT_EQ(rows, names.size());
}

TEST(Channel, ActivatesAreCountedWhereRowsOpen) {
  const ChannelTiming timing(standard("lpddr5-6400"));
  Channel channel(timing);
  channel.serve(0_cycles, 0, timing.stripe_bytes, false);
  EXPECT_EQ(channel.counts().reads, timing.stripe_bytes / 32);
  EXPECT_EQ(channel.counts().activates, 4u);  // the row in each of the four groups
  channel.serve(0_cycles, 0, 64, true);
  EXPECT_EQ(channel.counts().activates, 4u);
  EXPECT_EQ(channel.counts().writes, 2u);
  channel.serve(600_cycles, timing.stripe_bytes * timing.banks, timing.stripe_bytes * timing.banks + 128, false);
  EXPECT_EQ(channel.counts().activates, 4u + 2);
  EXPECT_EQ(channel.counts().precharges, 2u);
  // A refresh closes all rows.
  channel.serve(timing.refi * 2, timing.stripe_bytes * timing.banks, timing.stripe_bytes * timing.banks + 64, false);
  EXPECT_EQ(channel.counts().activates, 4u + 2 + 1);
}

TEST(Channel, TurningTheBusRoundCostsWhatTheStandardSays) {
  const ChannelTiming timing(standard("lpddr5-6400"));
  Channel channel(timing);
  const auto read = channel.serve(0_cycles, 0, 2048, false);
  const auto write = channel.serve(0_cycles, 2048, 4096, true);
  EXPECT_EQ(write.first - read.last, timing.rtw - timing.rl + timing.wl);  // from last read data to first write data
  const auto again = channel.serve(0_cycles, 4096, 6144, false);
  EXPECT_EQ(again.first - write.last, timing.wl + timing.burst + timing.wtr_s + timing.rl - timing.wl);
}

// The bus is never given away twice, rows and refreshes only ever cost time.
TEST(Channel, RandomTrafficStaysBelowThePeakAndSharesAddUp) {
  std::mt19937_64 random(21);
  for (const std::string& name : standards()) {
    const ChannelTiming timing(standard(name));
    for (int round = 0; round < 10; ++round) {
      Channel channel(timing);
      std::uint64_t bursts = 0;
      Cycles end = Cycles::zero(), arrival = Cycles::zero();
      for (int i = 0; i < 2000; ++i) {
        arrival += Cycles(random() % (round * 10 + 1));
        const std::uint64_t address = random() % (64 << 20) / 64 * 64, bytes = 64 << random() % 6;
        const auto service = channel.serve(arrival, address, address + bytes, random() % 3 == 0);
        EXPECT_GE(service.first, arrival + std::min(timing.rl, timing.wl));
        EXPECT_GE(service.last, service.first);
        end = std::max(end, service.last);
        bursts += bytes / timing.burst_bytes;
      }
      const auto& shares = channel.shares();
      EXPECT_EQ(channel.counts().reads + channel.counts().writes, bursts);
      EXPECT_EQ(shares.busy, timing.burst * bursts);
      EXPECT_LE(shares.busy, end);
      EXPECT_LE(shares.busy + shares.turnaround, shares.asked);
      EXPECT_LE(shares.asked, end);
    }
  }
}

}  // namespace
}  // namespace archsim
