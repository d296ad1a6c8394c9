#include "app/commands/sweep/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace archsim {

std::string duration_text(double seconds) {
  if (seconds < 60.0) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::min(seconds, 1e12));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

SweepProgress::SweepProgress(const std::string& mode)
    : is_shown_(mode == "on" || (mode == "auto" && ::isatty(STDERR_FILENO) != 0)) {}

SweepProgress::~SweepProgress() {
  if (has_printed_) fmt::print(stderr, "\r\033[K");
}

void SweepProgress::show(const SweepCounts& counts) {
  if (!is_shown_) return;
  const auto over = counts.run + counts.kept;
  const double rate = counts.seconds > 0.0 ? static_cast<double>(counts.run) / counts.seconds : 0.0;
  const auto left = static_cast<double>(counts.total - std::min(counts.total, over));
  const double part = counts.total == 0 ? 1.0 : static_cast<double>(over) / static_cast<double>(counts.total);
  fmt::print(stderr, "\r{} of {} points, {:.1f} %  {:.1f} a second  {} left{}\033[K", over, counts.total, 100.0 * part,
             rate, rate > 0.0 ? duration_text(left / rate) : "?",
             counts.failed == 0 ? "" : fmt::format("  {} failed", counts.failed));
  has_printed_ = true;
}

}  // namespace archsim
