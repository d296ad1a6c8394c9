#include "arch/mapping/tile/attention_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "arch/mapping/emit/tile_stream.h"
#include "arch/mapping/schedule/suitability.h"
#include "arch/mapping/tile/estimates.h"

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

// Into equal tiles, and into tiles that fill folds of an array with sides of `fold`. Largest first.
std::vector<std::uint64_t> key_cuts(std::uint64_t keys, std::uint64_t fold) {
  constexpr std::uint64_t kMostFolds = 8;
  std::vector<std::uint64_t> sizes = equal_cuts(keys);
  for (std::uint64_t folds = 1; folds <= kMostFolds && folds * fold < keys; ++folds) sizes.push_back(folds * fold);
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
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
  AttentionCost(const MachineView& machine, const AcceleratorCapabilities& npu, const AttentionShape& shape,
                const OperatorChoice& choice)
      : npu_(npu), shape_(shape), choice_(choice), transfers_(machine, npu) {}

  /// Chooses the dataflows of a plan that fits, and fills in its cycles.
  void estimate(AttentionPlan& plan, CostTerms& terms) {
    const std::uint64_t heads = ceil_div(shape_.heads * shape_.batch, plan.head_parts);
    const std::uint64_t rows = ceil_div(shape_.queries, plan.query_parts);
    const std::uint64_t chains = ceil_div(heads, plan.stacked) * ceil_div(rows, plan.query_tile);
    const KeyCut& keys = cut(plan.key_tile);
    const double steps = as_double(chains) * as_double(keys.tiles);
    const auto [step, edges] = step_time(plan, chains, turning(plan, keys, chains) / steps);
    const double first = transfers_.latency(shape_.q_level) + query_time(plan);
    const Loads kv = loads(plan, keys, heads, chains);
    const double load = kv.cycles + as_double(chains) * query_time(plan);
    const double active = as_double(plan.head_parts) * as_double(plan.query_parts);
    const double shared = active * std::max(kv.dram / transfers_.delivered(MemoryLevel::dram),
                                            kv.l2 / transfers_.delivered(MemoryLevel::l2));
    const double overhead = kPressure * (load + kv.dram * kDramPrice / transfers_.port()) + first + edges +
                            kCommandCycles * (4.0 * steps + as_double(chains));
    plan.cycles = std::max({steps * step, load, shared}) + overhead;
    terms = {steps * step, steps * work_of(plan.rows(), plan.key_tile).softmax, load, 0.0, shared, overhead};
  }

  std::uint64_t tiles(std::uint64_t key_tile) { return cut(key_tile).tiles; }

 private:
  /// The tiles of all keys, equal ones together.
  struct KeyCut {
    struct Part {
      std::size_t segment = 0;
      std::uint64_t keys = 0, tiles = 0;
    };
    std::vector<Part> parts;
    std::uint64_t tiles = 0;
  };
  const KeyCut& cut(std::uint64_t key_tile) {
    const auto [it, is_new] = cuts_.try_emplace(key_tile);
    if (!is_new) return it->second;
    for (const auto& tile : key_tiles(shape_, key_tile)) {
      auto& parts = it->second.parts;
      if (parts.empty() || parts.back().segment != tile.segment || parts.back().keys != tile.keys)
        parts.push_back({tile.segment, tile.keys, 0});
      ++parts.back().tiles;
      ++it->second.tiles;
    }
    return it->second;
  }

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
  StepTime step_time(AttentionPlan& plan, std::uint64_t chains, double turning) {
    Work work = work_of(plan.rows(), plan.key_tile);
    work.softmax += turning;
    const ArrayEstimate &s = work.scores, &v = work.values;
    plan.scores = s.dataflow;
    plan.values = v.dataflow;
    const double edges = std::max(s.edges, v.edges);
    const bool takes_turns = plan.chains > 1 && chains > 1;
    const double two = std::max(s.cycles, v.cycles) + edges + work.softmax;
    const double step = takes_turns ? std::max({s.cycles + v.cycles, work.softmax, two / 2})
                                    : v.cycles + std::max(s.cycles, edges + work.softmax);
    return {step, s.alone() + work.softmax + v.alone()};
  }

  // Cycles of the rotary embeddings.
  double turning(const AttentionPlan& plan, const KeyCut& keys, std::uint64_t chains) {
    const auto rope = [&](std::uint64_t rows, std::uint64_t heads) {
      return command_cycles(npu_, {.payload = Vector{.function = VectorFunction::rope,
                                                     .rows = static_cast<std::uint32_t>(rows),
                                                     .columns = static_cast<std::uint32_t>(heads * shape_.head_dim)}});
    };
    double cycles = shape_.q_is_turned ? as_double(chains) * rope(plan.query_tile, plan.stacked) : 0.0;
    for (const auto& part : keys.parts) {
      if (shape_.k_is_turned[part.segment]) cycles += as_double(part.tiles) * rope(part.keys, 1);
    }
    return cycles;
  }

  struct Work {  // of a step
    ArrayEstimate scores, values;
    double softmax = 0.0;
  };
  const Work& work_of(std::uint64_t rows, std::uint64_t keys) {
    const auto [it, is_new] = works_.try_emplace({rows, keys});
    if (!is_new) return it->second;
    const ProductSize scores{rows, shape_.head_dim, keys, shape_.operand, shape_.kv_operand, {}};
    const ProductSize values{rows, keys, shape_.head_dim, probability_dtype(shape_.operand), shape_.kv_operand, {}};
    it->second.scores =
        choice_.scores ? array_estimate(npu_, scores, *choice_.scores) : best_array_estimate(npu_, scores);
    it->second.values =
        choice_.values ? array_estimate(npu_, values, *choice_.values) : best_array_estimate(npu_, values);
    it->second.softmax =
        command_cycles(npu_, {.payload = Vector{.function = VectorFunction::softmax_step,
                                                .rows = static_cast<std::uint32_t>(rows),
                                                .columns = static_cast<std::uint32_t>(keys),
                                                .integer0 = static_cast<std::uint32_t>(shape_.head_dim)}});
    return it->second;
  }

  Loads loads(const AttentionPlan& plan, const KeyCut& keys, std::uint64_t heads, std::uint64_t chains) {
    const std::uint64_t row = shape_.kv.bytes(shape_.head_dim);
    const std::uint64_t tile = TileStream::aligned(plan.key_tile * row);
    const bool stays = 2 * keys.tiles * tile <= plan.kv_ring;
    const double times =
        stays ? as_double(ceil_div(heads * shape_.kv_heads, shape_.heads)) : as_double(ceil_div(chains, plan.chains));
    Loads sum;
    for (const auto& part : keys.parts) {
      const MemoryLevel level = shape_.levels[part.segment];
      const std::uint64_t heads_apart = shape_.in_panels[part.segment] ? 1 : shape_.kv_heads;
      const double one = transfers_.cycles(level, part.keys, row, heads_apart * row);
      double cycles = one;
      // A ring of three tiles hides no latency, one of two not even the transfer.
      if (!stays && plan.kv_ring < 4 * tile) cycles += transfers_.latency(level);
      if (!stays && plan.kv_ring < 3 * tile) cycles += one;
      sum.cycles += 2.0 * times * as_double(part.tiles) * cycles;
      (level == MemoryLevel::l2 ? sum.l2 : sum.dram) += 2.0 * times * as_double(part.tiles * part.keys * row);
    }
    return sum;
  }

  const AcceleratorCapabilities& npu_;
  const AttentionShape& shape_;
  const OperatorChoice& choice_;
  TransferEstimate transfers_;
  std::map<std::uint64_t, KeyCut> cuts_;                           // by key tile
  std::map<std::pair<std::uint64_t, std::uint64_t>, Work> works_;  // by rows and key tile
};

class AttentionSearch {
 public:
  AttentionSearch(const MachineView& machine, const AttentionShape& shape, const std::vector<std::uint32_t>& sharing,
                  std::uint64_t arena, const AttentionLimits& limits)
      : shape_(shape),
        npu_(common(machine, sharing)),
        accelerators_(static_cast<std::uint32_t>(sharing.size())),
        arena_(arena),
        limits_(limits),
        choice_(limits.choice ? *limits.choice : kNoChoice),
        cost_(machine, npu_, shape, choice_),
        key_tiles_(key_cuts(*std::max_element(shape.segments.begin(), shape.segments.end()),
                            std::max(npu_.rows, npu_.columns))) {}

  std::optional<AttentionPlan> run() {
    const std::uint64_t heads = shape_.heads * shape_.batch;
    for (const std::uint32_t head_parts : all_head_parts(heads)) {
      const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(accelerators_ / head_parts, shape_.queries));
      const auto stacks = all_stacks(ceil_div(heads, head_parts));
      std::set<std::uint32_t> query_parts{most, std::uint32_t{1}};
      if (choice_.split.queries) query_parts = {*choice_.split.queries};
      for (const std::uint32_t each : query_parts) {
        if (each > most) {
          refuse("{} parts of the queries are more than there are accelerators or queries", each);
        } else {
          parts(head_parts, each, stacks);
        }
      }
    }
    return best_;
  }

 private:
  template <class... T>
  bool refuse(const char* text, const T&... values) const {
    if (limits_.why_not && limits_.choice) *limits_.why_not = fmt::format(fmt::runtime(text), values...);
    return false;
  }

  std::vector<std::uint32_t> all_stacks(std::uint64_t heads) const {
    const auto stacks = stacks_of(shape_, heads);
    if (!choice_.stacked) return stacks;
    if (std::find(stacks.begin(), stacks.end(), *choice_.stacked) != stacks.end()) return {*choice_.stacked};
    refuse("{} heads are not stacked: as many as share keys may be, in powers of two", *choice_.stacked);
    return {};
  }

  // More parts that leave as many heads to one of them only bring more readers.
  std::vector<std::uint32_t> all_head_parts(std::uint64_t heads) const {
    std::vector<std::uint32_t> all;
    const std::uint64_t most = std::min<std::uint64_t>(accelerators_, heads);
    if (choice_.split.heads) {
      if (*choice_.split.heads <= most) return {*choice_.split.heads};
      return refuse("{} parts of the heads are more than there are accelerators or heads", *choice_.split.heads), all;
    }
    for (std::uint32_t parts = 1; parts <= most; ++parts) {
      if (parts == 1 || ceil_div(heads, parts) != ceil_div(heads, parts - 1)) all.push_back(parts);
    }
    return all;
  }

  void parts(std::uint32_t head_parts, std::uint32_t query_parts, const std::vector<std::uint32_t>& stacks) {
    const std::uint64_t queries = ceil_div(shape_.queries, query_parts);
    const auto query_tiles = choice_.tile.queries ? std::vector{*choice_.tile.queries} : equal_cuts(queries);
    const std::uint64_t keys = *std::max_element(shape_.segments.begin(), shape_.segments.end());
    for (const auto query_tile : query_tiles) {
      if (query_tile > queries)
        refuse("a tile of {} queries is more than the {} of an accelerator", query_tile, queries);
      for (const auto key_tile : choice_.tile.keys ? std::vector{*choice_.tile.keys} : key_tiles_) {
        if (key_tile > keys) refuse("a tile of {} keys is more than the {} of a segment", key_tile, keys);
        if (query_tile > queries || key_tile > keys) continue;
        for (const std::uint32_t stacked : stacks) {
          for (const auto chains : choice_.chains ? std::vector{*choice_.chains} : std::vector{2U, 1U})
            consider({head_parts, query_parts, query_tile, key_tile, stacked, chains, 2 * chains});
        }
      }
    }
  }

  void consider(AttentionPlan plan) {
    const std::uint64_t scores = kScoreTiles * plan.rows() * plan.key_tile * 4,
                        output = plan.rows() * shape_.head_dim * 4;
    if (scores + plan.outputs * output > npu_.accumulator.value) plan.outputs = plan.chains;
    if (scores + plan.outputs * output > npu_.accumulator.value) {
      refuse("scores and results of {} rows by {} keys take {} bytes of the accumulator, which has {}", plan.rows(),
             plan.key_tile, scores + plan.outputs * output, npu_.accumulator.value);
      return;
    }
    const std::uint64_t places = places_of(shape_, plan).kv;
    const std::uint64_t tile = TileStream::aligned(shape_.kv.bytes(plan.key_tile * shape_.head_dim));
    if (places + 2 * tile > arena_) {
      refuse("its tiles need {} bytes of the arena, which has {}", places + 2 * tile, arena_);
      return;
    }
    plan.kv_ring = std::min(arena_ - places, 2 * (cost_.tiles(plan.key_tile) + 1) * tile);
    CostTerms terms;
    cost_.estimate(plan, terms);
    if (limits_.candidates) limits_.candidates->push_back({show(plan), plan.cycles, terms});
    if (!best_ || plan.cycles < best_->cycles) best_ = plan;
  }

  static std::string show(const AttentionPlan& plan) {
    return fmt::format("{}x{} parts, tiles queries {} keys {}, {} stacked, {} chains, {} and {}", plan.head_parts,
                       plan.query_parts, plan.query_tile, plan.key_tile, plan.stacked, plan.chains,
                       name_of(plan.scores), name_of(plan.values));
  }

  static inline const OperatorChoice kNoChoice{};
  const AttentionShape& shape_;
  AcceleratorCapabilities npu_;
  std::uint32_t accelerators_;
  std::uint64_t arena_;
  const AttentionLimits& limits_;
  const OperatorChoice& choice_;
  AttentionCost cost_;
  std::vector<std::uint64_t> key_tiles_;
  std::optional<AttentionPlan> best_;
};

}  // namespace

std::uint64_t AttentionShape::keys() const {
  return std::accumulate(segments.begin(), segments.end(), std::uint64_t{0});
}
std::uint64_t AttentionShape::probability_bytes() const { return bits(probability_dtype(operand)) / 8; }

const TensorUse& loaded_operand(const Trace& trace, const Group& group, std::size_t input) {
  const bool is_turned = !group.ropes.empty() && group.ropes[input] != Group::kNone;
  return is_turned ? trace.operators[group.ropes[input]].inputs[0] : trace.operators[group.last()].inputs[input];
}

AttentionShape shape_of_attention(const Trace& trace, const MemoryPlan& memory, const Group& group,
                                  const std::vector<bool>& may_have_panels) {
  const Operator& op = trace.operators[group.last()];
  const auto loaded = [&](std::size_t input) -> const TensorUse& { return loaded_operand(trace, group, input); };
  AttentionShape shape;
  const auto is_turned = [&](std::size_t input) { return !group.ropes.empty() && group.ropes[input] != Group::kNone; };
  const auto has_panels = [&](const TensorUse& use) { return !may_have_panels.empty() && may_have_panels[use.tensor]; };
  shape.q_in_panels = has_panels(loaded(0));
  shape.q_is_turned = is_turned(0);
  const auto& q = trace.tensors[loaded(0).tensor];
  shape.heads = static_cast<std::uint64_t>(op.integer("heads", 1));
  shape.kv_heads = static_cast<std::uint64_t>(op.integer("kv_heads", 1));
  shape.head_dim = static_cast<std::uint64_t>(op.integer("head_dim", 1));
  shape.batch = static_cast<std::uint64_t>(op.integer("batch", 1));
  shape.operand = q.dtype;
  shape.operand_bytes = bits(q.dtype) / 8;
  shape.kv_operand = trace.tensors[op.inputs[1].tensor].dtype;
  shape.kv = trace.tensors[op.inputs[1].tensor].packing();
  shape.result_bytes = bits(trace.tensors[op.outputs[0].tensor].dtype) / 8;
  shape.queries = q.elements() / q.shape.back() / shape.batch;
  shape.may_stack = !shape.q_in_panels && (op.text("mask", "none") != "causal" || shape.queries == 1);
  for (std::size_t i = 1; i < op.inputs.size(); i += 2) {
    const auto& k = trace.tensors[loaded(i).tensor];
    shape.segments.push_back(k.elements() / k.shape.back() / shape.batch);
    shape.levels.push_back(memory.placements[loaded(i).tensor].level);
    shape.k_is_turned.push_back(is_turned(i));
    shape.in_panels.push_back(has_panels(loaded(i)) && has_panels(op.inputs[i + 1]));
  }
  shape.q_level = memory.placements[loaded(0).tensor].level;
  shape.result_level = memory.placements[op.outputs[0].tensor].level;
  return shape;
}

std::vector<KeyTile> key_tiles(const AttentionShape& shape, std::uint64_t key_tile) {
  std::vector<KeyTile> tiles;
  std::uint64_t global = 0;
  for (std::size_t s = 0; s < shape.segments.size(); ++s) {
    const std::uint64_t keys = shape.segments[s];
    for (std::uint64_t first = 0; first < keys; first += key_tile)
      tiles.push_back({s, first, std::min(key_tile, keys - first), global + first});
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
                                            const std::vector<std::uint32_t>& sharing, std::uint64_t arena,
                                            const AttentionLimits& limits) {
  return AttentionSearch(machine, shape, sharing, arena, limits).run();
}

ProductPlanner::Need smallest_attention_need(const AttentionShape& shape) {
  const AttentionPlan plan{1, 1, 1, 1, 1, 1, 1};
  const std::uint64_t tile = TileStream::aligned(shape.kv.bytes(shape.head_dim));
  return {2 * (places_of(shape, plan).kv + 2 * tile), kScoreTiles * 4 + shape.head_dim * 4};
}

}  // namespace archsim
