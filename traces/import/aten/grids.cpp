// Convolutions and pools: images of [batch, channels, height, width] become rows of channels.
#include <fmt/format.h>

#include "traces/import/aten/call.h"

namespace archsim {
namespace {

constexpr std::int64_t kMostGroups = 4096;  // each becomes operators of its own

/// [batch, channels, height, width]; a line of [batch, channels, width] is an image of one row, and [channels, height,
/// width] one image.
Strided as_images(const Strided& x, bool are_lines) {
  if (x.rank() == 4 && !are_lines) return x;
  if (x.rank() != 3) throw NotExpressible{fmt::format("works on a tensor of {} dimensions", x.rank())};
  const auto one = *expanded(x, {1, x.shape[0], x.shape[1], x.shape[2]});
  return are_lines ? permuted(one, {1, 2, 0, 3}) : one;
}

/// Rows of channels, place by place, as a tensor of `shape` that has the channels before the places.
Strided as_channels_first(const Strided& rows, const Sizes& shape, bool are_lines) {
  Sizes places = shape;
  const std::size_t channels = shape.size() == 3 && !are_lines ? 0 : 1;
  places.erase(places.begin() + static_cast<std::ptrdiff_t>(channels));
  places.push_back(shape[channels]);
  return permuted(plain(rows.base, places), inverse(order_with_last(channels, shape.size())));
}

Attributes window(std::int64_t height, std::int64_t width, const Sizes& kernel, const Sizes& stride,
                  const Sizes& padding) {
  for (std::size_t d = 0; d < 2; ++d) {
    const auto extent = d == 0 ? height : width;
    if (kernel[d] < 1 || stride[d] < 1 || padding[d] < 0 || padding[d] > (std::int64_t{1} << 20) ||
        kernel[d] > extent + 2 * padding[d]) {
      throw NotExpressible{"has a kernel, stride or padding that does not fit its image"};
    }
  }
  return {{"height", height}, {"width", width}, {"kernel", kernel}, {"stride", stride}, {"padding", padding}};
}

struct Convolution {
  Sizes stride, padding;
  std::int64_t groups = 1;
  bool is_one_dimensional = false;
};

/// The result of one group as rows: [places, channels out].
Strided group(Call& call, const Strided& x, const Strided& weight, const Convolution& how, std::int64_t places,
              const std::optional<TensorUse>& bias) {
  const auto out = weight.shape[0], channels = weight.shape[1];
  const Sizes kernel = {weight.shape[2], weight.shape[3]};
  const auto height = x.shape[2], width = x.shape[3];
  const auto type = call.result_type();
  auto rows = call.builder.use(permuted(x, {0, 2, 3, 1}), {x.shape[0] * height * width, channels});
  auto attributes = window(height, width, kernel, how.stride, how.padding);
  if (kernel != Sizes{1, 1} || how.stride != Sizes{1, 1} || how.padding != Sizes{0, 0}) {
    const auto columns = call.builder.emit(OperatorType::im2col, {rows}, {places, product(kernel) * channels}, type,
                                           std::move(attributes));
    rows = call.builder.use(columns, columns.shape);
  }
  // The parameters in the order of the rows: place under the kernel, then channel.
  const auto matrix = permuted(weight, {2, 3, 1, 0});
  std::vector<TensorUse> inputs = {rows, call.builder.use(matrix, {product(kernel) * channels, out}, Role::weight)};
  if (bias) inputs.push_back(*bias);
  return call.builder.emit(OperatorType::linear, std::move(inputs), {places, out}, type);
}

void check_channels(Call& call, const Strided& x, const Strided& weight, std::int64_t groups) {
  if (!call.builder.is_external(weight)) throw NotExpressible{"has a kernel that is computed"};
  if (groups < 1 || groups > kMostGroups || x.shape[1] != weight.shape[1] * groups || weight.shape[0] % groups != 0) {
    throw NotExpressible{"has channels that its groups do not divide, or more than 4096 groups"};
  }
}

void convolve(Call& call, Convolution how) {
  const bool are_lines = call.tensor(1).shape.size() == 3;
  const auto x = as_images(call.in(0), are_lines), weight = as_images(call.in(1), are_lines);
  check_channels(call, x, weight, how.groups);
  if (are_lines) how.stride[0] = 1, how.padding[0] = 0;
  const auto& wanted = call.output().shape;
  const auto out = weight.shape[0], out_of_group = out / how.groups, in_of_group = weight.shape[1];
  const auto places = product(wanted) / out;
  std::vector<Strided> parts;
  for (std::int64_t g = 0; g < how.groups; ++g) {
    std::optional<TensorUse> bias;
    if (call.has_tensor(2)) {
      const auto all = call.in(2);
      if (all.shape != Sizes{out}) throw NotExpressible{"has a bias of another size than its channels"};
      bias = call.builder.use(narrowed(all, 0, g * out_of_group, out_of_group), {out_of_group}, Role::weight);
    }
    parts.push_back(group(call, narrowed(x, 1, g * in_of_group, in_of_group),
                          narrowed(weight, 0, g * out_of_group, out_of_group), how, places, bias));
  }
  Strided y = parts.front();
  if (how.groups > 1) {
    std::vector<TensorUse> columns;
    for (const auto& part : parts) columns.push_back(call.builder.use(part, part.shape));
    // Each group writes its columns where they belong.
    y = call.builder.emit(OperatorType::concat, std::move(columns), {places, out}, call.result_type(),
                          {{"axis", std::int64_t{1}}, {"placed", true}});
  }
  call.result(as_channels_first(y, wanted, are_lines));
}

void needs_no_dilation(const Sizes& dilation) {
  if (dilation != Sizes{1, 1}) throw NotExpressible{"has a dilation other than 1"};
}

/// What keeps an image's size: `same`, for kernels of odd size.
Sizes padding_of(Call& call, std::size_t i) {
  const auto text = call.text(i);
  if (text.empty()) return call.pair(i, 0);
  if (text == "valid") return {0, 0};
  const auto& kernel = call.tensor(1).shape;
  if (text != "same" || kernel.size() < 3 || kernel[2] % 2 == 0 || kernel.back() % 2 == 0) {
    throw NotExpressible{"has another padding on each side"};
  }
  return {(kernel[2] - 1) / 2, (kernel.back() - 1) / 2};
}

// (x, weight, bias, stride, padding, dilation, groups)
void lower_conv(Call& call) {
  needs_no_dilation(call.pair(5, 1));
  convolve(call, {call.pair(3, 1), padding_of(call, 4), call.integer(6, 1)});
}

// (x, weight, bias, stride, padding, dilation, is_transposed, output_padding, groups, ...)
void lower_convolution(Call& call) {
  needs_no_dilation(call.pair(5, 1));
  if (call.flag(6)) throw NotExpressible{"is transposed"};
  convolve(call, {call.pair(3, 1), call.pair(4, 0), call.integer(8, 1)});
}

// (x, kernel, stride, padding, dilation, rounds_up)
void lower_max_pool(Call& call) {
  needs_no_dilation(call.pair(4, 1));
  const auto x = as_images(call.in(0), false);
  const auto kernel = call.pair(1, 1);
  const auto stride = call.sizes(2).empty() ? kernel : call.pair(2, 1);
  auto attributes = window(x.shape[2], x.shape[3], kernel, stride, call.pair(3, 0));
  const auto& wanted = call.output().shape;
  const auto channels = x.shape[1];
  const auto y = call.builder.emit(OperatorType::maxpool,
                                   {call.builder.use(permuted(x, {0, 2, 3, 1}), {x.elements() / channels, channels})},
                                   {product(wanted) / channels, channels}, call.result_type(), std::move(attributes));
  call.result(as_channels_first(y, wanted, false));
}

/// To one place: a mean over the image.
void lower_adaptive_average(Call& call) {
  const auto x = as_images(call.in(0), false);
  if (call.pair(1, 0) != Sizes{1, 1}) throw NotExpressible{"averages to more than one place"};
  const auto places = x.shape[2] * x.shape[3];
  const Sizes extents = {x.shape[0], places, x.shape[1]};
  const auto y = call.builder.emit(
      OperatorType::reduce, {call.builder.use(permuted(x, {0, 2, 3, 1}), {x.shape[0] * places, x.shape[1]})},
      {x.shape[0], x.shape[1]}, call.result_type(),
      {{"extents", extents}, {"axis", std::int64_t{1}}, {"function", std::string("mean")}});
  call.result(plain(y.base, call.output().shape));
}

}  // namespace

const std::vector<AtenOperator>& aten_grids() {
  static const std::vector<AtenOperator> all = {{"conv1d", lower_conv},
                                                {"conv2d", lower_conv},
                                                {"convolution", lower_convolution},
                                                {"_convolution", lower_convolution},
                                                {"max_pool2d", lower_max_pool},
                                                {"max_pool2d_with_indices", lower_max_pool},
                                                {"adaptive_avg_pool2d", lower_adaptive_average}};
  return all;
}

}  // namespace archsim
