// Matrix products with what is fused behind them.
#pragma once

#include <optional>
#include <vector>

#include "arch/mapping/emit/context.h"
#include "arch/mapping/emit/timeline.h"
#include "arch/mapping/tile/estimates.h"

namespace archsim {

struct ProductGroup {
  std::uint32_t index = 0;  // of the group
  ProductShape shape;
  ProductPlan plan;
};

/// The part of one accelerator. Construct all of a run of groups first (they add their weight tiles to `weights`), then
/// emit them in order.
class ProductEmitter {
 public:
  /// `position` counts the accelerators that share the group.
  ProductEmitter(const MappingContext& context, const ProductGroup& group, std::uint32_t position, TileStream& weights);
  void emit(Tape& tape, Timeline& timeline);
  /// The first use of the weight stream behind this group's.
  std::uint32_t next_weight() const { return next_w_; }

 private:
  struct Operand {  // one of the products, or of the linears side by side
    std::uint32_t tag = 0;
    std::uint64_t first_column = 0;  // of the result
    Matrix weight;
    std::optional<Matrix> bias;
  };
  struct Block {  // tile of the result
    std::uint64_t batch = 0;
    std::uint64_t m = 0, rows = 0, n = 0, columns = 0;
    std::size_t part = 0;  // of the linears side by side
  };

  std::vector<Block> blocks() const;
  std::size_t part_of(std::uint64_t column) const;
  const Operand& operand(const Block& block, std::size_t product) const { return operands_[block.part + product]; }
  void add_uses();
  std::uint64_t steps() const { return ceil_div(shape_.k, plan_.k_tile); }  // along k
  std::uint64_t depth_of(std::uint64_t step) const;
  FetchedTile a_tile(const Block& block, std::uint64_t k, std::uint64_t depth) const;
  FetchedTile w_tile(const Block& block, std::size_t product, std::uint64_t k, std::uint64_t depth) const;
  void load_bias_rows(Tape& tape);
  void load_residual(Tape& tape, const Block& block);
  void start_from_bias(Tape& tape, const Block& block, std::uint64_t number);
  void load_activations(Tape& tape, Timeline& timeline);
  void multiply(Tape& tape, Timeline& timeline, const Block& block);
  double cycles(const Matmul& matmul) const { return command_cycles(npu_, {.payload = matmul}); }
  void finish_block(Tape& tape, const Block& block);
  // Runs the fused steps; returns where the result lies, or nothing if it is to be stored from the accumulator.
  std::optional<VectorOperand> transform(Tape& tape, const Block& block, const Matrix& result, const Box& columns);
  void store(Tape& tape, const Block& block, const Matrix& result, std::uint64_t first_column);
  /// The local side of a store that converts on its way.
  void from_accumulator(const Block& block, const Matrix& result, std::uint64_t column, Dma& dma) const;

  // Of the block with this number among those of the accelerator.
  VectorOperand accumulator(const Block& block, std::uint64_t number, std::size_t product) const;
  std::uint64_t bias_place(std::size_t product, std::uint64_t column) const;
  std::uint64_t staging() const;
  std::uint64_t residual_place() const;
  std::uint32_t last_tag(const Block& block) const {
    return group_.beside.empty() ? group_.last() : operands_[block.part].tag;
  }

  const MappingContext& context_;
  const Group& group_;
  std::uint32_t group_index_;
  ProductShape shape_;
  ProductPlan plan_;
  AcceleratorCapabilities npu_;
  std::optional<std::uint32_t> rank_;  // among those that have a part of it
  SplitPart columns_;                  // of the result
  Matrix x_;
  std::vector<Operand> operands_;
  std::vector<Matrix> results_;
  std::optional<Matrix> residual_;
  TileStream a_;
  TileStream own_w_;
  TileStream* w_;
  std::uint32_t first_w_ = 0, next_w_ = 0, next_a_ = 0;
  std::uint64_t bias_place_ = 0, staging_place_ = 0, residual_begin_ = 0;
  std::uint64_t number_ = 0;  // of the block being emitted
  bool has_stored_ = false;
};

}  // namespace archsim
