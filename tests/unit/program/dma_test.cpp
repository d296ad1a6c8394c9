#include <gmock/gmock.h>

#include "tests/unit/program/lab.h"

namespace archsim {
namespace {

using testing::ElementsAre;
using Bytes8 = std::vector<std::uint8_t>;

/// load 1, then store 1 of what it brought.
TEST(Dma, MovesAPieceInAndOut) {
  Lab lab;
  lab.put<std::uint8_t>(Lab::kDram, {1, 2, 3, 4});
  lab.add(Engine::load, piece(Lab::kDram, LocalAddress::scratchpad(16), 4));
  lab.add(Engine::store, piece(Lab::kL2 + 8, LocalAddress::scratchpad(16), 4), {1, 0, 0, 0});
  lab.end_streams();
  EXPECT_THAT(check_program(lab.program, lab.limits), testing::IsEmpty());
  ASSERT_TRUE(lab.run().finished);
  EXPECT_THAT(lab.get<std::uint8_t>(Lab::kL2 + 8, 5), ElementsAre(1, 2, 3, 4, 0xFF));  // 0xFF: nothing wrote it
}

TEST(Dma, PitchesPickRowsAndPlanesOutOfMemory) {
  Lab lab;
  Bytes8 memory(64);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::uint8_t>(i);
  lab.put(Lab::kDram, memory);
  lab.add(Engine::load, Dma{.memory_address = Lab::kDram + 1,
                            .local = LocalAddress::scratchpad(0),
                            .row_bytes = 2,
                            .rows = 2,
                            .planes = 2,
                            .memory_row_pitch = 8,
                            .memory_plane_pitch = 32,
                            .local_row_pitch = 3,
                            .local_plane_pitch = 6});
  lab.add(Engine::store, piece(Lab::kL2, LocalAddress::scratchpad(0), 11), {1, 0, 0, 0});
  lab.end_streams();
  ASSERT_TRUE(lab.run().finished);
  EXPECT_THAT(lab.get<std::uint8_t>(Lab::kL2, 11), ElementsAre(1, 2, 0xFF, 9, 10, 0xFF, 33, 34, 0xFF, 41, 42));
}

TEST(Dma, NegativePitchesAndPitchZeroWork) {
  Lab lab;
  lab.put<std::uint8_t>(Lab::kDram, {1, 2, 3});
  lab.add(Engine::load, Dma{.memory_address = Lab::kDram + 2,
                            .local = LocalAddress::scratchpad(0),
                            .row_bytes = 1,
                            .rows = 3,
                            .memory_row_pitch = -1,
                            .local_row_pitch = 1});
  lab.add(Engine::load, Dma{.memory_address = Lab::kDram,
                            .local = LocalAddress::scratchpad(3),
                            .row_bytes = 2,
                            .rows = 2,
                            .memory_row_pitch = 0,
                            .local_row_pitch = 2});
  lab.add(Engine::store, piece(Lab::kL2, LocalAddress::scratchpad(0), 7), {2, 0, 0, 0});
  lab.end_streams();
  ASSERT_TRUE(lab.run().finished);
  EXPECT_THAT(lab.get<std::uint8_t>(Lab::kL2, 7), ElementsAre(3, 2, 1, 1, 2, 1, 2));
}

TEST(Dma, WidensBf16AndNarrowsFp32) {
  Lab lab;
  lab.put_bf16(Lab::kDram, {1.5F, -2.0F});
  lab.add(Engine::load, Dma{.memory_address = Lab::kDram,
                            .local = LocalAddress::accumulator(8),
                            .row_bytes = 4,
                            .convert = Convert::bf16_to_fp32});
  lab.add(Engine::store, piece(Lab::kL2, LocalAddress::accumulator(8), 8), {1, 0, 0, 0});
  lab.put<float>(Lab::kDram + 64, {1.0F + 0x1p-8F, 1.0F + 0x3p-8F});  // both halfway between two bf16
  lab.add(Engine::load, piece(Lab::kDram + 64, LocalAddress::scratchpad(0), 8));
  lab.add(Engine::store,
          Dma{.memory_address = Lab::kL2 + 8, .local = {0}, .row_bytes = 4, .convert = Convert::fp32_to_bf16},
          {2, 0, 0, 0});
  lab.end_streams();
  ASSERT_TRUE(lab.run().finished);
  EXPECT_THAT(lab.get<float>(Lab::kL2, 2), ElementsAre(1.5F, -2.0F));
  EXPECT_THAT(lab.get_bf16(Lab::kL2 + 8, 2), ElementsAre(1.0F, 1.0F + 0x4p-8F));  // the even ones
}

TEST(Dma, RequantizesOnTheWayOut) {
  Lab lab;
  lab.put<std::int32_t>(Lab::kDram, {100, -101, 30000});
  lab.add(Engine::load, piece(Lab::kDram, LocalAddress::accumulator(0), 12));
  lab.add(Engine::store,
          Dma{.memory_address = Lab::kL2,
              .local = LocalAddress::accumulator(0),
              .row_bytes = 3,
              .convert = Convert::requantize,
              .multiplier = 3,
              .shift = 3},
          {1, 0, 0, 0});
  lab.end_streams();
  ASSERT_TRUE(lab.run().finished);
  EXPECT_THAT(lab.get<std::int8_t>(Lab::kL2, 3), ElementsAre((100 * 3 + 4) >> 3, (-101 * 3 + 4) >> 3, 127));
}

/// Two outer iterations of three inner ones; `progress` counts with the innermost.
void begin_loops(std::vector<Command>& stream, Engine progress) {
  const auto count = static_cast<std::uint8_t>(loop_register::kProgress + static_cast<std::uint8_t>(progress));
  stream.push_back({.payload = LoopBegin{2}});
  stream.push_back({.payload = Stride{loop_register::kFirstAddress, 3}});
  stream.push_back({.payload = Stride{count, 3}});
  stream.push_back({.payload = LoopBegin{3}});
  stream.push_back({.payload = Stride{loop_register::kFirstAddress, 1}});
  stream.push_back({.payload = Stride{count, 1}});
}

void end_loops(std::vector<Command>& stream) { stream.insert(stream.end(), 2, {.payload = EndLoop{}}); }

TEST(Loop, RegistersMoveAddressesAndCountsAndComeBack) {
  Lab lab;
  lab.put<std::uint8_t>(Lab::kDram, {1, 2, 3, 4, 5, 6});
  // One byte of scratchpad for all, so the n-th load waits for n - 1 stores, and the n-th store for n loads.
  Dma load = piece(Lab::kDram, LocalAddress::scratchpad(0), 1);
  Dma store = piece(Lab::kL2, LocalAddress::scratchpad(0), 1);
  load.address_register = store.address_register = loop_register::kFirstAddress;
  begin_loops(lab.stream(Engine::load), Engine::store);
  lab.add(Engine::load, load);
  lab.stream(Engine::load).back().wait_for[3] = Lab::after(0);
  end_loops(lab.stream(Engine::load));
  begin_loops(lab.stream(Engine::store), Engine::load);
  lab.add(Engine::store, store, {1, 0, 0, 0});
  end_loops(lab.stream(Engine::store));
  // Behind the loops the register is 0 again.
  store.memory_address += 6;
  lab.add(Engine::store, store, {6, 0, 0, 0});
  lab.end_streams();
  EXPECT_THAT(check_program(lab.program, lab.limits), testing::IsEmpty());
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    ASSERT_TRUE(lab.run(seed).finished);
    EXPECT_THAT(lab.get<std::uint8_t>(Lab::kL2, 7), ElementsAre(1, 2, 3, 4, 5, 6, 6));
  }
}

}  // namespace
}  // namespace archsim
