// Operators that the vector unit does row by row: elementwise functions, norms, rope, softmax, sincos, casts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arch/mapping/emit/context.h"

namespace archsim {

class RowsEmitter {
 public:
  RowsEmitter(const MappingContext& context, std::uint32_t group);

  /// Bytes of arena that the smallest tile needs.
  std::uint64_t smallest_need() const;
  /// The part of the accelerator at `position` among those that share the group.
  void emit(Tape& tape, std::uint32_t position) const;

 private:
  struct Source {
    Matrix matrix;
    bool is_one_row = false;  // loaded once, repeated for every row
    bool is_given = false;    // nobody writes it, so that nothing is to be waited for
  };
  struct Tiling {
    std::uint64_t rows = 0, columns = 0, slots = 1;
  };
  struct Place {  // of one tile's operands in the arena
    std::vector<std::uint64_t> sources;
    std::uint64_t destination = 0;
  };

  void set_parameters(const Operator& op);
  std::uint64_t source_columns(std::size_t source, std::uint64_t columns) const;
  std::uint64_t constant_bytes(std::uint64_t columns) const;
  std::uint64_t tile_bytes(std::uint64_t rows, std::uint64_t columns) const;
  Tiling tiling(std::uint64_t rows, std::uint64_t columns) const;
  Place place(const Tiling& tiling, std::uint64_t columns, std::uint64_t tile) const;
  void load_constants(Tape& tape, const Place& place, SplitPart columns, bool given) const;
  void emit_tile(Tape& tape, const Place& place, const Box& box) const;
  Vector command(const Place& place, const Box& box, std::uint64_t first_column) const;
  void emit_part(Tape& tape, SplitPart rows, SplitPart columns) const;

  const MappingContext& context_;
  std::uint32_t group_index_;
  std::uint32_t tag_;
  std::uint32_t accelerators_;
  std::vector<Source> sources_;
  Matrix destination_;
  Vector parameters_;              // function, parameters and integers
  std::uint64_t column_unit_ = 0;  // columns may be cut in multiples of this; 0: not at all
};

}  // namespace archsim
