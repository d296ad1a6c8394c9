// When the run's work is done, for blocks that would go on for ever: cameras, radios, other background traffic.
#pragma once

#include <functional>
#include <systemc>
#include <utility>

namespace archsim {

class WorkEnd {
 public:
  /// `is_done` says whether every block that has work has finished it.
  explicit WorkEnd(std::function<bool()> is_done) : is_done_(std::move(is_done)) {}

  bool is_done() const { return is_done_(); }
  /// A block has perhaps finished.
  void tell() {
    if (is_done_()) done_.notify(sc_core::SC_ZERO_TIME);
  }
  const sc_core::sc_event& done() const { return done_; }

 private:
  std::function<bool()> is_done_;
  sc_core::sc_event done_;
};

}  // namespace archsim
