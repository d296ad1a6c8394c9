#include "tests/random_trace/random_trace.h"

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/random_trace/trace_builder.h"

namespace archsim {
namespace {

using Int = std::int64_t;

class Generator {
 public:
  Generator(std::uint64_t seed, const RandomTraceOptions& options) : random_(seed), options_(options) {
    dtype_ = options.dtype.value_or(flip() ? Dtype::int8 : Dtype::bf16);
    heads_ = pick({1, 2, 4});
    kv_heads_ = flip() ? 1 : heads_;
    head_dim_ = pick({8, 16});
    columns_ = pick({16, 24, 32, 40});
    layers_ = options.loops ? static_cast<std::uint32_t>(pick({1, 2, 3})) : 1;
  }

  Trace run() {
    context_tokens_ = pick({3, 8, 13, 20});
    prefill();
    if (options_.loops) {
      steps();
    }
    return builder_.take();
  }

 private:
  // --- choices
  bool flip() { return random_() % 2 == 0; }
  Int pick(const std::vector<Int>& from) { return from[random_() % from.size()]; }

  // --- tensors
  /// Scales that keep values of about -`range`..`range` inside int8.
  static double scale_for(Dtype dtype, double range) { return dtype == Dtype::int8 ? range / 127.0 : 1.0; }

  std::uint32_t make(const std::string& name, Role role, std::vector<Int> shape, Dtype dtype, double scale = 1.0,
                     std::uint32_t copies = 0) {
    Tensor tensor{.name = builder_.unique(name), .role = role, .dtype = dtype, .scale = scale};
    for (const auto extent : shape) tensor.shape.push_back(static_cast<std::uint64_t>(extent));
    if (copies != 0) tensor.copies = {copies};
    return builder_.tensor(std::move(tensor));
  }

  TensorUse activation(const std::string& name, Int rows, Int columns, Dtype dtype, double range = 4.0) {
    return use(make(name, Role::activation, {rows, columns}, dtype, scale_for(dtype, range)));
  }

  /// A weight of the current layer: one copy for each if there are several.
  TensorUse weight(const std::string& name, std::vector<Int> shape, Dtype dtype, double scale) {
    if (!in_layers_ || layers_ == 1) return use(make(name, Role::weight, std::move(shape), dtype, scale));
    return use(make(name, Role::weight, std::move(shape), dtype, scale, layers_), builder_.loop());
  }

  Int rows_of(const TensorUse& x) const { return static_cast<Int>(builder_.of(x).shape[0]); }
  Int columns_of(const TensorUse& x) const { return static_cast<Int>(builder_.of(x).shape.back()); }

  // --- operators
  void linear_to(const std::string& name, const TensorUse& x, const std::vector<TensorUse>& y) {
    Int n = 0;
    for (const auto& part : y) n += columns_of(part);
    const Int k = columns_of(x);
    const Dtype dtype = builder_.of(x).dtype;
    const double w_scale = dtype == Dtype::int8 ? 1.7 / (127.0 * std::sqrt(static_cast<double>(k))) : 1.0;
    std::vector<TensorUse> inputs{x, weight(name + "_weight", {k, n}, dtype, w_scale)};
    if (flip()) {
      const bool is_integer = dtype == Dtype::int8;
      const double scale = is_integer ? builder_.of(x).scale * w_scale : 1.0;
      inputs.push_back(weight(name + "_bias", {n}, is_integer ? Dtype::int32 : dtype, scale));
    }
    builder_.add(OperatorType::linear, name, inputs, y);
  }

  TensorUse linear(const std::string& name, const TensorUse& x, Int n, Dtype dtype) {
    const auto y = activation(name, rows_of(x), n, dtype);
    linear_to(name, x, {y});
    return y;
  }

  TensorUse norm(const TensorUse& x) {
    const auto y = activation("norm", rows_of(x), columns_of(x), dtype_, 3.0);
    const auto gamma = weight("gamma", {columns_of(x)}, Dtype::bf16, 1.0);
    if (flip()) {
      builder_.add(OperatorType::rmsnorm, "norm", {x, gamma}, {y}, {{"epsilon", 1e-6}, {"offset", 1.0}});
    } else {
      const auto beta = weight("beta", {columns_of(x)}, Dtype::bf16, 1.0);
      builder_.add(OperatorType::layernorm, "norm", {x, gamma, beta}, {y}, {{"epsilon", 1e-5}});
    }
    return y;
  }

  TensorUse activate(const TensorUse& x) {
    const auto y = activation("act", rows_of(x), columns_of(x), dtype_);
    switch (random_() % 4) {
      case 0:
        builder_.add(OperatorType::gelu, "gelu", {x}, {y}, {{"approximate", flip()}});
        break;
      case 1:
        builder_.add(OperatorType::silu, "silu", {x}, {y});
        break;
      case 2:
        builder_.add(OperatorType::relu, "relu", {x}, {y});
        break;
      default:
        builder_.add(OperatorType::tanh, "tanh", {x}, {y});
        break;
    }
    return y;
  }

  void feed_forward(const TensorUse& x) {
    const Int hidden = pick({24, 48, 72});
    const auto up = linear("up", norm(x), hidden, dtype_);
    add_to(x, linear("down", activate(up), columns_of(x), dtype_));
  }

  void gated_feed_forward(const TensorUse& x) {
    const Int hidden = pick({24, 48, 72});
    const auto input = norm(x);
    const auto gate = activation("gate", rows_of(x), hidden, dtype_);
    const auto up = activation("up", rows_of(x), hidden, dtype_);
    if (flip()) {
      linear_to("gate_up", input, {gate, up});
    } else {
      linear_to("gate", input, {gate});
      linear_to("up", input, {up});
    }
    const auto y = activation("glu", rows_of(x), hidden, dtype_);
    const std::string kind = flip() ? "gelu" : "silu";
    Attributes attributes{{"activation", kind}};
    if (kind == "gelu") attributes["approximate"] = true;
    builder_.add(OperatorType::glu, "glu", {gate, up}, {y}, attributes);
    add_to(x, linear("down", y, columns_of(x), dtype_));
  }

  void elementwise(const TensorUse& x) {
    const auto y = activation("scaled", rows_of(x), columns_of(x), dtype_);
    builder_.add(OperatorType::scale, "scale", {x}, {y}, {{"factor", 0.375}});
    const auto row = weight("row", {columns_of(x)}, Dtype::bf16, 1.0);
    const auto z = activation("product", rows_of(x), columns_of(x), dtype_);
    builder_.add(OperatorType::mul, "mul", {y, row}, {z});
    builder_.add(OperatorType::axpy, "axpy", {x, z}, {x}, {{"factor", -0.5}});
  }

  void softmax_block(const TensorUse& x) {
    const auto scores = linear("scores", norm(x), columns_of(x), Dtype::bf16);
    const auto p = activation("p", rows_of(x), columns_of(x), Dtype::bf16);
    builder_.add(OperatorType::softmax, "softmax", {scores}, {p});
    add_to(x, p);
  }

  /// x = x + y, in place: the residual stream.
  void add_to(const TensorUse& x, const TensorUse& y) { builder_.add(OperatorType::add, "residual", {x, y}, {x}); }

  Attributes rope_attributes(Int heads, Int position) const {
    return {{"heads", heads}, {"head_dim", head_dim_}, {"theta", 10000.0}, {"position", position}};
  }

  /// `k_out` and `v_out` are where the new keys and values go; `segments` what is attended to.
  void attention(const TensorUse& x, const TensorUse& k_out, const TensorUse& v_out,
                 const std::vector<TensorUse>& segments, Int position, const std::string& mask) {
    const Int rows = rows_of(x);
    const auto q = activation("q", rows, heads_ * head_dim_, Dtype::bf16);
    const auto k = activation("k", rows, kv_heads_ * head_dim_, Dtype::bf16);
    linear_to("qkv", norm(x), {q, k, v_out});
    const auto turned = activation("q_rope", rows, heads_ * head_dim_, Dtype::bf16);
    builder_.add(OperatorType::rope, "q_rope", {q}, {turned}, rope_attributes(heads_, position));
    builder_.add(OperatorType::rope, "k_rope", {k}, {k_out}, rope_attributes(kv_heads_, position));
    std::vector<TensorUse> inputs{turned};
    inputs.insert(inputs.end(), segments.begin(), segments.end());
    Attributes attributes{{"heads", heads_},
                          {"kv_heads", kv_heads_},
                          {"head_dim", head_dim_},
                          {"mask", mask},
                          {"scale", 1.0 / (4.0 * std::sqrt(static_cast<double>(head_dim_)))}};
    if (mask == "blocks") attributes["blocks"] = std::vector<Int>{1, rows - 1};
    const auto y = activation("attended", rows, heads_ * head_dim_, dtype_);
    builder_.add(OperatorType::attention, "attention", inputs, {y}, attributes);
    add_to(x, linear("out", y, columns_of(x), dtype_));
  }

  void random_block(const TensorUse& x) {
    switch (random_() % (options_.attention ? 4 : 3)) {
      case 0:
        return feed_forward(x);
      case 1:
        return gated_feed_forward(x);
      case 2:
        return elementwise(x);
      default:
        return softmax_block(x);
    }
  }

  // --- stages
  TensorUse residual(Int rows) {
    // In an int8 workload the residual stream may be kept wider.
    return activation("x", rows, columns_, flip() ? dtype_ : Dtype::bf16, 8.0);
  }

  void begin_with(const TensorUse& x) {
    const Int rows = rows_of(x);
    const auto kind = random_() % 3;
    if (kind == 0 && options_.host) {
      const auto ids = use(make("ids", Role::input, {rows}, Dtype::int32));
      const auto table = use(make("table", Role::weight, {50, columns_}, Dtype::bf16));
      builder_.add(OperatorType::embedding, "embedding", {ids, table}, {x}, {{"scale", 2.0}});
    } else if (kind == 1) {
      const auto image = use(make("image", Role::input, {rows * 2, 2, 3}, dtype_, scale_for(dtype_, 1.0)));
      const auto patches = use(make("patches", Role::activation, {rows, 12}, dtype_, scale_for(dtype_, 1.0)));
      builder_.add(OperatorType::patchify, "patchify", {image}, {patches}, {{"patch", Int{2}}});
      linear_to("patch_embedding", patches, {x});
    } else {
      const auto input = use(make("input", Role::input, {rows, columns_}, Dtype::bf16));
      builder_.add(OperatorType::cast, "cast", {input}, {x});
    }
  }

  void begin_layers() {
    in_layers_ = true;
    builder_.begin_repeat("layers", layers_);
  }
  void end_layers() {
    builder_.end_repeat();
    in_layers_ = false;
  }

  void prefill() {
    builder_.begin_stage("prefill", 1);
    const auto x = residual(context_tokens_);
    begin_with(x);
    k_cache_ = make("k_cache", Role::kv_cache, {context_tokens_, kv_heads_ * head_dim_}, Dtype::bf16, 1.0, layers_);
    v_cache_ = make("v_cache", Role::kv_cache, {context_tokens_, kv_heads_ * head_dim_}, Dtype::bf16, 1.0, layers_);
    begin_layers();
    if (options_.attention) {
      const auto k = use(k_cache_, builder_.loop());
      const auto v = use(v_cache_, builder_.loop());
      attention(x, k, v, {k, v}, 0, flip() ? "none" : "causal");
    } else {
      const auto input = norm(x);
      linear_to("kv", input, {use(k_cache_, builder_.loop()), use(v_cache_, builder_.loop())});
    }
    random_block(x);
    end_layers();
    finish(x);
    if (options_.loops) {
      // The state that every step reads and writes.
      const Int rows = pick({2, 5, 9});
      const auto noise = use(make("noise", Role::input, {rows, columns_}, Dtype::bf16));
      flow_ = activation("flow", rows, columns_, Dtype::bf16);
      builder_.add(OperatorType::cast, "flow", {noise}, {flow_});
    }
    builder_.end_stage();
  }

  void steps() {
    builder_.begin_stage("steps", static_cast<std::uint32_t>(pick({1, 2, 4})));
    const Int rows = rows_of(flow_);
    const auto x = embed_flow();
    begin_layers();
    if (options_.attention) {
      const Int width = kv_heads_ * head_dim_;
      const auto k = activation("k_new", rows, width, Dtype::bf16);
      const auto v = activation("v_new", rows, width, Dtype::bf16);
      const std::vector<TensorUse> segments{use(k_cache_, builder_.loop()), use(v_cache_, builder_.loop()), k, v};
      attention(x, k, v, segments, context_tokens_, flip() ? "none" : "blocks");
    }
    random_block(x);
    if (flip()) random_block(x);
    end_layers();
    const auto v = linear("velocity", norm(x), columns_, Dtype::bf16);
    builder_.add(OperatorType::axpy, "euler", {flow_, v}, {flow_}, {{"factor", -0.125}});
    finish(x);
    builder_.end_stage();
  }

  TensorUse embed_flow() {
    const Int rows = rows_of(flow_);
    const auto time = use(make("time", Role::input, {1}, Dtype::fp32));
    const auto embedded = activation("time", 1, 16, dtype_, 1.0);
    builder_.add(OperatorType::sincos, "time", {time}, {embedded}, {{"period_min", 0.004}, {"period_max", 4.0}});
    const auto repeated = activation("time_rows", rows, 16, dtype_, 1.0);
    builder_.add(OperatorType::broadcast, "time_rows", {embedded}, {repeated});
    const auto narrow = activation("narrow", rows, columns_, dtype_, 1.0);
    builder_.add(OperatorType::cast, "narrow", {flow_}, {narrow});
    const auto joined = activation("joined", rows, columns_ + 16, dtype_, 1.0);
    builder_.add(OperatorType::concat, "concat", {narrow, repeated}, {joined}, {{"axis", Int{1}}});
    const auto x = residual(rows);
    linear_to("state", joined, {x});
    return x;
  }

  /// The stage's result as a tensor of role output.
  void finish(const TensorUse& x) {
    const Int rows = rows_of(x);
    if (options_.host && flip()) {
      const auto action = linear("action", norm(x), 8, Dtype::bf16);
      const auto out = use(make("out", Role::output, {rows, 8}, Dtype::fp32));
      builder_.add(OperatorType::action_postprocess, "clip", {action}, {out});
    } else {
      const auto out = use(make("out", Role::output, {rows, 16}, dtype_, scale_for(dtype_, 4.0)));
      linear_to("out", norm(x), {out});
    }
  }

  std::mt19937_64 random_;
  RandomTraceOptions options_;
  TraceBuilder builder_;
  Dtype dtype_ = Dtype::int8;
  Int heads_ = 1, kv_heads_ = 1, head_dim_ = 8, columns_ = 16, context_tokens_ = 1;
  std::uint32_t layers_ = 1;
  TensorUse flow_;
  std::uint32_t k_cache_ = 0, v_cache_ = 0;
  bool in_layers_ = false;
};

}  // namespace

Trace random_trace(std::uint64_t seed, const RandomTraceOptions& options) {
  Trace trace = Generator(seed, options).run();
  trace.model = "random_" + std::to_string(seed);
  return trace;
}

}  // namespace archsim
