#include "models/roofline/unrolled.h"

#include <algorithm>
#include <variant>

namespace archsim {
namespace {

class Unroller {
 public:
  explicit Unroller(const Trace& trace) : trace_(trace), counter_(trace.loops.size(), 0) {
    for (const auto& tensor : trace.tensors) {
      first_copy_.push_back(out_.copies);
      out_.copies += static_cast<std::uint32_t>(tensor.number_of_copies());
    }
    writer_.assign(out_.copies, Read::kNobody);
    latest_.resize(trace.operators.size());
  }

  Unrolled run() {
    for (const auto& stage : trace_.stages) run(stage.repeat, 0, 0);
    return std::move(out_);
  }

 private:
  void run(const Repeat& repeat, std::uint64_t outside, unsigned depth) {
    const auto count = trace_.loops[repeat.loop].count;
    for (std::uint32_t i = 0; i < count; ++i) {
      counter_[repeat.loop] = i;
      const auto begin = out_.nodes.size();
      for (const auto& step : repeat.body) {
        if (const auto* index = std::get_if<std::uint32_t>(&step)) {
          run(*index, outside * count + i);
        } else {
          run(std::get<Repeat>(step), outside * count + i, depth + 1);
        }
      }
      mark_end(begin, depth);
    }
    counter_[repeat.loop] = 0;
  }

  void mark_end(std::size_t begin, unsigned depth) {
    for (auto i = out_.nodes.size(); i > begin; --i) {
      auto& node = out_.nodes[i - 1];
      if (trace_.operators[node.op].dead) continue;
      node.ends_iteration = true;
      node.ends_outer = node.ends_outer || depth == 0;
      return;
    }
  }

  void run(std::uint32_t index, std::uint64_t iteration) {
    const auto& op = trace_.operators[index];
    const auto first_read = static_cast<std::uint32_t>(out_.reads.size());
    for (std::uint32_t i = 0; i < op.inputs.size(); ++i) {
      const auto copy = copy_of(op.inputs[i]);
      out_.reads.push_back({writer_[copy], copy, i});
    }
    for (const auto dependency : op.dependencies) {
      const auto [from, to] = latest_[dependency];
      for (auto node = from; node < to; ++node) out_.reads.push_back({node, 0, Read::kOrder});
    }
    const auto last_read = static_cast<std::uint32_t>(out_.reads.size());
    const auto first_node = static_cast<std::uint32_t>(out_.nodes.size());
    double columns = 0.0;
    for (const auto& use : op.outputs) columns += static_cast<double>(trace_.tensors[use.tensor].elements());
    for (const auto& use : op.outputs) {
      writer_[copy_of(use)] = static_cast<std::uint32_t>(out_.nodes.size());
      const double share = static_cast<double>(trace_.tensors[use.tensor].elements()) / columns;
      out_.nodes.push_back({index, iteration, share, false, false, first_read, last_read});
    }
    latest_[index] = {first_node, static_cast<std::uint32_t>(out_.nodes.size())};
  }

  std::uint32_t copy_of(const TensorUse& use) const {
    const auto& copies = trace_.tensors[use.tensor].copies;
    std::uint32_t number = 0;
    for (std::size_t d = 0; d < use.copy.size(); ++d) {
      const auto& index = use.copy[d];
      const auto iteration = index.loop == CopyIndex::kFixed ? 0 : counter_[index.loop];
      number = number * copies[d] + iteration + index.offset;
    }
    return first_copy_[use.tensor] + number;
  }

  const Trace& trace_;
  Unrolled out_;
  std::vector<std::uint32_t> counter_;                           // of each loop
  std::vector<std::uint32_t> first_copy_;                        // of each tensor
  std::vector<std::uint32_t> writer_;                            // of each copy
  std::vector<std::pair<std::uint32_t, std::uint32_t>> latest_;  // nodes of each operator's latest instance
};

}  // namespace

void unite(NodeSet& set, const NodeSet& more) {
  if (more.empty()) return;
  if (set.empty()) {
    set = more;
    return;
  }
  NodeSet sum;
  sum.reserve(set.size() + more.size());
  auto a = set.begin();
  auto b = more.begin();
  while (a != set.end() || b != more.end()) {
    const bool take_a = b == more.end() || (a != set.end() && a->first <= b->first);
    const auto next = take_a ? *a++ : *b++;
    if (!sum.empty() && next.first <= sum.back().second) {
      sum.back().second = std::max(sum.back().second, next.second);
    } else {
      sum.push_back(next);
    }
  }
  set = std::move(sum);
}

bool contains(const NodeSet& set, std::uint32_t node) {
  const auto after = std::upper_bound(set.begin(), set.end(), node,
                                      [](std::uint32_t n, const auto& range) { return n < range.first; });
  return after != set.begin() && node < std::prev(after)->second;
}

Unrolled unroll(const Trace& trace) { return Unroller(trace).run(); }

}  // namespace archsim
