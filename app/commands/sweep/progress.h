// One line on standard error that says how far a sweep is.
#pragma once

#include "sweep/run/runner.h"

namespace archsim {

class SweepProgress {
 public:
  /// `mode` is auto (on a terminal only), on or off.
  explicit SweepProgress(const std::string& mode);
  ~SweepProgress();
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;

  void show(const SweepCounts& counts);

 private:
  bool is_shown_;
  bool has_printed_ = false;
};

/// "12.3 s", "4 min 10 s", "3 h 20 min"
std::string duration_text(double seconds);

}  // namespace archsim
