// One step of a workload: what is computed, on which tensors, after which other steps.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "arch/workload/tensor.h"

namespace archsim {

/// Every operator archsim knows. Rows are the product of all dimensions but the last; `x` is inputs[0].
///
/// | type             | inputs                          | outputs        | meaning
/// |------------------|---------------------------------|----------------|--------------------------------------------------
/// | linear           | x[M,K], weight[K,N], (bias[N])  | y[M,N] or a split of its columns in order | y = x w + bias
/// | matmul           | a[..,M,K], b[..,K,N]            | y[..,M,N]      | both activations; `transpose_b`: b is [..,N,K]
/// | attention        | q[Sq,H*E], then k[S,Hk*E], v[S,Hk*E] a segment (a KV cache and the new tokens are two segments)
/// |                  |                                 | y[Sq,H*E]      | softmax(q k^T * scale) v over all segments joined;
/// |                  |                                 |                | attributes heads, kv_heads, head_dim, scale, mask, batch
/// | softmax          | x                               | y              | over the last dimension
/// | layernorm        | x, gamma, beta                  | y              | over the last dimension; attribute epsilon
/// | rmsnorm          | x, gamma                        | y              | x / rms(x) * (offset + gamma); attributes epsilon, offset
/// | groupnorm        | x, gamma, beta                  | y              | over all rows and the columns of a group; attributes
/// |                  |                                 |                | groups, epsilon, batch (sequences stacked as rows)
/// | mish             | x                               | y              | x * tanh(ln(1 + e^x))
/// | gelu silu relu tanh sigmoid | x                    | y              | elementwise; gelu has attribute `approximate` (tanh)
/// | glu              | gate, up                        | y              | activation(gate) * up; attribute `activation`
/// | rope             | x[M,H*E]                        | y              | rotary embedding of each head; attributes heads, head_dim,
/// |                  |                                 |                | theta, position (of row 0)
/// | add sub mul      | a, b (b may be one row)         | y              | elementwise
/// | scale            | x                               | y              | x * factor; attribute factor
/// | axpy             | x, v                            | y              | x + factor * v; attribute factor (Euler's step)
/// | cast             | x                               | y              | to y's dtype and scale
/// | concat           | x...                            | y              | along `axis` (0 rows, 1 columns)
/// | slice            | x                               | y              | the part of x that begins at `begin` along `axis`
/// | sincos           | t[rows]                         | y[rows,D]      | sine and cosine embedding; attributes period_min, period_max
/// | broadcast        | x[1,D]                          | y[M,D]         | the row repeated
/// | patchify         | image[H,W,C]                    | y[P,p*p*C]     | non-overlapping patches as rows; attribute patch
/// | reshape          | x                               | y              | the same elements in another shape
/// | pixel_shuffle    | x[H*W,C], one or more grids     | y[P,f*f*C]     | f x f neighbours of a grid `width` wide joined into one
/// |                  |                                 |                | row; attributes factor, width
/// | im2col           | x[H*W,C], one or more grids     | y[P,kh*kw*C]   | the elements under a kernel as rows, zero outside: a
/// |                  |                                 |                | convolution is im2col and linear; attributes height,
/// |                  |                                 |                | width, kernel, stride, padding (rows and columns each)
/// | maxpool          | x[H*W,C], one or more grids     | y[P,C]         | the largest under a kernel; attributes as im2col's
/// | avgpool          | x[H*W,C], one or more grids     | y[P,C]         | the mean under a kernel; attributes as im2col's, and
/// |                  |                                 |                | `count_padding`: places outside count, as zeros
/// | depthwise_conv   | x[H*W,C], one or more grids, weight[kh*kw,C], (bias[C])
/// |                  |                                 | y[P,C]         | a kernel of its own for each channel, zero outside;
/// |                  |                                 |                | attributes as im2col's
/// | argmax           | x[M,V]                          | ids[M]         | where a row is largest
/// | embedding        | ids[M], table[V,D]              | y[M,D]         | gather of rows; attribute scale
/// | exp log sqrt reciprocal erf sin cos abs | x        | y              | elementwise
/// | elu softplus hard_swish leaky_relu hard_sigmoid | x | y             | elementwise; elu and leaky_relu have attribute alpha,
/// |                  |                                 |                | hard_sigmoid alpha and beta: alpha * x + beta within 0..1
/// | round            | x                               | y              | to whole numbers; attribute mode (even, floor, ceil)
/// | clip             | x                               | y              | within attributes low and high
/// | div pow maximum minimum | a, b (b may be one row)  | y              | elementwise
/// | compare          | a, b (b may be one row)         | y              | 1 where attribute relation holds, else 0
/// | where            | condition, a, b                 | y              | a where the condition is not 0, else b; any may be one row
/// | transpose        | x                               | y              | x seen as an array of `extents`; axis d of y is its axis
/// |                  |                                 |                | order[d]
/// | expand           | x                               | y              | x seen as `extents`, axes of extent 1 repeated to `result`
/// | reduce           | x                               | y              | x seen as `extents`, one `axis` made one element by attribute
/// |                  |                                 |                | function (sum, mean, max, min, product, sum_of_squares)
/// | gather           | x, ids[n]                       | y              | x seen as `extents`, of one `axis` the places that ids name
/// | pad              | x                               | y              | x seen as `extents`, with `begin` and `end` more on each
/// |                  |                                 |                | axis; attribute mode (constant, edge, reflect), value
/// | resize           | x[H*W,C], one or more grids     | y[h*w,C]       | attributes height, width, to_height, to_width, mode
/// | image_preprocess | frame[H,W,C]                    | image[h,w,C]   | decode, resize with padding, normalise
/// | tokenize         | text bytes                      | ids            | byte-pair encoding
/// | action_postprocess | x[H,D]                        | y[H,D]         | un-normalise and clip
enum class OperatorType : std::uint8_t {
  linear,
  matmul,
  attention,
  softmax,
  layernorm,
  rmsnorm,
  gelu,
  silu,
  relu,
  tanh,
  sigmoid,
  glu,
  rope,
  add,
  sub,
  mul,
  scale,
  axpy,
  cast,
  concat,
  slice,
  sincos,
  broadcast,
  patchify,
  embedding,
  image_preprocess,
  tokenize,
  action_postprocess,
  reshape,
  pixel_shuffle,
  im2col,
  maxpool,
  argmax,
  groupnorm,
  mish,
  depthwise_conv,
  avgpool,
  exp,
  log,
  sqrt,
  reciprocal,
  erf,
  sin,
  cos,
  abs,
  elu,
  softplus,
  hard_swish,
  leaky_relu,
  hard_sigmoid,
  round,
  clip,
  div,
  pow,
  maximum,
  minimum,
  compare,
  where,
  transpose,
  expand,
  reduce,
  gather,
  pad,
  resize,
};

/// The name in files and reports, such as "rmsnorm".
std::string_view name_of(OperatorType type);
/// Empty for a name that no operator has.
std::optional<OperatorType> operator_type_from(std::string_view name);
/// Every name, for "did you mean".
std::vector<std::string_view> operator_type_names();

using AttributeValue = std::variant<std::int64_t, double, bool, std::string, std::vector<std::int64_t>>;
using Attributes = std::map<std::string, AttributeValue, std::less<>>;

struct Operator {
  std::string name;  // unique in the trace, such as "prefill.layers.ffn_up"
  OperatorType type = OperatorType::linear;
  Attributes attributes;
  std::vector<TensorUse> inputs;
  std::vector<TensorUse> outputs;
  std::vector<std::uint32_t> dependencies;  // operators that must end first, besides those the tensors imply
  bool dead = false;                        // computed by the reference code, but its result is never used

  std::int64_t integer(std::string_view attribute, std::int64_t otherwise) const;
  double number(std::string_view attribute, double otherwise) const;
  std::string text(std::string_view attribute, std::string_view otherwise) const;
  bool flag(std::string_view attribute, bool otherwise) const;
  std::vector<std::int64_t> integers(std::string_view attribute) const;  // empty if absent
};

/// What im2col, pools and depthwise_conv slide over a grid: rows first, columns second.
struct Window {
  std::uint64_t height = 1, width = 1;  // of the grid
  std::array<std::uint64_t, 2> kernel{1, 1}, stride{1, 1}, padding{0, 0};

  std::uint64_t area() const { return kernel[0] * kernel[1]; }
  bool fits() const;  // at least one place of the kernel on the padded grid
  std::uint64_t rows() const { return (height + 2 * padding[0] - kernel[0]) / stride[0] + 1; }
  std::uint64_t columns() const { return (width + 2 * padding[1] - kernel[1]) / stride[1] + 1; }
};
Window window_of(const Operator& op);

}  // namespace archsim
