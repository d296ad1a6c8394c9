// An SMMU's translation of one initiator's addresses: a translation look-aside buffer (TLB), and walks for what it lacks.
//
// Models:     fully associative entries, the one unused for longest replaced; one walk at a time, of fixed cost; a transfer's next
//             request waits for its page, those under way do not.
// Leaves out: what is behind a walk (its levels, their caches, its reads of memory): the cost stands for them. Faults: every page
//             is mapped. Addresses stay as they are.
// Numbers:    from the SoC file.
// Checked by: tests/models/accel/translation_test.cpp (closed forms of streams, strides and loops).
#pragma once

#include <cstdint>
#include <vector>

#include "arch/units/quantity.h"
#include "models/stream/burst_window.h"

namespace archsim {

class Translation {
 public:
  /// `entries` 0: addresses are physical, and nothing is translated.
  Translation(std::uint64_t page_bytes, unsigned entries, Time walk)
      : page_bytes_(page_bytes), entries_(entries), walk_(walk) {
    pages_.reserve(entries);
  }

  /// When all pages of `piece` are known, if it is asked for at `at`; calls come in the order of `at`.
  Time translate(const Piece& piece, Time at);
  std::uint64_t walks() const { return walks_; }

 private:
  /// Whether it was there; it is the most recent now.
  bool look_up(std::uint64_t page);

  std::uint64_t page_bytes_;
  unsigned entries_;
  Time walk_;
  std::vector<std::uint64_t> pages_;  // the most recent first
  Time walker_free_ = Time::zero();
  std::uint64_t walks_ = 0;
};

}  // namespace archsim
