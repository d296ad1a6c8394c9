// Operators that only move data: concat, slice, broadcast, patchify, pixel_shuffle, reshape; with a change of element type or scale on the way if need be.
#pragma once

#include <vector>

#include "arch/mapping/emit/context.h"

namespace archsim {

class MovementEmitter {
 public:
  MovementEmitter(const MappingContext& context, std::uint32_t group);

  /// Bytes of arena that the smallest piece needs.
  std::uint64_t smallest_need() const;
  void emit(Tape& tape, std::uint32_t position) const;

 private:
  struct Move {  // one piece; local addresses are missing
    const Matrix* source = nullptr;
    MemoryAddress from, to;
    Dma load, store;
    std::uint64_t rows = 0, columns = 0;  // of elements, as they lie locally
  };

  std::vector<Move> moves(std::uint32_t position) const;
  struct Copy {
    const Matrix* source = nullptr;
    Matrix from, to;  // `source` and the destination as they are cut
    std::uint64_t rows = 0, columns = 0;
    std::uint64_t from_column = 0, to_column = 0;
  };
  Matrix along_axis(const Matrix& matrix, const TensorUse& use) const;
  void add_copy(const Copy& copy, std::uint32_t position, std::vector<Move>& moves) const;
  void add_slice(std::uint32_t position, std::vector<Move>& moves) const;
  void add_concat(std::uint32_t position, std::vector<Move>& moves) const;
  void add_broadcast(std::uint32_t position, std::vector<Move>& moves) const;
  void add_reshape(std::uint32_t position, std::vector<Move>& moves) const;
  struct Image {
    std::uint64_t height = 1, width = 1, channels = 1, patch = 1;
  };
  Image image_of_patches() const;
  void add_patches(std::uint32_t position, std::vector<Move>& moves) const;
  std::uint64_t element_bytes() const;
  std::uint64_t elements_per_move() const;
  bool converts(const Matrix& source) const;

  const MappingContext& context_;
  std::uint32_t group_index_;
  const Operator& op_;
  std::uint32_t tag_;
  std::uint32_t accelerators_;
  std::vector<Matrix> sources_;
  Matrix destination_;
};

}  // namespace archsim
