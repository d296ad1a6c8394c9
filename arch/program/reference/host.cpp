// Work that only the CPU does.
#include <algorithm>
#include <cmath>

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

}  // namespace

void evaluate_host(const Operator& op, const Inputs& in, Outputs& out) {
  switch (op.type) {
    case OperatorType::image_preprocess:
      return image_preprocess(*in[0], out[0]);
    case OperatorType::tokenize:
      return tokenize(*in[0], out[0]);
    case OperatorType::action_postprocess:
      return action_postprocess(*in[0], out[0]);
    default:
      break;
  }
  ARCHSIM_ASSERT(false, op.name);
}

}  // namespace archsim
