#include "models/roofline/bound.h"

#include <algorithm>
#include <deque>

#include "models/roofline/moment.h"
#include "models/roofline/peaks.h"
#include "models/roofline/rounding.h"
#include "models/roofline/tape.h"

namespace archsim {
namespace {

// Only the latest moments are followed, so that cost stays linear; dropping one never makes the bound wrong.
constexpr std::size_t kHostMoments = 4, kOuterMoments = 4, kInnerMoments = 4;

class Recurrence {
 public:
  Recurrence(const Trace& trace, const MachineView& machine, Tape* tape)
      : trace_(trace),
        tape_(tape),
        peaks_(operator_peaks(trace, machine)),
        unrolled_(unroll(trace)),
        positions_(positions(trace)),
        bandwidth_(machine.dram.peak.value),
        capacity_(static_cast<double>(prefetch_capacity(machine).value)),
        start_(unrolled_.copies),
        before_(unrolled_.nodes.size()),
        end_(unrolled_.nodes.size()) {
    for (const auto& tensor : trace.tensors) {
      tensor_of_.insert(tensor_of_.end(), static_cast<std::size_t>(tensor.number_of_copies()), &tensor);
    }
    rules_.reserve(trace.operators.size());
    for (const auto& op : trace.operators) rules_.emplace_back(trace, op);
  }

  Bound run() {
    std::uint32_t node = 0;
    for (std::uint32_t stage = 0; stage < trace_.stages.size(); ++stage) {
      NodeSet needed;
      Earliest end;
      for (; node < unrolled_.nodes.size() && positions_[unrolled_.nodes[node].op].stage == stage; ++node) {
        visit(node);
        unite(needed, before_[node]);
        end.time_s = std::max(end.time_s, end_[node].time_s);
        end.bytes = std::max(end.bytes, end_[node].bytes);
      }
      // Now, while the moments that matter to it are still followed.
      const auto ended = latest(needed, end), all = latest({{0, node}}, {});
      whole_s_ = std::max({whole_s_, ended.time_s, all.time_s});
      bytes_ = std::max({bytes_, ended.bytes, all.bytes});
      if (tape_ != nullptr) tape_->end_stage(needed, live_moments());
      bound_.stages.push_back(rounded_down(ended.time_s));
      bound_.dram_bytes.push_back(static_cast<std::uint64_t>(bytes_));
    }
    add_operators();
    bound_.time = rounded_down(whole_s_);
    if (tape_ != nullptr) {
      for (const auto& peak : peaks_) tape_->by_host.push_back(peak.by_host);
    }
    return std::move(bound_);
  }

 private:
  const Operator& op_of(std::uint32_t node) const { return trace_.operators[unrolled_.nodes[node].op]; }
  std::span<const Read> reads_of(std::uint32_t node) const {
    const auto& n = unrolled_.nodes[node];
    return std::span(unrolled_.reads).subspan(n.first_read, n.last_read - n.first_read);
  }

  void visit(std::uint32_t node) {
    auto& before = before_[node];
    Earliest end;
    for (const auto& read : reads_of(node)) {
      if (read.from == Read::kNobody) continue;
      unite(before, before_[read.from]);
      end.time_s = std::max(end.time_s, end_[read.from].time_s);
      end.bytes = std::max(end.bytes, end_[read.from].bytes);
    }
    unite(before, {{node, node + 1}});
    // The host starts an operation when its inputs are there, and hands over the result when it is complete.
    const bool by_host = peaks_[unrolled_.nodes[node].op].by_host;
    if (by_host) end.time_s += peaks_[unrolled_.nodes[node].op].host_s;
    append_to_start(node);
    for_each_moment([&](Moment& moment) { append(moment, node); });
    end_[node] = latest(before, end);
    record_node(node);
    if (by_host) host_moment(node);
    begin_moments(node);
  }

  void record_node(std::uint32_t node) {
    if (tape_ == nullptr) return;
    needs_.clear();
    for (const auto& read : reads_of(node)) {
      if (read.from != Read::kNobody) needs_.push_back(read.from);
    }
    tape_->end_node(unrolled_.nodes[node], needs_, before_[node]);
  }

  std::vector<std::uint32_t> live_moments() {
    std::vector<std::uint32_t> numbers{0};
    for_each_moment([&](const Moment& moment) { numbers.push_back(moment.number()); });
    return numbers;
  }

  Earliest latest(const NodeSet& nodes, Earliest end) {
    const auto consider = [&](const Moment& moment) {
      const auto after = moment.after(nodes, bandwidth_);
      end.time_s = std::max(end.time_s, after.time_s);
      end.bytes = std::max(end.bytes, after.bytes);
    };
    consider(start_);
    for_each_moment(consider);
    if (bandwidth_ > 0.0) end.time_s = std::max(end.time_s, end.bytes / bandwidth_);
    return end;
  }

  template <class Action>
  void for_each_moment(Action action) {
    for (auto* moments : {&host_, &outer_, &inner_}) {
      for (auto& moment : *moments) action(moment);
    }
  }

  Work work_of(std::uint32_t node) const {
    const auto& n = unrolled_.nodes[node];
    const auto& peak = peaks_[n.op];
    return {peak.compute_s * n.share, peak.vector_s * n.share, peak.host_s * n.share, 0.0};
  }

  double stored_bytes(std::uint32_t node, const Read& read) const {
    const auto& op = op_of(node);
    const auto& tensor = *tensor_of_[read.copy];
    const bool gathers = op.type == OperatorType::embedding && tensor.role == Role::weight;
    const auto& gathered = trace_.tensors[op.outputs[0].tensor];
    const auto bytes = gathers ? tensor.packing().bytes(gathered.elements()) : tensor.bytes();
    return static_cast<double>(bytes);
  }

  void append_to_start(std::uint32_t node) {
    auto work = work_of(node);
    for (const auto& read : reads_of(node)) {
      if (read.input != Read::kOrder && read.from == Read::kNobody) work.bytes += bytes_of(start_, node, read);
    }
    if (tape_ != nullptr) tape_->entries.push_back({0, true, work.bytes});
    start_.append({}, work);
  }

  // Bytes of a tensor copy that this node is the first to need since the moment. The outputs of a split share them.
  double bytes_of(Moment& moment, std::uint32_t node, const Read& read) const {
    const auto& n = unrolled_.nodes[node];
    return moment.is_first_need(read.copy, n.first_read) ? stored_bytes(node, read) * n.share : 0.0;
  }

  void append(Moment& moment, std::uint32_t node) {
    const auto& op = op_of(node);
    const bool is_by_host = peaks_[unrolled_.nodes[node].op].by_host;
    inputs_.assign(op.inputs.size(), {});
    bool must_wait = false;  // for a whole operator, not for elements
    bool depends = false;
    for (const auto& read : reads_of(node)) {
      if (read.from == Read::kNobody) continue;
      const auto dependence = moment.dependence(read.from);
      if (dependence.reach == Reach::none) continue;
      depends = true;
      if (read.input == Read::kOrder) {
        must_wait = true;
      } else {
        inputs_[read.input] = dependence;
      }
    }
    if (!depends) return append(moment, {}, {}, false);
    must_wait = must_wait || is_by_host;
    auto consequence = rules_[unrolled_.nodes[node].op](inputs_);
    if (must_wait) consequence = {{Reach::all, true}, true, true, true};
    auto work = consequence.work_follows ? work_of(node) : Work{};
    if (!is_by_host) work.bytes = bytes_after(moment, node, consequence);
    append(moment, consequence.result, work, consequence.work_follows);
  }

  void append(Moment& moment, Dependence dependence, const Work& work, bool work_follows) {
    if (tape_ != nullptr) tape_->entries.push_back({moment.number(), work_follows, work.bytes});
    moment.append(dependence, work);
  }

  // Bytes that arithmetic after the moment needs and that were there before it: on chip or in DRAM.
  double bytes_after(Moment& moment, std::uint32_t node, const Consequence& consequence) {
    const auto& op = op_of(node);
    double bytes = 0.0;
    for (const auto& read : reads_of(node)) {
      if (read.input == Read::kOrder) continue;
      const bool is_stored = read.from == Read::kNobody;
      const bool is_old_cache = op.type == OperatorType::attention && read.input + 2 < op.inputs.size();
      const bool follows = consequence.work_follows || (is_stored && consequence.weights_follow) ||
                           (is_old_cache && consequence.caches_follow);
      if (follows && (is_stored || moment.has_ended(read.from))) bytes += bytes_of(moment, node, read);
    }
    return bytes;
  }

  void keep(std::deque<Moment>& moments, Moment&& moment, std::size_t limit) {
    if (tape_ != nullptr) moment.set_number(tape_->begin_moment(moment.own(), &moments == &host_));
    moments.push_back(std::move(moment));
    if (moments.size() > limit) moments.pop_front();
  }

  // Host operations that do not need each other still cannot have ended before the earliest time of the quickest, so this
  // moment is a time; sooner or later the later ones' results follow it too.
  void host_moment(std::uint32_t node) {
    const auto time_s = end_[node].time_s;
    bool is_new = true;
    for (auto& moment : host_) {
      const double at_s = moment.earliest().time_s;
      if (tape_ != nullptr) tape_->comparisons.push_back({moment.number(), node, at_s <= time_s, at_s == time_s});
      if (at_s <= time_s) moment.last_depends_everywhere();
      is_new = is_new && at_s != time_s;
    }
    if (!is_new) return;
    keep(host_, Moment(node, {Reach::all, true}, {time_s, 0.0}, capacity_, nullptr, unrolled_.copies), kHostMoments);
  }

  void begin_moments(std::uint32_t node) {
    const auto& n = unrolled_.nodes[node];
    if (!n.ends_iteration) return;
    keep(n.ends_outer ? outer_ : inner_,
         Moment(node, {Reach::part, false}, end_[node], capacity_, &before_[node], unrolled_.copies),
         n.ends_outer ? kOuterMoments : kInnerMoments);
  }

  void add_operators() {
    auto& operators = bound_.operators;
    operators.reserve(unrolled_.nodes.size());
    for (std::uint32_t i = 0; i < unrolled_.nodes.size(); ++i) {
      const auto& node = unrolled_.nodes[i];
      const auto end = rounded_down(end_[i].time_s);
      const bool is_next_output = !operators.empty() && operators.back().operator_index == node.op &&
                                  operators.back().iteration == node.iteration;
      if (is_next_output) {
        operators.back().end = std::max(operators.back().end, end);
      } else {
        operators.push_back({node.op, node.iteration, end});
      }
    }
    std::sort(operators.begin(), operators.end(), [](const OperatorBound& a, const OperatorBound& b) {
      return std::pair(a.operator_index, a.iteration) < std::pair(b.operator_index, b.iteration);
    });
  }

  const Trace& trace_;
  Tape* tape_;
  std::vector<OperatorPeak> peaks_;
  std::vector<ReachRule> rules_;
  Unrolled unrolled_;
  std::vector<Position> positions_;
  double bandwidth_, capacity_;
  std::vector<const Tensor*> tensor_of_;  // by copy
  Moment start_;
  std::deque<Moment> host_, outer_, inner_;
  std::vector<NodeSet> before_;  // each node and all that it needs
  std::vector<Earliest> end_;
  std::vector<Dependence> inputs_;
  std::vector<std::uint32_t> needs_;
  double whole_s_ = 0.0, bytes_ = 0.0;
  Bound bound_;
};

}  // namespace

Bound record_bound(const Trace& trace, const MachineView& machine, Tape* tape) {
  return Recurrence(trace, machine, tape).run();
}

Bound bound(const Trace& trace, const MachineView& machine) { return record_bound(trace, machine, nullptr); }

}  // namespace archsim
