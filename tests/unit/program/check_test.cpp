#include "arch/program/check/check.h"

#include <gmock/gmock.h>

#include "tests/unit/program/lab.h"

namespace archsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kScratchpad = LocalAddress::scratchpad(0);
constexpr auto kAccumulator = LocalAddress::accumulator(0);

/// What is wrong with a program whose only command but halt is this one.
std::vector<std::string> mistakes_of(Engine engine, const Payload& payload) {
  Lab lab;
  lab.add(engine, payload);
  lab.end_streams();
  return check_program(lab.program, lab.limits);
}

Matmul good_matmul() {
  return {.a = kScratchpad,
          .w = LocalAddress::scratchpad(1024),
          .out = kAccumulator,
          .m = 8,
          .k = 16,
          .n = 8,
          .a_pitch = 16,
          .w_pitch = 8,
          .out_pitch = 32};
}

Vector good_vector(VectorFunction function) {
  return {.function = function,
          .rows = 2,
          .columns = 8,
          .source = {{{.address = kScratchpad, .pitch = 16}, {.address = kScratchpad}, {.address = kScratchpad}}},
          .destination = {.address = LocalAddress::scratchpad(512), .pitch = 16}};
}

TEST(Check, GoodCommandsPass) {
  EXPECT_THAT(mistakes_of(Engine::load, piece(Lab::kDram, kScratchpad, 4096)), IsEmpty());
  EXPECT_THAT(mistakes_of(Engine::store, piece(Lab::kL2, kAccumulator, 2048)), IsEmpty());
  EXPECT_THAT(mistakes_of(Engine::array, good_matmul()), IsEmpty());
  EXPECT_THAT(mistakes_of(Engine::vector, good_vector(VectorFunction::add)), IsEmpty());
}

TEST(Check, LocalOperandsStayInside) {
  EXPECT_THAT(mistakes_of(Engine::load, piece(Lab::kDram, LocalAddress::scratchpad(1), 4096)),
              ElementsAre(HasSubstr("npu0.load[0] dma")));
  EXPECT_THAT(mistakes_of(Engine::load, piece(Lab::kDram, LocalAddress::scratchpad(1), 4096)),
              ElementsAre(HasSubstr("local ends at byte 4097 of the scratchpad, which has 4096")));
  auto matmul = good_matmul();
  matmul.out = LocalAddress::accumulator(2048 - 7 * 32 - 31 - 1);
  EXPECT_THAT(mistakes_of(Engine::array, matmul), IsEmpty());
  matmul.out = LocalAddress::accumulator(2048 - 7 * 32 - 28);
  EXPECT_THAT(mistakes_of(Engine::array, matmul),
              ElementsAre(HasSubstr("out ends at byte 2052 of the accumulator, which has 2048")));
  // A widening load takes twice the bytes.
  auto load = piece(Lab::kDram, kAccumulator, 1026);
  load.convert = Convert::bf16_to_fp32;
  EXPECT_THAT(mistakes_of(Engine::load, load), ElementsAre(HasSubstr("local ends at byte 2052")));
}

TEST(Check, StreamsHoldTheirOwnCommands) {
  EXPECT_THAT(mistakes_of(Engine::load, good_matmul()), ElementsAre(HasSubstr("this stream has no such command")));
  EXPECT_THAT(mistakes_of(Engine::vector, piece(Lab::kDram, kScratchpad, 4)),
              ElementsAre(HasSubstr("no such command")));
  EXPECT_THAT(mistakes_of(Engine::store, HostOperation{}), ElementsAre(HasSubstr("no such command")));
}

TEST(Check, ConversionsHaveADirection) {
  auto dma = piece(Lab::kDram, kScratchpad, 4);
  for (const auto convert : {Convert::fp32_to_bf16, Convert::requantize}) {
    dma.convert = convert;
    EXPECT_THAT(mistakes_of(Engine::load, dma), ElementsAre(HasSubstr("a load cannot convert")));
    EXPECT_THAT(mistakes_of(Engine::store, dma), IsEmpty());
  }
  dma.convert = Convert::bf16_to_fp32;
  EXPECT_THAT(mistakes_of(Engine::store, dma), ElementsAre(HasSubstr("a store cannot convert bf16_to_fp32")));
  dma.row_bytes = 3;
  EXPECT_THAT(mistakes_of(Engine::load, dma), ElementsAre(HasSubstr("half a bf16")));
}

TEST(Check, MatmulsHaveSizesTypesAndPlaces) {
  auto matmul = good_matmul();
  matmul.k = 0;
  EXPECT_THAT(mistakes_of(Engine::array, matmul), ElementsAre(HasSubstr("m, k and n must be positive")));
  matmul = good_matmul();
  matmul.w_dtype = Dtype::int32;
  EXPECT_THAT(mistakes_of(Engine::array, matmul), ElementsAre(HasSubstr("the array takes no int32")));
  matmul = good_matmul();
  matmul.a = kAccumulator;
  EXPECT_THAT(mistakes_of(Engine::array, matmul), ElementsAre(HasSubstr("a and w lie in the scratchpad")));
  matmul = good_matmul();
  matmul.out = kScratchpad;
  EXPECT_THAT(mistakes_of(Engine::array, matmul), ElementsAre(HasSubstr("out lies in the accumulator")));
  matmul = good_matmul();
  matmul.out_pitch = 28;
  EXPECT_THAT(mistakes_of(Engine::array, matmul), ElementsAre(HasSubstr("rows of out lie on each other")));
}

TEST(Check, VectorFunctionsHaveTheirRules) {
  auto rope = good_vector(VectorFunction::rope);
  rope.parameter0 = 10000;
  rope.integer0 = 3;
  EXPECT_THAT(mistakes_of(Engine::vector, rope), ElementsAre(HasSubstr("heads of 3 elements")));
  auto step = good_vector(VectorFunction::softmax_step);
  step.integer0 = 4;
  EXPECT_THAT(mistakes_of(Engine::vector, step),
              ElementsAre(HasSubstr("are fp32"), HasSubstr("each row has a state of its own")));
  auto add = good_vector(VectorFunction::add);
  add.source[1].address = LocalAddress::scratchpad(1);
  EXPECT_THAT(mistakes_of(Engine::vector, add), ElementsAre(HasSubstr("source1 is not aligned")));
}

TEST(Check, MemoryOperandsStayInsideInEveryIteration) {
  const auto with_loop = [](std::uint32_t count, std::int64_t stride) {
    Lab lab;
    auto& stream = lab.stream(Engine::load);
    stream.push_back({.payload = LoopBegin{count}});
    stream.push_back({.payload = Stride{loop_register::kFirstAddress, stride}});
    Dma load = piece(Lab::kL2 + 1024, kScratchpad, 1024);
    load.address_register = loop_register::kFirstAddress;
    stream.push_back({.payload = load});
    stream.push_back({.payload = EndLoop{}});
    lab.end_streams();
    return check_program(lab.program, lab.limits);
  };
  EXPECT_THAT(with_loop(3, 1024), IsEmpty());
  EXPECT_THAT(with_loop(4, 1024), ElementsAre(HasSubstr("bytes 0x8400 to 0x9400 do not lie in one memory")));
  EXPECT_THAT(with_loop(2, -1024), IsEmpty());
  EXPECT_THAT(with_loop(3, -1024), ElementsAre(HasSubstr("bytes 0x7c00 to 0x8800")));
  EXPECT_THAT(with_loop(0xFFFF'FFFF, std::int64_t{1} << 46), ElementsAre(HasSubstr("do not lie in one memory")));
}

TEST(Check, PitchesReachInsideTheSameMemory) {
  auto load = piece(Lab::kL2, kScratchpad, 16);
  load.rows = 4;
  load.local_row_pitch = 16;
  load.memory_row_pitch = (4096 - 16) / 3;
  EXPECT_THAT(mistakes_of(Engine::load, load), IsEmpty());
  ++load.memory_row_pitch;
  EXPECT_THAT(mistakes_of(Engine::load, load), ElementsAre(HasSubstr("bytes 0x8000 to 0x9003")));
  load.memory_row_pitch = 0;
  load.local_row_pitch = 8;
  EXPECT_THAT(mistakes_of(Engine::load, load), ElementsAre(HasSubstr("rows land on each other")));
}

TEST(Check, LoopsBalance) {
  const auto stream_of = [](std::vector<Payload> payloads) {
    Lab lab;
    lab.end_streams();
    auto& stream = lab.stream(Engine::load);
    stream.clear();
    for (auto& payload : payloads) stream.push_back({.payload = payload});
    return check_program(lab.program, lab.limits);
  };
  const Dma dma = piece(Lab::kDram, kScratchpad, 4);
  EXPECT_THAT(stream_of({LoopBegin{2}, Stride{7, 1}, dma, EndLoop{}, Halt{}}), IsEmpty());
  EXPECT_THAT(stream_of({}), ElementsAre(HasSubstr("npu0.load[0] (empty): the stream has no halt")));
  EXPECT_THAT(stream_of({dma}), ElementsAre(HasSubstr("the stream has no halt")));
  EXPECT_THAT(stream_of({LoopBegin{0}, EndLoop{}, Halt{}}), ElementsAre(HasSubstr("a loop runs at least once")));
  EXPECT_THAT(stream_of({LoopBegin{2}, Halt{}}), ElementsAre(HasSubstr("a loop has not ended at halt")));
  EXPECT_THAT(stream_of({EndLoop{}, Halt{}}), ElementsAre(HasSubstr("ends no loop")));
  EXPECT_THAT(stream_of({Stride{7, 1}, Halt{}}), ElementsAre(HasSubstr("right behind its loop_begin")));
  EXPECT_THAT(stream_of({LoopBegin{2}, dma, Stride{7, 1}, EndLoop{}, Halt{}}),
              ElementsAre(HasSubstr("npu0.load[2] stride register_index=7 stride=1: a stride stands right behind")));
  EXPECT_THAT(stream_of({LoopBegin{2}, Stride{0, 1}, EndLoop{}, Halt{}}), ElementsAre(HasSubstr("cannot be changed")));
  EXPECT_THAT(stream_of({Halt{}, Halt{}}), ElementsAre(HasSubstr("commands stand behind halt")));
}

TEST(Check, NobodyWaitsForMoreThanThereIs) {
  Lab lab(2);
  lab.add(Engine::load, piece(Lab::kDram, kScratchpad, 4));
  lab.add(Engine::store, piece(Lab::kL2, kScratchpad, 4), {2, 0, 0, 0});
  lab.add(Engine::store, Signal{.semaphore = 0, .first = 1, .count = 1});
  // npu1 gets a signal of npu0's, and one that is sent wrongly.
  lab.add(Engine::load, WaitSemaphore{.semaphore = 0, .value = Lab::after(3)}, {}, 1);
  lab.add(Engine::store, Signal{.semaphore = 0, .first = 0, .count = 3}, {}, 1);
  lab.end_streams();
  EXPECT_THAT(
      check_program(lab.program, lab.limits),
      ElementsAre(HasSubstr("npu0.store[0] dma"), HasSubstr("npu1.load[0] wait_semaphore"),
                  HasSubstr("a signal raises the semaphore of who sends it"), HasSubstr("there are 2 accelerators")));
  EXPECT_THAT(check_program(lab.program, lab.limits)[1], HasSubstr("it waits for 3 signals, but there are only 2"));
  EXPECT_THAT(check_program(lab.program, lab.limits)[0],
              HasSubstr("it waits for 2 commands of load, but there are only 1"));
}

}  // namespace
}  // namespace archsim
