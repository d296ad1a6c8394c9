// What an accelerator tile's events cost and its parts take.
//
// Models:     products by element type, operand delivery through the processing elements' registers, scratchpad and accumulator SRAM
//             by bank, vector lanes, DMA buffers, command streams; clock and leakage of each.
// Leaves out: toggling by data but for zeros that sparsity leaves out; wires between the parts.
// Numbers:    the technology's; bits of registers as the RTL has them (accel-rtl/README.md).
// Checked by: tests/models/ppa, scripts/validate ppa (published chips).
#include <algorithm>
#include <cmath>

#include "models/accel/rtl/rtl.h"
#include "models/accel/systolic.h"

namespace archsim {
namespace {

constexpr double kSumBits = 32.0;

double bits_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::int4:
    case Dtype::mxfp4:
    case Dtype::nvfp4:
      return 4.0;
    case Dtype::bf16:
    case Dtype::fp16:
      return 16.0;
    case Dtype::fp32:
    case Dtype::int32:
      return 32.0;
    case Dtype::int8:
    case Dtype::uint8:
    case Dtype::fp8_e4m3:
    case Dtype::fp8_e5m2:
    case Dtype::mxfp8:
      break;
  }
  return 8.0;
}

bool is_integer(Dtype dtype) { return dtype == Dtype::int4 || dtype == Dtype::int8 || dtype == Dtype::uint8; }

class TileCosts {
 public:
  TileCosts(const SystolicParams& params, Frequency clock)
      : p_(params), hz_(static_cast<double>(clock.value)), elements_(static_cast<double>(params.rows) * params.cols) {
    for (const auto& [dtype, macs] : p_.dtypes) {
      most_macs_ = std::max(most_macs_, macs);
      operand_bits_ = std::max(operand_bits_, bits_of(dtype) * std::max(1.0, macs));
    }
    for (const auto& [sparsity, times] : p_.sparsity) speed_up_ = std::max(speed_up_, times);
    scratchpad_ = {.bytes = static_cast<double>(p_.scratchpad.capacity.value),
                   .macros = static_cast<double>(p_.scratchpad.banks),
                   .width_bits = 8.0 * static_cast<double>(p_.scratchpad.port_width.value),
                   .has_two_ports = true};
    // A word of a sum for each column a cycle, in macros of 256 bit at most.
    const double width = kSumBits * p_.cols * std::max(1.0, most_macs_);
    accumulator_ = {.bytes = static_cast<double>(p_.accumulator.value),
                    .macros = std::ceil(width / 256.0),
                    .width_bits = std::min(width, 256.0),
                    .has_two_ports = true};
  }

  BlockCosts make() const {
    BlockCosts costs;
    costs.clock_hz = hz_;
    for (const auto& [cost, dtypes] : kProducts) costs.events.push_back(product(cost, dtypes));
    costs.events.push_back(
        {.energy_pj = fixed(Cost::weight_decode), .peak_per_s = p_.weight_decoder ? elements_ * hz_ : 0.0});
    add_memory_events(costs);
    costs.events.push_back({.energy_pj = fixed(Cost::vector_lane_cycle), .peak_per_s = p_.vector_lanes * hz_});
    costs.events.push_back({.energy_pj = fixed(Cost::dma_byte), .peak_per_s = 2.0 * port() * hz_});
    costs.events.push_back({.energy_pj = fixed(Cost::dma_descriptor), .peak_per_s = 2.0 * hz_ / cycles(p_.dma.setup)});
    costs.events.push_back({.energy_pj = fixed(Cost::page_walk),
                            .peak_per_s = p_.smmu.entries == 0 ? 0.0 : 2.0 * hz_ / cycles(p_.smmu.walk)});
    costs.events.push_back({.energy_pj = fixed(Cost::command_decode), .peak_per_s = commands_per_cycle() * hz_});
    costs.parts = parts();
    return costs;
  }

 private:
  struct Product {
    Cost cost;
    std::vector<Dtype> dtypes;
  };
  // In the order of SystolicEvents.
  static const std::vector<Product> kProducts;

  double port() const { return static_cast<double>(p_.scratchpad.port_width.value); }
  static double cycles(Cycles cycles) { return static_cast<double>(std::max<std::uint64_t>(cycles.value, 1)); }
  /// A command of the array takes a fold's edge at least, one of the vector unit its start-up, one of a DMA its set-up.
  double commands_per_cycle() const {
    return 1.0 / std::min(p_.rows, p_.cols) + 1.0 / cycles(p_.vector_startup) + 2.0 / cycles(p_.dma.setup);
  }

  /// A product, and what its operand and sum cost to pass on: one operand and one sum a processing element and cycle, the other
  /// operand stays.
  EventCost product(Cost cost, const std::vector<Dtype>& dtypes) const {
    double rate = 0.0;
    for (const Dtype dtype : dtypes) {
      const auto macs = p_.dtypes.find(dtype);
      if (macs != p_.dtypes.end()) rate = std::max(rate, macs->second);
    }
    const double moved = bits_of(dtypes.front()) + kSumBits / std::max(1.0, rate);
    const CostFunction delivery = fixed(Cost::register_bit, moved);
    return {.energy_pj = [=](const CostValues& values) { return values(cost) + delivery(values); },
            .delivery_pj = delivery,
            .peak_per_s = elements_ * rate * speed_up_ * hz_,
            .group = "array"};
  }

  void add_memory_events(BlockCosts& costs) const {
    const auto byte = [](const SramShape& shape, bool is_write) -> CostFunction {
      return [=](const CostValues& cost) {
        return (is_write ? sram_write_pj(cost, shape) : sram_read_pj(cost, shape)) / (shape.width_bits / 8.0);
      };
    };
    // What array, vector lanes and DMA ask for together; the banks carry no more.
    const double edge = (p_.rows + p_.cols) * operand_bits_ / 8.0 * speed_up_;
    const double lanes = p_.vector_lanes * 4.0;
    const double banks = p_.scratchpad.banks * port();
    const double sums = p_.cols * kSumBits / 8.0 * std::max(1.0, most_macs_);
    costs.events.push_back(
        {.energy_pj = byte(scratchpad_, false), .peak_per_s = std::min(banks, edge + 2 * lanes + port()) * hz_});
    costs.events.push_back({.energy_pj = byte(scratchpad_, true), .peak_per_s = std::min(banks, lanes + port()) * hz_});
    costs.events.push_back({.energy_pj = byte(accumulator_, false), .peak_per_s = std::max(sums, 2 * lanes) * hz_});
    costs.events.push_back({.energy_pj = byte(accumulator_, true), .peak_per_s = std::max(sums, lanes) * hz_});
  }

  double gates_of_element(const CostValues& cost) const {
    double integer = 0.0, small = 0.0, large = 0.0;
    for (const auto& [dtype, macs] : p_.dtypes) {
      // Narrower products are made by parts of wider multipliers.
      const double wide = macs * bits_of(dtype) * bits_of(dtype) / 64.0;
      if (is_integer(dtype)) integer = std::max(integer, wide);
      if (!is_integer(dtype) && bits_of(dtype) < 32.0) small = std::max(small, std::min(macs, wide));
      if (bits_of(dtype) == 32.0) large = std::max(large, macs);
    }
    return integer * cost(Cost::gates_mac_int8) + small * cost(Cost::gates_mac_bf16) +
           large * cost(Cost::gates_mac_fp32);
  }

  std::vector<Part> parts() const {
    // Two weights (one at work, one being loaded), an activation and a sum.
    const double element_bits = 3.0 * operand_bits_ + kSumBits * std::max(1.0, most_macs_);
    const double elements = elements_;
    const TileCosts self = *this;
    std::vector<Part> parts{logic_part(
        "array", [=](const CostValues& cost) { return elements * self.gates_of_element(cost); },
        elements * element_bits, "array")};
    parts.push_back(logic_part("array_edges", fixed(Cost::gates_array_edge, p_.rows + p_.cols),
                               (p_.rows + p_.cols) * operand_bits_, "array"));
    if (p_.vector_lanes > 0) {
      parts.push_back(
          logic_part("vector", fixed(Cost::gates_vector_lane, p_.vector_lanes), p_.vector_lanes * 256.0, "vector"));
    }
    parts.push_back(sram_part("scratchpad", scratchpad_));
    parts.push_back(sram_part("accumulator", accumulator_));
    const double buffer = static_cast<double>(p_.dma.outstanding) * static_cast<double>(p_.dma.burst.value);
    const SramShape buffers{.bytes = 2.0 * buffer, .macros = 2.0, .width_bits = 8.0 * port(), .has_two_ports = true};
    parts.push_back(sram_part("dma_buffers", buffers));
    parts.push_back(logic_part("load", fixed(Cost::gates_dma), 16.0 * port(), "load"));
    parts.push_back(logic_part("store", fixed(Cost::gates_dma), 16.0 * port(), "store"));
    parts.push_back(logic_part("sequencer", fixed(Cost::gates_sequencer), 4.0 * 512.0 * p_.queue_depth));
    if (p_.smmu.entries > 0) {
      parts.push_back(
          logic_part("smmu", fixed(Cost::gates_register_bit, p_.smmu.entries * 60.0), p_.smmu.entries * 60.0));
    }
    return parts;
  }

  SystolicParams p_;
  double hz_, elements_;
  double most_macs_ = 0.0, operand_bits_ = 0.0, speed_up_ = 1.0;
  SramShape scratchpad_, accumulator_;
};

const std::vector<TileCosts::Product> TileCosts::kProducts{
    {Cost::mac_int8, {Dtype::int8, Dtype::uint8}},
    {Cost::mac_bf16, {Dtype::bf16}},
    {Cost::mac_fp16, {Dtype::fp16}},
    {Cost::mac_fp32, {Dtype::fp32, Dtype::int32}},
    {Cost::mac_fp8, {Dtype::fp8_e4m3, Dtype::fp8_e5m2}},
    {Cost::mac_int4, {Dtype::int4}},
    {Cost::mac_mxfp8, {Dtype::mxfp8}},
    {Cost::mac_fp4, {Dtype::mxfp4, Dtype::nvfp4}},
};

}  // namespace

BlockCosts Systolic::costs(const Params& params, Frequency clock) { return TileCosts(params, clock).make(); }
BlockCosts Rtl::costs(const Params& params, Frequency clock) { return TileCosts(params, clock).make(); }

}  // namespace archsim
