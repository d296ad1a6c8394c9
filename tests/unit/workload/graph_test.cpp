#include "arch/workload/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/graph/topological_sort.hpp>
#include <tuple>

#include "tests/random_trace/random_trace.h"
#include "tests/unit/workload/small_trace.h"

namespace archsim {
namespace {

using ::testing::Contains;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

constexpr auto kNone = DependenceEdge::kNone;
using Edge = std::tuple<std::uint32_t, std::uint32_t, Dependence, std::uint32_t /* loop */>;

std::vector<Edge> edges(const Trace& trace) {
  const auto graph = operator_graph(trace);
  std::vector<Edge> out;
  for (const auto& edge : boost::make_iterator_range(boost::edges(graph))) {
    out.emplace_back(boost::source(edge, graph), boost::target(edge, graph), graph[edge].kind, graph[edge].loop);
  }
  return out;
}

// A loop of 3 around: op 0 reads a, writes b; op 1 reads b, writes a.
Trace ring(std::vector<CopyIndex> read, std::vector<CopyIndex> write, std::vector<std::uint32_t> copies) {
  Trace trace;
  trace.loops = {{"loop", 3}};
  trace.tensors = {{.name = "a", .role = Role::input, .shape = {4, 4}, .copies = std::move(copies)},
                   {.name = "b", .shape = {4, 4}}};
  Operator first;
  first.name = "first";
  first.type = OperatorType::relu;
  first.inputs = {{0, std::move(read)}};
  first.outputs = {{1, {}}};
  Operator second;
  second.name = "second";
  second.type = OperatorType::relu;
  second.inputs = {{1, {}}};
  second.outputs = {{0, std::move(write)}};
  trace.operators = {first, second};
  trace.stages = {{"stage", {0, {std::uint32_t{0}, std::uint32_t{1}}}}};
  return trace;
}

TEST(Graph, AReaderWaitsForTheWriter) {
  EXPECT_THAT(edges(small_trace()), UnorderedElementsAre(Edge{0, 1, Dependence::read_after_write, kNone}));
}

// What waits for a read of an earlier iteration does so by way of the write behind that read: no edge of its own.
TEST(Graph, AValueIsCarriedIntoTheNextIteration) {
  EXPECT_THAT(edges(ring({}, {}, {})),
              UnorderedElementsAre(Edge{0, 1, Dependence::read_after_write, kNone},  // b
                                   Edge{0, 1, Dependence::write_after_read, kNone},  // a
                                   Edge{1, 0, Dependence::read_after_write, 0},      // a, the next time
                                   Edge{1, 1, Dependence::write_after_write, 0},     // a
                                   Edge{1, 0, Dependence::write_after_read, 0},      // b
                                   Edge{0, 0, Dependence::write_after_write, 0}));   // b
}

TEST(Graph, IterationsWithCopiesOfTheirOwnAreIndependent) {
  const auto found = edges(ring({{0, 0}}, {{0, 0}}, {3}));
  EXPECT_THAT(found, Contains(Edge{0, 1, Dependence::write_after_read, kNone}));   // the same copy, same iteration
  EXPECT_THAT(found, Not(Contains(Edge{1, 0, Dependence::read_after_write, 0})));  // not across iterations
}

TEST(Graph, WritingTheNextIterationsCopyCarriesTheValue) {
  const auto found = edges(ring({{0, 0}}, {{0, 1}}, {4}));
  EXPECT_THAT(found, Contains(Edge{1, 0, Dependence::read_after_write, 0}));
  EXPECT_THAT(found, Not(Contains(Edge{0, 1, Dependence::write_after_read, kNone})));  // another copy
}

TEST(Graph, WritingAnEarlierIterationsCopyDoesNot) {
  EXPECT_THAT(edges(ring({{0, 1}}, {{0, 0}}, {4})), Not(Contains(Edge{1, 0, Dependence::read_after_write, 0})));
}

TEST(Graph, ALaterWriteHidesAnEarlierOne) {
  auto trace = small_trace();
  Operator again = trace.operators[0];
  again.name = "again";
  trace.operators.insert(trace.operators.begin() + 1, again);
  trace.stages[0].repeat.body.emplace_back(std::uint32_t{2});
  EXPECT_THAT(edges(trace), UnorderedElementsAre(Edge{0, 1, Dependence::write_after_write, kNone},
                                                 Edge{1, 2, Dependence::read_after_write, kNone}));
}

TEST(Graph, AWriteInALoopReachesAReaderOfOneCopyBehindIt) {
  Trace trace = ring({}, {}, {});
  trace.tensors.push_back({.name = "cache", .role = Role::kv_cache, .shape = {4, 4}, .copies = {3}});
  trace.loops.push_back({"after", 1});
  trace.operators[1].outputs = {{2, {{0, 0}}}};
  Operator reader = trace.operators[0];
  reader.name = "reader";
  reader.inputs = {{2, {{CopyIndex::kFixed, 2}}}};
  trace.operators.push_back(reader);
  trace.stages.push_back({"after", {1, {std::uint32_t{2}}}});
  EXPECT_THAT(edges(trace), Contains(Edge{1, 2, Dependence::read_after_write, kNone}));
}

TEST(Graph, ExplicitDependenciesAreEdges) {
  auto trace = small_trace();
  trace.operators[1].dependencies = {0};
  EXPECT_THAT(edges(trace), Contains(Edge{0, 1, Dependence::explicit_order, kNone}));
}

TEST(Graph, FindsACycleOnlyWhereThereIsOne) {
  auto trace = small_trace();
  EXPECT_TRUE(find_cycle(operator_graph(trace)).empty());
  EXPECT_TRUE(find_cycle(operator_graph(ring({}, {}, {}))).empty());  // carried edges are no cycle
  trace.operators[0].dependencies = {1};
  EXPECT_THAT(find_cycle(operator_graph(trace)), UnorderedElementsAre(0U, 1U));
}

TEST(Graph, WithinAnIterationProgramOrderIsATopologicalOrder) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const auto& [from, to, kind, loop] : edges(random_trace(seed))) {
      if (loop != kNone) continue;
      EXPECT_LT(from, to) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace archsim
