#include "arch/mapping/order/memory_order.h"

#include "arch/mapping/plan/lifetimes.h"

namespace archsim {
namespace {

// Explicit dependencies are reads of a byte that stands for an operator, above all addresses (48 bits).
constexpr std::uint64_t kOperatorBytes = std::uint64_t{1} << 60;
// The same for launches of groups, and for the end of the group before.
constexpr std::uint64_t kLaunchBytes = std::uint64_t{1} << 61;
constexpr std::uint64_t kDoneByte = std::uint64_t{1} << 62;

class Orderer {
 public:
  Orderer(const Trace& trace, const Schedule& schedule, const MemoryPlan& memory, LaunchMode launch)
      : trace_(trace),
        schedule_(schedule),
        memory_(memory),
        launch_(launch),
        is_written_(trace.tensors.size()),
        is_awaited_(trace.operators.size()) {
    for (const auto& op : trace.operators) {
      for (const auto& use : op.outputs) is_written_[use.tensor] = true;
      for (const auto before : op.dependencies) is_awaited_[before] = true;
    }
    for (const auto& [joined, storage] : schedule.joined.storage)
      is_written_[joined] = is_written_[storage] = is_written_[joined] || is_written_[storage];
  }

  MemoryOrder run() {
    order_.groups.resize(schedule_.groups.size());
    order_.loops.resize(schedule_.items.size());
    nodes_.push_back({.stream = MemoryOrder::kHostStream, .counter = MemoryOrder::kHost});  // the launch
    for (std::size_t i = 0; i < schedule_.items.size(); ++i) {
      const auto& item = schedule_.items[i];
      if (item.kind == ScheduleItem::Kind::group) {
        group(item.index);
        continue;
      }
      const bool begins = item.kind == ScheduleItem::Kind::loop_begin;
      order_.loops[i] = nodes_.size();
      nodes_.push_back({.kind = begins ? DependencyNode::Kind::loop_begin : DependencyNode::Kind::loop_end,
                        .loop_count = trace_.loops[item.index].count});
    }
    order_.dependencies = find_dependencies(nodes_, {});
    return std::move(order_);
  }

 private:
  ByteRange range(const TensorUse& use, bool writes) const {
    return {.begin = memory_.begin(use.tensor), .end = memory_.end(trace_, use.tensor), .writes = writes};
  }

  void group(std::uint32_t g) {
    const auto& group = schedule_.groups[g];
    const auto uses = uses_of(trace_, group);
    std::vector<ByteRange> reads, writes;
    for (const auto& use : uses.reads) {
      if (is_written_[use.tensor]) reads.push_back(range(use, false));
    }
    for (const auto& use : uses.writes) writes.push_back(range(use, true));
    for (const auto op : group.operators) {
      for (const auto before : trace_.operators[op].dependencies)
        reads.push_back({kOperatorBytes + before, kOperatorBytes + before + 1});
      if (is_awaited_[op])
        writes.push_back({.begin = kOperatorBytes + op, .end = kOperatorBytes + op + 1, .writes = true});
    }
    if (group.work == Work::host) {
      reads.insert(reads.end(), writes.begin(), writes.end());
      order_.groups[g] = {nodes_.size(), nodes_.size()};
      nodes_.push_back({.stream = MemoryOrder::kHostStream, .counter = MemoryOrder::kHost, .ranges = reads});
      return;
    }
    Nodes at = launch_ == LaunchMode::whole_graph ? Nodes{} : launched(g);
    at.reads = nodes_.size();
    at.writes = nodes_.size() + 1;
    order_.groups[g] = at;
    // A group has read and written what it does when it signals, after its last store.
    for (auto& read : reads) read.counts = false;
    nodes_.push_back(
        {.stream = MemoryOrder::kLoad, .counter = MemoryOrder::kGroups, .advances = false, .ranges = reads});
    for (auto& read : reads) {
      read.waits = false;
      read.counts = true;
      writes.push_back(read);
    }
    if (launch_ == LaunchMode::host_driven)
      writes.push_back({.begin = kDoneByte, .end = kDoneByte + 1, .writes = true, .waits = false});
    nodes_.push_back({.stream = MemoryOrder::kStore, .counter = MemoryOrder::kGroups, .ranges = writes});
  }

  using Nodes = MemoryOrder::Nodes;

  // The host's launch of a group, behind the end of the one before if it waits for that; and the group's beginning.
  Nodes launched(std::uint32_t g) {
    const Nodes at{.launch = nodes_.size(), .begin = nodes_.size() + 1};
    const ByteRange launch{.begin = kLaunchBytes + g, .end = kLaunchBytes + g + 1};
    std::vector<ByteRange> ranges{launch};
    ranges[0].writes = true;
    ranges[0].waits = false;
    if (launch_ == LaunchMode::host_driven)
      ranges.push_back({.begin = kDoneByte, .end = kDoneByte + 1, .counts = false});
    nodes_.push_back({.stream = MemoryOrder::kHostStream, .counter = MemoryOrder::kHost, .ranges = std::move(ranges)});
    DependencyNode begin{.stream = MemoryOrder::kLoad, .counter = MemoryOrder::kGroups, .advances = false};
    begin.ranges = {launch};
    begin.ranges[0].counts = false;
    nodes_.push_back(std::move(begin));
    return at;
  }

  const Trace& trace_;
  const Schedule& schedule_;
  const MemoryPlan& memory_;
  LaunchMode launch_;
  std::vector<bool> is_written_, is_awaited_;
  std::vector<DependencyNode> nodes_;
  MemoryOrder order_;
};

}  // namespace

MemoryOrder order_memory(const Trace& trace, const Schedule& schedule, const MemoryPlan& memory, LaunchMode launch) {
  return Orderer(trace, schedule, memory, launch).run();
}

}  // namespace archsim
