#include "app/terminal/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace archsim {

ProgressLine::ProgressLine(ProgressMode mode)
    : is_shown_(mode == ProgressMode::on || (mode == ProgressMode::automatic && ::isatty(STDERR_FILENO) != 0)) {}

ProgressLine::~ProgressLine() {
  if (has_printed_) fmt::print(stderr, "\r\033[K");
}

void ProgressLine::show(double fraction, Time simulated) {
  if (!is_shown_) return;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
  const double left = passed.count() * (1.0 - fraction) / std::max(fraction, 1e-3);
  constexpr int kWidth = 30;
  const auto filled = static_cast<int>(fraction * kWidth);
  fmt::print(stderr, "\r[{:#<{}}{:.<{}}] {:3.0f} %  {:.3f} ms simulated  {:.1f} s left\033[K", "", filled, "",
             kWidth - filled, 100.0 * fraction, seconds(simulated) * 1e3, left);
  has_printed_ = true;
}

}  // namespace archsim
