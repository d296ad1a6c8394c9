#include "models/dram/probe/streams.h"

namespace archsim {
namespace {

constexpr std::uint64_t kRequest = 64, kSpace = std::uint64_t{1} << 30, kQuarter = std::uint64_t{256} << 20;
constexpr std::uint64_t kSkew = 43008;

std::uint64_t tile_address(std::uint64_t i) {
  const std::uint64_t t = i / 512, q = i % 512, r = q / 4, c = q % 4, tx = t % 64, ty = t / 64;
  return (ty * 128 + r) * 16384 + tx * 256 + c * kRequest;
}

}  // namespace

std::uint64_t DramStream::next_address() {
  const std::uint64_t i = index_;
  switch (pattern_) {
    case DramPattern::seq:
      return i * kRequest % kSpace;
    case DramPattern::stride4k:
      return i * 4096 % kSpace;
    case DramPattern::rowconf:
      return i * row_stride_ % kSpace;
    case DramPattern::rand:
      random_ = random_ * 6364136223846793005ULL + 1442695040888963407ULL;
      return (random_ >> 40) * kRequest % kSpace;
    case DramPattern::seq4:
      return ((i & 3) * kQuarter + (i >> 2) * kRequest) % kSpace;
    case DramPattern::seq4skew:
      return ((i & 3) * (kQuarter + kSkew) + (i >> 2) * kRequest) % kSpace;
    case DramPattern::tile:
      return tile_address(i) % kSpace;
  }
  return 0;
}

std::uint64_t row_stride(const ExactTiming& timing) { return timing.page_bytes * timing.banks_of_rank(); }

}  // namespace archsim
