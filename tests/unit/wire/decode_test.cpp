// Tensors and operators as protobuf's own library writes them, read without it.
#include "traces/file/decode.h"

#include <gmock/gmock.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>

#include <limits>

#include "traces/archsim_trace.pb.h"
#include "traces/file/wire.h"

namespace archsim {
namespace {

using testing::ElementsAre;

template <class Content>
struct Read {
  Decoded how = Decoded::good;
  Content content;
  std::string said;
};

template <class Content>
Read<Content> read(const std::string& wire) {
  Read<Content> read;
  read.how = decode(wire, read.content, [&](std::string message, std::string) { read.said += message + "\n"; });
  return read;
}

proto::Tensor tensor() {
  proto::Tensor tensor;
  tensor.set_name("weight");
  tensor.set_role("weight");
  tensor.set_dtype("int4");
  tensor.set_layout("row_major");
  tensor.set_scale(-0.125);
  for (const std::uint64_t extent : {std::uint64_t{1}, std::uint64_t{300}, std::uint64_t{1} << 63U})
    tensor.add_shape(extent);
  tensor.add_copies(18);
  tensor.add_copies(0xFFFFFFFF);
  tensor.set_group(32);
  tensor.set_group_scale("bf16");
  tensor.set_sparsity("two_of_four");
  return tensor;
}

TEST(Wire, ATensorHasEveryFieldThatWasWritten) {
  const auto found = read<Tensor>(tensor().SerializeAsString());
  ASSERT_EQ(found.how, Decoded::good);
  EXPECT_EQ(found.content.name, "weight");
  EXPECT_EQ(found.content.role, Role::weight);
  EXPECT_EQ(found.content.dtype, Dtype::int4);
  EXPECT_EQ(found.content.layout, Layout::row_major);
  EXPECT_EQ(found.content.scale, -0.125);
  EXPECT_THAT(found.content.shape, ElementsAre(1, 300, std::uint64_t{1} << 63U));
  EXPECT_THAT(found.content.copies, ElementsAre(18, 0xFFFFFFFF));
  EXPECT_EQ(found.content.grouping, (Grouping{32, Dtype::bf16, true}));
}

TEST(Wire, AnOperatorHasEveryFieldThatWasWritten) {
  proto::Operator op;
  op.set_name("op");
  op.set_type("rope");
  op.set_dead(true);
  op.add_dependencies(7);
  auto& input = *op.add_inputs();
  input.set_tensor(5);
  input.add_copy()->set_offset(3);
  auto& by_loop = *input.add_copy();
  by_loop.set_loop(0);
  by_loop.set_offset(1);
  op.add_outputs()->set_tensor(200);
  const auto attribute = [&](const char* name) -> proto::Attribute& {
    auto& added = *op.add_attributes();
    added.set_name(name);
    return added;
  };
  attribute("negative").set_integer(std::numeric_limits<std::int64_t>::min());
  attribute("number").set_number(1e-300);
  attribute("flag").set_flag(false);
  attribute("text").set_text("exact");
  auto& integers = *attribute("x").mutable_integers();
  for (const std::int64_t value : {-3, 0, 1 << 20}) integers.add_values(value);
  const auto found = read<Operator>(op.SerializeAsString());
  ASSERT_EQ(found.how, Decoded::good) << found.said;
  EXPECT_EQ(found.content.name, "op");
  EXPECT_EQ(found.content.type, OperatorType::rope);
  EXPECT_TRUE(found.content.dead);
  EXPECT_THAT(found.content.dependencies, ElementsAre(7));
  EXPECT_THAT(found.content.inputs, ElementsAre(TensorUse{5, {{CopyIndex::kFixed, 3}, {0, 1}}}));
  EXPECT_THAT(found.content.outputs, ElementsAre(TensorUse{200, {}}));
  EXPECT_EQ(found.content.integer("negative", 0), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(found.content.number("number", 0.0), 1e-300);
  EXPECT_EQ(found.content.flag("flag", true), false);
  EXPECT_EQ(found.content.text("text", ""), "exact");
  EXPECT_THAT(found.content.integers("x"), ElementsAre(-3, 0, 1 << 20));
}

TEST(Wire, NumbersMayStandOneByOneAndUnknownFieldsAreSkipped) {
  std::string wire = tensor().SerializeAsString();
  {
    google::protobuf::io::StringOutputStream stream(&wire);  // appends
    google::protobuf::io::CodedOutputStream out(&stream);
    out.WriteTag(3U << 3U);  // shape, as a varint
    out.WriteVarint64(16);
    out.WriteTag(99U << 3U | 2U);  // unknown, bytes
    out.WriteVarint32(3);
    out.WriteString("abc");
    out.WriteTag(98U << 3U | 5U);  // unknown, 32 bits
    out.WriteLittleEndian32(1);
    out.WriteTag(97U << 3U | 1U);  // unknown, 64 bits
    out.WriteLittleEndian64(1);
    out.WriteTag(1U << 3U | 2U);  // the name again: the last one counts
    out.WriteVarint32(4);
    out.WriteString("last");
  }
  const auto found = read<Tensor>(wire);
  ASSERT_EQ(found.how, Decoded::good);
  EXPECT_EQ(found.content.shape.back(), 16U);
  EXPECT_EQ(found.content.name, "last");
}

// Protobuf's library says which cuts leave a whole message.
TEST(Wire, EveryCutIsMalformedExactlyWhereProtobufSaysSo) {
  const std::string wire = tensor().SerializeAsString();
  for (std::size_t length = 0; length < wire.size(); ++length) {
    proto::Tensor theirs;
    const bool is_whole = theirs.ParseFromString(wire.substr(0, length));
    EXPECT_EQ(read<Tensor>(wire.substr(0, length)).how != Decoded::malformed, is_whole) << length;
  }
}

TEST(Wire, EveryFlippedBitIsMalformedExactlyWhereProtobufSaysSo) {
  const google::protobuf::LogSilencer silence;
  const std::string wire = tensor().SerializeAsString();
  for (std::size_t bit = 0; bit < 8 * wire.size(); ++bit) {
    std::string flipped = wire;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    proto::Tensor theirs;
    const bool is_good = theirs.ParseFromString(flipped);
    const auto how = read<Tensor>(flipped).how;
    if (is_good) {
      EXPECT_NE(how, Decoded::malformed) << bit;
    }
    // It also refuses texts that are not UTF-8; here they are told as words that nobody knows, names by validate().
    if (how == Decoded::good && theirs.name() == "weight") {
      EXPECT_TRUE(is_good) << bit;
    }
  }
}

TEST(Wire, WordsThatNobodyKnowsAreAllTold) {
  auto wrong = tensor();
  wrong.set_role("wait");
  wrong.set_dtype("int5");
  const auto found = read<Tensor>(wrong.SerializeAsString());
  EXPECT_EQ(found.how, Decoded::wrong);
  EXPECT_EQ(found.said,
            "tensor `weight` has role `wait`, which nobody knows\ntensor `weight` has element type `int5`, which "
            "nobody knows\n");
}

TEST(Wire, VarintsOfMoreThanSixtyFourBitsAreMalformed) {
  WireReader reader(std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11));
  reader.varint();
  EXPECT_FALSE(reader.is_good());
}

}  // namespace
}  // namespace archsim
