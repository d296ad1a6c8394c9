// Calls of ATen as signatures.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "traces/measured/signature.h"

namespace archsim {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 44;  // of one tensor; keeps products within 64 bits

/// Zero for a shape that no tensor has.
std::uint64_t elements_of(const Extents& shape, std::size_t from = 0, std::size_t but = 0) {
  std::int64_t product = 1;
  for (std::size_t i = from; i + but < shape.size(); ++i) {
    if (shape[i] <= 0 || shape[i] > kMostElements / product) return 0;
    product *= shape[i];
  }
  return static_cast<std::uint64_t>(product);
}

class Reader {
 public:
  explicit Reader(const ProfiledCall& call) : call_(call) {}

  const Extents& shape(std::size_t i) const {
    static const Extents none;
    return i < call_.shapes.size() ? call_.shapes[i] : none;
  }
  std::uint64_t dim(std::size_t i, std::size_t axis_from_end) const {
    const Extents& of = shape(i);
    return axis_from_end < of.size()
               ? static_cast<std::uint64_t>(std::max<std::int64_t>(of[of.size() - 1 - axis_from_end], 0))
               : 0;
  }
  std::uint64_t rank(std::size_t i) const { return shape(i).size(); }

  /// The whole numbers in an argument's text, "[2, 2]" or "3"; nothing if the profile does not have it.
  std::vector<std::int64_t> integers(std::size_t i) const {
    std::vector<std::int64_t> found;
    if (i >= call_.constants.size()) return found;
    const char* at = call_.constants[i].c_str();
    while (*at != '\0') {
      char* end = nullptr;
      const long long value = std::strtoll(at, &end, 10);
      if (end == at) {
        ++at;
      } else {
        found.push_back(value);
        at = end;
      }
    }
    return found;
  }

 private:
  const ProfiledCall& call_;
};

using Found = std::optional<Signature>;

Found checked(Signature signature) {
  std::uint64_t product = 1;
  for (const std::uint64_t size : signature.sizes) {
    if (size == 0 || size > static_cast<std::uint64_t>(kMostElements) / product) return std::nullopt;
    product *= size;
  }
  return signature;
}

// x[.., K] by weight[N, K]
Found linear(const Reader& in) {
  if (in.rank(0) < 1 || in.rank(1) != 2 || in.dim(0, 0) != in.dim(1, 0)) return std::nullopt;
  return checked({"product", {1, elements_of(in.shape(0), 0, 1), in.dim(1, 1), in.dim(1, 0)}, {}});
}

// a[.., M, K] by b[.., K, N], where b may be one for all
Found product(const Reader& in, std::size_t a, std::size_t b) {
  if (in.rank(a) < 2 || in.rank(b) < 2 || in.dim(a, 0) != in.dim(b, 1)) return std::nullopt;
  const std::uint64_t batch = elements_of(in.shape(a), 0, 2);
  const bool is_one_for_all = elements_of(in.shape(b), 0, 2) == 1;
  if (is_one_for_all) return checked({"product", {1, batch * in.dim(a, 1), in.dim(b, 0), in.dim(a, 0)}, {}});
  return checked({"product", {batch, in.dim(a, 1), in.dim(b, 0), in.dim(a, 0)}, {}});
}

Found matmul(const Reader& in) { return product(in, 0, 1); }
Found addmm(const Reader& in) { return product(in, 1, 2); }

// query[B, H, Sq, E], key[B, Hk, S, E]
Found attention(const Reader& in) {
  if (in.rank(0) < 3 || in.rank(1) < 3 || in.dim(0, 0) != in.dim(1, 0)) return std::nullopt;
  return checked({"attention", {elements_of(in.shape(0), 0, 2), in.dim(0, 1), in.dim(1, 1), in.dim(0, 0)}, {}});
}

// The flash kernels' own entry points: query[B, Sq, H, E], key[B, S, Hk, E]
Found flash_attention(const Reader& in) {
  if (in.rank(0) != 4 || in.rank(1) != 4 || in.dim(0, 0) != in.dim(1, 0)) return std::nullopt;
  return checked({"attention", {in.dim(0, 3) * in.dim(0, 1), in.dim(0, 2), in.dim(1, 2), in.dim(0, 0)}, {}});
}

// x[B, C, H, W] by weight[N, C / groups, kh, kw]; arguments 3 to 5 are stride, padding and dilation, `groups` the last.
Found convolution(const Reader& in, std::size_t groups_at) {
  if (in.rank(0) < 3 || in.rank(0) != in.rank(1)) return std::nullopt;
  const std::size_t axes = in.rank(0) - 2;
  const auto stride = in.integers(3), padding = in.integers(4), dilation = in.integers(5),
             groups = in.integers(groups_at);
  if (stride.empty() || padding.empty() || groups.size() != 1) return std::nullopt;
  std::uint64_t places = 1;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const auto of = [&](const std::vector<std::int64_t>& list, std::int64_t otherwise) {
      return list.empty() ? otherwise : list[std::min(axis, list.size() - 1)];
    };
    const std::int64_t size = in.shape(0)[axis + 2], kernel = in.shape(1)[axis + 2];
    constexpr std::int64_t kMost = std::int64_t{1} << 20;
    for (const std::int64_t value : {size, kernel, of(stride, 1), of(padding, 0), of(dilation, 1)}) {
      if (value < 0 || value > kMost) return std::nullopt;
    }
    const std::int64_t span = size + 2 * of(padding, 0) - of(dilation, 1) * (kernel - 1) - 1;
    if (span < 0 || of(stride, 1) == 0 || kernel == 0) return std::nullopt;
    places *= static_cast<std::uint64_t>(span / of(stride, 1) + 1);
  }
  const std::uint64_t batch = in.dim(0, axes + 1), taps = elements_of(in.shape(1), 2), filters = in.dim(1, axes + 1);
  const std::uint64_t depth = in.dim(1, axes);
  if (groups[0] == 1) return checked({"product", {1, batch * places, filters, depth * taps}, {}});
  if (depth == 1) return checked({"depthwise", {batch, places, filters, taps}, {}});
  const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(groups[0], 1));
  return checked({"product", {count, batch * places, filters / count, depth * taps}, {}});
}

Found conv(const Reader& in) { return convolution(in, 6); }
Found general_convolution(const Reader& in) { return convolution(in, 8); }

// table[V, D], ids
Found embedding(const Reader& in) {
  if (in.rank(0) != 2) return std::nullopt;
  return checked({"embedding", {elements_of(in.shape(1)), in.dim(0, 0)}, {}});
}

std::uint64_t broadcast_elements(const Reader& in) {
  const Extents &a = in.shape(0), &b = in.shape(1);
  Extents joined(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < joined.size(); ++i) {
    for (const Extents* of : {&a, &b}) {
      if (i >= of->size()) continue;
      const std::int64_t extent = (*of)[of->size() - 1 - i];
      if (extent <= 0) return 0;
      joined[i] = std::max(joined[i], extent);
    }
  }
  return elements_of(joined);
}

enum class Shape : std::uint8_t { elementwise, rows };
struct Simple {
  std::string_view call, work;
  Shape shape;
};
// Calls whose work goes by the elements of their first two arguments, joined, and for norms by the length of a row.
constexpr auto kSimple = std::to_array<Simple>({
    {"softmax", "softmax", Shape::rows},
    {"_softmax", "softmax", Shape::rows},
    {"layer_norm", "layernorm", Shape::rows},
    {"native_layer_norm", "layernorm", Shape::rows},
    {"rms_norm", "rmsnorm", Shape::rows},
    {"_fused_rms_norm", "rmsnorm", Shape::rows},
    {"gelu", "gelu", Shape::elementwise},
    {"silu", "silu", Shape::elementwise},
    {"relu", "relu", Shape::elementwise},
    {"tanh", "tanh", Shape::elementwise},
    {"sigmoid", "sigmoid", Shape::elementwise},
    {"mish", "mish", Shape::elementwise},
    {"add", "add", Shape::elementwise},
    {"sub", "sub", Shape::elementwise},
    {"mul", "mul", Shape::elementwise},
    {"div", "div", Shape::elementwise},
    {"pow", "pow", Shape::elementwise},
    {"exp", "exp", Shape::elementwise},
    {"log", "log", Shape::elementwise},
    {"sqrt", "sqrt", Shape::elementwise},
    {"sin", "sin", Shape::elementwise},
    {"cos", "cos", Shape::elementwise},
    {"abs", "abs", Shape::elementwise},
    {"erf", "erf", Shape::elementwise},
    {"reciprocal", "reciprocal", Shape::elementwise},
    {"maximum", "maximum", Shape::elementwise},
    {"minimum", "minimum", Shape::elementwise},
    {"hardswish", "hard_swish", Shape::elementwise},
    {"hardsigmoid", "hard_sigmoid", Shape::elementwise},
    {"leaky_relu", "leaky_relu", Shape::elementwise},
    {"elu", "elu", Shape::elementwise},
    {"softplus", "softplus", Shape::elementwise},
});

struct Special {
  std::string_view call;
  Found (*read)(const Reader&);
};
constexpr auto kSpecial = std::to_array<Special>({
    {"linear", linear},
    {"matmul", matmul},
    {"mm", matmul},
    {"bmm", matmul},
    {"addmm", addmm},
    {"baddbmm", addmm},
    {"scaled_dot_product_attention", attention},
    {"_scaled_dot_product_flash_attention", attention},
    {"_scaled_dot_product_efficient_attention", attention},
    {"_scaled_dot_product_cudnn_attention", attention},
    {"_flash_attention_forward", flash_attention},
    {"conv1d", conv},
    {"conv2d", conv},
    {"conv3d", conv},
    {"convolution", general_convolution},
    {"_convolution", general_convolution},
    {"embedding", embedding},
});

}  // namespace

std::optional<Signature> signature_of(const ProfiledCall& call) {
  constexpr std::string_view kPrefix = "aten::";
  if (!call.name.starts_with(kPrefix)) return std::nullopt;
  std::string_view name = call.name.substr(kPrefix.size());
  const Reader in(call);
  for (const Special& special : kSpecial) {
    if (special.call == name) return special.read(in);
  }
  if (name.size() > 1 && name.ends_with('_')) name.remove_suffix(1);  // in place
  for (const Simple& simple : kSimple) {
    if (simple.call != name) continue;
    if (simple.shape == Shape::rows) {
      return checked({std::string(simple.work), {elements_of(in.shape(0)), in.dim(0, 0)}, {}});
    }
    return checked({std::string(simple.work), {broadcast_elements(in)}, {}});
  }
  return std::nullopt;
}

}  // namespace archsim
