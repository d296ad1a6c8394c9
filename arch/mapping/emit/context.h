// What every template needs to know.
#pragma once

#include <algorithm>

#include "arch/mapping/emit/tape.h"
#include "arch/mapping/emit/tile_stream.h"
#include "arch/mapping/plan/memory_plan.h"
#include "arch/mapping/schedule/schedule.h"
#include "arch/mapping/tile/product_plan.h"

namespace archsim {

struct MappingContext {
  const Trace& trace;
  const MachineView& machine;
  const Schedule& schedule;
  const MemoryPlan& memory;
  ScratchpadSplit split;

  const Tensor& tensor(const TensorUse& use) const { return trace.tensors[use.tensor]; }
};

/// A tensor as rows of its last dimension. In memory it lies row-major, or in panels of columns that are row-major.
struct Matrix {
  MemoryAddress address;
  std::uint64_t rows = 0, columns = 0;
  Packing packing;
  Dtype dtype = Dtype::bf16;
  double exact_scale = 1.0;
  float scale = 1.0F;       // the same as commands carry it
  std::uint64_t panel = 0;  // columns of a panel; 0: there is only one

  /// Of so many elements that lie one after another.
  std::uint64_t bytes(std::uint64_t elements) const { return packing.bytes(elements); }
  /// Of the panel that holds `column`.
  SplitPart panel_at(std::uint64_t column) const {
    if (panel == 0) return {0, columns};
    const std::uint64_t begin = column / panel * panel;
    return {begin, std::min(columns, begin + panel)};
  }
  MemoryAddress at(std::uint64_t row, std::uint64_t column) const {
    const SplitPart in = panel_at(column);
    return address + bytes(rows * in.begin + row * in.size() + column - in.begin);
  }
};
Matrix matrix_of(const MappingContext& context, const TensorUse& use);

/// Rows row .. row + rows - 1 and columns column .. of `matrix`, all in one panel, to or from a place where they lie without
/// gaps. Only the local address is missing.
struct Box {
  std::uint64_t row = 0, rows = 0, column = 0, columns = 0;
};
Dma packed(const Matrix& matrix, const Box& box);

constexpr std::uint32_t narrow(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

}  // namespace archsim
