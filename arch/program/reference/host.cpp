// Work that only the CPU does.
#include <algorithm>
#include <cmath>
#include <limits>

#include "arch/describe/diagnostic.h"
#include "arch/program/reference/operators.h"

namespace archsim {
namespace {

double extent(const Array& image, std::size_t dimension) { return static_cast<double>(image.shape[dimension]); }

/// The frame between the four pixels around a fractional place; the edge pixels go on outside.
float bilinear(const Array& frame, double row, double column, std::uint64_t channel) {
  const double r = std::clamp(row, 0.0, extent(frame, 0) - 1.0);
  const double c = std::clamp(column, 0.0, extent(frame, 1) - 1.0);
  const double top = std::floor(r);
  const double left = std::floor(c);
  const auto pixel = [&](double at_row, double at_column) -> double {
    const auto i = static_cast<std::uint64_t>(std::min(at_row, extent(frame, 0) - 1.0));
    const auto j = static_cast<std::uint64_t>(std::min(at_column, extent(frame, 1) - 1.0));
    return frame.value((i * frame.shape[1] + j) * frame.shape[2] + channel);
  };
  const auto across = [&](double at_row) {
    return pixel(at_row, left) * (1.0 - (c - left)) + pixel(at_row, left + 1.0) * (c - left);
  };
  return static_cast<float>(across(top) * (1.0 - (r - top)) + across(top + 1.0) * (r - top));
}

/// Keeps the aspect ratio, centres, fills the rest with black, and maps 0..255 to -1..1.
void image_preprocess(const Array& frame, Array& image) {
  const double ratio = std::max(extent(frame, 0) / extent(image, 0), extent(frame, 1) / extent(image, 1));
  const double top = std::floor((extent(image, 0) - extent(frame, 0) / ratio) / 2.0);
  const double left = std::floor((extent(image, 1) - extent(frame, 1) / ratio) / 2.0);
  std::uint64_t to = 0;
  for (std::uint64_t i = 0; i < image.shape[0]; ++i) {
    for (std::uint64_t j = 0; j < image.shape[1]; ++j) {
      const double row = (static_cast<double>(i) - top + 0.5) * ratio - 0.5;
      const double column = (static_cast<double>(j) - left + 0.5) * ratio - 0.5;
      const bool inside =
          row >= -0.5 && column >= -0.5 && row < extent(frame, 0) - 0.5 && column < extent(frame, 1) - 0.5;
      for (std::uint64_t channel = 0; channel < image.shape[2]; ++channel) {
        const float level = inside ? bilinear(frame, row, column, channel) : 0.0F;
        image.set(to++, level / 127.5F - 1.0F);
      }
    }
  }
}

/// Byte-pair encoding with an empty merge table, since a trace carries no vocabulary: every byte is a token of its own.
void tokenize(const Array& text, Array& ids) {
  for (std::uint64_t i = 0; i < ids.elements(); ++i) {
    ids.set_integer(i, i < text.elements() ? text.integer(i) : 0);
  }
}

/// Statistics of a data set are no part of a trace: the action range is -1..1, to which values are clipped.
void action_postprocess(const Array& x, Array& y) {
  for (std::uint64_t i = 0; i < y.elements(); ++i) {
    const float value = x.value(i);
    y.set(i, std::isnan(value) ? value : std::clamp(value, -1.0F, 1.0F));
  }
}

/// Calls visit(element of x, place under the kernel) for what lies under the kernel inside the grid, for element i of y.
template <class Visit>
void for_each_under(const Window& window, std::uint64_t channels, std::uint64_t i, Visit visit) {
  const std::uint64_t places = window.rows() * window.columns();
  const std::uint64_t place = i / channels % places, grid = i / channels / places;
  for (std::uint64_t under = 0; under < window.area(); ++under) {
    const std::uint64_t row = place / window.columns() * window.stride[0] + under / window.kernel[1];
    const std::uint64_t column = place % window.columns() * window.stride[1] + under % window.kernel[1];
    if (row < window.padding[0] || row >= window.height + window.padding[0]) continue;
    if (column < window.padding[1] || column >= window.width + window.padding[1]) continue;
    const std::uint64_t from = (grid * window.height + row - window.padding[0]) * window.width + column;
    visit((from - window.padding[1]) * channels + i % channels, under);
  }
}

/// The largest under the kernel; what lies outside the grid is smaller than everything.
void maxpool(const Operator& op, const Array& x, Array& y) {
  const Window window = window_of(op);
  for (std::uint64_t i = 0; i < y.elements(); ++i) {
    float largest = -std::numeric_limits<float>::infinity();
    for_each_under(window, x.columns(), i,
                   [&](std::uint64_t from, std::uint64_t) { largest = std::max(largest, x.value(from)); });
    y.set(i, largest);
  }
}

/// A kernel that lies outside the grid as a whole has the mean 0.
void avgpool(const Operator& op, const Array& x, Array& y) {
  const Window window = window_of(op);
  for (std::uint64_t i = 0; i < y.elements(); ++i) {
    double sum = 0.0;
    std::uint64_t inside = 0;
    for_each_under(window, x.columns(), i, [&](std::uint64_t from, std::uint64_t) {
      sum += x.value(from);
      ++inside;
    });
    const std::uint64_t of = op.flag("count_padding", false) ? window.area() : inside;
    y.set(i, of > 0 ? static_cast<float>(sum / static_cast<double>(of)) : 0.0F);
  }
}

void depthwise_conv(const Operator& op, const Inputs& in, Array& y) {
  const Window window = window_of(op);
  const std::uint64_t channels = y.columns();
  for (std::uint64_t i = 0; i < y.elements(); ++i) {
    float sum = in.size() > 2 ? in[2]->value(i % channels) : 0.0F;
    for_each_under(window, channels, i, [&](std::uint64_t from, std::uint64_t under) {
      sum += in[0]->value(from) * in[1]->value(under * channels + i % channels);
    });
    y.set(i, sum);
  }
}

/// Mean and variance are of all rows of a sequence and the columns of a group.
void groupnorm(const Operator& op, const Inputs& in, Array& y) {
  const Array& x = *in[0];
  const auto groups = static_cast<std::uint64_t>(op.integer("groups", 1));
  const auto batch = static_cast<std::uint64_t>(op.integer("batch", 1));
  const std::uint64_t rows = x.rows() / batch, width = x.columns() / groups;
  const auto count = static_cast<double>(rows * width);
  for (std::uint64_t part = 0; part < batch * groups; ++part) {
    const std::uint64_t first = part / groups * rows, left = part % groups * width;
    const auto place = [&](std::uint64_t i) { return (first + i / width) * x.columns() + left + i % width; };
    double sum = 0.0, squares = 0.0;
    for (std::uint64_t i = 0; i < rows * width; ++i) sum += x.value(place(i));
    for (std::uint64_t i = 0; i < rows * width; ++i) squares += std::pow(x.value(place(i)) - sum / count, 2.0);
    const double factor = 1.0 / std::sqrt(squares / count + op.number("epsilon", 0.0));
    for (std::uint64_t i = 0; i < rows * width; ++i) {
      const std::uint64_t column = left + i % width;
      const double normed = (x.value(place(i)) - sum / count) * factor;
      y.set(place(i), static_cast<float>(normed * in[1]->value(column) + in[2]->value(column)));
    }
  }
}

void mish(const Array& x, Array& y) {
  for (std::uint64_t i = 0; i < y.elements(); ++i) y.set(i, x.value(i) * std::tanh(std::log1p(std::exp(x.value(i)))));
}

/// The first of the largest.
void argmax(const Array& x, Array& ids) {
  for (std::uint64_t r = 0; r < x.rows(); ++r) {
    const auto row = x.row(r);
    const auto largest = std::max_element(row.begin(), row.end()) - row.begin();
    ids.set_integer(r, static_cast<std::int32_t>(largest));
  }
}

}  // namespace

void evaluate_host(const Operator& op, const Inputs& in, Outputs& out) {
  switch (op.type) {
    case OperatorType::image_preprocess:
      return image_preprocess(*in[0], out[0]);
    case OperatorType::tokenize:
      return tokenize(*in[0], out[0]);
    case OperatorType::action_postprocess:
      return action_postprocess(*in[0], out[0]);
    case OperatorType::maxpool:
      return maxpool(op, *in[0], out[0]);
    case OperatorType::avgpool:
      return avgpool(op, *in[0], out[0]);
    case OperatorType::depthwise_conv:
      return depthwise_conv(op, in, out[0]);
    case OperatorType::groupnorm:
      return groupnorm(op, in, out[0]);
    case OperatorType::mish:
      return mish(*in[0], out[0]);
    case OperatorType::argmax:
      return argmax(*in[0], out[0]);
    default:
      break;
  }
  ARCHSIM_ASSERT(false, op.name);
}

}  // namespace archsim
