#include "arch/program/check/stream_scan.h"

#include <algorithm>

namespace archsim {
namespace {

constexpr std::int64_t kFar = std::int64_t{1} << 56;

class Scanner {
 public:
  explicit Scanner(const std::vector<Command>& stream) : stream_(stream) {}

  StreamScan run() {
    for (index_ = 0; index_ < stream_.size(); ++index_) visit(stream_[index_].payload);
    if (stream_.empty() || !std::holds_alternative<Halt>(stream_.back().payload)) mistake("the stream has no halt");
    if (!scan_.mistakes.empty()) scan_.commands.clear();
    return std::move(scan_);
  }

 private:
  void mistake(std::string text) {
    scan_.mistakes.push_back({std::min(index_, stream_.empty() ? 0 : stream_.size() - 1), std::move(text)});
  }

  void visit(const Payload& payload) {
    if (const auto* loop = std::get_if<LoopBegin>(&payload)) {
      if (loop->count == 0) mistake("a loop runs at least once");
      outer_.push_back(now_);
      counts_.push_back(loop->count);
      now_.instances *= loop->count;
      strides_may_follow_ = true;
      return;
    }
    if (const auto* stride = std::get_if<Stride>(&payload)) return add(*stride);
    strides_may_follow_ = false;
    if (std::holds_alternative<EndLoop>(payload)) return end_loop();
    if (std::holds_alternative<Halt>(payload)) return halt();
    now_.index = index_;
    scan_.commands.push_back(now_);
  }

  void add(const Stride& stride) {
    if (!strides_may_follow_) return mistake("a stride stands right behind its loop_begin");
    if (stride.register_index == loop_register::kZero || stride.register_index >= loop_register::kCount) {
      return mistake("this register cannot be changed");
    }
    auto& span = now_.registers[stride.register_index];
    const Span moved = span + reach(counts_.back(), stride.stride);
    span = {std::max(moved.low, -kFar), std::min(moved.high, kFar)};
  }

  void end_loop() {
    if (outer_.empty()) return mistake("this end_loop ends no loop");
    now_ = outer_.back();
    outer_.pop_back();
    counts_.pop_back();
  }

  void halt() {
    if (!outer_.empty()) mistake("a loop has not ended at halt");
    if (index_ + 1 != stream_.size()) mistake("commands stand behind halt");
  }

  const std::vector<Command>& stream_;
  std::size_t index_ = 0;
  StreamScan scan_;
  ScannedCommand now_;
  std::vector<ScannedCommand> outer_;
  std::vector<std::uint32_t> counts_;
  bool strides_may_follow_ = false;
};

}  // namespace

Span reach(std::uint64_t count, std::int64_t step) {
  if (count == 0) return {};
  // Exact below 2^53, and addresses have 48 bits.
  const double last = static_cast<double>(count - 1) * static_cast<double>(step);
  const auto far = static_cast<double>(kFar);
  const auto end = static_cast<std::int64_t>(std::clamp(last, -far, far));
  return {std::min<std::int64_t>(end, 0), std::max<std::int64_t>(end, 0)};
}

StreamScan scan_stream(const std::vector<Command>& stream) { return Scanner(stream).run(); }

}  // namespace archsim
