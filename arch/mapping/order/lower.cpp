#include "arch/mapping/order/lower.h"

#include <fmt/format.h>

#include <algorithm>

#include "arch/mapping/order/stream_writer.h"
#include "arch/mapping/plan/lifetimes.h"
#include "arch/program/accesses.h"
#include "arch/workload/effort.h"

namespace archsim {
namespace {

Diagnostic too_many_patterns(const Trace& trace, std::uint32_t loop) {
  return {.message = fmt::format("loop `{}` moves addresses by more different strides than a stream has registers ({})",
                                 trace.loops[loop].name, loop_register::kCount - loop_register::kFirstAddress),
          .help = "give more of its tensors the same copies"};
}

class TapeLowering {
 public:
  TapeLowering(const LoweringInput& input, const Tape& tape, std::uint16_t accelerator)
      : in_(input), tape_(tape), items_(tape.items()), accelerator_(accelerator) {}

  Checked<AcceleratorStreams> run() {
    find_loops();
    find_waits();
    AcceleratorStreams streams;
    for (std::size_t e = 0; e < kEngines; ++e) {
      if (auto error = stream(static_cast<Engine>(e), streams.stream[e])) return *error;
    }
    return streams;
  }

 private:
  using Kind = TapeItem::Kind;

  // The loops of the tape are those of the schedule, in the same order.
  void find_loops() {
    ends_.resize(items_.size());
    schedule_items_.resize(items_.size());
    std::vector<std::size_t> open;
    std::size_t next = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (items_[i].kind != Kind::loop_begin && items_[i].kind != Kind::loop_end) continue;
      while (in_.schedule.items[next].kind == ScheduleItem::Kind::group) ++next;
      schedule_items_[i] = next++;
      if (items_[i].kind == Kind::loop_begin) {
        open.push_back(i);
      } else {
        ends_[open.back()] = i;
        open.pop_back();
      }
    }
  }

  void find_waits() {
    std::vector<DependencyNode> nodes;
    node_of_.resize(items_.size());
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const auto& item = items_[i];
      node_of_[i] = nodes.size();
      if (item.kind == Kind::work) {
        const auto engine = static_cast<std::uint8_t>(item.engine);
        DependencyNode node{.stream = engine, .counter = engine};
        for (const auto& access : local_accesses(item.command, item.engine)) {
          const std::uint64_t begin = access.start.value;
          node.ranges.push_back({.begin = begin, .end = begin + access.extent(), .writes = access.writes});
        }
        nodes.push_back(std::move(node));
      } else if (item.kind == Kind::loop_begin || item.kind == Kind::loop_end) {
        const bool begins = item.kind == Kind::loop_begin;
        nodes.push_back({.kind = begins ? DependencyNode::Kind::loop_begin : DependencyNode::Kind::loop_end,
                         .loop_count = in_.trace.loops[item.index].count});
      }
    }
    local_ = find_dependencies(nodes, {.counters_are_streams = true});
  }

  bool belongs(const TapeItem& item, Engine engine) const {
    switch (item.kind) {
      case Kind::work:
        return item.engine == engine;
      case Kind::await_launch:
      case Kind::await_inputs:
        return engine == Engine::load;
      case Kind::await_outputs:
      case Kind::signal:
        return engine == Engine::store;
      default:
        return false;
    }
  }

  bool has_work(std::size_t loop, Engine engine) const {
    return std::any_of(items_.begin() + static_cast<std::ptrdiff_t>(loop),
                       items_.begin() + static_cast<std::ptrdiff_t>(ends_[loop]),
                       [&](const TapeItem& item) { return belongs(item, engine); });
  }

  std::optional<Diagnostic> stream(Engine engine, std::vector<Command>& out) {
    StreamWriter writer(in_.accelerators);
    if (engine == Engine::load || engine == Engine::store)
      writer.wait_for({kNoWait, 1, kNoWait, kNoWait}, Command::kNoOperator);
    std::vector<bool> open;  // loops, true if written
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const auto& item = items_[i];
      if (item.kind == Kind::loop_begin) {
        if (open.empty() && !reserve(writer, i, engine)) return too_many_patterns(in_.trace, item.index);
        open.push_back(has_work(i, engine));
        if (open.back()) begin_loop(writer, i, engine);
      } else if (item.kind == Kind::loop_end) {
        if (open.back()) writer.end_loop();
        open.pop_back();
      } else if (belongs(item, engine)) {
        write(writer, i);
      }
    }
    out = writer.finish();
    return std::nullopt;
  }

  bool reserve(StreamWriter& writer, std::size_t loop, Engine engine) const {
    std::vector<AddressPattern> patterns;
    for (std::size_t i = loop; i < ends_[loop]; ++i) {
      const auto& item = items_[i];
      if (item.kind == Kind::work && item.engine == engine && item.pattern > 0)
        patterns.push_back(tape_.patterns()[item.pattern]);
    }
    std::sort(patterns.begin(), patterns.end());
    patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());
    return writer.reserve(patterns);
  }

  void begin_loop(StreamWriter& writer, std::size_t i, Engine engine) const {
    const auto& local = local_.loops[node_of_[i]];
    const auto& memory = in_.order.loop(schedule_items_[i]);
    writer.wait_for_engines(local.fence[static_cast<std::size_t>(engine)]);
    const bool touches_memory = engine == Engine::load || engine == Engine::store;
    if (touches_memory)
      writer.wait_for(memory.fence[engine == Engine::load ? MemoryOrder::kLoad : MemoryOrder::kStore],
                      Command::kNoOperator);
    writer.begin_loop(in_.trace.loops[items_[i].index].count);
    for (std::size_t e = 0; e < kEngines; ++e) {
      writer.stride(static_cast<std::uint8_t>(loop_register::kProgress + e), local.per_iteration[e]);
    }
    if (!touches_memory) return;
    writer.stride(loop_register::kAcceleratorSemaphore, memory.per_iteration[MemoryOrder::kGroups]);
    writer.stride(loop_register::kHostSemaphore, memory.per_iteration[MemoryOrder::kHost]);
    writer.address_strides(items_[i].index);
  }

  void write(StreamWriter& writer, std::size_t i) const {
    const auto& item = items_[i];
    if (item.kind == Kind::work) {
      Command command = item.command;
      const auto& wait = local_.wait[node_of_[i]];
      for (std::size_t e = 0; e < kEngines; ++e) {
        if (wait[e] != kNoWait) command.wait_for[e] = counter_value(wait[e]);
      }
      if (auto* dma = std::get_if<Dma>(&command.payload))
        dma->address_register = writer.register_for(tape_.patterns()[item.pattern]);
      writer.add(std::move(command));
      return;
    }
    const std::uint32_t first = in_.schedule.groups[item.index].operators[0],
                        last = in_.schedule.groups[item.index].last();
    if (item.kind == Kind::await_launch) writer.wait_for(in_.order.before_beginning(item.index), first);
    if (item.kind == Kind::await_inputs) writer.wait_for(in_.order.before_reading(item.index), first);
    if (item.kind == Kind::await_outputs) writer.wait_for(in_.order.before_writing(item.index), last);
    if (item.kind == Kind::signal) {
      writer.add(
          {.tag = last,
           .payload = Signal{.semaphore = accelerator_, .first = 0, .count = in_.accelerators, .to_host = true}});
    }
  }

  const LoweringInput& in_;
  const Tape& tape_;
  const std::vector<TapeItem>& items_;
  std::uint16_t accelerator_;
  std::vector<std::size_t> ends_;            // by item: of a loop_begin
  std::vector<std::size_t> schedule_items_;  // by item: of a loop boundary
  std::vector<std::size_t> node_of_;
  Dependencies local_;
};

class HostLowering {
 public:
  explicit HostLowering(const LoweringInput& input)
      : in_(input), items_(input.schedule.items), is_shared_(input.trace.tensors.size()), writer_(input.accelerators) {
    for (const auto& group : in_.schedule.groups) {
      if (group.work == Work::host) continue;
      const auto uses = uses_of(in_.trace, group);
      for (const auto* list : {&uses.reads, &uses.writes}) {
        for (const auto& use : *list) is_shared_[in_.schedule.joined.of(use.tensor)] = true;
      }
    }
  }

  Checked<HostSide> run() {
    ring(Command::kNoOperator);
    std::vector<bool> open;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (items_[i].kind == ScheduleItem::Kind::loop_begin) {
        if (open.empty() && !reserve(i)) return too_many_patterns(in_.trace, items_[i].index);
        open.push_back(has_work(i));
        if (open.back()) begin_loop(i);
      } else if (items_[i].kind == ScheduleItem::Kind::loop_end) {
        if (open.back()) writer_.end_loop();
        open.pop_back();
      } else if (in_.schedule.groups[items_[i].index].work == Work::host) {
        operation(items_[i].index);
      } else if (in_.launch != LaunchMode::whole_graph) {
        wait_for_accelerators(in_.order.before_launching(items_[i].index), Command::kNoOperator);
        ring(Command::kNoOperator);
      }
    }
    writer_.wait_for({in_.order.dependencies.total[MemoryOrder::kGroups], kNoWait, kNoWait, kNoWait},
                     Command::kNoOperator);
    out_.stream = writer_.finish();
    return std::move(out_);
  }

 private:
  void ring(std::uint32_t tag) {
    writer_.add({.tag = tag, .payload = Signal{.semaphore = in_.accelerators, .first = 0, .count = in_.accelerators}});
  }

  // Whether the host has a part in the loop.
  bool has_work(std::size_t loop) const {
    std::size_t depth = 0;
    for (std::size_t i = loop; i < items_.size(); ++i) {
      if (items_[i].kind == ScheduleItem::Kind::loop_begin) ++depth;
      if (items_[i].kind == ScheduleItem::Kind::loop_end && --depth == 0) return false;
      if (items_[i].kind != ScheduleItem::Kind::group) continue;
      if (in_.launch != LaunchMode::whole_graph || in_.schedule.groups[items_[i].index].work == Work::host) return true;
    }
    return false;
  }

  std::vector<std::uint32_t> host_groups(std::size_t loop) const {
    std::vector<std::uint32_t> groups;
    std::size_t depth = 0;
    for (std::size_t i = loop; i < items_.size(); ++i) {
      if (items_[i].kind == ScheduleItem::Kind::loop_begin) ++depth;
      if (items_[i].kind == ScheduleItem::Kind::loop_end && --depth == 0) break;
      const bool is_host =
          items_[i].kind == ScheduleItem::Kind::group && in_.schedule.groups[items_[i].index].work == Work::host;
      if (is_host) groups.push_back(items_[i].index);
    }
    return groups;
  }

  bool reserve(std::size_t loop) {
    std::vector<AddressPattern> patterns;
    for (const auto g : host_groups(loop)) {
      const auto& op = in_.trace.operators[in_.schedule.groups[g].last()];
      for (const auto* uses : {&op.inputs, &op.outputs}) {
        for (const auto& use : *uses) patterns.push_back(in_.memory.address(use).pattern);
      }
    }
    return writer_.reserve(patterns);
  }

  void begin_loop(std::size_t i) {
    const auto& memory = in_.order.loop(i);
    wait_for_accelerators(memory.fence[MemoryOrder::kHostStream], Command::kNoOperator);
    writer_.begin_loop(in_.trace.loops[items_[i].index].count);
    writer_.stride(loop_register::kAcceleratorSemaphore, memory.per_iteration[MemoryOrder::kGroups]);
    writer_.stride(loop_register::kHostSemaphore, memory.per_iteration[MemoryOrder::kHost]);
    writer_.address_strides(items_[i].index);
  }

  // Of a table only the gathered rows are read.
  std::uint64_t bytes_read(const Operator& op, std::size_t input) const {
    const auto& tensor = in_.trace.tensors[op.inputs[input].tensor];
    if (op.type != OperatorType::embedding || input != 1) return tensor.bytes();
    return tensor.packing().bytes(in_.trace.tensors[op.outputs[0].tensor].elements());
  }

  void transfer(HostWork& work, const TensorUse& use, std::uint64_t bytes, bool write) {
    const MemoryAddress address = in_.memory.address(use);
    work.transfers.push_back({.address = address.base,
                              .address_register = writer_.register_for(address.pattern),
                              .bytes = bytes,
                              .write = write,
                              .is_shared = is_shared_[in_.schedule.joined.of(use.tensor)]});
  }

  // The host does its operations one after another, so it need not wait for itself.
  void wait_for_accelerators(Counts counts, std::uint32_t tag) {
    counts[MemoryOrder::kHost] = kNoWait;
    writer_.wait_for(counts, tag);
  }

  void operation(std::uint32_t g) {
    const std::uint32_t index = in_.schedule.groups[g].last();
    const auto& op = in_.trace.operators[index];
    HostWork work{.operator_index = index, .elements = elements_to_handle(in_.trace, op)};
    for (std::size_t i = 0; i < op.inputs.size(); ++i) transfer(work, op.inputs[i], bytes_read(op, i), false);
    for (const auto& use : op.outputs) transfer(work, use, in_.trace.tensors[use.tensor].bytes(), true);
    wait_for_accelerators(in_.order.before_reading(g), index);
    writer_.add({.tag = index, .payload = HostOperation{static_cast<std::uint32_t>(out_.operations.size())}});
    ring(index);
    out_.operations.push_back(std::move(work));
  }

  const LoweringInput& in_;
  const std::vector<ScheduleItem>& items_;
  std::vector<bool> is_shared_;  // by tensor that has the bytes: an accelerator reads or writes it
  StreamWriter writer_;
  HostSide out_;
};

}  // namespace

Checked<AcceleratorStreams> lower_tape(const LoweringInput& input, const Tape& tape, std::uint16_t accelerator) {
  return TapeLowering(input, tape, accelerator).run();
}

Checked<HostSide> lower_host(const LoweringInput& input) { return HostLowering(input).run(); }

}  // namespace archsim
