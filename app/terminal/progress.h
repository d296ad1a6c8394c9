// One line on standard error that says how far the run is and how long it will still take.
#pragma once

#include <chrono>

#include "arch/units/quantity.h"

namespace archsim {

enum class ProgressMode { automatic, on, off };

class ProgressLine {
 public:
  /// `automatic` shows it on a terminal only.
  explicit ProgressLine(ProgressMode mode);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(double fraction, Time simulated);

 private:
  bool is_shown_;
  bool has_printed_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace archsim
