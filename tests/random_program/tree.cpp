#include "tests/random_program/tree.h"

#include <algorithm>
#include <map>
#include <optional>

namespace archsim::random_programs {
namespace {

/// Progress counters by engine, then the semaphore that the accelerator raises itself.
constexpr std::size_t kSemaphore = kEngines;
using Counts = std::array<std::int64_t, kEngines + 1>;

Counts operator+(Counts a, const Counts& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

Counts times(Counts a, std::int64_t n) {
  for (auto& value : a) value *= n;
  return a;
}

/// What a step adds to the counters.
Counts counts_of(const Item& step) {
  Counts counts{};
  if (step.command.is_work()) counts[static_cast<std::size_t>(step.engine)] = 1;
  if (std::holds_alternative<Signal>(step.command.payload)) counts[kSemaphore] = 1;
  return counts;
}

Counts counts_of(const std::vector<Node>& nodes) {
  Counts sum{};
  for (const Node& node : nodes) {
    sum = sum + (node.count == 0 ? counts_of(node.step) : times(counts_of(node.body), node.count));
  }
  return sum;
}

struct OpenLoop {
  const Node* node = nullptr;
  Counts one;  // iteration
};

/// A step where it stands.
struct Placed {
  const Item* step = nullptr;
  std::vector<OpenLoop> loops;  // outermost first
  Counts done{};                // with it, in the first iteration of all its loops
};

void place(const std::vector<Node>& nodes, std::vector<OpenLoop>& loops, Counts& done, std::vector<Placed>& into) {
  for (const Node& node : nodes) {
    if (node.count == 0) {
      done = done + counts_of(node.step);
      into.push_back({&node.step, loops, done});
      continue;
    }
    const Counts before = done, one = counts_of(node.body);
    loops.push_back({&node, one});
    place(node.body, loops, done, into);
    loops.pop_back();
    done = before + times(one, node.count);
  }
}

bool conflict(const Item& a, const Item& b) {
  for (const Touch& x : a.touches) {
    for (const Touch& y : b.touches) {
      if (x.space == y.space && x.first < y.end && y.first < x.end && (x.writes || y.writes)) return true;
    }
  }
  return false;
}

std::size_t shared_loops(const Placed& a, const Placed& b) {
  std::size_t shared = 0;
  while (shared < std::min(a.loops.size(), b.loops.size()) && a.loops[shared].node == b.loops[shared].node) ++shared;
  return shared;
}

/// What counter `c` shows once `other` has run, its own inner loops to the end, in the same iteration of the loops that it shares.
std::int64_t after(const Placed& other, std::size_t shared, std::size_t c) {
  std::int64_t count = other.done[c];
  for (std::size_t i = shared; i < other.loops.size(); ++i) {
    count += other.loops[i].one[c] * (static_cast<std::int64_t>(other.loops[i].node->count) - 1);
  }
  return count;
}

class Waits {
 public:
  explicit Waits(const std::vector<Placed>& steps) : steps_(steps) {}

  /// The waits of step `i`, relative to kCounterStart; nothing where none is needed.
  std::array<std::optional<std::int64_t>, kEngines> of(std::size_t i) const {
    std::array<std::optional<std::int64_t>, kEngines> waits;
    for (std::size_t j = 0; j < steps_.size(); ++j) {
      const auto engine = static_cast<std::size_t>(steps_[j].step->engine);
      if (!steps_[j].step->command.is_work() || steps_[j].step->engine == steps_[i].step->engine) continue;
      if (!conflict(*steps_[i].step, *steps_[j].step) || is_signalled(j, i)) continue;
      const std::size_t shared = shared_loops(steps_[i], steps_[j]);
      std::int64_t count = after(steps_[j], shared, engine);
      // A later step counts for the iteration before, if there is one.
      if (j > i && shared == 0) continue;
      if (j > i) count -= steps_[i].loops[shared - 1].one[engine];
      waits[engine] = std::max(waits[engine].value_or(count), count);
    }
    return waits;
  }

  /// For a wait_semaphore: all signals up to here.
  std::int64_t signals_before(std::size_t i) const {
    std::int64_t count = 0;
    for (std::size_t j = 0; j < i; ++j) {
      if (!std::holds_alternative<Signal>(steps_[j].step->command.payload)) continue;
      count = std::max(count, after(steps_[j], shared_loops(steps_[i], steps_[j]), kSemaphore));
    }
    return count;
  }

 private:
  /// A signal behind `done`, and behind that a wait in the stream of `waiter`, all in one body.
  bool is_signalled(std::size_t done, std::size_t waiter) const {
    if (done > waiter) return false;
    bool is_rung = false;
    for (std::size_t i = done; i < waiter; ++i) {
      const Item& step = *steps_[i].step;
      if (!is_in_one_body(steps_[i], steps_[waiter]) || !is_in_one_body(steps_[done], steps_[waiter])) continue;
      const bool rings =
          std::holds_alternative<Signal>(step.command.payload) && step.engine == steps_[done].step->engine;
      is_rung = is_rung || rings;
      const bool waits = std::holds_alternative<WaitSemaphore>(step.command.payload);
      if (is_rung && waits && step.engine == steps_[waiter].step->engine) return true;
    }
    return false;
  }

  static bool is_in_one_body(const Placed& a, const Placed& b) {
    return a.loops.size() == b.loops.size() && shared_loops(a, b) == a.loops.size();
  }

  const std::vector<Placed>& steps_;
};

std::uint32_t counter(std::int64_t count) {
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(kCounterStart) + count);
}

/// Writes one engine's stream.
class Writer {
 public:
  Writer(Engine engine, const std::map<const Item*, Command>& commands) : engine_(engine), commands_(commands) {}

  std::vector<Command> write(const std::vector<Node>& nodes) {
    write(nodes, 0);
    stream_.push_back({.payload = Halt{}});
    return std::move(stream_);
  }

 private:
  bool has_part(const std::vector<Node>& nodes) const {
    return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) {
      return node.count == 0 ? node.step.engine == engine_ : has_part(node.body);
    });
  }

  /// Gives the dmas below a loop that is not inside another their registers, as far as there are some.
  void assign(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      if (node.count != 0) assign(node.body);
      if (node.count != 0 || node.step.engine != engine_ || node.step.strides.empty()) continue;
      registers_[&node.step] = next_register_++;
    }
  }

  void add_strides(const std::vector<Node>& nodes, std::size_t depth) {
    for (const Node& node : nodes) {
      if (node.count != 0) add_strides(node.body, depth);
      const auto found = node.count == 0 ? registers_.find(&node.step) : registers_.end();
      if (found == registers_.end() || depth >= node.step.strides.size()) continue;
      stream_.push_back({.payload = Stride{found->second, node.step.strides[depth]}});
    }
  }

  void write(const std::vector<Node>& nodes, std::size_t depth) {
    for (const Node& node : nodes) {
      if (node.count == 0) {
        if (node.step.engine == engine_) write(node.step);
      } else if (has_part(node.body)) {
        write_loop(node, depth);
      }
    }
  }

  void write_loop(const Node& loop, std::size_t depth) {
    if (depth == 0) {
      registers_.clear();
      next_register_ = loop_register::kFirstAddress;
      assign(loop.body);
    }
    stream_.push_back({.payload = LoopBegin{.count = loop.count}});
    const Counts one = counts_of(loop.body);
    for (std::size_t c = 0; c < one.size(); ++c) {
      // Registers 1..4 belong to the engines' counters, 5 to the semaphore.
      const auto index = static_cast<std::uint8_t>(loop_register::kProgress + c);
      if (one[c] != 0) stream_.push_back({.payload = Stride{index, one[c]}});
    }
    add_strides(loop.body, depth);
    write(loop.body, depth + 1);
    stream_.push_back({.payload = EndLoop{}});
  }

  void write(const Item& step) {
    Command command = commands_.at(&step);
    const auto found = registers_.find(&step);
    if (auto* dma = std::get_if<Dma>(&command.payload); dma != nullptr && found != registers_.end()) {
      dma->address_register = found->second;
    }
    stream_.push_back(command);
  }

  Engine engine_;
  const std::map<const Item*, Command>& commands_;
  std::vector<Command> stream_;
  std::map<const Item*, std::uint8_t> registers_;
  std::uint8_t next_register_ = loop_register::kFirstAddress;
};

}  // namespace

std::uint64_t executed(const std::vector<Node>& nodes) {
  std::uint64_t sum = 0;
  for (const Node& node : nodes) sum += node.count == 0 ? 1 : node.count * executed(node.body);
  return sum;
}

AcceleratorStreams streams_of(const std::vector<Node>& nodes, std::mt19937_64& random) {
  std::vector<Placed> steps;
  std::vector<OpenLoop> loops;
  Counts done{};
  place(nodes, loops, done, steps);
  const Waits waits(steps);
  std::map<const Item*, Command> commands;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Command command = steps[i].step->command;
    const auto needed = waits.of(i);
    for (std::size_t e = 0; e < kEngines; ++e) {
      const std::int64_t earlier = steps[i].done[e] - (steps[i].step->engine == static_cast<Engine>(e) ? 1 : 0);
      constexpr unsigned kNeedless = 12;  // one in so many
      if (needed[e]) command.wait_for[e] = counter(*needed[e]);
      if (!needed[e] && earlier > 0 && random() % kNeedless == 0) {
        command.wait_for[e] = counter(1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(earlier)));
      }
    }
    if (auto* wait = std::get_if<WaitSemaphore>(&command.payload)) {
      wait->value = counter(waits.signals_before(i));
      wait->register_index = loop_register::kAcceleratorSemaphore;
    }
    commands.emplace(steps[i].step, command);
  }
  AcceleratorStreams streams;
  for (std::size_t e = 0; e < kEngines; ++e) {
    streams.stream[e] = Writer(static_cast<Engine>(e), commands).write(nodes);
  }
  return streams;
}

}  // namespace archsim::random_programs
