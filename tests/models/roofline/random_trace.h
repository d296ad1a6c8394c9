// Random small workloads and machines for property tests.
#pragma once

#include <random>

#include "arch/machine/capabilities.h"
#include "tests/models/roofline/trace_builder.h"

namespace archsim {

/// One to three stages of transformer-like layers over one stream of rows, with shared and own weights, a KV cache and host
/// operations here and there.
inline Trace random_trace(std::mt19937& random) {
  const auto pick = [&](std::uint64_t low, std::uint64_t high) {
    return std::uniform_int_distribution<std::uint64_t>(low, high)(random);
  };
  TraceBuilder b;
  const std::uint64_t rows = pick(1, 40), width = 8 * pick(1, 16), heads = pick(0, 1) == 0 ? 1 : 4;
  const auto stream = b.tensor(Role::activation, {rows, width});
  b.begin_stage(1);
  const auto input = b.tensor(Role::input, {rows, width});
  b.add(pick(0, 1) == 0 ? OperatorType::action_postprocess : OperatorType::scale, {input}, {stream});
  b.end_stage();
  const auto stages = pick(1, 3);
  for (std::uint64_t s = 0; s < stages; ++s) {
    b.begin_stage(static_cast<std::uint32_t>(pick(1, 4)));
    const auto layers = b.begin_repeat(static_cast<std::uint32_t>(pick(1, 4)));
    const auto weight = [&](std::uint64_t k, std::uint64_t n) {
      return pick(0, 3) == 0 ? b.tensor(Role::weight, {k, n}) : b.copied(Role::weight, {k, n}, Dtype::bf16, layers);
    };
    const auto value = [&](std::uint64_t n) { return b.tensor(Role::activation, {rows, n}); };
    const auto query = value(width), key = value(width), mixed = value(width), out = value(width), sum = value(width);
    const std::uint64_t inner = 8 * pick(1, 64);
    const auto up = value(inner), act = value(inner), down = value(width);
    b.add(OperatorType::linear, {stream, weight(width, 2 * width)}, {query, key});
    b.add(OperatorType::attention, {query, key, key}, {mixed},
          {{"heads", static_cast<std::int64_t>(heads)},
           {"kv_heads", static_cast<std::int64_t>(heads)},
           {"head_dim", static_cast<std::int64_t>(width / heads)},
           {"mask", std::string(pick(0, 1) == 0 ? "none" : "causal")}});
    b.add(OperatorType::linear, {mixed, weight(width, width)}, {out});
    b.add(OperatorType::add, {stream, out}, {sum});
    b.add(OperatorType::linear, {sum, weight(width, inner)}, {up});
    b.add(OperatorType::gelu, {up}, {act});
    b.add(OperatorType::linear, {act, weight(inner, width)}, {down});
    b.add(OperatorType::add, {sum, down}, {stream});
    b.end_repeat();
    b.end_stage();
  }
  return b.trace();
}

}  // namespace archsim
