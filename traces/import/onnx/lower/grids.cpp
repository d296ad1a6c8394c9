// Convolutions, pools and resizing: work on grids, whose rows are places and whose columns are channels.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "traces/import/onnx/lower/lower.h"
#include "traces/import/onnx/lower/product.h"
#include "traces/import/onnx/shape/operands.h"

namespace archsim::onnx_graph {
namespace {

using Pair = std::vector<std::int64_t>;

// Batch, places, channels.
Order channels_last(std::size_t rank) {
  Order order{0};
  for (std::size_t d = 2; d < rank; ++d) order.push_back(d);
  order.push_back(1);
  return order;
}

struct Grid {
  std::int64_t batch = 1, channels = 1, height = 1, width = 1;
};
Grid grid_of(const Dims& dims) {
  if (dims.size() < 3 || dims.size() > 4) {
    throw Unfit{fmt::format("works on {}", text_of(dims)), "grids of one or two directions can be imported"};
  }
  return {dims[0], dims[1], dims.size() == 4 ? dims[2] : 1, dims.back()};
}

// A window in two directions; one direction is a row of a grid.
struct Window2 {
  Pair kernel, stride, dilation, begin, end;
};
Window2 window_of(const Node& node, const Dims& x, const Dims& kernel, const Dims& y) {
  Sliding window = sliding_of(node, x, kernel);
  // With ceil_mode the last window may reach further than the padding.
  for (std::size_t d = 0; d + 2 < x.size(); ++d) {
    const std::int64_t reached = (y[d + 2] - 1) * window.stride[d] + (window.kernel[d] - 1) * window.dilation[d] + 1;
    window.end[d] = std::max<std::int64_t>(0, reached - x[d + 2] - window.begin[d]);
  }
  const auto two = [&](Dims axes, std::int64_t missing) {
    if (axes.size() == 1) axes.insert(axes.begin(), missing);
    return axes;
  };
  return {two(window.kernel, 1), two(window.stride, 1), two(window.dilation, 1), two(window.begin, 0),
          two(window.end, 0)};
}

// The operators pad alike on both sides; other padding is added before. A window that ends early pads less behind than in front: the
// places are the same if it pads as much, unless one more fits.
Index padded(Builder& builder, Index x, Grid& grid, Window2& window, double value) {
  const auto places = [&](std::size_t d, std::int64_t begin, std::int64_t end) {
    const std::int64_t extent = (d == 0 ? grid.height : grid.width) + begin + end;
    return (extent - (window.kernel[d] - 1) * window.dilation[d] - 1) / window.stride[d] + 1;
  };
  bool is_even = true;
  for (const std::size_t d : {0U, 1U}) {
    is_even &= places(d, window.begin[d], window.begin[d]) == places(d, window.begin[d], window.end[d]) &&
               window.end[d] <= window.begin[d];
  }
  if (is_even) return x;
  const Tensor like = builder.tensor(x);
  const std::int64_t height = grid.height + window.begin[0] + window.end[0];
  const std::int64_t width = grid.width + window.begin[1] + window.end[1];
  const Index wider =
      builder.scratch(builder.node + ".pad", matrix_shape(grid.batch * height * width * grid.channels, grid.channels),
                      like.dtype, like.scale);
  Attributes attributes{{"extents", Pair{grid.batch, grid.height, grid.width, grid.channels}},
                        {"begin", Pair{0, window.begin[0], window.begin[1], 0}},
                        {"end", Pair{0, window.end[0], window.end[1], 0}}};
  if (value != 0.0) attributes["value"] = value;
  builder.emit(builder.node + ".pad", OperatorType::pad, {x}, {wider}, attributes);
  grid.height = height;
  grid.width = width;
  window.begin = window.end = {0, 0};
  return wider;
}

Attributes attributes_of(const Grid& grid, const Window2& window) {
  for (const auto* pair : {&window.kernel, &window.stride, &window.begin}) {
    if (std::any_of(pair->begin(), pair->end(), [](std::int64_t each) { return each > 1024; })) {
      throw Unfit{"has a kernel, stride or padding above 1024"};
    }
  }
  return {{"height", grid.height},
          {"width", grid.width},
          {"kernel", window.kernel},
          {"stride", window.stride},
          {"padding", window.begin}};
}

void needs_no_dilation(const Window2& window) {
  if (window.dilation != Pair{1, 1} && window.kernel != Pair{1, 1}) throw Unfit{"has dilations"};
}

// The elements under each place of the window as a row.
Index unfolded(Builder& builder, Index x, const Grid& grid, const Window2& window, std::int64_t places) {
  const Tensor like = builder.tensor(x);
  const std::int64_t area = window.kernel[0] * window.kernel[1];
  if (area == 1 && window.stride == Pair{1, 1} && window.begin == Pair{0, 0}) return x;
  const auto shape = matrix_shape(places * area * grid.channels, area * grid.channels);
  const Index rows = builder.scratch(builder.node + ".windows", shape, like.dtype, like.scale);
  // Windows side by side are moved by DMA, as patches are.
  const std::int64_t side = window.kernel[0];
  const bool are_patches = window.kernel == window.stride && side == window.kernel[1] && window.begin == Pair{0, 0} &&
                           grid.height % side == 0 && grid.width % side == 0;
  if (are_patches) {
    builder.emit(builder.node + ".windows", OperatorType::pixel_shuffle, {x}, {rows},
                 {{"factor", side}, {"width", grid.width}});
  } else {
    builder.emit(builder.node + ".windows", OperatorType::im2col, {x}, {rows}, attributes_of(grid, window));
  }
  return rows;
}

struct Convolution {
  Index x = 0, y = 0;
  Grid grid;
  Window2 window;
  std::int64_t places = 1, outputs = 1, groups = 1;
};

void depthwise(Builder& builder, const Node& node, const Convolution& conv) {
  const Value& weight = builder.value(node.in[1]);
  const Tensor x = builder.tensor(conv.x);
  const bool is_quantized = x.dtype == Dtype::int8;
  const std::int64_t area = conv.window.kernel[0] * conv.window.kernel[1];
  const Index filter = builder.stored_as(node.in[1], matrix_shape(area * conv.grid.channels, conv.grid.channels),
                                         x.dtype, is_quantized && weight.scale > 0.0 ? weight.scale : 1.0, "depthwise");
  std::vector<Index> inputs{conv.x, filter};
  if (node.input(2) != kAbsent) {
    inputs.push_back(stored_bias(builder, node.in[2], conv.grid.channels, conv.x, filter));
  }
  builder.emit(node.name, OperatorType::depthwise_conv, inputs, {conv.y}, attributes_of(conv.grid, conv.window));
}

// Every group is a convolution of its own columns; the results stand side by side.
void grouped(Builder& builder, const Node& node, const Convolution& conv) {
  constexpr std::int64_t kMostGroups = 1024;
  if (conv.groups > kMostGroups) throw Unfit{fmt::format("has {} groups of several channels", conv.groups)};
  const std::int64_t channels = conv.grid.channels / conv.groups, outputs = conv.outputs / conv.groups;
  const Tensor x = builder.tensor(conv.x), y = builder.tensor(conv.y);
  const std::int64_t rows = static_cast<std::int64_t>(x.shape[0]);
  std::vector<Index> results;
  for (std::int64_t group = 0; group < conv.groups; ++group) {
    const auto name = fmt::format("{}.group{}", node.name, group);
    const Index part = builder.scratch(name + ".x", matrix_shape(rows * channels, channels), x.dtype, x.scale);
    builder.emit(name + ".x", OperatorType::slice, {conv.x}, {part},
                 {{"axis", std::int64_t{1}}, {"begin", group * channels}});
    Grid grid = conv.grid;
    grid.channels = channels;
    const Index under = unfolded(builder, part, grid, conv.window, conv.places);
    const Index result = builder.scratch(name, matrix_shape(conv.places * outputs, outputs), y.dtype, y.scale);
    emit_linear(builder, name,
                {.x = under,
                 .weight = node.in[1],
                 .layout = fmt::format("group{}", group),
                 .bias = kAbsent,
                 .inputs = channels * conv.window.kernel[0] * conv.window.kernel[1],
                 .outputs = outputs},
                result);
    results.push_back(result);
  }
  const bool has_bias = node.input(2) != kAbsent;
  const Index joined = has_bias ? builder.scratch(node.name + ".joined", y.shape, y.dtype, y.scale) : conv.y;
  builder.emit(node.name + ".join", OperatorType::concat, results, {joined}, {{"axis", std::int64_t{1}}});
  if (!has_bias) return;
  builder.emit(node.name, OperatorType::add,
               {joined, builder.stored(node.in[2], {static_cast<std::uint64_t>(conv.outputs)})}, {conv.y});
}

void conv(Builder& builder, const Node& node) {
  const Value &in = builder.value(node.in[0]), &w = builder.value(node.in[1]), &out = builder.value(node.out[0]);
  if (!builder.is_stored(node.in[1])) throw Unfit{"has a filter that is made at run time"};
  Convolution conv{.grid = grid_of(in.dims),
                   .window = window_of(node, in.dims, Dims(w.dims.begin() + 2, w.dims.end()), out.dims),
                   .outputs = out.dims[1],
                   .groups = node.integer("group", 1)};
  const Grid result = grid_of(out.dims);
  conv.places = result.batch * result.height * result.width;
  const Order order = channels_last(in.dims.size());
  const Index x = builder.in_order(node.in[0], order, conv.grid.channels);
  if (conv.window.dilation != Pair{1, 1} && conv.window.kernel != Pair{1, 1}) throw Unfit{"has dilations"};
  conv.x = padded(builder, multipliable(builder, x, w, out), conv.grid, conv.window, 0.0);
  conv.y = builder.result(node.out[0], order, conv.outputs);
  if (conv.groups > 1 && conv.groups == conv.grid.channels && conv.outputs == conv.grid.channels) {
    return depthwise(builder, node, conv);
  }
  if (conv.groups > 1) return grouped(builder, node, conv);
  const Index rows = unfolded(builder, conv.x, conv.grid, conv.window, conv.places);
  const std::int64_t area = conv.window.kernel[0] * conv.window.kernel[1];
  emit_linear(builder, node.name,
              {.x = rows,
               .weight = node.in[1],
               .layout = "filter",
               .bias = node.input(2),
               .inputs = area * conv.grid.channels,
               .outputs = conv.outputs},
              conv.y);
}

// Where stride and kernel are alike, every place becomes a patch of its own: a product, whose columns are then places.
void conv_transpose(Builder& builder, const Node& node) {
  const Value &in = builder.value(node.in[0]), &w = builder.value(node.in[1]), &out = builder.value(node.out[0]);
  if (!builder.is_stored(node.in[1])) throw Unfit{"has a filter that is made at run time"};
  const Grid grid = grid_of(in.dims), result = grid_of(out.dims);
  const Sliding window = sliding_of(node, in.dims, Dims(w.dims.begin() + 2, w.dims.end()));
  const bool is_patches = window.kernel == window.stride && result.height == grid.height * window.kernel[0] &&
                          in.dims.size() == 4 && result.width == grid.width * window.kernel[1];
  if (!is_patches) throw Unfit{"has patches that overlap", "those of a stride as large as the kernel can be imported"};
  const Order order = channels_last(4);
  const Index x = multipliable(builder, builder.in_order(node.in[0], order, grid.channels), w, out);
  const std::int64_t kh = window.kernel[0], kw = window.kernel[1], outputs = kh * kw * result.channels;
  const auto places = grid.batch * grid.height * grid.width;
  const Index patches =
      builder.scratch(node.name + ".patches", matrix_shape(places * outputs, outputs), builder.dtype_of(out));
  emit_linear(builder, node.name,
              {.x = x, .weight = node.in[1], .layout = "patches", .inputs = grid.channels, .outputs = outputs},
              patches);
  const bool has_bias = node.input(2) != kAbsent;
  const Index to = builder.result(node.out[0], order, result.channels);
  const Tensor like = builder.tensor(to);
  const Index apart = has_bias ? builder.scratch(node.name + ".apart", like.shape, like.dtype) : to;
  builder.emit(
      node.name + ".layout", OperatorType::transpose, {patches}, {apart},
      {{"extents", Pair{grid.batch * grid.height, grid.width, kh, kw * result.channels}}, {"order", Pair{0, 2, 1, 3}}});
  if (!has_bias) return;
  builder.emit(node.name + ".bias", OperatorType::add,
               {apart, builder.stored(node.in[2], {static_cast<std::uint64_t>(result.channels)})}, {to});
}

void pool(Builder& builder, const Node& node) {
  const Value &in = builder.value(node.in[0]), &out = builder.value(node.out[0]);
  Grid grid = grid_of(in.dims);
  Window2 window = window_of(node, in.dims, {}, out.dims);
  needs_no_dilation(window);
  const bool is_max = node.op == "MaxPool", counts = node.integer("count_include_pad", 0) != 0;
  const Order order = channels_last(in.dims.size());
  Index x = builder.in_order(node.in[0], order, grid.channels);
  const bool is_padded = window.begin != Pair{0, 0} || window.end != Pair{0, 0};
  // What is outside is smaller than everything.
  const Grid before = grid;
  x = padded(builder, x, grid, window, is_max ? -65504.0 : 0.0);
  if (!is_max && !counts && is_padded && grid.height * grid.width != before.height * before.width) {
    throw Unfit{"averages without padding that differs between its sides"};
  }
  const Index y = builder.result_like(node.out[0], order, grid.channels, x);
  auto attributes = attributes_of(grid, window);
  if (!is_max && counts) attributes["count_padding"] = true;
  builder.emit(node.name, is_max ? OperatorType::maxpool : OperatorType::avgpool, {x}, {y}, attributes);
}

void global_pool(Builder& builder, const Node& node) {
  const Value& in = builder.value(node.in[0]);
  const std::int64_t batch = in.dims[0], channels = in.dims[1];
  const std::int64_t places = elements_of(in.dims).value_or(0) / std::max<std::int64_t>(1, batch * channels);
  const Order order = channels_last(in.dims.size());
  const Index x = builder.in_order(node.in[0], order, channels);
  const Index y = builder.result(node.out[0], order, channels);
  builder.emit(node.name, OperatorType::reduce, {x}, {y},
               {{"extents", Pair{batch, places, channels}},
                {"axis", std::int64_t{1}},
                {"function", std::string(node.op == "GlobalMaxPool" ? "max" : "mean")}});
}

void resize(Builder& builder, const Node& node) {
  const Value &in = builder.value(node.in[0]), &out = builder.value(node.out[0]);
  const Grid from = grid_of(in.dims), to = grid_of(out.dims);
  if (from.batch != to.batch || from.channels != to.channels) throw Unfit{"resizes batch or channels"};
  auto mode = node.text("mode", "nearest");
  if (mode == "bilinear") mode = "linear";
  if (mode != "nearest" && mode != "linear" && mode != "cubic") throw Unfit{fmt::format("has mode `{}`", mode)};
  const Order order = channels_last(in.dims.size());
  const Index x = builder.in_order(node.in[0], order, from.channels);
  const Index y = builder.result_like(node.out[0], order, from.channels, x);
  builder.emit(node.name, OperatorType::resize, {x}, {y},
               {{"height", from.height},
                {"width", from.width},
                {"to_height", to.height},
                {"to_width", to.width},
                {"mode", mode}});
}

}  // namespace

Lowering grid_lowering(std::string_view op) {
  static const std::map<std::string_view, Lowering> all = {{"Conv", conv},
                                                           {"ConvTranspose", conv_transpose},
                                                           {"MaxPool", pool},
                                                           {"AveragePool", pool},
                                                           {"GlobalAveragePool", global_pool},
                                                           {"GlobalMaxPool", global_pool},
                                                           {"Resize", resize},
                                                           {"Upsample", resize}};
  const auto found = all.find(op);
  return found == all.end() ? nullptr : found->second;
}

}  // namespace archsim::onnx_graph
