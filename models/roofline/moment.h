// One moment of the run with a known earliest time, and what must come after it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/roofline/reach.h"
#include "models/roofline/unrolled.h"

namespace archsim {

/// Work at peak speed, and bytes from DRAM.
struct Work {
  double array_s = 0.0, vector_s = 0.0, host_s = 0.0, bytes = 0.0;
  Work& operator+=(const Work& more);
  Work& operator-=(const Work& less);
};

/// Earliest time of an event, and the bytes that DRAM has moved by then at least.
struct Earliest {
  double time_s = 0.0, bytes = 0.0;
};

/// A moment, followed in program order: which later nodes depend on it how, and how much work and data of theirs cannot come
/// earlier. It is an event, the end of one node, or a time by which certain host operations cannot have ended.
class Moment {
 public:
  /// The start of the run: everything follows it and nothing is on chip.
  explicit Moment(std::uint32_t copies) : counted_for_(copies, kNobody), sums_(1) {}
  /// The end of `own` if `ended`, the nodes that have ended by then in every run, is given; else the time `earliest.time_s`.
  Moment(std::uint32_t own, Dependence own_dependence, Earliest earliest, double bytes_on_chip, const NodeSet* ended,
         std::uint32_t copies)
      : first_(own + 1),
        earliest_(earliest),
        bytes_on_chip_(bytes_on_chip),
        own_(own),
        own_dependence_(own_dependence),
        ended_(ended),
        counted_for_(copies, kNobody),
        sums_(1) {}

  const Earliest& earliest() const { return earliest_; }
  std::uint32_t own() const { return own_; }
  /// On a tape; the start of the run is 0.
  std::uint32_t number() const { return number_; }
  void set_number(std::uint32_t number) { number_ = number; }
  /// Dependence of an already appended node or the moment's own; none for earlier ones.
  Dependence dependence(std::uint32_t node) const {
    if (node >= first_) return dependence_[node - first_];
    return node == own_ ? own_dependence_ : Dependence{};
  }
  bool has_ended(std::uint32_t node) const { return ended_ && contains(*ended_, node); }
  /// True for the first instance only that asks for this tensor copy, each time it does.
  bool is_first_need(std::uint32_t copy, std::uint32_t instance) {
    auto& first = counted_for_[copy];
    if (first == kNobody) first = instance;
    return first == instance;
  }
  void append(Dependence dependence, const Work& work);
  /// Of the node appended last: nothing of its result is there before this moment.
  void last_depends_everywhere() { dependence_.back() = {Reach::all, true}; }
  /// When all of `nodes` may have ended, going by what must follow this moment.
  Earliest after(const NodeSet& nodes, double bytes_per_second) const;

 private:
  static constexpr std::uint32_t kNobody = 0xFFFFFFFF;
  std::uint32_t first_ = 0;  // node after the moment
  Earliest earliest_;
  double bytes_on_chip_ = 0.0;  // at most so many of the bytes that follow lie on chip already
  std::uint32_t own_ = kNobody;
  std::uint32_t number_ = 0;
  Dependence own_dependence_;
  const NodeSet* ended_ = nullptr;
  std::vector<std::uint32_t> counted_for_;  // instance, by tensor copy
  std::vector<Dependence> dependence_;      // of each node after the moment
  std::vector<Work> sums_;                  // of the first i of them
};

}  // namespace archsim
