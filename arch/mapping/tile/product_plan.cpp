#include "arch/mapping/tile/product_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "arch/mapping/emit/tile_stream.h"
#include "arch/mapping/plan/lifetimes.h"
#include "arch/mapping/schedule/suitability.h"
#include "arch/mapping/tile/product_cost.h"

namespace archsim {
namespace {

// A ring of fewer tiles could not load one while another is used and a third still waits.
constexpr std::uint64_t kRingTiles = 4;
// Activations wait behind a weight tile that was begun too early. Transfers of this size are long enough to be quick; while all
// accelerators load weights, one should not take longer than about three synchronisations of groups.
constexpr std::uint64_t kLargestWeightTile = std::uint64_t{64} * 1024;
constexpr double kLongestWeightTile = 3.0e-6;  // seconds

double as_double(std::uint64_t value) { return static_cast<double>(value); }

// `total` cut into 1, 2, 3 ... about equal parts, in multiples of `unit`, down to one unit.
std::vector<std::uint64_t> cuts(std::uint64_t total, std::uint64_t unit) {
  std::vector<std::uint64_t> sizes;
  const std::uint64_t units = ceil_div(total, unit);
  for (std::uint64_t parts = 1; parts < 2 * units; parts += parts < 6 ? 1 : parts / 2) {
    const std::uint64_t size = std::min(total, ceil_div(units, parts) * unit);
    if (sizes.empty() || sizes.back() != size) sizes.push_back(size);
  }
  return sizes;
}

std::string show(const ProductPlan& plan) {
  return fmt::format("{}x{} parts, tiles m {} k {} n {}, {}, {}", plan.m_parts, plan.n_parts, plan.m_tile, plan.k_tile,
                     plan.n_tile, plan.m_outer ? "rows first" : "columns first", name_of(plan.dataflow));
}

}  // namespace

class ProductSearch {
 public:
  ProductSearch(const MachineView& machine, const ProductShape& shape, const std::vector<std::uint32_t>& accelerators,
                ScratchpadSplit split, ArrayEstimates& arrays, const ProductPlanner::Limits& limits)
      : shape_(shape),
        npu_(common(machine, accelerators)),
        split_(split),
        accelerators_(static_cast<std::uint32_t>(accelerators.size())),
        largest_weight_tile_(
            std::min(kLargestWeightTile,
                     static_cast<std::uint64_t>(machine.dram.delivered.value / accelerators_ * kLongestWeightTile))),
        limits_(limits),
        choice_(limits.choice ? *limits.choice : kNoChoice),
        cost_(machine, npu_, accelerators_, shape_, split_, arrays) {
    if (choice_.dataflow) cost_.force(*choice_.dataflow);
  }

  std::optional<ProductPlan> run() {
    struct Grid {
      std::uint32_t m_parts, n_parts;
    };
    std::vector<Grid> grids;
    for (std::uint32_t m_parts = 1; m_parts <= accelerators_; ++m_parts) {
      for (std::uint32_t n_parts = 1; m_parts * n_parts <= accelerators_; ++n_parts) {
        if (shape_.batch > 1 && (m_parts > 1 || n_parts != std::min<std::uint64_t>(accelerators_, shape_.batch)))
          continue;
        if (choice_.split.m.value_or(m_parts) == m_parts && choice_.split.n.value_or(n_parts) == n_parts)
          grids.push_back({m_parts, n_parts});
      }
    }
    // Those that use most accelerators first: they are mostly quicker, and then the others need not be looked at closely.
    std::stable_sort(grids.begin(), grids.end(),
                     [](const Grid& a, const Grid& b) { return a.m_parts * a.n_parts > b.m_parts * b.n_parts; });
    if (grids.empty()) refuse("this product is not split like that over {} accelerators", accelerators_);
    for (const auto& each : grids) grid(each.m_parts, each.n_parts);
    return best_;
  }

 private:
  // What keeps a plan of the user's choice from fitting; the last reason is kept.
  template <class... T>
  bool refuse(const char* text, const T&... values) const {
    if (limits_.why_not && limits_.choice) *limits_.why_not = fmt::format(fmt::runtime(text), values...);
    return false;
  }

  static std::vector<std::uint64_t> only(std::uint64_t value) { return {value}; }
  std::vector<std::uint64_t> k_tiles() const {
    if (choice_.tile.k) return only(*choice_.tile.k);
    return limits_.fixed ? only(limits_.fixed->k_tile) : cuts(shape_.k, k_unit());
  }
  std::vector<std::uint64_t> n_tiles(std::uint64_t n) const {
    if (choice_.tile.n) return only(*choice_.tile.n);
    return limits_.fixed ? only(limits_.fixed->n_tile) : cuts(n, npu_.columns);
  }

  // What the search never tries, and a user may have asked for.
  bool is_legal(const ProductPlan& plan, std::uint64_t m, std::uint64_t n) const {
    if (plan.m_tile > m) return refuse("a tile of {} rows is more than the {} that an accelerator has", plan.m_tile, m);
    if (plan.n_tile > n)
      return refuse("a tile of {} columns is more than the {} that an accelerator has", plan.n_tile, n);
    if (plan.k_tile > shape_.k)
      return refuse("a tile of {} along k is more than the {} there are", plan.k_tile, shape_.k);
    if (plan.n_tile < n && plan.n_tile % npu_.columns != 0)
      return refuse("a tile of {} columns is no multiple of the array's {}", plan.n_tile, npu_.columns);
    if (plan.k_tile < shape_.k && plan.k_tile % k_unit() != 0)
      return refuse("a tile of {} along k is no multiple of {}, the array's rows and whole blocks of the formats",
                    plan.k_tile, k_unit());
    const auto& fixed = limits_.fixed;
    if (fixed && (fixed->k_tile != plan.k_tile || fixed->n_tile != plan.n_tile))
      return refuse("its weight lies in tiles of k {} x n {}, as another operator that uses it needs", fixed->k_tile,
                    fixed->n_tile);
    return true;
  }

  void grid(std::uint32_t m_parts, std::uint32_t n_parts) {
    const bool splits_n = shape_.batch == 1;
    if (m_parts > shape_.m || (splits_n && n_parts > ceil_div(shape_.n, npu_.columns))) {
      refuse("there is not a row or column of the array for each of {} x {} parts", m_parts, n_parts);
      return;
    }
    const std::uint64_t m = ceil_div(shape_.m, m_parts);
    const std::uint64_t n_units = ceil_div(shape_.n, npu_.columns);
    const std::uint64_t n = std::min(shape_.n, (splits_n ? ceil_div(n_units, n_parts) : n_units) * npu_.columns);
    const auto all_k = k_tiles(), all_n = n_tiles(n);
    for (const auto m_tile : choice_.tile.m ? only(*choice_.tile.m) : cuts(m, 1)) {
      for (const auto n_tile : all_n) {
        if (!fits_accumulator(m_tile, n_tile)) continue;
        ProductPlan plan{.m_parts = m_parts, .n_parts = n_parts, .m_tile = m_tile, .n_tile = n_tile};
        const std::uint64_t wide = widest(plan);
        for (const auto k_tile : all_k) {
          plan.k_tile = k_tile;
          if (limits_.choice && !is_legal(plan, m, n)) continue;
          if (!fit(plan, m, wide) || is_hopeless(plan, m, wide)) continue;
          orders(plan, m, wide);
        }
      }
    }
  }

  // With one tile of rows or columns both orders are the same.
  void orders(ProductPlan plan, std::uint64_t m, std::uint64_t n) {
    const auto wanted = choice_.order;
    plan.m_outer = false;
    if (wanted != TileOrder::rows_first) consider(plan, m, n);
    plan.m_outer = true;
    if (wanted == TileOrder::rows_first || (!wanted && plan.m_tile < m && plan.n_tile < n)) consider(plan, m, n);
  }

  bool is_hopeless(const ProductPlan& plan, std::uint64_t m, std::uint64_t n) {
    return best_ && !limits_.candidates && cost_.at_least(plan, m, n) >= best_->cycles;
  }

  bool fits_accumulator(std::uint64_t m_tile, std::uint64_t n_tile) const {
    if (reaches_over(n_tile))
      return refuse("a tile of {} columns reaches over two of the linears side by side", n_tile);
    const std::uint64_t bytes = slot_bytes(m_tile, n_tile);
    return bytes <= npu_.accumulator.value ||
           refuse("a tile of {} x {} takes {} bytes of the accumulator, which has {}", m_tile, n_tile, bytes,
                  npu_.accumulator.value);
  }

  // A tile of whole folds, and of whole blocks.
  std::uint64_t k_unit() const { return std::lcm(std::uint64_t{npu_.rows}, shape_.k_unit()); }

  bool reaches_over(std::uint64_t n_tile) const { return shape_.n_divisor > 0 && shape_.n_divisor % n_tile != 0; }

  std::uint64_t slot_bytes(std::uint64_t m_tile, std::uint64_t n_tile) const {
    return shape_.products * m_tile * n_tile * 4;
  }

  // Columns of the accelerator that has most.
  std::uint64_t widest(const ProductPlan& plan) const {
    if (shape_.batch > 1) return shape_.n;
    return std::min(shape_.n, ceil_div(ceil_div(shape_.n, plan.n_tile), plan.n_parts) * plan.n_tile);
  }

  // Shares the arena among the rings; false if it is too small.
  bool fit(ProductPlan& plan, std::uint64_t m, std::uint64_t n) const {
    const std::uint64_t a_tile = TileStream::aligned(shape_.a.bytes(plan.m_tile * plan.k_tile));
    const std::uint64_t w_tile = TileStream::aligned(shape_.w.bytes(plan.k_tile * plan.n_tile));
    const bool is_single = plan.m_tile >= m && plan.k_tile >= shape_.k;
    std::uint64_t fixed = 0;
    if (shape_.needs_staging) fixed += 2 * TileStream::aligned(plan.m_tile * plan.n_tile * shape_.result_bytes);
    if (shape_.residual_bytes > 0) fixed += 2 * TileStream::aligned(plan.m_tile * plan.n_tile * shape_.residual_bytes);
    fixed += shape_.products * TileStream::aligned(n * shape_.bias_bytes);
    if (!shape_.weights_stream)
      plan.w_ring = std::min<std::uint64_t>(3 * w_tile, TileStream::aligned(shape_.w.bytes(n * shape_.k)) + w_tile);
    if (shape_.weights_stream && kRingTiles * w_tile > split_.ring)
      return refuse("{} weight tiles of {} bytes need more than the ring of {}", kRingTiles, w_tile, split_.ring);
    const bool is_smallest = plan.k_tile <= k_unit() && plan.n_tile <= npu_.columns;
    const bool is_chosen = choice_.tile.k && choice_.tile.n;
    if (shape_.weights_stream && w_tile > largest_weight_tile_ && !is_smallest && !is_chosen) return false;
    fixed += plan.w_ring;
    const std::uint64_t need = fixed + (is_single ? 1 : 2) * a_tile;
    if (need > split_.arena) return refuse("its tiles need {} bytes of the arena, which has {}", need, split_.arena);
    const std::uint64_t tiles = ceil_div(m, plan.m_tile) * ceil_div(shape_.k, plan.k_tile);
    plan.a_ring = std::min(split_.arena - fixed, tiles * a_tile);
    plan.slots = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(4, npu_.accumulator.value / slot_bytes(plan.m_tile, plan.n_tile)));
    return true;
  }

  void consider(ProductPlan plan, std::uint64_t m, std::uint64_t n) {
    cost_.estimate(plan, m, n);
    if (limits_.candidates) limits_.candidates->push_back({show(plan), plan.cycles, cost_.terms(plan, m, n)});
    if (!best_ || plan.cycles < best_->cycles) best_ = plan;
  }

  static inline const OperatorChoice kNoChoice{};
  const ProductShape& shape_;
  AcceleratorCapabilities npu_;
  ScratchpadSplit split_;
  std::uint32_t accelerators_;
  std::uint64_t largest_weight_tile_;  // bytes
  const ProductPlanner::Limits& limits_;
  const OperatorChoice& choice_;
  ProductCost cost_;
  std::optional<ProductPlan> best_;
};

std::optional<ProductPlan> ProductPlanner::plan(const ProductShape& shape,
                                                const std::vector<std::uint32_t>& accelerators, ScratchpadSplit split,
                                                const Limits& limits) {
  return ProductSearch(machine_, shape, accelerators, split, arrays_[accelerators], limits).run();
}

ProductPlanner::Need ProductPlanner::smallest_need(const ProductShape& shape,
                                                   const AcceleratorCapabilities& accelerator) const {
  const std::uint64_t k = std::min(shape.k, std::lcm(std::uint64_t{accelerator.rows}, shape.k_unit())),
                      n = std::min<std::uint64_t>(shape.n, accelerator.columns);
  const std::uint64_t arena = 2 * TileStream::aligned(shape.a.bytes(k)) +
                              (shape.needs_staging ? 2 * TileStream::aligned(n * shape.result_bytes) : 0) +
                              (shape.residual_bytes > 0 ? 2 * TileStream::aligned(n * shape.residual_bytes) : 0) +
                              shape.products * TileStream::aligned(shape.n * shape.bias_bytes);
  const std::uint64_t weights = (shape.weights_stream ? kRingTiles : 3) * TileStream::aligned(shape.w.bytes(k * n));
  // The arena and the weight ring have a half each.
  return {2 * std::max(arena + (shape.weights_stream ? 0 : weights), shape.weights_stream ? weights : 0),
          shape.products * n * 4};
}

ProductShape shape_of(const Trace& trace, const MemoryPlan& memory, const Group& group,
                      const AcceleratorCapabilities& accelerator) {
  const auto& op = trace.operators[group.products[0]];
  const auto& x = trace.tensors[op.inputs[0].tensor];
  const auto& w = trace.tensors[op.inputs[1].tensor];
  const auto& last = trace.operators[group.last()];
  ProductShape shape;
  shape.products = group.products.size();
  shape.operand = x.dtype;
  shape.w_operand = w.dtype;
  shape.w_grouping = w.grouping;
  shape.a = x.packing();
  shape.w = w.packing();
  shape.weights_stream = op.type == OperatorType::linear;
  shape.transposed = op.flag("transpose_b", false);
  shape.k = x.shape.back();
  shape.m = x.elements() / shape.k;
  shape.n = w.shape[shape.transposed ? w.shape.size() - 2 : w.shape.size() - 1];
  if (!shape.weights_stream) {
    shape.m = x.shape[x.shape.size() - 2];
    shape.batch = x.elements() / (shape.m * shape.k);
  }
  for (const std::uint32_t beside : group.beside) {
    const std::uint64_t width = trace.tensors[trace.operators[beside].inputs[1].tensor].shape.back();
    shape.n_divisor = std::gcd(shape.n_divisor == 0 ? shape.n : shape.n_divisor, width);
    shape.n += width;
  }
  const auto cost = [&](std::uint32_t index) {
    const auto found = accelerator.vector_cycles_per_element.find(*function_of(trace.operators[index]));
    return found == accelerator.vector_cycles_per_element.end() ? 0.0 : found->second;
  };
  const bool has_bias = op.type == OperatorType::linear && op.inputs.size() > 2;
  for (const auto& use : uses_of(trace, group).writes) {
    const auto& tensor = trace.tensors[use.tensor];
    shape.result_bytes = std::max<std::uint64_t>(shape.result_bytes, bits(tensor.dtype) / 8);
    if (!stores_directly(accelerator, x.dtype, tensor.dtype)) shape.needs_staging = true;
  }
  if (has_bias && !loads_bias_rows(accelerator)) {
    shape.bias_bytes = bits(trace.tensors[op.inputs[2].tensor].dtype) / 8;
    shape.vector_cycles += as_double(shape.products) * accelerator.vector_cycles_per_element.at(VectorFunction::copy);
  }
  for (const std::uint32_t fused : {group.activation, group.glu, group.residual}) {
    if (fused == Group::kNone) continue;
    shape.vector_cycles += cost(fused);
    shape.needs_staging = true;
  }
  if (group.residual != Group::kNone) shape.residual_bytes = bits(trace.tensors[group.residual_input.tensor].dtype) / 8;
  if (shape.needs_staging && shape.vector_cycles == 0.0) shape.vector_cycles = 1.0;
  shape.x_level = memory.placements[op.inputs[0].tensor].level;
  shape.result_level = memory.placements[last.outputs[0].tensor].level;
  return shape;
}

bool loads_bias_rows(const AcceleratorCapabilities& accelerator) {
  return !has_function(accelerator, VectorFunction::copy);
}

AcceleratorCapabilities common(const MachineView& machine, const std::vector<std::uint32_t>& accelerators) {
  AcceleratorCapabilities least = machine.accelerators[accelerators[0]];
  for (const std::uint32_t index : accelerators) {
    const auto& other = machine.accelerators[index];
    least.scratchpad = std::min(least.scratchpad, other.scratchpad);
    least.accumulator = std::min(least.accumulator, other.accumulator);
    least.decodes_weights = least.decodes_weights && other.decodes_weights;
    least.requantizing_store = least.requantizing_store && other.requantizing_store;
    for (auto it = least.vector_cycles_per_element.begin(); it != least.vector_cycles_per_element.end();) {
      it = has_function(other, it->first) ? std::next(it) : least.vector_cycles_per_element.erase(it);
    }
    for (auto it = least.dataflows.begin(); it != least.dataflows.end();) {
      it = other.dataflows.count(*it) > 0 ? std::next(it) : least.dataflows.erase(it);
    }
  }
  return least;
}

SplitPart part(std::uint64_t total, std::uint64_t unit, std::uint64_t parts, std::uint64_t index) {
  const std::uint64_t units = ceil_div(total, unit);
  return {std::min(total, units * index / parts * unit), std::min(total, units * (index + 1) / parts * unit)};
}

std::optional<std::uint32_t> rank_of(std::uint32_t position, std::uint32_t active, std::size_t all) {
  const auto before = static_cast<std::uint32_t>(std::uint64_t{position} * active / all);
  const auto with = static_cast<std::uint32_t>((std::uint64_t{position} + 1) * active / all);
  if (before == with) return std::nullopt;
  return before;
}

}  // namespace archsim
