#include "arch/mapping/plan/attention_plan.h"

#include <algorithm>
#include <numeric>

#include "arch/mapping/emit/tile_stream.h"
#include "arch/mapping/plan/suitability.h"

namespace archsim {
namespace {

constexpr std::uint64_t kStateBytes = 8;  // maximum and sum of a row, fp32
// Assumed: share of hidden loading that is lost to unevenness.
constexpr double kPressure = 0.1;
constexpr std::uint64_t kScoreTiles = 2;  // one is written while the softmax reads the other

double as_double(std::uint64_t value) { return static_cast<double>(value); }

std::vector<std::uint64_t> equal_cuts(std::uint64_t total) {
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t parts = 1; parts <= total; parts += parts < 8 ? 1 : parts / 2)
    sizes.push_back(ceil_div(total, parts));
  if (sizes.empty() || sizes.back() != 1) sizes.push_back(1);
  return sizes;
}

double cycles_of(const AcceleratorCapabilities& npu, const AttentionShape& shape, const AttentionPlan& plan) {
  const auto q = static_cast<std::uint32_t>(plan.query_tile), key = static_cast<std::uint32_t>(plan.key_tile),
             dim = static_cast<std::uint32_t>(shape.head_dim);
  double array =
      2.0 * as_double(ceil_div(key, npu.columns) * ceil_div(dim, npu.rows) * std::max<std::uint64_t>(q, npu.rows));
  double vector = as_double(plan.query_tile * plan.key_tile) * 8.0 / npu.vector_lanes;
  if (npu.estimate) {
    const Dtype p = probability_dtype(shape.operand);
    array = as_double(npu.estimate({.payload = Matmul{.m = q,
                                                      .k = dim,
                                                      .n = key,
                                                      .a_dtype = shape.operand,
                                                      .w_dtype = shape.operand,
                                                      .transpose_w = true,
                                                      .dataflow = dataflow_of(npu)}})
                          .value) +
            as_double(npu.estimate({.payload = Matmul{.m = q,
                                                      .k = key,
                                                      .n = dim,
                                                      .a_dtype = p,
                                                      .w_dtype = shape.operand,
                                                      .accumulate = true,
                                                      .dataflow = dataflow_of(npu)}})
                          .value);
    vector = as_double(
        npu.estimate({.payload =
                          Vector{.function = VectorFunction::softmax_step, .rows = q, .columns = key, .integer0 = dim}})
            .value);
  }
  const std::uint64_t rows = ceil_div(shape.queries, plan.query_parts);
  const std::uint64_t heads = ceil_div(shape.heads * shape.batch, plan.head_parts);
  const std::uint64_t chains = heads * ceil_div(rows, plan.query_tile);
  const double steps = as_double(chains) * as_double(key_tiles(shape, plan.key_tile).size());
  // Two chains hide the shorter of array and vector time behind the longer; one cannot hide the softmax.
  const double step = plan.chains > 1 && chains > 1 ? std::max(array, vector) : array / 2 + std::max(array / 2, vector);
  const std::uint64_t kv_bytes = 2 * shape.keys() * shape.head_dim * shape.operand_bytes;
  const double reloads = kv_bytes <= plan.kv_ring ? as_double(ceil_div(heads * shape.kv_heads, shape.heads))
                                                  : as_double(ceil_div(chains, plan.chains));
  const double load = reloads * as_double(kv_bytes) / shape.kv_bytes_per_cycle;
  return std::max(steps * step, load) + kPressure * load + array + vector;
}

}  // namespace

std::uint64_t AttentionShape::keys() const {
  return std::accumulate(segments.begin(), segments.end(), std::uint64_t{0});
}
std::uint64_t AttentionShape::probability_bytes() const { return bits(probability_dtype(operand)) / 8; }

AttentionShape shape_of_attention(const Trace& trace, const MachineView& machine, const MemoryPlan& memory,
                                  const Operator& op) {
  AttentionShape shape;
  const auto& q = trace.tensors[op.inputs[0].tensor];
  shape.heads = static_cast<std::uint64_t>(op.integer("heads", 1));
  shape.kv_heads = static_cast<std::uint64_t>(op.integer("kv_heads", 1));
  shape.head_dim = static_cast<std::uint64_t>(op.integer("head_dim", 1));
  shape.batch = static_cast<std::uint64_t>(op.integer("batch", 1));
  shape.operand = q.dtype;
  shape.operand_bytes = bits(q.dtype) / 8;
  shape.result_bytes = bits(trace.tensors[op.outputs[0].tensor].dtype) / 8;
  shape.queries = q.elements() / q.shape.back() / shape.batch;
  for (std::size_t i = 1; i < op.inputs.size(); i += 2) {
    const auto& k = trace.tensors[op.inputs[i].tensor];
    shape.segments.push_back(k.elements() / k.shape.back() / shape.batch);
  }
  const auto& npu = machine.accelerators.front();
  const double clock = static_cast<double>(npu.clock.value);
  for (std::size_t i = 1; i < op.inputs.size(); ++i) {
    const bool is_dram = memory.placements[op.inputs[i].tensor].level == MemoryLevel::dram;
    const double shared = (is_dram || !machine.l2 ? machine.dram : *machine.l2).delivered.value /
                          static_cast<double>(machine.accelerators.size());
    shape.kv_bytes_per_cycle = std::min({shape.kv_bytes_per_cycle, npu.memory_port.value / clock, shared / clock});
  }
  return shape;
}

std::vector<KeyTile> key_tiles(const AttentionShape& shape, std::uint64_t key_tile) {
  std::vector<KeyTile> tiles;
  std::uint64_t global = 0;
  for (std::size_t s = 0; s < shape.segments.size(); ++s) {
    const std::uint64_t keys = shape.segments[s];
    const std::uint64_t size = ceil_div(keys, ceil_div(keys, key_tile));
    for (std::uint64_t first = 0; first < keys; first += size)
      tiles.push_back({s, first, std::min(size, keys - first), global + first});
    global += keys;
  }
  return tiles;
}

AttentionPlaces places_of(const AttentionShape& shape, const AttentionPlan& plan) {
  AttentionPlaces places;
  places.query_bytes = TileStream::aligned(plan.query_tile * shape.head_dim * shape.operand_bytes);
  places.probability = places.query + 2 * plan.chains * places.query_bytes;
  places.probability_bytes = TileStream::aligned(plan.query_tile * plan.key_tile * shape.probability_bytes());
  places.state = places.probability + kScoreTiles * places.probability_bytes;
  places.state_bytes = TileStream::aligned(plan.query_tile * kStateBytes);
  places.staging = places.state + plan.outputs * places.state_bytes;
  places.staging_bytes = TileStream::aligned(plan.query_tile * shape.head_dim * shape.result_bytes);
  places.kv = places.staging + 2 * places.staging_bytes;
  return places;
}

std::optional<AttentionPlan> plan_attention(const AttentionShape& shape, const AcceleratorCapabilities& npu,
                                            std::uint32_t accelerators, std::uint64_t arena) {
  std::optional<AttentionPlan> best;
  const std::uint64_t heads = shape.heads * shape.batch;
  for (std::uint32_t head_parts = 1; head_parts <= std::min<std::uint64_t>(accelerators, heads); ++head_parts) {
    const auto query_parts =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(accelerators / head_parts, shape.queries));
    for (const auto query_tile : equal_cuts(ceil_div(shape.queries, query_parts))) {
      for (const auto key_tile : equal_cuts(*std::max_element(shape.segments.begin(), shape.segments.end()))) {
        for (const std::uint32_t chains : {2U, 1U}) {
          AttentionPlan plan{head_parts, query_parts, query_tile, key_tile, chains, 2 * chains};
          const std::uint64_t scores = kScoreTiles * query_tile * key_tile * 4,
                              output = query_tile * shape.head_dim * 4;
          if (scores + plan.outputs * output > npu.accumulator.value) plan.outputs = chains;
          if (scores + plan.outputs * output > npu.accumulator.value) continue;
          const std::uint64_t places = places_of(shape, plan).kv;
          const std::uint64_t tile = TileStream::aligned(key_tile * shape.head_dim * shape.operand_bytes);
          if (places + 2 * tile > arena) continue;
          const std::uint64_t all = 2 * (key_tiles(shape, key_tile).size() + 1) * tile;
          plan.kv_ring = std::min(arena - places, all);
          plan.cycles = cycles_of(npu, shape, plan);
          if (!best || plan.cycles < best->cycles) best = plan;
        }
      }
    }
  }
  return best;
}

ProductPlanner::Need smallest_attention_need(const AttentionShape& shape) {
  const AttentionPlan plan{1, 1, 1, 1, 1, 1};
  const std::uint64_t tile = TileStream::aligned(shape.head_dim * shape.operand_bytes);
  return {2 * (places_of(shape, plan).kv + 2 * tile), kScoreTiles * 4 + shape.head_dim * 4};
}

}  // namespace archsim
