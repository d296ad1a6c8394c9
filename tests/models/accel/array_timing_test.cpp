#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "models/accel/timing/array.h"
#include "tests/source_dir.h"

namespace archsim {
namespace {

const std::map<std::string, Dataflow> kDataflows3 = {
    {"ws", Dataflow::weight_stationary}, {"os", Dataflow::output_stationary}, {"is", Dataflow::input_stationary}};

struct ReferenceRow {
  std::string text;
  std::uint64_t rows = 0, columns = 0, m = 0, n = 0, k = 0, cycles = 0;
  Dataflow dataflow = Dataflow::weight_stationary;
};

std::vector<ReferenceRow> reference_rows() {
  std::ifstream file(ARCHSIM_SOURCE_DIR "/tests/data/array_reference.csv");
  std::vector<ReferenceRow> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#") || line.starts_with("tool,")) continue;
    std::vector<std::string> cell;
    std::istringstream cells(line);
    for (std::string text; cell.size() < 9 && std::getline(cells, text, ',');) cell.push_back(text);
    rows.push_back({.text = line,
                    .rows = std::stoull(cell.at(2)),
                    .columns = std::stoull(cell.at(3)),
                    .m = std::stoull(cell.at(5)),
                    .n = std::stoull(cell.at(6)),
                    .k = std::stoull(cell.at(7)),
                    .cycles = std::stoull(cell.at(8)),
                    .dataflow = kDataflows3.at(cell.at(4))});
  }
  return rows;
}

Cycles alone(const ArrayGeometry& array, const ArrayWork& work, Overlap overlap) {
  return fold_timing(array, work).latency(overlap);
}

TEST(ArrayTiming, EqualsEveryRowOfScaleSimWithoutOverlap) {
  const auto rows = reference_rows();
  ASSERT_EQ(rows.size(), 90U);
  for (const auto& row : rows) {
    const ArrayWork work{.m = row.m, .k = row.k, .n = row.n, .dataflow = row.dataflow};
    EXPECT_EQ(last_cycle({.rows = row.rows, .columns = row.columns}, work, Overlap::none), row.cycles) << row.text;
  }
}

TEST(ArrayTiming, OneFoldPreloadsStreamsAndDrains) {
  const ArrayGeometry array{.rows = 16, .columns = 8};
  const ArrayWork work{.m = 100, .k = 16, .n = 8};
  const std::uint64_t preload = 16, stream = 100, drain = 16 + 8 - 2;
  EXPECT_EQ(alone(array, work, Overlap::full).value, preload + stream + drain);
  EXPECT_EQ(alone(array, work, Overlap::none).value, preload + stream + drain);
}

TEST(ArrayTiming, FoldsHideTheirPreloadBehindLongStreams) {
  const ArrayGeometry array{.rows = 16, .columns = 16};
  const std::uint64_t folds = 3 * 2, preload = 16, stream = 100, drain = 30;
  const auto timing = fold_timing(array, {.m = 100, .k = 48, .n = 32});
  EXPECT_EQ(timing.latency(Overlap::full).value, preload + folds * stream + drain);
  EXPECT_EQ(timing.occupancy(Overlap::full).value, folds * stream);
}

TEST(ArrayTiming, ShortStreamsWaitForTheNextWeights) {
  const ArrayGeometry array{.rows = 64, .columns = 64};
  const std::uint64_t folds = 4, preload = 64, stream = 1, drain = 126;
  const auto timing = fold_timing(array, {.m = 1, .k = 256, .n = 64});
  EXPECT_EQ(timing.latency(Overlap::full).value, preload + (folds - 1) * preload + stream + drain);
  EXPECT_EQ(timing.occupancy(Overlap::full).value, folds * preload);
}

TEST(ArrayTiming, OutputStationaryNeedsTheColumnsForEveryFoldsResults) {
  const ArrayGeometry array{.rows = 32, .columns = 16};
  const std::uint64_t folds = 2 * 3, drain = 46;
  const auto longer = fold_timing(array, {.m = 64, .k = 100, .n = 48, .dataflow = Dataflow::output_stationary});
  EXPECT_EQ(longer.latency(Overlap::full).value, folds * 100 + drain);
  const auto shorter = fold_timing(array, {.m = 64, .k = 10, .n = 48, .dataflow = Dataflow::output_stationary});
  EXPECT_EQ(shorter.latency(Overlap::full).value, (folds - 1) * 32 + 10 + drain);
}

TEST(ArrayTiming, RateOfTheElementType) {
  const ArrayWork work{.m = 100, .k = 64, .n = 16};
  const std::uint64_t drain = 30, preload = 16;
  EXPECT_EQ(alone({.rows = 16, .columns = 16, .macs_per_pe = 2.0}, work, Overlap::full).value,
            preload + 2 * 100 + drain);
  EXPECT_EQ(alone({.rows = 16, .columns = 16, .macs_per_pe = 0.25}, work, Overlap::full).value,
            preload + 4 * 400 + drain);
}

TEST(ArrayTiming, NarrowPortsStretchTheStream) {
  // 16 int8 elements a vector over 8 bytes a cycle: two cycles each, and the next weights use the same ports.
  const ArrayGeometry array{.rows = 16, .columns = 16, .port_bytes = 8};
  const std::uint64_t folds = 4, preload = 16 * 16 / 8, stream = 100 * 16 / 8, drain = 30;
  const auto timing = fold_timing(array, {.m = 100, .k = 64, .n = 16});
  EXPECT_EQ(timing.latency(Overlap::full).value, preload + (folds - 1) * (stream + preload) + stream + drain);
}

TEST(ArrayPipeline, CommandsBackToBackCostTheirOccupancy) {
  const ArrayGeometry array{.rows = 16, .columns = 16};
  const auto timing = fold_timing(array, {.m = 40, .k = 32, .n = 16});
  ArrayPipeline pipeline(Overlap::full);
  Cycles end = Cycles::zero();
  for (int i = 0; i < 10; ++i) end = pipeline.run(Cycles::zero(), timing).end;
  EXPECT_EQ(end, timing.latency(Overlap::full) + timing.occupancy(Overlap::full) * 9);
}

TEST(ArrayPipeline, LateOperandsDelayThePreload) {
  const ArrayGeometry array{.rows = 16, .columns = 16};
  const auto timing = fold_timing(array, {.m = 40, .k = 16, .n = 16});
  ArrayPipeline pipeline(Overlap::full);
  pipeline.run(Cycles::zero(), timing);
  const auto late = pipeline.run(Cycles(1000), timing);
  EXPECT_EQ(late.begin, Cycles(1000));
  EXPECT_EQ(late.end, Cycles(1000 + 16 + 40 + 30));
}

TEST(ArrayPipeline, ColumnsAreFreeBeforeOtherDataflowsResultsLeave) {
  // 16 rows of PEs: the first command's results leave column 0 in cycles 16+15 .. 16+15+99; those of the second, whose outputs
  // stay for 4 slices, want to leave from start + 3 on.
  const ArrayGeometry array{.rows = 16, .columns = 16};
  ArrayPipeline pipeline(Overlap::full);
  pipeline.run(Cycles::zero(), fold_timing(array, {.m = 100, .k = 16, .n = 16}));
  const auto second = pipeline.run(
      Cycles::zero(), fold_timing(array, {.m = 16, .k = 4, .n = 16, .dataflow = Dataflow::output_stationary}));
  EXPECT_EQ(second.begin, Cycles(16 + 15 + 100 - 3));
}

TEST(ArrayPipeline, StationaryOutputsTakeTheStreamForALaneEachCycle) {
  // The first takes one vector, but fetches a lane of a a cycle: the second one's stream begins R cycles later.
  const ArrayGeometry array{.rows = 16, .columns = 8};
  const std::uint64_t rows = 16, columns = 8, k = 100;
  ArrayPipeline pipeline(Overlap::full);
  pipeline.run(Cycles::zero(), fold_timing(array, {.m = 4, .k = 1, .n = 4, .dataflow = Dataflow::output_stationary}));
  const auto second = pipeline.run(
      Cycles::zero(), fold_timing(array, {.m = 4, .k = k, .n = 4, .dataflow = Dataflow::output_stationary}));
  EXPECT_EQ(second.begin.value, rows);
  EXPECT_EQ(second.end.value, rows + k + rows + columns - 2);
}

TEST(ArrayPipeline, TransposedWeightsAreFetchedByColumns) {
  // The second one's preload begins once the first one's columns are fetched, though its fold started after R cycles.
  const ArrayGeometry array{.rows = 4, .columns = 16};
  const std::uint64_t columns = 16;
  const auto timing = fold_timing(array, {.m = 1, .k = 4, .n = 16, .transpose_w = true});
  ArrayPipeline pipeline(Overlap::full);
  EXPECT_EQ(pipeline.run(Cycles::zero(), timing).begin.value, 0U);
  EXPECT_EQ(pipeline.run(Cycles::zero(), timing).begin.value, columns);
}

TEST(ArrayTiming, NeverFasterWithMoreWorkNeverSlowerWithOverlap) {
  for (const std::uint64_t size : {1, 7, 16, 17, 64, 100}) {
    for (const auto& [name, dataflow] : kDataflows3) {
      const ArrayGeometry array{.rows = 16, .columns = 16};
      const ArrayWork work{.m = size, .k = 2 * size, .n = 33, .dataflow = dataflow};
      ArrayWork more = work;
      more.m += 5;
      EXPECT_LE(alone(array, work, Overlap::full), alone(array, more, Overlap::full)) << name << size;
      EXPECT_LE(alone(array, work, Overlap::full), alone(array, work, Overlap::none)) << name << size;
      // Compulsory: a PE does one multiplication a cycle.
      EXPECT_GE(alone(array, work, Overlap::full).value * 16 * 16, work.m * work.k * work.n) << name << size;
    }
  }
}

}  // namespace
}  // namespace archsim
