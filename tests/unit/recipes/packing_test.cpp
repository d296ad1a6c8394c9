// Bytes of formats, by the sums that define them.
#include <gtest/gtest.h>

#include "arch/workload/tensor.h"

namespace archsim {
namespace {

struct Case {
  Dtype dtype;
  Grouping grouping;
  std::uint64_t values, scales, metadata;  // bytes of a [256, 8] weight
};

TEST(Packing, CountsValuesScalesAndMetadata) {
  constexpr std::uint64_t kElements = 256 * 8;
  const Case cases[] = {{Dtype::bf16, {}, kElements * 2, 0, 0},
                        {Dtype::fp8_e5m2, {}, kElements, 0, 0},
                        {Dtype::int4, {}, kElements / 2, 0, 0},
                        {Dtype::int4, {.group = 128, .scale = Dtype::bf16}, kElements / 2, kElements / 128 * 2, 0},
                        {Dtype::int8, {.group = 64, .scale = Dtype::fp32}, kElements, kElements / 64 * 4, 0},
                        {Dtype::mxfp8, {}, kElements, kElements / 32, 0},
                        {Dtype::mxfp4, {}, kElements / 2, kElements / 32, 0},
                        {Dtype::nvfp4, {}, kElements / 2, kElements / 16 + 4, 0},  // and an fp32 of the tensor
                        {Dtype::int8, {.is_two_of_four = true}, kElements / 2, 0, kElements / 2 * 2 / 8},
                        {Dtype::bf16, {.is_two_of_four = true}, kElements, 0, kElements / 2 * 2 / 8},
                        {Dtype::nvfp4, {.is_two_of_four = true}, kElements / 4, kElements / 16 + 4, kElements / 8},
                        {Dtype::int4,
                         {.group = 128, .scale = Dtype::bf16, .is_two_of_four = true},
                         kElements / 4,
                         kElements / 128 * 2,
                         kElements / 8}};
  for (const auto& each : cases) {
    const Tensor tensor{.role = Role::weight, .shape = {256, 8}, .dtype = each.dtype, .grouping = each.grouping};
    const auto stored = tensor.stored();
    EXPECT_EQ(stored.values, each.values) << name_of(each.dtype);
    EXPECT_EQ(stored.scales, each.scales) << name_of(each.dtype);
    EXPECT_EQ(stored.metadata, each.metadata) << name_of(each.dtype);
    // The scale of the tensor travels in the commands.
    const std::uint64_t in_commands = each.dtype == Dtype::nvfp4 ? 4 : 0;
    EXPECT_EQ(tensor.bytes() + in_commands, stored.total()) << name_of(each.dtype);
  }
}

TEST(Packing, RoundsUpOnlyAtTheEnd) {
  const auto sparse = packing_of(Dtype::int8, {.is_two_of_four = true});
  EXPECT_EQ(sparse.bytes(4), 3U);  // 2.5
  EXPECT_EQ(sparse.bytes(8), 5U);
  EXPECT_EQ(packing_of(Dtype::int4).bytes(3), 2U);
  EXPECT_EQ(packing_of(Dtype::fp32).bytes(3), 12U);
  // No product of these overflows.
  EXPECT_EQ(packing_of(Dtype::nvfp4).bytes(std::uint64_t{1} << 44), (std::uint64_t{1} << 44) / 16 * 9);
}

TEST(Packing, IsAlongTheContractedDimension) {
  EXPECT_EQ((Tensor{.role = Role::weight, .shape = {64, 8}}.contracted()), 64U);
  EXPECT_EQ((Tensor{.role = Role::activation, .shape = {64, 8}}.contracted()), 8U);
  EXPECT_EQ((Tensor{.role = Role::weight, .shape = {8}}.contracted()), 8U);
}

}  // namespace
}  // namespace archsim
