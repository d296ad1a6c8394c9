// Operators that see their operand as an array of other extents, and resize.
#include <algorithm>
#include <cmath>
#include <limits>

#include "arch/describe/diagnostic.h"
#include "arch/program/reference/operators.h"
#include "arch/workload/views/view.h"

namespace archsim {
namespace {

// `from` gives the place in x (seen as `extents`) that a place of the result takes its value from.
template <class From>
void rearrange(const Operator& op, const Array& x, Array& y, const Extents& result, From from) {
  const Extents extents = extents_of(op, "extents");
  Places to(result);
  for (std::uint64_t i = 0; i < y.elements(); ++i, to.next()) y.set(i, x.value(index_of(from(to.place()), extents)));
}

void transpose(const Operator& op, const Array& x, Array& y) {
  const Extents order = extents_of(op, "order");
  rearrange(op, x, y, result_extents(op), [&](const Extents& to) {
    Extents from(to.size());
    for (std::size_t d = 0; d < to.size(); ++d) from[order[d]] = to[d];
    return from;
  });
}

void expand(const Operator& op, const Array& x, Array& y) {
  const Extents extents = extents_of(op, "extents");
  rearrange(op, x, y, result_extents(op), [&](Extents to) {
    for (std::size_t d = 0; d < to.size(); ++d) to[d] %= extents[d];
    return to;
  });
}

void gather(const Operator& op, const Inputs& in, Array& y) {
  const auto axis = static_cast<std::size_t>(op.integer("axis", 0));
  const auto extent = extents_of(op, "extents")[axis];
  rearrange(op, *in[0], y, result_extents(op, in[1]->elements()), [&](Extents to) {
    const auto id = static_cast<std::uint64_t>(in[1]->integer(to[axis]));
    ARCHSIM_ASSERT(id < extent, "an id beyond its axis");
    to[axis] = id;
    return to;
  });
}

double started(std::string_view function) {
  if (function == "max") return -std::numeric_limits<double>::infinity();
  if (function == "min") return std::numeric_limits<double>::infinity();
  return function == "product" ? 1.0 : 0.0;
}

double joined(std::string_view function, double so_far, double x) {
  if (function == "max") return std::max(so_far, x);
  if (function == "min") return std::min(so_far, x);
  if (function == "product") return so_far * x;
  return so_far + (function == "sum_of_squares" ? x * x : x);
}

void reduce(const Operator& op, const Array& x, Array& y) {
  const Extents extents = extents_of(op, "extents");
  const auto axis = static_cast<std::size_t>(op.integer("axis", 0));
  const auto function = op.text("function", "sum");
  std::uint64_t inner = 1;
  for (std::size_t d = axis + 1; d < extents.size(); ++d) inner *= extents[d];
  for (std::uint64_t i = 0; i < y.elements(); ++i) {
    const std::uint64_t first = i / inner * inner * extents[axis] + i % inner;
    double value = started(function);
    for (std::uint64_t k = 0; k < extents[axis]; ++k) value = joined(function, value, x.value(first + k * inner));
    if (function == "mean") value /= static_cast<double>(extents[axis]);
    y.set(i, static_cast<float>(value));
  }
}

// The place of the operand that stands for a place at or beyond its edge.
std::int64_t inside(std::string_view mode, std::int64_t place, std::int64_t extent) {
  if (mode == "reflect" && extent > 1) {
    const std::int64_t period = 2 * (extent - 1);
    place = ((place % period) + period) % period;
    return place < extent ? place : period - place;
  }
  return std::clamp<std::int64_t>(place, 0, extent - 1);
}

void pad(const Operator& op, const Array& x, Array& y) {
  const Extents extents = extents_of(op, "extents"), begin = extents_of(op, "begin");
  const auto mode = op.text("mode", "constant");
  const auto value = static_cast<float>(op.number("value", 0.0));
  Places to(result_extents(op));
  for (std::uint64_t i = 0; i < y.elements(); ++i, to.next()) {
    Extents from = to.place();
    bool is_added = false;
    for (std::size_t d = 0; d < from.size(); ++d) {
      const auto place = static_cast<std::int64_t>(from[d]) - static_cast<std::int64_t>(begin[d]);
      const auto extent = static_cast<std::int64_t>(extents[d]);
      is_added |= place < 0 || place >= extent;
      from[d] = static_cast<std::uint64_t>(inside(mode, place, extent));
    }
    y.set(i, is_added && mode == "constant" ? value : x.value(index_of(from, extents)));
  }
}

// Weights of the places around `at`: one for nearest, two for linear, four for cubic (Keys' kernel with a = -0.75).
struct Tap {
  std::int64_t place = 0;
  double weight = 1.0;
};
std::vector<Tap> taps(std::string_view mode, double at) {
  if (mode == "nearest") return {{static_cast<std::int64_t>(std::ceil(at - 0.5)), 1.0}};
  const double first = std::floor(at), t = at - first;
  const auto place = static_cast<std::int64_t>(first);
  if (mode == "linear") return {{place, 1.0 - t}, {place + 1, t}};
  std::vector<Tap> result;
  for (int k = -1; k <= 2; ++k) {
    constexpr double kA = -0.75;
    const double d = std::abs(t - k);
    const double near = ((kA + 2) * d - (kA + 3)) * d * d + 1, far = ((kA * d - 5 * kA) * d + 8 * kA) * d - 4 * kA;
    result.push_back({place + k, d <= 1.0 ? near : far});
  }
  return result;
}

// Centres of places meet (half_pixel).
void resize(const Operator& op, const Array& x, Array& y) {
  const auto height = op.integer("height", 1), width = op.integer("width", 1);
  const auto to_height = op.integer("to_height", 1), to_width = op.integer("to_width", 1);
  const auto mode = op.text("mode", "nearest");
  const auto source = [](std::int64_t to, std::int64_t size, std::int64_t to_size) {
    return (static_cast<double>(to) + 0.5) * static_cast<double>(size) / static_cast<double>(to_size) - 0.5;
  };
  const auto channels = static_cast<std::int64_t>(x.columns());
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(y.elements()); ++i) {
    const std::int64_t place = i / channels, column = place % to_width, row = place / to_width % to_height;
    const std::int64_t grid = place / to_width / to_height;
    double value = 0.0;
    for (const Tap& down : taps(mode, source(row, height, to_height))) {
      for (const Tap& across : taps(mode, source(column, width, to_width))) {
        const std::int64_t r = inside("edge", down.place, height), c = inside("edge", across.place, width);
        const auto from = static_cast<std::uint64_t>(((grid * height + r) * width + c) * channels + i % channels);
        value += down.weight * across.weight * x.value(from);
      }
    }
    y.set(static_cast<std::uint64_t>(i), static_cast<float>(value));
  }
}

}  // namespace

void evaluate_views(const Operator& op, const Inputs& in, Outputs& out) {
  switch (op.type) {
    case OperatorType::transpose:
      return transpose(op, *in[0], out[0]);
    case OperatorType::expand:
      return expand(op, *in[0], out[0]);
    case OperatorType::reduce:
      return reduce(op, *in[0], out[0]);
    case OperatorType::gather:
      return gather(op, in, out[0]);
    case OperatorType::pad:
      return pad(op, *in[0], out[0]);
    case OperatorType::resize:
      return resize(op, *in[0], out[0]);
    default:
      break;
  }
  ARCHSIM_ASSERT(false, op.name);
}

}  // namespace archsim
