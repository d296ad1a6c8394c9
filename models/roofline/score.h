// A tape made ready to be played with other peaks: sums that cannot matter left out, the others as differences of prefix sums.
#pragma once

#include <optional>
#include <vector>

#include "models/roofline/recorded.h"
#include "models/roofline/tape.h"

namespace archsim {

struct MachineLimits {
  double bytes_per_second = 0.0, bytes_on_chip = 0.0;
};

class Score {
 public:
  explicit Score(const Tape& tape);

  /// Whether the same operators fall to the host as on the tape.
  bool has_same_host(const std::vector<OperatorPeak>& peaks) const;
  /// Nothing if host operations end in another order than on the tape.
  std::optional<StageBounds> play(const std::vector<OperatorPeak>& peaks, const MachineLimits& limits) const;

 private:
  class Maker;
  class Player;
  static constexpr std::uint32_t kNothing = 0xFFFFFFFF;

  /// Work after a moment: the sums of differences[first .. last), if there are any.
  struct Query {
    std::uint32_t moment = 0;
    bool has_own = false;  // the moment itself is among what is asked for
    Span differences;
  };
  struct Difference {
    std::uint32_t to, from;  // places of prefix sums
  };
  struct Entry {
    std::uint32_t place = kNothing;  // of the prefix sum that this work completes; nothing to add without it
    bool work_follows = false;
    double bytes = 0.0;
    Query query;
  };
  struct Step {
    std::uint32_t op = 0;
    double share = 1.0;
    Span entries, needs;
  };
  struct StageEnd {
    std::uint32_t nodes = 0;
    Span needed, all;  // queries
  };

  std::vector<Tape::Begin> begins_;
  std::vector<std::uint32_t> places_;  // of each moment's empty sum
  std::uint32_t sums_ = 0;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> needs_;
  std::vector<Entry> entries_;
  std::vector<Difference> differences_;
  std::vector<Query> queries_;
  std::vector<StageEnd> stages_;
  std::vector<Tape::Comparison> comparisons_;
  std::vector<bool> by_host_;
};

}  // namespace archsim
