#include "arch/mapping/tile/product_cost.h"

#include <algorithm>

namespace archsim {
namespace {

// Assumed: what is lost at each command even if everything overlaps. It also keeps programs short.
constexpr double kCommandCycles = 12.0;
// Assumed: share of the hidden time that is lost to unevenness.
constexpr double kPressure = 0.03;
// Assumed: rows shorter than this do not fill the links' packets.
constexpr double kFullRow = 256.0;
// Assumed: a byte of DRAM is worth as much as so many moved through the accelerator's port. A constant, so that the traffic
// does not rise because a machine has bandwidth to spare.
constexpr double kDramPrice = 3.0;
// With fewer tiles in a ring, a transfer begins only when the product before is done.
constexpr std::uint64_t kTilesToHideLatency = 3;

double as_double(std::uint64_t value) { return static_cast<double>(value); }

}  // namespace

ProductCost::Loads ProductCost::loads(const ProductPlan& plan, std::uint64_t m, std::uint64_t n) const {
  const std::uint64_t m_tiles = ceil_div(m, plan.m_tile), n_tiles = ceil_div(n, plan.n_tile);
  const std::uint64_t a_kept = shape_.a.bytes((plan.m_outer ? plan.m_tile : m) * shape_.k);
  const std::uint64_t w_kept = shape_.w.bytes((plan.m_outer ? n : plan.n_tile) * shape_.k) * shape_.products;
  const std::uint64_t w_ring = shape_.weights_stream ? split_.ring : plan.w_ring;
  const bool a_again = n_tiles > 1 && a_kept > plan.a_ring;
  const bool w_again = m_tiles > 1 && w_kept > w_ring;
  const double a_times = as_double(a_again ? n_tiles : 1), w_times = as_double(w_again ? m_tiles : 1);
  const double k_tiles = as_double(ceil_div(shape_.k, plan.k_tile));
  return {.a_tiles = as_double(m_tiles) * k_tiles * a_times,
          .w_tiles = as_double(n_tiles * shape_.products) * k_tiles * w_times,
          .a = as_double(shape_.a.bytes(m * shape_.k)) * a_times,
          .w = as_double(shape_.w.bytes(n * shape_.k) * shape_.products) * w_times};
}

// Edge tiles count as what their share of folds and rows is.
double ProductCost::array_tiles(const ProductPlan& plan, std::uint64_t m, std::uint64_t n) const {
  const auto folds = [](std::uint64_t size, unsigned side) { return as_double(ceil_div(size, side)); };
  return as_double(m) / as_double(plan.m_tile) * folds(n, npu_.columns) / folds(plan.n_tile, npu_.columns) *
         folds(shape_.k, npu_.rows) / folds(plan.k_tile, npu_.rows) * as_double(shape_.products);
}

void ProductCost::add_work(const ProductPlan& plan, std::uint64_t m, std::uint64_t n, Parts& parts) {
  const ArrayEstimate one = array(plan);
  const double tile = as_double(plan.m_tile * plan.n_tile), results = as_double(m * n);
  const double drain = tile * as_double(shape_.result_bytes) / transfers_.port() + vector_cycles(tile);
  const double blocks = results / tile;
  parts.array = array_tiles(plan, m, n) * one.cycles;
  // With one accumulator tile the array waits until the last one's results are out.
  if (plan.slots == 1) parts.array += (drain + one.edges) * blocks;
  parts.vector = vector_cycles(results);
  parts.edges += one.edges + drain;
  parts.commands += blocks * as_double(ceil_div(shape_.k, plan.k_tile) * shape_.products);
}

// The load engine does one transfer after another, each at the rate of the memory that it comes from.
void ProductCost::add_memory(const ProductPlan& plan, const Loads& loads, double results, Parts& parts) {
  const std::uint64_t a_row = shape_.a.bytes(plan.k_tile);
  const std::uint64_t pitch = shape_.x_in_panels ? a_row : shape_.a.bytes(shape_.k);
  const std::uint64_t a_tile = plan.m_tile * a_row, w_tile = shape_.w.bytes(plan.n_tile * plan.k_tile);
  const double active = as_double(plan.m_parts) * as_double(plan.n_parts);
  const double residual = results * as_double(shape_.residual_bytes), stored = results * as_double(shape_.result_bytes);
  const double one_a = transfers_.cycles(shape_.x_level, plan.m_tile, a_row, pitch);
  const double a_latency = transfers_.latency(shape_.x_level);
  const bool stays =
      a_tile * (loads.a_tiles > 1.0 ? kTilesToHideLatency : 1) <= plan.a_ring || loads.a <= as_double(plan.a_ring);
  parts.load = loads.a_tiles * (one_a + (stays ? 0.0 : a_latency)) +
               loads.w_tiles * transfers_.cycles(w_level(), 1, w_tile, w_tile) + residual / transfers_.port();
  parts.store = stored / transfers_.port();
  parts.weights = std::max(loads.w_tiles * transfers_.cycles(w_level(), 1, w_tile, w_tile),
                           loads.w * active / transfers_.delivered(w_level()));
  parts.activations = std::max(loads.a_tiles * one_a, loads.a * active / transfers_.delivered(shape_.x_level));

  double dram = 0.0, l2 = 0.0;
  // Short rows cost the memory system more than their bytes.
  const double a_cost = pitch == a_row ? 1.0 : std::max(1.0, kFullRow / as_double(a_row));
  (shape_.x_level == MemoryLevel::l2 ? l2 : dram) += loads.a * a_cost;
  (w_level() == MemoryLevel::l2 ? l2 : dram) += loads.w;
  (shape_.result_level == MemoryLevel::l2 ? l2 : dram) += residual + stored;
  parts.shared =
      active * std::max(dram / transfers_.delivered(MemoryLevel::dram), l2 / transfers_.delivered(MemoryLevel::l2));
  parts.moved = loads.a * a_cost + loads.w + residual + stored + kDramPrice * dram * active / accelerators_;
  parts.commands += loads.a_tiles + loads.w_tiles + results / as_double(plan.m_tile * plan.n_tile);
  // The first tile is loaded before anything is multiplied, or the last one multiplied when all is loaded.
  const double one_w = std::max(transfers_.cycles(w_level(), 1, w_tile, w_tile),
                                as_double(w_tile) * active / transfers_.delivered(w_level()));
  parts.edges += one_a + a_latency + std::min(one_w, array(plan).cycles);
}

// The first column of tiles needs all activations, the first row all weights; the others may find them on chip. Weights have come
// ahead as far as the ring has room for them beside those in use, which are taken to be as many.
double ProductCost::late(const ProductPlan& plan, const Loads& loads, std::uint64_t m, std::uint64_t n,
                         const Parts& parts) const {
  if (!plan.m_outer) {
    const double passes = loads.a / as_double(shape_.a.bytes(m * shape_.k));
    return std::max(0.0, parts.activations / passes - parts.array / as_double(ceil_div(n, plan.n_tile)));
  }
  const double kept = as_double(shape_.w.bytes(n * shape_.k) * shape_.products);
  const double room = as_double(shape_.weights_stream ? split_.ring : plan.w_ring) - kept;
  const double ahead = std::clamp(room / kept, 0.0, 1.0);
  return std::max(0.0,
                  parts.weights * (kept / loads.w) * (1.0 - ahead) - parts.array / as_double(ceil_div(m, plan.m_tile)));
}

ProductCost::Parts ProductCost::parts(const ProductPlan& plan, std::uint64_t m, std::uint64_t n) {
  Parts parts;
  const Loads all = loads(plan, m, n);
  add_memory(plan, all, as_double(m * n), parts);
  add_work(plan, m, n, parts);
  parts.late = late(plan, all, m, n, parts);
  return parts;
}

double ProductCost::at_least(const ProductPlan& plan, std::uint64_t m, std::uint64_t n) {
  const double batches = as_double(shape_.batch > 1 ? ceil_div(shape_.batch, plan.n_parts) : 1);
  return batches * (1.0 + kPressure) * array_tiles(plan, m, n) * array(plan).cycles;
}

CostTerms ProductCost::terms(const ProductPlan& plan, std::uint64_t m, std::uint64_t n) {
  const Parts p = parts(plan, m, n);
  const double batches = as_double(shape_.batch > 1 ? ceil_div(shape_.batch, plan.n_parts) : 1);
  const double pressure = kPressure * (std::max(p.array, p.vector) + p.load + p.moved / transfers_.port());
  return {.compute = batches * (p.array + p.late),
          .vector = batches * p.vector,
          .load = batches * p.load,
          .store = batches * p.store,
          .memory = batches * p.shared,
          .overhead = batches * (pressure + p.commands * kCommandCycles) + p.edges};
}

void ProductCost::estimate(ProductPlan& plan, std::uint64_t m, std::uint64_t n) {
  plan.dataflow = array(plan).dataflow;
  const Parts p = parts(plan, m, n);
  const double batches = as_double(shape_.batch > 1 ? ceil_div(shape_.batch, plan.n_parts) : 1);
  const double longest = std::max({p.array + p.late, p.vector, p.load, p.store, p.shared});
  // Of plans that are limited elsewhere, the one that leaves everything more room.
  const double pressure = kPressure * (std::max(p.array, p.vector) + p.load + p.moved / transfers_.port());
  plan.cycles = batches * (longest + pressure + p.commands * kCommandCycles) + p.edges;
}

}  // namespace archsim
