// How long a way of cutting a matrix product takes, as an estimate that ranks them.
#pragma once

#include <cstdint>

#include "arch/mapping/tile/estimates.h"
#include "arch/mapping/tile/product_plan.h"

namespace archsim {

class ProductCost {
 public:
  /// Of `accelerators` equal ones, each being `npu`.
  ProductCost(const MachineView& machine, const AcceleratorCapabilities& npu, std::uint32_t accelerators,
              const ProductShape& shape, ScratchpadSplit split, ArrayEstimates& arrays)
      : npu_(npu),
        accelerators_(accelerators),
        shape_(shape),
        split_(split),
        transfers_(machine, npu),
        arrays_(arrays) {}

  /// Of the array, from now on, whichever is quickest.
  void force(Dataflow dataflow) { forced_ = dataflow; }
  /// Chooses the dataflow of a plan that fits, and fills in its cycles. The busiest accelerator has `m` rows and `n` columns.
  void estimate(ProductPlan& plan, std::uint64_t m, std::uint64_t n);
  /// What `estimate` adds up.
  CostTerms terms(const ProductPlan& plan, std::uint64_t m, std::uint64_t n);
  /// Cycles that `estimate` does not fall below: the array's alone.
  double at_least(const ProductPlan& plan, std::uint64_t m, std::uint64_t n);

 private:
  // What the busiest accelerator loads of either operand.
  struct Loads {
    double a_tiles = 0.0, w_tiles = 0.0;  // transfers
    double a = 0.0, w = 0.0;              // bytes
  };
  struct Parts {
    double array = 0.0, vector = 0.0, load = 0.0, store = 0.0, shared = 0.0;  // cycles of what works at the same time
    double activations = 0.0, weights = 0.0;                                  // of `load`, all passes over them
    double late = 0.0;      // the first pass over what is kept, as far as the array waits for it
    double edges = 0.0;     // nothing hides these
    double commands = 0.0;  // how many
    double moved = 0.0;     // bytes, those of DRAM counted more often
  };
  Loads loads(const ProductPlan& plan, std::uint64_t m, std::uint64_t n) const;
  double late(const ProductPlan& plan, const Loads& loads, std::uint64_t m, std::uint64_t n, const Parts& parts) const;
  Parts parts(const ProductPlan& plan, std::uint64_t m, std::uint64_t n);
  void add_memory(const ProductPlan& plan, const Loads& loads, double results, Parts& parts);
  void add_work(const ProductPlan& plan, std::uint64_t m, std::uint64_t n, Parts& parts);
  double array_tiles(const ProductPlan& plan, std::uint64_t m, std::uint64_t n) const;
  MemoryLevel w_level() const { return shape_.weights_stream ? MemoryLevel::dram : shape_.x_level; }
  double vector_cycles(double elements) const {
    return npu_.vector_lanes == 0 ? 0.0 : elements * shape_.vector_cycles / npu_.vector_lanes;
  }
  ArrayEstimate array(const ProductPlan& plan) {
    const ProductSize size{.m = plan.m_tile,
                           .k = plan.k_tile,
                           .n = plan.n_tile,
                           .a = shape_.operand,
                           .w = shape_.w_operand,
                           .w_grouping = shape_.w_grouping};
    return forced_ ? array_estimate(npu_, size, *forced_) : arrays_.best(npu_, size);
  }

  const AcceleratorCapabilities& npu_;
  std::uint32_t accelerators_;
  const ProductShape& shape_;
  ScratchpadSplit split_;
  TransferEstimate transfers_;
  ArrayEstimates& arrays_;
  std::optional<Dataflow> forced_;
};

}  // namespace archsim
