// Keeps the first fault of a run and stops the simulation.
#pragma once

#include <optional>
#include <string>

#include "arch/block/block.h"

namespace archsim {

class FaultRecorder : public FaultSink {
 public:
  void fault(FaultKind kind, const std::string& block, const std::string& what) override {
    if (fault_) return;
    fault_ =
        Fault{.kind = kind, .block = block, .time = time_of(sc_core::sc_time_stamp()), .what = what, .waiting = {}};
    sc_core::sc_stop();
  }
  const std::optional<Fault>& first() const { return fault_; }

 private:
  std::optional<Fault> fault_;
};

}  // namespace archsim
