// How fast the memory system simulates: extents a second through mesh and memory, and the 64 B requests that they stand for.
#include <benchmark/benchmark.h>

#include <random>

#include "models/dram/banked.h"
#include "models/sram/banked.h"
#include "tests/models/noc/neighbours.h"

namespace archsim {
namespace {

/// The edge_lpddr5 machine's fabric without its blocks: four initiators, l2, DRAM.
struct Machine {
  MeshBench bench;
  std::unique_ptr<BankedSram> l2;
  std::unique_ptr<BankedDram> dram;
  std::vector<std::unique_ptr<Initiator>> npus;

  Machine() {
    const BankedSramParams l2_params;
    const BankedDramParams dram_params;
    for (unsigned i = 0; i < 4; ++i) bench.add_initiator("npu" + std::to_string(i), i, 0);
    bench.add_memory("l2", RegionKind::l2, 0x1000'0000, l2_params.capacity.value,
                     BankedSram::memory(l2_params, 1_GHz).interleave, 1);
    bench.add_memory("dram", RegionKind::dram, 0x1'0000'0000, dram_params.capacity.value,
                     BankedDram::memory(dram_params, Frequency::zero()).interleave, 2);
    l2 = std::make_unique<BankedSram>("l2", l2_params, bench.context("l2", 1_GHz));
    dram = std::make_unique<BankedDram>("dram", dram_params, bench.context("dram", Frequency::zero()));
    bench.build({});
    for (unsigned i = 0; i < 4; ++i) {
      npus.push_back(std::make_unique<Initiator>(("npu" + std::to_string(i)).c_str()));
      npus.back()->port.bind(*bench.mesh->target_ports()[i]);
    }
    std::vector<TargetPort*> ports = l2->target_ports();
    for (TargetPort* port : dram->target_ports()) ports.push_back(port);
    for (std::size_t i = 0; i < ports.size(); ++i) bench.mesh->initiator_ports()[i]->bind(*ports[i]);
    MeshBench::start();
  }
};

/// One machine: the kernel elaborates once a process.
Machine& machine() {
  static auto* the_machine = new Machine;
  return *the_machine;
}

struct Traffic {
  std::uint64_t base, row_bytes, rows, pitch, step;
  bool random;
};

/// Each extent at its time, four streams in turn, about as fast as the memory serves them.
void run(benchmark::State& state, const Traffic& traffic, double bytes_a_second) {
  Machine& m = machine();
  std::mt19937_64 random(1);
  std::uint64_t i = 0;
  const auto period =
      static_cast<std::uint64_t>(static_cast<double>(traffic.row_bytes * traffic.rows) / bytes_a_second * 1e12);
  Time sent = time_of(sc_core::sc_time_stamp());
  for (auto _ : state) {
    if (i % 64 == 0 && sent > time_of(sc_core::sc_time_stamp())) {
      sc_core::sc_start(sc_time_of(sent - time_of(sc_core::sc_time_stamp())), sc_core::SC_RUN_TO_TIME);
    }
    const std::uint64_t place = traffic.random ? random() % (1 << 23) / 64 * 64 : i / 4 * traffic.step % (1 << 22);
    const std::uint64_t base = traffic.base + i % 4 * (2 << 20) + place;
    const Time now = time_of(sc_core::sc_time_stamp());
    m.npus[i % 4]->send(base, traffic.row_bytes, traffic.rows, static_cast<std::int64_t>(traffic.pitch), i % 8 == 7,
                        sent - now);
    sent += Time(period);
    ++i;
  }
  const auto bytes = static_cast<double>(i * traffic.row_bytes * traffic.rows);
  state.counters["extents"] = benchmark::Counter(static_cast<double>(i), benchmark::Counter::kIsRate);
  state.counters["64B_requests"] = benchmark::Counter(bytes / 64, benchmark::Counter::kIsRate);
}

constexpr std::uint64_t kL2 = 0x1000'0000, kDram = 0x1'0000'0000;

void dram_sequential(benchmark::State& state) { run(state, {kDram, 16384, 1, 0, 16384, false}, 90e9); }
void dram_rows(benchmark::State& state) { run(state, {kDram, 256, 64, 4352, 256, false}, 60e9); }
void dram_random_64(benchmark::State& state) { run(state, {kDram, 64, 1, 0, 0, true}, 5e9); }
void l2_sequential(benchmark::State& state) { run(state, {kL2, 16384, 1, 0, 16384, false}, 200e9); }
void l2_rows(benchmark::State& state) { run(state, {kL2, 128, 64, 1152, 128, false}, 100e9); }

BENCHMARK(dram_sequential);
BENCHMARK(dram_rows);
BENCHMARK(dram_random_64);
BENCHMARK(l2_sequential);
BENCHMARK(l2_rows);

}  // namespace
}  // namespace archsim

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}

// libsystemc.so refers to this symbol.
int sc_main(int, char**) { return 0; }
