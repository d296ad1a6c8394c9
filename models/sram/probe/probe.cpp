#include "models/sram/probe/probe.h"

#include <algorithm>
#include <random>
#include <vector>

namespace archsim {
namespace {

class Requester {
 public:
  Requester(const SramProbe& probe, const SramPattern& pattern, unsigned index)
      : pattern_(pattern),
        access_(probe.access),
        word_bytes_(probe.port_width.value),
        words_(probe.capacity.value / word_bytes_),
        at_(words_ * index / probe.requesters * word_bytes_),
        random_(probe.seed * 0x9E37'79B9'7F4A'7C15ULL + index) {}

  /// Makes up the next request, in this cycle.
  void ask(std::uint64_t cycle) {
    asked_ = cycle;
    if (pattern_.kind == SramPattern::Kind::rand) at_ = random_() % words_ * word_bytes_;
    word_ = at_ / word_bytes_;
    is_write_ = access_ == SramAccess::w || (access_ == SramAccess::mix && asked_for_++ % 3 == 2);
    at_ = (at_ + (pattern_.kind == SramPattern::Kind::stride ? pattern_.stride : word_bytes_)) % (words_ * word_bytes_);
  }

  std::uint64_t word() const { return word_; }
  std::uint64_t asked() const { return asked_; }
  bool is_write() const { return is_write_; }

 private:
  SramPattern pattern_;
  SramAccess access_;
  std::uint64_t word_bytes_, words_;
  std::uint64_t at_;  // byte
  std::mt19937_64 random_;
  std::uint64_t word_ = 0, asked_ = 0;
  std::uint64_t asked_for_ = 0;
  bool is_write_ = false;
};

class Banks {
 public:
  Banks(const SramProbe& probe, const SramPattern& pattern) : probe_(probe), free_(probe.banks, 0) {
    for (unsigned i = 0; i < probe.requesters; ++i) requesters_.emplace_back(probe, pattern, i);
  }

  SramProbeResult run() {
    std::uint64_t to_ask = probe_.requests;
    for (Requester& requester : requesters_) {
      if (to_ask == 0) break;
      requester.ask(0);
      waiting_.push_back(&requester);
      --to_ask;
    }
    for (std::uint64_t cycle = 0; !waiting_.empty(); ++cycle) serve(cycle, to_ask);
    const double period = 1.0 / static_cast<double>(probe_.clock.value);
    const auto served = static_cast<double>(result_.reads + result_.writes);
    result_.latency_avg_s = static_cast<double>(latency_) / served * period;
    result_.bandwidth_bytes_per_s =
        served * static_cast<double>(probe_.port_width.value) / (static_cast<double>(result_.cycles) * period);
    return result_;
  }

 private:
  /// Who waits, in the order of their turns: a bank that takes the first who asks for it is fair, as whoever was served stands last.
  void serve(std::uint64_t cycle, std::uint64_t& to_ask) {
    std::vector<Requester*> still, served;
    for (Requester* requester : waiting_) {
      std::uint64_t& free = free_[requester->word() % probe_.banks];
      if (free > cycle) {
        ++result_.conflicts;
        still.push_back(requester);
        continue;
      }
      free = cycle + probe_.bank_cycle.value;
      note(*requester, cycle);
      served.push_back(requester);
    }
    for (Requester* requester : served) {
      if (to_ask == 0) break;
      --to_ask;
      requester->ask(cycle + 1);
      still.push_back(requester);
    }
    waiting_ = std::move(still);
  }

  void note(const Requester& requester, std::uint64_t cycle) {
    const std::uint64_t end = cycle + (requester.is_write() ? 1 : probe_.latency.value);
    latency_ += end - requester.asked();
    result_.cycles = std::max(result_.cycles, end);
    ++(requester.is_write() ? result_.writes : result_.reads);
  }

  const SramProbe& probe_;
  std::vector<Requester> requesters_;
  std::vector<Requester*> waiting_;
  std::vector<std::uint64_t> free_;  // the first cycle in which each bank can take a word
  SramProbeResult result_;
  std::uint64_t latency_ = 0;
};

}  // namespace

SramProbeResult probe_sram(const SramProbe& probe, const SramPattern& pattern) { return Banks(probe, pattern).run(); }

}  // namespace archsim
