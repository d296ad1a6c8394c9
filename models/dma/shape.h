// The pieces of a transfer of up to three dimensions. No SystemC in here.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/stream/burst_window.h"

namespace archsim {

struct TransferShape {
  std::uint64_t row_bytes = 1, rows = 1, planes = 1;
  std::uint64_t row_pitch = 1, plane_pitch = 1;

  std::uint64_t bytes() const { return row_bytes * rows * planes; }

  /// Rows and planes that lie one behind the other become one row.
  TransferShape joined() const {
    TransferShape shape = *this;
    if (shape.row_pitch == shape.row_bytes || shape.rows == 1) {
      shape.row_bytes *= shape.rows;
      shape.rows = 1;
      shape.row_pitch = shape.row_bytes;
    }
    if (shape.rows == 1 && (shape.plane_pitch == shape.row_bytes || shape.planes == 1)) {
      shape.row_bytes *= shape.planes;
      shape.planes = 1;
    }
    return shape;
  }
};

/// Goes through a shape in pieces of `largest` bytes at most: parts of a row, or rows of a plane.
class Pieces {
 public:
  Pieces(const TransferShape& shape, std::uint64_t largest) : shape_(shape.joined()), largest_(largest) {}

  bool is_done() const { return plane_ == shape_.planes; }
  /// Relative to where the transfer begins.
  Piece next() {
    Piece piece{.base = plane_ * shape_.plane_pitch + row_ * shape_.row_pitch + in_row_};
    piece.row_bytes = std::min(largest_, shape_.row_bytes - in_row_);
    if (shape_.row_bytes <= largest_) {
      piece.rows = std::min(shape_.rows - row_, std::max<std::uint64_t>(1, largest_ / shape_.row_bytes));
      piece.pitch = static_cast<std::int64_t>(shape_.row_pitch);
    }
    in_row_ += piece.row_bytes;
    if (in_row_ == shape_.row_bytes) {
      in_row_ = 0;
      row_ += piece.rows;
    }
    if (row_ == shape_.rows) {
      row_ = 0;
      ++plane_;
    }
    return piece;
  }

 private:
  TransferShape shape_;
  std::uint64_t largest_;
  std::uint64_t plane_ = 0, row_ = 0, in_row_ = 0;
};

}  // namespace archsim
