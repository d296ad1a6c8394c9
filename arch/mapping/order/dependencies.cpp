#include "arch/mapping/order/dependencies.h"

#include <algorithm>

#include "arch/describe/diagnostic.h"
#include "arch/mapping/order/access_history.h"

namespace archsim {
namespace {

constexpr Counts nothing() { return {kNoWait, kNoWait, kNoWait, kNoWait}; }
constexpr std::size_t kCounters = DependencyNode::kMaxCounters;
constexpr std::size_t kStreams = DependencyNode::kMaxStreams;
using ByStream = std::array<Counts, kStreams>;

// What each stream has certainly waited for already, and what nodes knew when they were issued.
class Knowledge {
 public:
  void forget(const Counts& now) {
    by_stream_.fill(nothing());
    base_ = now;
    for (auto& log : issued_) log.clear();
  }
  bool has(unsigned stream, unsigned counter, std::int64_t count) const { return by_stream_[stream][counter] >= count; }
  void learn(unsigned stream, unsigned counter, std::int64_t count) {
    raise(by_stream_[stream][counter], count);
    for (unsigned c = 0; c < kCounters; ++c) raise(by_stream_[stream][c], known_by(counter, count, c));
  }
  // What node number `count` of `counter` had waited for when it was issued.
  std::int64_t known_by(unsigned counter, std::int64_t count, unsigned of) const {
    const std::int64_t index = count - base_[counter] - 1;
    const auto& log = issued_[counter];
    return index >= 0 && index < static_cast<std::int64_t>(log.size()) ? log[static_cast<std::size_t>(index)][of]
                                                                       : kNoWait;
  }
  void issue(unsigned stream, unsigned counter) { issued_[counter].push_back(by_stream_[stream]); }

 private:
  static void raise(std::int64_t& value, std::int64_t to) { value = std::max(value, to); }
  ByStream by_stream_{};
  Counts base_{};
  std::array<std::vector<Counts>, kCounters> issued_;
};

class Walker {
 public:
  Walker(const std::vector<DependencyNode>& nodes, DependencyRules rules) : nodes_(nodes), rules_(rules) {
    out_.wait.assign(nodes.size(), nothing());
    out_.loops.resize(nodes.size());
    for (auto& loop : out_.loops) loop.fence.fill(nothing());
    before_.assign(nodes.size(), nothing());
    fence_before_.resize(nodes.size());
    for (auto& by_stream : fence_before_) by_stream.fill(nothing());
    find_ends();
    knowledge_.forget(now_);
  }

  Dependencies run() {
    walk(0, nodes_.size());
    out_.total = now_;
    return std::move(out_);
  }

 private:
  struct Frame {
    std::size_t loop;
    Counts entry;
    bool first_walk;
  };

  void find_ends() {
    ends_.resize(nodes_.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].kind == DependencyNode::Kind::loop_begin) open.push_back(i);
      if (nodes_[i].kind != DependencyNode::Kind::loop_end) continue;
      ARCHSIM_ASSERT(!open.empty(), "a loop end without a beginning");
      ends_[open.back()] = i;
      open.pop_back();
    }
    ARCHSIM_ASSERT(open.empty(), "a loop without end");
  }

  void walk(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (nodes_[i].kind == DependencyNode::Kind::access) {
        access(i);
      } else {
        loop(i);
        i = ends_[i];
      }
    }
  }

  void access(std::size_t i) {
    const auto& node = nodes_[i];
    Counts need = nothing();
    for (const auto& range : node.ranges) {
      if (range.waits) history_.collect(range, need);
    }
    const std::int64_t own = now_[node.counter] + 1;
    // A counter that is a stream keeps its own order.
    if (rules_.counters_are_streams) need[node.counter] = kNoWait;
    wait_for(i, need);
    if (rules_.counters_are_streams && node.advances) knowledge_.issue(node.stream, node.counter);
    for (const auto& range : node.ranges) {
      if (range.counts) history_.record(range, node.counter, own);
    }
    if (node.advances) now_[node.counter] = own;
  }

  // True if `count` lies before the innermost loop, whose first iteration is being walked.
  bool is_before_loop(unsigned counter, std::int64_t count) const {
    return !frames_.empty() && frames_.back().first_walk && count <= frames_.back().entry[counter];
  }

  void wait_for(std::size_t i, Counts need) {
    const unsigned stream = nodes_[i].stream;
    for (unsigned c = 0; c < kCounters; ++c) {
      if (need[c] == kNoWait || !is_before_loop(c, need[c])) continue;
      before_[i][c] = std::max(before_[i][c], need[c]);
      need[c] = kNoWait;
    }
    const Counts all = need;
    for (unsigned c = 0; c < kCounters; ++c) {
      if (need[c] == kNoWait || !rules_.counters_are_streams) continue;
      bool implied = knowledge_.has(stream, c, need[c]);
      for (unsigned other = 0; other < kCounters && !implied; ++other) {
        implied = other != c && all[other] != kNoWait && knowledge_.known_by(other, all[other], c) >= need[c];
      }
      if (implied) need[c] = kNoWait;
    }
    for (unsigned c = 0; c < kCounters; ++c) {
      if (need[c] == kNoWait) continue;
      out_.wait[i][c] = std::max(out_.wait[i][c], need[c]);
      if (rules_.counters_are_streams) knowledge_.learn(stream, c, need[c]);
    }
  }

  void loop(std::size_t i) {
    const std::uint32_t count = nodes_[i].loop_count;
    const Counts entry = now_;
    auto& body = out_.loops[i].per_iteration;
    if (count == 1) {
      walk(i + 1, ends_[i]);
      for (unsigned c = 0; c < kCounters; ++c) body[c] = now_[c] - entry[c];
      return;
    }
    forget_needs_before(i);
    frames_.push_back({i, entry, true});
    knowledge_.forget(now_);
    walk(i + 1, ends_[i]);
    for (unsigned c = 0; c < kCounters; ++c) body[c] = now_[c] - entry[c];
    const AccessHistory untouched = history_.until(entry);
    history_ = history_.after(entry);
    history_.shift(scaled(body, -1));
    frames_.back().first_walk = false;
    now_ = entry;
    knowledge_.forget(now_);
    walk(i + 1, ends_[i]);
    const Counts rest = scaled(body, static_cast<std::int64_t>(count) - 1);
    history_.shift(rest);
    history_.merge(untouched);
    for (unsigned c = 0; c < kCounters; ++c) now_[c] += rest[c];
    frames_.pop_back();
    knowledge_.forget(now_);
    fence(i);
  }

  static Counts scaled(Counts counts, std::int64_t factor) {
    for (auto& count : counts) count *= factor;
    return counts;
  }

  void forget_needs_before(std::size_t i) {
    for (std::size_t j = i + 1; j < ends_[i]; ++j) {
      before_[j] = nothing();
      fence_before_[j].fill(nothing());
    }
  }

  // What the waits in the body do not cover in the first iteration becomes a wait in front of the loop.
  void fence(std::size_t i) {
    ByStream need;
    need.fill(nothing());
    for (std::size_t j = i + 1; j < ends_[i]; ++j) {
      if (nodes_[j].kind == DependencyNode::Kind::access) {
        raise_uncovered(need[nodes_[j].stream], before_[j], out_.wait[j]);
        continue;
      }
      for (unsigned s = 0; s < kStreams; ++s) raise_uncovered(need[s], fence_before_[j][s], out_.loops[j].fence[s]);
      j = ends_[j];
    }
    for (unsigned s = 0; s < kStreams; ++s) {
      for (unsigned c = 0; c < kCounters; ++c) {
        if (need[s][c] == kNoWait) continue;
        raise(is_before_loop(c, need[s][c]) ? fence_before_[i][s][c] : out_.loops[i].fence[s][c], need[s][c]);
      }
    }
  }

  static void raise(std::int64_t& value, std::int64_t to) { value = std::max(value, to); }
  static void raise_uncovered(Counts& need, const Counts& wanted, const Counts& waited) {
    for (unsigned c = 0; c < kCounters; ++c) {
      if (wanted[c] > waited[c]) raise(need[c], wanted[c]);
    }
  }

  const std::vector<DependencyNode>& nodes_;
  DependencyRules rules_;
  std::vector<std::size_t> ends_;
  Dependencies out_;
  std::vector<Counts> before_;          // by node: needed from before the innermost loop, in its first iteration
  std::vector<ByStream> fence_before_;  // by loop_begin and stream: the same for the loop's fence
  AccessHistory history_;
  Knowledge knowledge_;
  Counts now_{};
  std::vector<Frame> frames_;
};

}  // namespace

Dependencies find_dependencies(const std::vector<DependencyNode>& nodes, DependencyRules rules) {
  return Walker(nodes, rules).run();
}

}  // namespace archsim
