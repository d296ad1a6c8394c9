#include "traces/import/chakra/chakra.h"

#include <gmock/gmock.h>

#include "arch/workload/count.h"
#include "traces/import/chakra/chakra.pb.h"
#include "traces/import/chakra/python_list.h"
#include "traces/import/graph_kind.h"

namespace archsim {
namespace {

using testing::HasSubstr;

template <class Message>
std::string delimited(const Message& message) {
  const auto body = message.SerializeAsString();
  std::string out;
  auto length = body.size();
  for (; length >= 0x80; length >>= 7) out += static_cast<char>((length & 0x7F) | 0x80);
  return out + static_cast<char>(length) + body;
}

std::string file_of(const std::vector<chakra::Node>& nodes) {
  chakra::Metadata metadata;
  metadata.set_version("0.0.4");
  std::string bytes = delimited(metadata);
  for (const auto& node : nodes) bytes += delimited(node);
  return bytes;
}

chakra::Node compute(std::uint64_t id, std::int64_t operations, std::uint64_t bytes) {
  chakra::Node node;
  node.set_id(id);
  node.set_name("comp");
  node.set_type(4);
  auto* ops = node.add_attributes();
  ops->set_name("num_ops");
  ops->set_int64_value(operations);
  auto* size = node.add_attributes();
  size->set_name("tensor_size");
  size->set_uint64_value(bytes);
  return node;
}

TEST(Chakra, CountedNodesKeepTheirWorkBytesAndOrder) {
  // 1024 x 1024 in fp16, 16 rows.
  auto first = compute(7, 2 * 16 * 1024 * 1024, 2 * 1024 * 1024), second = compute(3, 2 * 1024 * 1024, 2 * 1024 * 1024);
  second.add_data_dependencies(7);
  const auto bytes = file_of({second, first});
  EXPECT_EQ(graph_kind_of(bytes), GraphKind::chakra);
  const auto trace = import_chakra(bytes, "net", "net.et");
  ASSERT_TRUE(trace) << render(trace.diagnostics());
  EXPECT_TRUE(trace.diagnostics().empty());
  const auto counts = count(*trace);
  EXPECT_EQ(counts.macs, 17U * 1024 * 1024);
  EXPECT_EQ(counts.weight_bytes, 2U * 2 * 1024 * 1024);
  ASSERT_EQ(trace->operators.size(), 2U);
  EXPECT_EQ(trace->operators[0].name, "node.7");
  EXPECT_THAT(trace->operators[1].dependencies, testing::ElementsAre(0));
}

TEST(Chakra, WorkThatIsNoWholeRowIsTold) {
  const auto trace = import_chakra(file_of({compute(1, 2 * 1500, 2 * 1000)}), "net", "net.et");
  ASSERT_TRUE(trace);
  EXPECT_EQ(count(*trace).macs, 2000U);
  EXPECT_THAT(render(trace.diagnostics()), HasSubstr("has 1500 MACs, and becomes a layer of 2000"));
}

TEST(Chakra, NodesOfPytorchAreLoweredByTheirArguments) {
  chakra::Node node;
  node.set_id(5);
  node.set_name("aten::linear");
  node.set_type(4);
  node.mutable_inputs()->set_values("[[1, 11, 0, 32, 4, 'cpu'], [2, 12, 0, 128, 4, 'cpu'], '<None>']");
  node.mutable_inputs()->set_shapes("[[4, 8], [16, 8], []]");
  node.mutable_inputs()->set_types("['Tensor(float)', 'Tensor(float)', 'None']");
  node.mutable_outputs()->set_values("[(3, 13, 0, 64, 4, 'cpu')]");
  node.mutable_outputs()->set_shapes("[[4, 16]]");
  node.mutable_outputs()->set_types("['Tensor(float)']");
  const auto trace = import_chakra(file_of({node}), "net", "net.et");
  ASSERT_TRUE(trace) << render(trace.diagnostics());
  EXPECT_EQ(count(*trace).macs, 4U * 8 * 16);
}

TEST(Chakra, WhatIsNoComputationIsRefusedByNameAllAtOnce) {
  chakra::Node collective, load;
  collective.set_id(1);
  collective.set_name("ALL_REDUCE");
  collective.set_type(7);
  load.set_id(2);
  load.set_name("MEM_LOAD");
  load.set_type(2);
  const auto trace = import_chakra(file_of({collective, load}), "net", "net.et");
  ASSERT_FALSE(trace);
  EXPECT_THAT(render(trace.diagnostics()), HasSubstr("`ALL_REDUCE` is a collective operation between chips"));
  EXPECT_THAT(render(trace.diagnostics()), HasSubstr("`MEM_LOAD` is a load from memory"));
}

TEST(Chakra, BrokenFilesAreErrors) {
  const auto good = file_of({compute(1, 2048, 2048), compute(2, 2048, 2048)});
  for (std::size_t size = 0; size < good.size(); ++size) {
    const auto trace = import_chakra(good.substr(0, size), "net", "net.et");
    if (trace) {
      EXPECT_EQ(trace->operators.size(), 1U) << "cut between two nodes";
    }
  }
  auto loop = compute(1, 2048, 2048);
  loop.add_data_dependencies(1);
  EXPECT_FALSE(import_chakra(file_of({loop}), "net", "net.et")) << "waits for itself";
  EXPECT_FALSE(import_chakra(file_of({compute(1, -1, 8)}), "net", "net.et"));
  EXPECT_FALSE(import_chakra(file_of({}), "net", "net.et"));
}

TEST(PythonList, BecomesJson) {
  EXPECT_EQ(*python_list("[1, (2, 'a\"b'), None, True]"), nlohmann::json::parse(R"([1,[2,"a\"b"],null,true])"));
  EXPECT_EQ(*python_list(""), nlohmann::json::array());
  EXPECT_FALSE(python_list("[1, "));
  EXPECT_FALSE(python_list("hello"));
}

}  // namespace
}  // namespace archsim
