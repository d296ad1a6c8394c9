#include "arch/mapping/plan/attention_plan.h"

#include <algorithm>
#include <numeric>

#include "arch/mapping/emit/tile_stream.h"
#include "arch/mapping/plan/estimates.h"
#include "arch/mapping/plan/suitability.h"

namespace archsim {
namespace {

constexpr std::uint64_t kStateBytes = 8;  // maximum and sum of a row, fp32
// Assumed: share of hidden loading that is lost to unevenness; what a byte of DRAM is worth, moved through the port; what
// each command costs.
constexpr double kPressure = 0.1, kDramPrice = 3.0, kCommandCycles = 12.0;
constexpr std::uint64_t kScoreTiles = 2;  // one is written while the softmax reads the other

double as_double(std::uint64_t value) { return static_cast<double>(value); }

std::vector<std::uint64_t> equal_cuts(std::uint64_t total) {
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t parts = 1; parts <= total; parts += parts < 8 ? 1 : parts / 2)
    sizes.push_back(ceil_div(total, parts));
  if (sizes.empty() || sizes.back() != 1) sizes.push_back(1);
  return sizes;
}

// How many of `heads` may be stacked: 1, 2, 4 ... and all that share a key head.
std::vector<std::uint32_t> stacks_of(const AttentionShape& shape, std::uint64_t heads) {
  const auto most = static_cast<std::uint32_t>(std::min(heads, shape.heads / shape.kv_heads));
  std::vector<std::uint32_t> stacks{1};
  for (std::uint32_t stacked = 2; shape.may_stack && stacked < 2 * most; stacked *= 2)
    stacks.push_back(std::min(stacked, most));
  return stacks;
}

// How long one way of cutting takes.
class AttentionCost {
 public:
  AttentionCost(const MachineView& machine, const AcceleratorCapabilities& npu, const AttentionShape& shape)
      : npu_(npu), shape_(shape), transfers_(machine, npu) {}

  /// Chooses the dataflows of a plan that fits, and fills in its cycles.
  void estimate(AttentionPlan& plan) {
    const std::uint64_t heads = ceil_div(shape_.heads * shape_.batch, plan.head_parts);
    const std::uint64_t rows = ceil_div(shape_.queries, plan.query_parts);
    const std::uint64_t chains = ceil_div(heads, plan.stacked) * ceil_div(rows, plan.query_tile);
    const auto tiles = key_tiles(shape_, plan.key_tile);
    const double steps = as_double(chains) * as_double(tiles.size());
    const auto [step, edges] = step_time(plan, chains);
    const double first = transfers_.latency(shape_.q_level) + query_time(plan);
    const Loads kv = loads(plan, tiles, heads, chains);
    const double load = kv.cycles + as_double(chains) * query_time(plan);
    const double active = as_double(plan.head_parts) * as_double(plan.query_parts);
    const double shared = active * std::max(kv.dram / transfers_.delivered(MemoryLevel::dram),
                                            kv.l2 / transfers_.delivered(MemoryLevel::l2));
    plan.cycles = std::max({steps * step, load, shared}) +
                  kPressure * (load + kv.dram * kDramPrice / transfers_.port()) + first + edges +
                  kCommandCycles * (4.0 * steps + as_double(chains));
  }

 private:
  struct Loads {  // of keys and values, by one accelerator
    double cycles = 0.0, dram = 0.0, l2 = 0.0;
  };

  double query_time(const AttentionPlan& plan) {
    const std::uint64_t row = shape_.head_dim * shape_.operand_bytes;
    return transfers_.cycles(shape_.q_level, plan.query_tile, plan.stacked * row,
                             (shape_.q_in_panels ? 1 : shape_.heads) * row);
  }

  // The array does scores(s + 1) and values(s) while the vector unit does the softmax between them. It rescales the chain's
  // output and reads the chain's scores, so steps of one chain wait for each other.
  struct StepTime {
    double step = 0.0, edges = 0.0;
  };
  StepTime step_time(AttentionPlan& plan, std::uint64_t chains) const {
    const ProductSize scores{plan.rows(), shape_.head_dim, plan.key_tile, shape_.operand, shape_.operand};
    const ProductSize values{plan.rows(), plan.key_tile, shape_.head_dim, probability_dtype(shape_.operand),
                             shape_.operand};
    const ArrayEstimate s = best_array_estimate(npu_, scores), v = best_array_estimate(npu_, values);
    plan.scores = s.dataflow;
    plan.values = v.dataflow;
    const double softmax =
        command_cycles(npu_, {.payload = Vector{.function = VectorFunction::softmax_step,
                                                .rows = static_cast<std::uint32_t>(plan.rows()),
                                                .columns = static_cast<std::uint32_t>(plan.key_tile),
                                                .integer0 = static_cast<std::uint32_t>(shape_.head_dim)}});
    const double edges = std::max(s.edges, v.edges);
    const bool takes_turns = plan.chains > 1 && chains > 1;
    const double two = std::max(s.cycles, v.cycles) + edges + softmax;
    const double step = takes_turns ? std::max({s.cycles + v.cycles, softmax, two / 2})
                                    : v.cycles + std::max(s.cycles, edges + softmax);
    return {step, s.alone() + softmax + v.alone()};
  }

  Loads loads(const AttentionPlan& plan, const std::vector<KeyTile>& tiles, std::uint64_t heads, std::uint64_t chains) {
    const std::uint64_t row = shape_.head_dim * shape_.operand_bytes;
    const std::uint64_t tile = TileStream::aligned(plan.key_tile * row);
    const bool stays = 2 * tiles.size() * tile <= plan.kv_ring;
    const double times =
        stays ? as_double(ceil_div(heads * shape_.kv_heads, shape_.heads)) : as_double(ceil_div(chains, plan.chains));
    Loads sum;
    for (const auto& key_tile : tiles) {
      const MemoryLevel level = shape_.levels[key_tile.segment];
      const std::uint64_t heads_apart = shape_.in_panels[key_tile.segment] ? 1 : shape_.kv_heads;
      const double one = transfers_.cycles(level, key_tile.keys, row, heads_apart * row);
      double cycles = one;
      // A ring of three tiles hides no latency, one of two not even the transfer.
      if (!stays && plan.kv_ring < 4 * tile) cycles += transfers_.latency(level);
      if (!stays && plan.kv_ring < 3 * tile) cycles += one;
      sum.cycles += 2.0 * times * cycles;
      (level == MemoryLevel::l2 ? sum.l2 : sum.dram) += 2.0 * times * as_double(key_tile.keys * row);
    }
    return sum;
  }

  const AcceleratorCapabilities& npu_;
  const AttentionShape& shape_;
  TransferEstimate transfers_;
};

}  // namespace

std::uint64_t AttentionShape::keys() const {
  return std::accumulate(segments.begin(), segments.end(), std::uint64_t{0});
}
std::uint64_t AttentionShape::probability_bytes() const { return bits(probability_dtype(operand)) / 8; }

AttentionShape shape_of_attention(const Trace& trace, const MemoryPlan& memory, const Operator& op,
                                  const std::vector<bool>& may_have_panels) {
  AttentionShape shape;
  const auto has_panels = [&](const TensorUse& use) { return !may_have_panels.empty() && may_have_panels[use.tensor]; };
  shape.q_in_panels = has_panels(op.inputs[0]);
  const auto& q = trace.tensors[op.inputs[0].tensor];
  shape.heads = static_cast<std::uint64_t>(op.integer("heads", 1));
  shape.kv_heads = static_cast<std::uint64_t>(op.integer("kv_heads", 1));
  shape.head_dim = static_cast<std::uint64_t>(op.integer("head_dim", 1));
  shape.batch = static_cast<std::uint64_t>(op.integer("batch", 1));
  shape.operand = q.dtype;
  shape.operand_bytes = bits(q.dtype) / 8;
  shape.result_bytes = bits(trace.tensors[op.outputs[0].tensor].dtype) / 8;
  shape.queries = q.elements() / q.shape.back() / shape.batch;
  shape.may_stack = !shape.q_in_panels && (op.text("mask", "none") != "causal" || shape.queries == 1);
  for (std::size_t i = 1; i < op.inputs.size(); i += 2) {
    const auto& k = trace.tensors[op.inputs[i].tensor];
    shape.segments.push_back(k.elements() / k.shape.back() / shape.batch);
    shape.levels.push_back(memory.placements[op.inputs[i].tensor].level);
    shape.in_panels.push_back(has_panels(op.inputs[i]) && has_panels(op.inputs[i + 1]));
  }
  shape.q_level = memory.placements[op.inputs[0].tensor].level;
  shape.result_level = memory.placements[op.outputs[0].tensor].level;
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
  places.query_bytes = TileStream::aligned(plan.rows() * shape.head_dim * shape.operand_bytes);
  places.probability = places.query + std::uint64_t{2} * plan.chains * places.query_bytes;
  places.probability_bytes = TileStream::aligned(plan.rows() * plan.key_tile * shape.probability_bytes());
  places.state = places.probability + kScoreTiles * places.probability_bytes;
  places.state_bytes = TileStream::aligned(plan.rows() * kStateBytes);
  places.staging = places.state + plan.outputs * places.state_bytes;
  places.staging_bytes = TileStream::aligned(plan.rows() * shape.head_dim * shape.result_bytes);
  places.kv = places.staging + 2 * places.staging_bytes;
  return places;
}

std::optional<AttentionPlan> plan_attention(const AttentionShape& shape, const MachineView& machine,
                                            const std::vector<std::uint32_t>& sharing, std::uint64_t arena) {
  const AcceleratorCapabilities npu = common(machine, sharing);
  const auto accelerators = static_cast<std::uint32_t>(sharing.size());
  AttentionCost cost(machine, npu, shape);
  std::optional<AttentionPlan> best;
  const auto consider = [&](AttentionPlan plan) {
    const std::uint64_t scores = kScoreTiles * plan.rows() * plan.key_tile * 4,
                        output = plan.rows() * shape.head_dim * 4;
    if (scores + plan.outputs * output > npu.accumulator.value) plan.outputs = plan.chains;
    if (scores + plan.outputs * output > npu.accumulator.value) return;
    const std::uint64_t places = places_of(shape, plan).kv;
    const std::uint64_t tile = TileStream::aligned(plan.key_tile * shape.head_dim * shape.operand_bytes);
    if (places + 2 * tile > arena) return;
    plan.kv_ring = std::min(arena - places, 2 * (key_tiles(shape, plan.key_tile).size() + 1) * tile);
    cost.estimate(plan);
    if (!best || plan.cycles < best->cycles) best = plan;
  };
  const std::uint64_t heads = shape.heads * shape.batch;
  for (std::uint32_t head_parts = 1; head_parts <= std::min<std::uint64_t>(accelerators, heads); ++head_parts) {
    const auto query_parts =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(accelerators / head_parts, shape.queries));
    const auto stacks = stacks_of(shape, ceil_div(heads, head_parts));
    for (const auto query_tile : equal_cuts(ceil_div(shape.queries, query_parts))) {
      for (const auto key_tile : equal_cuts(*std::max_element(shape.segments.begin(), shape.segments.end()))) {
        for (const std::uint32_t stacked : stacks) {
          for (const std::uint32_t chains : {2U, 1U})
            consider({head_parts, query_parts, query_tile, key_tile, stacked, chains, 2 * chains});
        }
      }
    }
  }
  return best;
}

ProductPlanner::Need smallest_attention_need(const AttentionShape& shape) {
  const AttentionPlan plan{1, 1, 1, 1, 1, 1, 1};
  const std::uint64_t tile = TileStream::aligned(shape.head_dim * shape.operand_bytes);
  return {2 * (places_of(shape, plan).kv + 2 * tile), kScoreTiles * 4 + shape.head_dim * 4};
}

}  // namespace archsim
