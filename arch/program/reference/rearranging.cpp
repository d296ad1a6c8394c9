// Operators that move elements.
#include "arch/describe/diagnostic.h"
#include "arch/program/reference/operators.h"

namespace archsim {
namespace {

void concat(const Operator& op, const Inputs& in, Array& y) {
  const auto axis = static_cast<std::size_t>(op.integer("axis", 0));
  std::uint64_t outer = 1;
  for (std::size_t d = 0; d < axis; ++d) outer *= y.shape[d];
  std::uint64_t to = 0;
  for (std::uint64_t o = 0; o < outer; ++o) {
    for (const Array* part : in) {
      const std::uint64_t count = part->elements() / outer;
      for (std::uint64_t i = 0; i < count; ++i) y.set(to++, part->value(o * count + i));
    }
  }
}

void slice(const Operator& op, const Array& x, Array& y) {
  const auto axis = static_cast<std::size_t>(op.integer("axis", 0));
  const auto begin = static_cast<std::uint64_t>(op.integer("begin", 0));
  std::uint64_t inner = 1;
  for (std::size_t d = axis + 1; d < x.shape.size(); ++d) inner *= x.shape[d];
  const std::uint64_t y_run = y.shape[axis] * inner;
  const std::uint64_t x_run = x.shape[axis] * inner;
  for (std::uint64_t i = 0; i < y.elements(); ++i) {
    y.set(i, x.value(i / y_run * x_run + begin * inner + i % y_run));
  }
}

/// Squares of `side` places each, in row-major order; within one place by place, channels innermost.
struct Squares {
  std::uint64_t side, width, channels;  // of the grid in places
};
void gather_squares(const Squares& of, const Array& x, Array& y) {
  const std::uint64_t across = of.width / of.side;
  for (std::uint64_t p = 0; p < y.rows(); ++p) {
    for (std::uint64_t i = 0; i < y.columns(); ++i) {
      const std::uint64_t row = p / across * of.side + i / of.channels / of.side;
      const std::uint64_t column = p % across * of.side + i / of.channels % of.side;
      y.set(p * y.columns() + i, x.value((row * of.width + column) * of.channels + i % of.channels));
    }
  }
}

void patchify(const Operator& op, const Array& image, Array& y) {
  gather_squares({static_cast<std::uint64_t>(op.integer("patch", 1)), image.shape[1], image.shape[2]}, image, y);
}

/// As patchify, but of a grid of rows.
void pixel_shuffle(const Operator& op, const Array& x, Array& y) {
  gather_squares({static_cast<std::uint64_t>(op.integer("factor", 1)),
                  static_cast<std::uint64_t>(op.integer("width", 1)), x.columns()},
                 x, y);
}

/// Kernel rows outermost, channels innermost; zero outside the grid.
void im2col(const Operator& op, const Array& x, Array& y) {
  const Window window = window_of(op);
  const std::uint64_t channels = x.columns(), places = window.rows() * window.columns();
  for (std::uint64_t i = 0; i < y.elements(); ++i) {
    const std::uint64_t place = i / y.columns() % places, under = i % y.columns() / channels;
    const std::uint64_t grid = i / y.columns() / places;
    const std::uint64_t row = place / window.columns() * window.stride[0] + under / window.kernel[1];
    const std::uint64_t column = place % window.columns() * window.stride[1] + under % window.kernel[1];
    const bool inside = row >= window.padding[0] && row < window.height + window.padding[0] &&
                        column >= window.padding[1] && column < window.width + window.padding[1];
    const std::uint64_t from = (grid * window.height + row - window.padding[0]) * window.width + column;
    y.set(i, inside ? x.value((from - window.padding[1]) * channels + i % channels) : 0.0F);
  }
}

void embedding(const Operator& op, const Array& ids, const Array& table, Array& y) {
  const auto scale = static_cast<float>(op.number("scale", 1.0));
  for (std::uint64_t m = 0; m < y.rows(); ++m) {
    const auto id = static_cast<std::uint64_t>(ids.integer(m));
    ARCHSIM_ASSERT(id < table.rows(), "an id beyond the embedding table");
    for (std::uint64_t c = 0; c < y.columns(); ++c) {
      y.set(m * y.columns() + c, table.value(id * table.columns() + c) * scale);
    }
  }
}

}  // namespace

void evaluate_rearranging(const Operator& op, const Inputs& in, Outputs& out) {
  Array& y = out[0];
  switch (op.type) {
    case OperatorType::concat:
      return concat(op, in, y);
    case OperatorType::slice:
      return slice(op, *in[0], y);
    case OperatorType::patchify:
      return patchify(op, *in[0], y);
    case OperatorType::embedding:
      return embedding(op, *in[0], *in[1], y);
    case OperatorType::reshape:
      for (std::uint64_t i = 0; i < y.elements(); ++i) y.set(i, in[0]->value(i));
      return;
    case OperatorType::pixel_shuffle:
      return pixel_shuffle(op, *in[0], y);
    case OperatorType::im2col:
      return im2col(op, *in[0], y);
    case OperatorType::broadcast:
      for (std::uint64_t i = 0; i < y.elements(); ++i) y.set(i, in[0]->value(i % in[0]->elements()));
      return;
    default:
      break;
  }
  ARCHSIM_ASSERT(false, op.name);
}

}  // namespace archsim
