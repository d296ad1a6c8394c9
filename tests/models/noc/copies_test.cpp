// Writes of the same data to several places: on a link that several of them need the data go once.
#include <gmock/gmock.h>

#include <random>
#include <set>

#include "tests/fresh_kernel.h"
#include "tests/models/noc/neighbours.h"

namespace archsim {
namespace {

constexpr std::uint64_t kBase = 0x8000'0000;
constexpr Interleave kPorts{.granule = 1024, .ways = 4, .ports = 4};

/// An initiator at (0, 0), and standard-only targets behind an interleaved region in row 2.
class CopiesTest : public FreshKernel {
 protected:
  void SetUp() override {
    FreshKernel::SetUp();
    bench.add_initiator("dma", 0, 0);
    bench.add_memory("mem", RegionKind::dram, kBase, 1 << 20, kPorts, 2);
    bench.build({});
    sender = std::make_unique<Initiator>("dma");
    sender->port.bind(*bench.mesh->target_ports()[0]);
    for (unsigned port = 0; port < kPorts.ports; ++port) {
      targets.push_back(std::make_unique<PlainTarget>(("mem" + std::to_string(port)).c_str(), 20_ns));
      bench.mesh->initiator_ports()[port]->bind(targets.back()->port);
    }
    MeshBench::start();
  }
  void TearDown() override {
    targets.clear();
    sender.reset();
    bench.mesh.reset();
    FreshKernel::TearDown();
  }

  /// Returns how long it took.
  Time write(const Extent& what, std::vector<unsigned char>& row, Time start) {
    Extent extent = what;
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(extent.base);
    payload.set_data_ptr(row.data());
    payload.set_data_length(static_cast<unsigned>(row.size()));
    payload.set_streaming_width(static_cast<unsigned>(row.size()));
    payload.set_extension(&extent);
    sc_core::sc_time delay = sc_time_of(start);
    extent.first_data = delay;
    sender->port->b_transport(payload, delay);
    payload.clear_extension(&extent);
    EXPECT_TRUE(payload.is_response_ok());
    EXPECT_TRUE(extent.served_whole);
    Time spent = Time::zero();
    for (const auto& part : extent.spent) spent += time_of(part);
    EXPECT_LE(spent, time_of(delay) - start);
    return time_of(delay) - start;
  }
  std::uint64_t events(const std::string& name) const {
    for (const auto& [key, count] : bench.mesh->report(1_ms).events) {
      if (key == name) return count;
    }
    ADD_FAILURE() << name;
    return 0;
  }
  /// Where in a round the granule of `port` lies.
  static std::uint64_t granule_of(unsigned port) {
    std::uint64_t offset = 0;
    while (kPorts.port_of(offset) != port) offset += kPorts.granule;
    return offset;
  }

  MeshBench bench;
  std::unique_ptr<Initiator> sender;
  std::vector<std::unique_ptr<PlainTarget>> targets;
};

TEST_F(CopiesTest, TakeWhatTheFarthestTakesAndEachLinkOnce) {
  std::vector<unsigned char> row(512, 7);
  Extent extent;
  extent.base = kBase + granule_of(1);
  extent.row_bytes = row.size();
  extent.copies = 2;
  extent.copy_pitch = granule_of(3) - granule_of(1);
  const Time both = write(extent, row, Time::zero());
  // (0, 0) to (1, 2) and (3, 2): injection, three links along the row, two along each column, two ejections.
  const std::uint64_t tree = 1 + 3 + 2 + 2 + 2, flits = 1 + 512 / 64;
  const std::uint64_t answers = (1 + 1 + 2 + 1) + (1 + 3 + 2 + 1);  // links, a flit each
  EXPECT_EQ(events("link_flits"), tree * flits + answers);
  EXPECT_EQ(events("router_flits"), (tree - 2) * flits + answers - 2);
  // The first byte's arrival over six routers, the target, and the answer.
  EXPECT_EQ(both, 1_ns * (3 * 6 + 2) + 20_ns + 1_ns * (3 * 6 + 2));
  Extent one = extent;
  one.base += extent.copy_pitch;
  one.copies = 1;
  EXPECT_EQ(write(one, row, 10_us), both);
  EXPECT_EQ(bench.mesh->report(1_ms).initiators[0].traffic, (Traffic{0, 3 * 512}));
  EXPECT_EQ(bench.mesh->report(1_ms).initiators[0].waited, Time::zero());
}

TEST_F(CopiesTest, ReachEveryPlaceWhateverTheirGranules) {
  std::mt19937_64 random(23);
  std::uint64_t written = 0;
  for (unsigned i = 0; i < 200; ++i) {
    std::vector<unsigned char> row(1 + random() % 3000);
    for (unsigned char& byte : row) byte = static_cast<unsigned char>(random());
    Extent extent;
    extent.base = kBase + random() % 5000;
    extent.row_bytes = row.size();
    extent.copies = static_cast<std::uint32_t>(1 + random() % 4);
    extent.copy_pitch = 3000 + random() % 5000;
    write(extent, row, 1_us * i);
    written += row.size() * extent.copies;
    for (std::uint32_t copy = 0; copy < extent.copies; ++copy) {
      for (std::uint64_t j = 0; j < row.size(); j += 1 + j / 7) {
        const std::uint64_t at = extent.base + copy * extent.copy_pitch + j;
        unsigned char byte = 0;
        targets[kPorts.port_of(at - kBase)]->contents.read(at, &byte, 1);
        ASSERT_EQ(byte, row[j]) << copy << " " << j;
      }
    }
  }
  std::uint64_t got = 0;
  for (const auto& target : targets) {
    for (const auto& piece : target->pieces) got += piece.bytes;
  }
  EXPECT_EQ(got, written);
  EXPECT_EQ(bench.mesh->report(1_ms).initiators[0].traffic, (Traffic{0, written}));
}

TEST_F(CopiesTest, OutsideTheMapAreAFault) {
  std::vector<unsigned char> row(64);
  Extent extent;
  extent.base = kBase;
  extent.row_bytes = row.size();
  extent.copies = 3;
  extent.copy_pitch = 1 << 19;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_data_ptr(row.data());
  payload.set_data_length(64);
  payload.set_extension(&extent);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  sender->port->b_transport(payload, delay);
  payload.clear_extension(&extent);
  EXPECT_TRUE(payload.is_response_error());
  EXPECT_EQ(bench.faults.told.size(), 1u);
}

// As a tree of links alone: two trains that share their first links.
TEST(RouteTrees, HaveEachLinkOnce) {
  const NocShape shape{.columns = 5, .rows = 4};
  const NocPaths paths(shape);
  std::mt19937 random(2);
  for (unsigned i = 0; i < 200; ++i) {
    const std::size_t from = random() % shape.tiles();
    std::vector<std::size_t> to(1 + random() % 6);
    for (auto& tile : to) tile = random() % shape.tiles();
    const RouteTree tree = paths.tree(from, to);
    std::set<std::uint32_t> all, seen;
    Cycles farthest(0);
    for (const std::size_t tile : to) {
      const Route route = paths.between(from, tile);
      all.insert(route.begin(), route.end());
      farthest = std::max(farthest, paths.idle_latency(route, 9));
    }
    for (const auto& link : tree.links) seen.insert(link.link);
    EXPECT_EQ(seen, all);
    EXPECT_EQ(tree.links.size(), all.size());
    NocLinks links(shape);
    std::vector<FlitStream> arrivals;
    links.carry_tree(tree, {Cycles(3), Cycles(3), 9}, arrivals);
    ASSERT_EQ(arrivals.size(), to.size());
    Cycles last(0);
    for (std::size_t j = 0; j < to.size(); ++j) {
      EXPECT_EQ(arrivals[j].last, Cycles(3) + paths.idle_latency(paths.between(from, to[j]), 9));
      last = std::max(last, arrivals[j].last);
    }
    EXPECT_EQ(last, Cycles(3) + farthest);
    EXPECT_EQ(links.flit_hops(), 9 * all.size());
    EXPECT_FALSE(links.leak());
  }
}

}  // namespace
}  // namespace archsim
