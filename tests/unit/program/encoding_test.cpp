#include "arch/program/encoding.h"

#include <gmock/gmock.h>

#include <random>
#include <set>

namespace archsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Every member of every payload gets a random value that fits its field. The structured bindings name all members, so that
/// a member added to a payload breaks this test until it has a field.
class RandomCommand {
 public:
  explicit RandomCommand(std::uint64_t seed) : random_(seed) {}

  Command make(std::size_t opcode) {
    Command command{.tag = number(32), .wait_for = {number(32), number(32), number(32), number(32)}};
    switch (opcode) {
      case 0:
        command.payload = Halt{};
        break;
      case 1:
        command.payload = LoopBegin{.count = number(32)};
        break;
      case 2:
        command.payload = stride();
        break;
      case 3:
        command.payload = EndLoop{};
        break;
      case 4:
        command.payload = wait_semaphore();
        break;
      case 5:
        command.payload = signal();
        break;
      case 6:
        command.payload = dma();
        break;
      case 7:
        command.payload = matmul();
        break;
      default:
        command.payload = vector();
        break;
    }
    return command;
  }

 private:
  std::uint64_t bits(unsigned count) { return random_() & ((std::uint64_t{1} << count) - 1); }
  std::uint32_t number(unsigned count) { return static_cast<std::uint32_t>(bits(count)); }
  std::uint8_t byte(unsigned count) { return static_cast<std::uint8_t>(bits(count)); }
  std::uint16_t half(unsigned count) { return static_cast<std::uint16_t>(bits(count)); }
  std::int64_t signed48() { return static_cast<std::int64_t>(bits(48)) - (std::int64_t{1} << 47); }
  float real() { return static_cast<float>(static_cast<double>(random_()) * 1e-12) - 1.0F; }
  template <class Enum>
  Enum one_of(std::size_t count) {
    return static_cast<Enum>(random_() % count);
  }

  Stride stride() {
    Stride made;
    auto& [register_index, step] = made;
    register_index = byte(5);
    step = signed48();
    return made;
  }
  WaitSemaphore wait_semaphore() {
    WaitSemaphore made;
    auto& [semaphore, value, register_index] = made;
    semaphore = half(16);
    value = number(32);
    register_index = byte(5);
    return made;
  }
  Signal signal() {
    Signal made;
    auto& [semaphore, first, count, to_host] = made;
    semaphore = half(16);
    first = half(16);
    count = half(16);
    to_host = bits(1) != 0;
    return made;
  }
  Dma dma() {
    Dma made;
    auto& [address, address_register, local, row_bytes, rows, planes, row_pitch, plane_pitch, local_row_pitch,
           local_plane_pitch, convert, multiplier, shift] = made;
    address = bits(48);
    address_register = byte(5);
    local.value = number(32);
    row_bytes = number(32);
    rows = number(32);
    planes = number(32);
    row_pitch = signed48();
    plane_pitch = signed48();
    local_row_pitch = number(32);
    local_plane_pitch = number(32);
    convert = one_of<Convert>(kConverts);
    multiplier = static_cast<std::int32_t>(number(32));
    shift = byte(6);
    return made;
  }
  Matmul matmul() {
    Matmul made;
    auto& [a, w, out, m, k, n, a_pitch, w_pitch, out_pitch, a_dtype, w_dtype, accumulate, transpose_w, dataflow,
           w_grouping] = made;
    for (auto* address : {&a, &w, &out}) address->value = number(32);
    for (auto* size : {&m, &k, &n, &a_pitch, &w_pitch, &out_pitch}) *size = number(32);
    a_dtype = one_of<Dtype>(kDtypes);
    w_dtype = one_of<Dtype>(kDtypes);
    w_grouping = {.group = number(16), .scale = one_of<Dtype>(kDtypes), .is_two_of_four = bits(1) != 0};
    accumulate = bits(1) != 0;
    transpose_w = bits(1) != 0;
    dataflow = one_of<Dataflow>(kDataflows);
    return made;
  }
  void fill(VectorOperand& operand) {
    auto& [address, pitch, dtype, scale] = operand;
    address.value = number(32);
    pitch = number(32);
    dtype = one_of<Dtype>(kDtypes);
    scale = real();
  }
  Vector vector() {
    Vector made;
    auto& [function, rows, columns, source, destination, parameter0, parameter1, integer0, integer1, visible,
           visible_step] = made;
    function = one_of<VectorFunction>(kVectorFunctions);
    for (auto* size : {&rows, &columns, &integer0, &integer1}) *size = number(32);
    for (auto& operand : source) fill(operand);
    fill(destination);
    parameter0 = real();
    parameter1 = real();
    visible = static_cast<std::int32_t>(number(32));
    visible_step = static_cast<std::int32_t>(number(32));
    return made;
  }

  std::mt19937_64 random_;
};

TEST(Encoding, EveryCommandComesBackFromItsBits) {
  RandomCommand random(1);
  for (int round = 0; round < 200; ++round) {
    for (std::size_t opcode = 0; opcode < encoding_table().opcodes.size(); ++opcode) {
      const Command command = random.make(opcode);
      ASSERT_EQ(command.payload.index(), opcode);
      ASSERT_THAT(encoding_errors(command), IsEmpty());
      const auto back = decode(encode(command));
      ASSERT_TRUE(back.command.has_value()) << back.error;
      ASSERT_EQ(*back.command, command) << to_text(command);
    }
  }
}

TEST(Encoding, WhatTheRtlHasNoBitsForIsOutsideItsFields) {
  const auto rtl_bits = [](std::size_t opcode) {
    EncodedCommand mask{};
    for (const auto& field : encoding_table().opcodes[opcode].fields) {
      if (field.is_in_rtl) mask[field.lsb / 64] |= ((std::uint64_t{1} << (field.width % 64)) - 1) << (field.lsb % 64);
    }
    return mask;
  };
  const auto strays = [&](const Command& command) {
    const auto bits = encode(command);
    const auto mask = rtl_bits(command.payload.index());
    std::size_t words = 0;
    for (std::size_t w = 3; w < bits.size(); ++w) words += (bits[w] & ~mask[w]) != 0 ? 1 : 0;  // behind the header
    return words;
  };
  const auto matmul = [](Dtype a, Dtype w, Grouping grouping) {
    return Command{.payload = Matmul{.a_dtype = a, .w_dtype = w, .w_grouping = grouping}};
  };
  EXPECT_EQ(strays(matmul(Dtype::uint8, Dtype::bf16, {})), 0U);
  EXPECT_EQ(strays(matmul(Dtype::fp8_e4m3, Dtype::int8, {})), 1U);
  EXPECT_EQ(strays(matmul(Dtype::bf16, Dtype::nvfp4, {})), 1U);
  EXPECT_EQ(strays(matmul(Dtype::int8, Dtype::int8, {.is_two_of_four = true})), 1U);
  EXPECT_EQ(strays(matmul(Dtype::bf16, Dtype::int8, {.group = 64, .scale = Dtype::bf16})), 1U);
}

TEST(Encoding, FieldsOfAnOpcodeNeitherOverlapNorCrossWords) {
  for (const auto& opcode : encoding_table().opcodes) {
    std::set<unsigned> taken;
    const auto take = [&](const EncodingField& field) {
      EXPECT_LE(field.lsb % 64 + field.width, 64U) << opcode.name << " " << field.name;
      EXPECT_LE(field.lsb + field.width, kCommandBits);
      for (unsigned bit = field.lsb; bit < field.lsb + field.width; ++bit) {
        EXPECT_TRUE(taken.insert(bit).second) << opcode.name << " " << field.name << " takes bit " << bit << " again";
      }
    };
    take(encoding_table().opcode);
    for (const auto& field : encoding_table().header) take(field);
    for (const auto& field : opcode.fields) take(field);
  }
}

TEST(Encoding, ADmaLiesWhereTheTableSays) {
  const Command command{.tag = 0x11,
                        .wait_for = {0, 0, 0, 0x22},
                        .payload = Dma{.memory_address = 0x1234'5678'9ABC,
                                       .local = LocalAddress::accumulator(0x40),
                                       .row_bytes = 0x100,
                                       .rows = 3,
                                       .memory_row_pitch = -1}};
  const auto bits = encode(command);
  constexpr std::uint64_t kDmaOpcode = 6;
  EXPECT_EQ(bits[0], kDmaOpcode | (std::uint64_t{0x11} << 32));
  EXPECT_EQ(bits[1], 0U);
  EXPECT_EQ(bits[2], std::uint64_t{0x22} << 32);
  EXPECT_EQ(bits[3], 0x1234'5678'9ABCU);
  EXPECT_EQ(bits[4], 0x8000'0040U | (std::uint64_t{0x100} << 32));
  EXPECT_EQ(bits[5], 3U | (std::uint64_t{1} << 32));  // rows, planes
  EXPECT_EQ(bits[6], 0xFFFF'FFFF'FFFFU);              // -1 in 48 bits
}

TEST(Encoding, WhatDoesNotFitIsNamed) {
  const Command command{
      .payload = Dma{.memory_address = std::uint64_t{1} << 48, .memory_row_pitch = std::int64_t{1} << 47, .shift = 64}};
  EXPECT_THAT(encoding_errors(command),
              ElementsAre("memory_address 281474976710656 does not fit 48 bits",
                          "memory_row_pitch 140737488355328 does not fit 48 bits", "shift 64 does not fit 6 bits"));
  EXPECT_THAT(encoding_errors({.payload = HostOperation{}}), ElementsAre("host_operation has no encoding"));
}

TEST(Encoding, IllegalBitsAreRefused) {
  EncodedCommand bits{};
  bits[0] = 9;  // host_operation
  EXPECT_EQ(decode(bits).error, "opcode 9 is illegal");
  bits = encode({.payload = EndLoop{}});
  bits[15] = 4;
  EXPECT_EQ(decode(bits).error, "end_loop has no field at bit 962, which is 1");
  bits = encode({.payload = Matmul{}});
  bits[7] |= std::uint64_t{7} << 32;  // a_dtype
  EXPECT_EQ(decode(bits).error, "a_dtype 7 is no legal value");
}

TEST(Encoding, TextNamesWhatIsSet) {
  const Command command{
      .tag = 3,
      .wait_for = {0, 7, 0, 0},
      .payload =
          Vector{.function = VectorFunction::add, .rows = 2, .source = {{{.address = {64}, .dtype = Dtype::int8}}}}};
  EXPECT_EQ(to_text(command),
            "vector function=add rows=2 source0_address=scratchpad+0x40 source0_dtype=int8 tag=3 wait_for_array=7");
  EXPECT_EQ(to_text({.payload = HostOperation{4}}), "host_operation index=4");
  EXPECT_THAT(to_text({.payload = Dma{.memory_address = 0x1000}}), HasSubstr("memory_address=0x1000"));
}

}  // namespace
}  // namespace archsim
