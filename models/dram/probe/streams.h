// The address streams and arrivals that the reference simulators were run with (docs/memory.md), re-created bit for bit.
#pragma once

#include <cstdint>

#include "models/dram/exact/timing.h"

namespace archsim {

enum class DramPattern { seq, rand, stride4k, rowconf, seq4, seq4skew, tile };
enum class DramAccess { r, w, mix };

class DramStream {
 public:
  /// `row_stride`: bytes of one row across all banks.
  DramStream(DramPattern pattern, DramAccess access, std::uint64_t row_stride)
      : pattern_(pattern), access_(access), row_stride_(row_stride) {}

  /// Of the next request, 64 B. Requests are asked for in order from the first.
  std::uint64_t next_address();
  bool is_write() const { return access_ == DramAccess::w || (access_ == DramAccess::mix && index_ % 3 == 2); }
  std::uint64_t index() const { return index_; }
  /// After next_address() of one request: on to the next.
  void advance() { ++index_; }

 private:
  DramPattern pattern_;
  DramAccess access_;
  std::uint64_t row_stride_;
  std::uint64_t index_ = 0;
  std::uint64_t random_ = 0x0123456789ABCDEF;
};

std::uint64_t row_stride(const ExactTiming& timing);

}  // namespace archsim
