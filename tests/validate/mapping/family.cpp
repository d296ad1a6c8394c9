#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tests/validate/mapping/single.h"
#include "tests/validate/mapping/validate_mapping.h"

namespace archsim {
namespace {

constexpr double kCloseTo = 0.05, kShare = 0.95;

// A size between `least` and `most`, as often in each octave.
class Sizes {
 public:
  explicit Sizes(std::uint64_t seed) : random_(seed) {}
  std::uint64_t size(double least, double most) {
    const double octaves =
        std::log2(most / least) * static_cast<double>(random_()) / static_cast<double>(random_.max());
    return static_cast<std::uint64_t>(std::lround(least * std::exp2(octaves)));
  }
  bool flip() { return random_() % 2 == 0; }
  template <class T>
  T pick(const std::vector<T>& from) {
    return from[random_() % from.size()];
  }

 private:
  std::mt19937_64 random_;
};

struct Tally {
  std::size_t close = 0, all = 0;
  double worst = 0.0;
};

void add(const std::optional<Timed>& timed, const std::string& what, Tally& tally) {
  ++tally.all;
  if (!timed) {
    fmt::print("MISS {}: no run\n", what);
    return;
  }
  const double error = timed->predicted / timed->simulated - 1.0;
  if (std::abs(error) <= kCloseTo) ++tally.close;
  tally.worst = std::max(tally.worst, std::abs(error));
  fmt::print("     {:<70} predicted {:10.2f} us, simulated {:10.2f} us, {:+7.2f} %\n", what, timed->predicted * 1e6,
             timed->simulated * 1e6, 100.0 * error);
}

bool holds(const char* what, const Tally& tally) {
  const double share = static_cast<double>(tally.close) / static_cast<double>(tally.all);
  fmt::print("{} {}: {} of {} predicted within {} %, at least {} %; the worst by {:.1f} %\n",
             share >= kShare ? "ok  " : "MISS", what, tally.close, tally.all, 100 * kCloseTo, 100 * kShare,
             100 * tally.worst);
  return share >= kShare;
}

const std::vector<std::string> kSocs = {"edge_lpddr5", "humanoid_hbm3"};

bool gemms_hold() {
  Sizes sizes(6);
  Tally tally;
  for (int i = 0; i < 200; ++i) {
    const Gemm gemm{.m = sizes.size(1, 1024),
                    .n = sizes.size(64, 8192),
                    .k = sizes.size(64, 8192),
                    .dtype = sizes.flip() ? Dtype::int8 : Dtype::bf16};
    const std::string soc = kSocs[i % 2];
    add(time_of(gemm_trace(gemm), soc),
        fmt::format("{}x{}x{} {} on {}", gemm.m, gemm.n, gemm.k, name_of(gemm.dtype), soc), tally);
  }
  return holds("GEMMs", tally);
}

bool attentions_hold() {
  Sizes sizes(7);
  Tally tally;
  for (int i = 0; i < 50; ++i) {
    Attention shape{.queries = sizes.size(1, 1024),
                    .keys = sizes.size(16, 2048),
                    .heads = sizes.pick<std::uint64_t>({1, 4, 8, 16, 32}),
                    .head_dim = sizes.pick<std::uint64_t>({64, 72, 128, 256}),
                    .dtype = sizes.flip() ? Dtype::int8 : Dtype::bf16};
    shape.kv_heads = sizes.flip() ? shape.heads : std::max<std::uint64_t>(1, shape.heads / 4);
    const std::string soc = kSocs[i % 2];
    add(time_of(attention_trace(shape), soc),
        fmt::format("{} queries, {} keys, {}/{} heads of {} {} on {}", shape.queries, shape.keys, shape.heads,
                    shape.kv_heads, shape.head_dim, name_of(shape.dtype), soc),
        tally);
  }
  return holds("attention", tally);
}

}  // namespace

bool mapping_holds() {
  const bool gemms = gemms_hold();
  const bool attentions = attentions_hold();
  return gemms && attentions;
}

}  // namespace archsim
