// The RTL computes what the functional executor computes, bit for bit, under random back-pressure on every port.
#include <gtest/gtest.h>

#include <initializer_list>
#include <random>

#include "tests/rtl/beside_functional.h"

namespace archsim {
namespace {

constexpr std::uint64_t kBase = RandomProgramOptions{}.memory_base;
constexpr std::uint64_t kScratchpadAt = 0, kAccumulatorAt = 64 << 10, kResultsAt = 128 << 10, kWork = 256 << 10;

/// A program of one accelerator by hand. Scratchpad and accumulator are loaded first and stored last.
class Work {
 public:
  Work() {
    work_.program.accelerators.resize(1);
    work_.limits.memories.push_back({.name = "dram", .base = kBase, .bytes = 512 << 10});
    work_.limits.accelerators.push_back({.name = "npu0", .scratchpad = 64 << 10, .accumulator = 16 << 10});
    std::mt19937 random(7);
    for (std::uint64_t i = 0; i < work_.limits.memories.front().bytes; ++i) {
      work_.memory.push_back(static_cast<std::byte>(random() & 0xFF));
    }
    add(Engine::load, Dma{.memory_address = kBase + kScratchpadAt, .row_bytes = 64 << 10});
    add(Engine::load,
        Dma{.memory_address = kBase + kAccumulatorAt, .local = LocalAddress::accumulator(0), .row_bytes = 16 << 10});
  }

  /// Waits for everything before it.
  void add(Engine engine, const Payload& payload) {
    Command command{.payload = payload};
    for (std::size_t e = 0; e < kEngines; ++e) {
      if (done_[e] > 0) command.wait_for[e] = kCounterStart + done_[e];
    }
    work_.program.accelerators[0].stream[static_cast<std::size_t>(engine)].push_back(command);
    if (command.is_work()) ++done_[static_cast<std::size_t>(engine)];
  }

  std::string run(const Surroundings& around) {
    add(Engine::store, Dma{.memory_address = kBase + kResultsAt, .row_bytes = 64 << 10});
    add(Engine::store, Dma{.memory_address = kBase + kResultsAt + (64 << 10),
                           .local = LocalAddress::accumulator(0),
                           .row_bytes = 16 << 10});
    for (auto& stream : work_.program.accelerators[0].stream) stream.push_back({.payload = Halt{}});
    work_.program.host.push_back({.payload = Halt{}});
    return beside_functional(work_, around);
  }

 private:
  RandomProgram work_;
  std::array<std::uint32_t, kEngines> done_{};
};

void expect_equal(Engine engine, const Payload& payload, const std::string& what) {
  for (const double pauses : {0.0, 0.2}) {
    Work work;
    work.add(engine, payload);
    EXPECT_EQ(work.run({.pauses = pauses, .seed = 3}), "") << what;
  }
}

Matmul product(std::uint32_t m, std::uint32_t k, std::uint32_t n) {
  return {.a = LocalAddress::scratchpad(1000),
          .w = LocalAddress::scratchpad(30001),
          .out = LocalAddress::accumulator(128),
          .m = m,
          .k = k,
          .n = n,
          .a_pitch = k + 3,
          .w_pitch = n + 1,
          .out_pitch = 4 * n + 8};
}

TEST(RtlCommands, Load) {
  const Dma dense{.memory_address = kBase + kWork, .local = LocalAddress::scratchpad(64), .row_bytes = 1000};
  expect_equal(Engine::load, dense, "dense");
  Dma odd = dense;
  odd.memory_address += 13;
  odd.local = LocalAddress::scratchpad(5);
  expect_equal(Engine::load, odd, "no alignment");
  expect_equal(Engine::load,
               Dma{.memory_address = kBase + kWork + 5000,
                   .local = LocalAddress::accumulator(20),
                   .row_bytes = 37,
                   .rows = 5,
                   .planes = 3,
                   .memory_row_pitch = -61,
                   .memory_plane_pitch = 777,
                   .local_row_pitch = 40,
                   .local_plane_pitch = 333},
               "rows and planes");
  expect_equal(Engine::load,
               Dma{.memory_address = kBase + kWork + 3, .row_bytes = 21, .rows = 9, .local_row_pitch = 30},
               "a row again and again");
}

TEST(RtlCommands, Store) {
  const Dma dense{.memory_address = kBase + kWork + 9, .local = LocalAddress::scratchpad(77), .row_bytes = 700};
  expect_equal(Engine::store, dense, "dense");
  expect_equal(Engine::store,
               Dma{.memory_address = kBase + kWork + 5000,
                   .local = LocalAddress::accumulator(21),
                   .row_bytes = 33,
                   .rows = 4,
                   .planes = 2,
                   .memory_row_pitch = 35,
                   .memory_plane_pitch = -400,
                   .local_row_pitch = 50,
                   .local_plane_pitch = 500},
               "rows and planes");
  expect_equal(Engine::store, Dma{.memory_address = kBase + kWork, .row_bytes = 20, .rows = 3, .memory_row_pitch = 24},
               "a local row again and again");
}

TEST(RtlCommands, RequantizingStore) {
  for (const std::uint8_t shift : std::initializer_list<std::uint8_t>{0, 1, 8, 31, 40, 62}) {
    expect_equal(Engine::store,
                 Dma{.memory_address = kBase + kWork + 1,
                     .local = LocalAddress::accumulator(8),
                     .row_bytes = 45,
                     .rows = 6,
                     .memory_row_pitch = 45,
                     .local_row_pitch = 184,
                     .convert = Convert::requantize,
                     .multiplier = shift % 2 == 0 ? 1717986918 : -12345,
                     .shift = shift},
                 "shift " + std::to_string(shift));
  }
}

TEST(RtlCommands, Matmul) {
  for (const Dataflow dataflow : {Dataflow::weight_stationary, Dataflow::output_stationary}) {
    for (const bool accumulate : {false, true}) {
      for (const bool transpose : {false, true}) {
        Matmul matmul = product(20, 17, 11);
        matmul.dataflow = dataflow;
        matmul.accumulate = accumulate;
        matmul.transpose_w = transpose;
        if (transpose) matmul.w_pitch = matmul.k + 2;
        expect_equal(Engine::array, matmul,
                     std::string(name_of(dataflow)) + (accumulate ? ", adds" : "") + (transpose ? ", transposed" : ""));
      }
    }
  }
}

TEST(RtlCommands, MatmulsOfEveryEdge) {
  std::mt19937 random(11);
  const auto any = [&random] {
    constexpr std::array<std::uint32_t, 9> kEdges{1, 2, 7, 8, 9, 15, 16, 17, 40};
    return kEdges[random() % kEdges.size()];
  };
  for (int i = 0; i < 40; ++i) {
    Matmul matmul = i == 0   ? product(1, 1, 1)
                    : i == 1 ? product(1, 40, 40)
                    : i == 2 ? product(40, 40, 1)
                             : product(any(), any(), any());
    matmul.dataflow = i % 2 == 0 ? Dataflow::weight_stationary : Dataflow::output_stationary;
    Work work;
    work.add(Engine::array, matmul);
    EXPECT_EQ(work.run({.seed = 2}), "") << matmul.m << "x" << matmul.k << "x" << matmul.n << " "
                                         << name_of(matmul.dataflow);
  }
}

TEST(RtlPrograms, RandomOnesOfAThousandCommands) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Surroundings around{.latency = 10 + 40 * (seed % 4), .pauses = seed % 3 == 0 ? 0.0 : 0.15, .seed = seed};
    EXPECT_EQ(beside_functional(random_program(seed), around), "") << "seed " << seed;
  }
}

TEST(RtlPrograms, RandomOnesUnderHeavyBackPressure) {
  for (std::uint64_t seed = 101; seed <= 104; ++seed) {
    const RandomProgram program = random_program(seed, {.commands = 300});
    EXPECT_EQ(beside_functional(program, {.latency = 1 + seed % 7, .pauses = 0.5, .seed = seed}), "")
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace archsim
