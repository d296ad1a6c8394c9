// Products, convolutions and pools.
#include <fmt/format.h>

#include <map>

#include "traces/import/onnx/shape/operands.h"

namespace archsim::onnx_graph {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 31;  // of a kernel, stride or padding

Dims or_ones(Dims given, std::size_t count, const char* what, std::int64_t low) {
  if (given.empty()) given.assign(count, low == 0 ? 0 : 1);
  if (given.size() != count) throw Unfit{fmt::format("has {} {} for {} axes", given.size(), what, count)};
  for (const auto each : given) {
    if (each < low || each > kLargest) throw Unfit{fmt::format("has {} of {}", what, text_of(given))};
  }
  return given;
}

std::int64_t reach(const Sliding& window, std::size_t d) { return (window.kernel[d] - 1) * window.dilation[d] + 1; }

}  // namespace

Sliding sliding_of(const Node& node, const Dims& x, const Dims& kernel) {
  if (x.size() < 3) throw Unfit{fmt::format("slides over {}, which has no axes for it", text_of(x))};
  const std::size_t axes = x.size() - 2;
  Sliding window{
      .kernel = or_ones(node.has("kernel_shape") ? node.integers("kernel_shape") : kernel, axes, "kernel extents", 1),
      .stride = or_ones(node.integers("strides"), axes, "strides", 1),
      .dilation = or_ones(node.integers("dilations"), axes, "dilations", 1)};
  if (!kernel.empty() && kernel != window.kernel) {
    throw Unfit{fmt::format("has a filter of {} and a kernel of {}", text_of(kernel), text_of(window.kernel))};
  }
  const Dims pads = or_ones(node.integers("pads"), 2 * axes, "pads", 0);
  window.begin.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(axes));
  window.end.assign(pads.begin() + static_cast<std::ptrdiff_t>(axes), pads.end());
  const auto automatic = node.text("auto_pad", "NOTSET");
  for (std::size_t d = 0; d < axes; ++d) {
    if (automatic == "VALID") window.begin[d] = window.end[d] = 0;
    if (automatic != "SAME_UPPER" && automatic != "SAME_LOWER") continue;
    const std::int64_t extent = x[d + 2], wanted = (extent + window.stride[d] - 1) / window.stride[d];
    const std::int64_t missing = std::max<std::int64_t>(0, (wanted - 1) * window.stride[d] + reach(window, d) - extent);
    window.begin[d] = automatic == "SAME_LOWER" ? (missing + 1) / 2 : missing / 2;
    window.end[d] = missing - window.begin[d];
  }
  return window;
}

std::int64_t places(const Node& node, const Sliding& window, const Dims& x, std::size_t d) {
  const std::int64_t room = x[d + 2] + window.begin[d] + window.end[d] - reach(window, d);
  if (room < 0) throw Unfit{fmt::format("has a kernel of {} on {}", text_of(window.kernel), text_of(x))};
  const bool ceil = node.integer("ceil_mode", 0) != 0;
  std::int64_t count = (ceil ? room + window.stride[d] - 1 : room) / window.stride[d] + 1;
  // A window may not begin in the padding behind the operand.
  if (ceil && (count - 1) * window.stride[d] >= x[d + 2] + window.begin[d]) --count;
  return count;
}

namespace {

void conv(Operands& of) {
  const Dims &x = of.dims(0), &filter = of.dims(1);
  if (filter.size() != x.size()) throw Unfit{fmt::format("has a filter of {} for {}", text_of(filter), text_of(x))};
  if (filter.size() < 3) throw Unfit{fmt::format("slides over {}", text_of(x))};
  const auto window = sliding_of(of.node(), x, Dims(filter.begin() + 2, filter.end()));
  const std::int64_t groups = of.node().integer("group", 1);
  if (groups < 1 || groups > x[1] || filter[0] % groups != 0 || filter[1] * groups != x[1]) {
    throw Unfit{fmt::format("has a filter of {} in {} groups for {}", text_of(filter), groups, text_of(x))};
  }
  if (of.has(2) && of.dims(2) != Dims{filter[0]}) throw Unfit{fmt::format("has a bias of {}", text_of(of.dims(2)))};
  Dims out{x[0], filter[0]};
  for (std::size_t d = 0; d + 2 < x.size(); ++d) out.push_back(places(of.node(), window, x, d));
  of.result(out);
}

void conv_transpose(Operands& of) {
  const Dims &x = of.dims(0), &filter = of.dims(1);
  if (filter.size() != x.size()) throw Unfit{fmt::format("has a filter of {} for {}", text_of(filter), text_of(x))};
  if (filter.size() < 3) throw Unfit{fmt::format("slides over {}", text_of(x))};
  const auto window = sliding_of(of.node(), x, Dims(filter.begin() + 2, filter.end()));
  if (of.node().integer("group", 1) != 1) throw Unfit{"is in groups"};
  if (filter[0] != x[1]) throw Unfit{fmt::format("has a filter of {} for {}", text_of(filter), text_of(x))};
  if (of.node().has("output_shape") || of.node().text("auto_pad", "NOTSET") != "NOTSET") {
    throw Unfit{"sets its padding by the shape of its result", "export it with pads"};
  }
  const Dims more = or_ones(of.node().integers("output_padding"), x.size() - 2, "output paddings", 0);
  Dims out{x[0], filter[1]};
  for (std::size_t d = 0; d + 2 < x.size(); ++d) {
    if (!elements_of({x[d + 2], window.stride[d]})) throw Unfit{fmt::format("spreads {}", text_of(x))};
    out.push_back((x[d + 2] - 1) * window.stride[d] + reach(window, d) - window.begin[d] - window.end[d] + more[d]);
    if (out.back() < 1) throw Unfit{fmt::format("would make {}", text_of(out))};
  }
  of.result(out);
}

void pool(Operands& of) {
  const Dims& x = of.dims(0);
  if (of.outputs() > 1 && of.node().out[1] != kAbsent) throw Unfit{"gives the places of the largest"};
  const auto window = sliding_of(of.node(), x, {});
  if (!of.node().has("kernel_shape")) throw Unfit{"has no kernel"};
  Dims out{x[0], x[1]};
  for (std::size_t d = 0; d + 2 < x.size(); ++d) out.push_back(places(of.node(), window, x, d));
  of.result(out);
}

void global_pool(Operands& of) {
  Dims out = of.dims(0);
  if (out.size() < 3) throw Unfit{fmt::format("pools {}", text_of(out))};
  for (std::size_t d = 2; d < out.size(); ++d) out[d] = 1;
  of.result(out);
}

void matmul(Operands& of) {
  Dims a = of.dims(0), b = of.dims(1);
  if (a.empty() || b.empty()) throw Unfit{"multiplies a scalar"};
  const bool is_row = a.size() == 1, is_column = b.size() == 1;
  if (is_row) a.insert(a.begin(), 1);
  if (is_column) b.push_back(1);
  if (a.back() != b[b.size() - 2])
    throw Unfit{fmt::format("cannot multiply {} and {}", text_of(of.dims(0)), text_of(of.dims(1)))};
  Dims out = broadcast(Dims(a.begin(), a.end() - 2), Dims(b.begin(), b.end() - 2));
  if (!is_row) out.push_back(a[a.size() - 2]);
  if (!is_column) out.push_back(b.back());
  of.result(out);
}

void gemm(Operands& of) {
  const Dims &a = of.dims(0), &b = of.dims(1);
  if (a.size() != 2 || b.size() != 2) throw Unfit{fmt::format("multiplies {} and {}", text_of(a), text_of(b))};
  const bool at = of.node().integer("transA", 0) != 0, bt = of.node().integer("transB", 0) != 0;
  if (a[at ? 0 : 1] != b[bt ? 1 : 0]) throw Unfit{fmt::format("cannot multiply {} and {}", text_of(a), text_of(b))};
  const Dims out{a[at ? 1 : 0], b[bt ? 0 : 1]};
  if (of.has(2) && broadcast(of.dims(2), out) != out) throw Unfit{fmt::format("has a bias of {}", text_of(of.dims(2)))};
  of.result(out);
}

const std::map<std::string_view, Entry>& rules() {
  static const std::map<std::string_view, Entry> all = {{"Conv", {conv}},
                                                        {"ConvTranspose", {conv_transpose}},
                                                        {"MaxPool", {pool}},
                                                        {"AveragePool", {pool}},
                                                        {"GlobalAveragePool", {global_pool}},
                                                        {"GlobalMaxPool", {global_pool}},
                                                        {"MatMul", {matmul}},
                                                        {"Gemm", {gemm}}};
  return all;
}

}  // namespace

Entry window_rule(std::string_view op) {
  const auto found = rules().find(op);
  return found == rules().end() ? Entry{} : found->second;
}

}  // namespace archsim::onnx_graph
