#include "tests/random_program/random_program.h"

#include <algorithm>

#include "arch/describe/diagnostic.h"
#include "arch/program/accesses.h"
#include "arch/units/quantity.h"
#include "tests/random_program/tree.h"

namespace archsim {
namespace {

using namespace random_programs;

constexpr std::uint64_t kWorkBytes = 64 << 10;  // of memory, that loads and stores share

class Generator {
 public:
  Generator(std::uint64_t seed, const RandomProgramOptions& options) : options_(options), random_(seed) {
    constexpr std::array kSignallers{Engine::load, Engine::array, Engine::store};
    signaller_ = kSignallers[below(kSignallers.size())];
  }

  RandomProgram run() {
    fill();
    while (executed(nodes_) < options_.commands) add(nodes_, 0, 1);
    empty();
    RandomProgram result;
    result.program.accelerators.push_back(streams_of(nodes_, random_));
    result.program.host.push_back({.payload = Halt{}});
    const std::uint64_t bytes = kWorkBytes + options_.scratchpad + options_.accumulator;
    result.limits.memories.push_back({.name = "dram", .base = options_.memory_base, .bytes = bytes});
    result.limits.accelerators.push_back(
        {.name = "npu0", .scratchpad = options_.scratchpad, .accumulator = options_.accumulator});
    for (std::uint64_t i = 0; i < bytes; ++i) result.memory.push_back(static_cast<std::byte>(random_() & 0xFF));
    return result;
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool one_in(unsigned n) { return below(n) == 0; }
  std::uint32_t size(std::uint32_t largest) { return 1 + static_cast<std::uint32_t>(below(largest)); }
  /// Often small, sometimes as large as it goes.
  std::uint32_t skewed(std::uint32_t largest) { return one_in(4) ? size(largest) : size(std::min(largest, 4U)); }

  void add(std::vector<Node>& nodes, unsigned depth, std::uint64_t repeats) {
    constexpr unsigned kDeepest = 2;
    constexpr std::uint64_t kMostRepeats = 40;
    if (options_.loops && depth < kDeepest && repeats < kMostRepeats && one_in(12)) {
      return add_loop(nodes, depth, repeats);
    }
    loop_counts_.resize(depth);
    nodes.push_back({.step = step()});
  }

  void add_loop(std::vector<Node>& nodes, unsigned depth, std::uint64_t repeats) {
    Node loop{.count = size(5)};
    loop_counts_.resize(depth);
    loop_counts_.push_back(loop.count);
    const std::uint32_t steps = size(6);
    for (std::uint32_t i = 0; i < steps; ++i) {
      add(loop.body, depth + 1, repeats * loop.count);
      loop_counts_.resize(depth + 1, loop.count);
    }
    loop_counts_.resize(depth);
    nodes.push_back(std::move(loop));
  }

  Item step() {
    if (options_.semaphores && one_in(10)) return one_in(2) ? signal() : wait();
    switch (below(5)) {
      case 0:
      case 1:
        return load();
      case 2:
      case 3:
        return matmul();
      default:
        return store();
    }
  }

  Item signal() {
    return {.engine = signaller_, .command = {.payload = Signal{.semaphore = 0, .first = 0, .count = 1}}};
  }
  Item wait() {
    constexpr std::array kWaiters{Engine::load, Engine::array, Engine::vector, Engine::store};
    return {.engine = kWaiters[below(kWaiters.size())], .command = {.payload = WaitSemaphore{.semaphore = 0}}};
  }

  /// Where `bytes` fit, in steps of `alignment`; mostly within a few KiB, so that commands meet.
  std::uint64_t place(std::uint64_t bytes, std::uint64_t capacity, std::uint64_t alignment) {
    ARCHSIM_ASSERT(bytes <= capacity, "an operand larger than its memory");
    constexpr std::uint64_t kHot = 3 << 10;
    const std::uint64_t room = one_in(5) ? capacity - bytes : std::min(capacity - bytes, kHot);
    return below(room / alignment + 1) * alignment;
  }

  LocalAddress local(bool in_accumulator, std::uint64_t bytes, std::uint64_t alignment) {
    if (in_accumulator) return LocalAddress::accumulator(place(bytes, options_.accumulator, alignment));
    return LocalAddress::scratchpad(place(bytes, options_.scratchpad, alignment));
  }

  std::uint32_t pitch(std::uint32_t bytes, std::uint32_t alignment) {
    const auto gap = static_cast<std::uint32_t>(one_in(2) ? 0 : below(24));
    return static_cast<std::uint32_t>(round_up(bytes + gap, alignment));
  }

  /// The local side of a dma with its sizes set.
  void place_local(Dma& dma, bool in_accumulator, std::uint32_t alignment) {
    const auto row = static_cast<std::uint32_t>(local_row_bytes(dma));
    dma.local_row_pitch = pitch(row, alignment);
    const std::uint32_t plane = (dma.rows - 1) * dma.local_row_pitch + row;
    dma.local_plane_pitch = pitch(plane, alignment);
    dma.local = local(in_accumulator, (dma.planes - 1) * std::uint64_t{dma.local_plane_pitch} + plane, alignment);
  }

  /// The memory side. `may_overlap`: rows may lie on each other, or be one row again and again.
  Touch place_memory(Item& step, Dma& dma, bool may_overlap) {
    const auto row = static_cast<std::int64_t>(dma.row_bytes);
    const auto any_pitch = [&](std::int64_t bytes) {
      if (may_overlap && one_in(6)) return std::int64_t{0};
      const std::int64_t apart = bytes + static_cast<std::int64_t>(one_in(2) ? 0 : below(40));
      return one_in(8) ? -apart : apart;
    };
    dma.memory_row_pitch = any_pitch(row);
    const std::int64_t rows_reach = (static_cast<std::int64_t>(dma.rows) - 1) * dma.memory_row_pitch;
    dma.memory_plane_pitch = any_pitch(std::abs(rows_reach) + row);
    std::int64_t low = 0, high = row;
    const auto widen = [&](std::int64_t reach) { (reach < 0 ? low : high) += reach; };
    widen(rows_reach);
    widen((static_cast<std::int64_t>(dma.planes) - 1) * dma.memory_plane_pitch);
    for (const std::uint32_t count : loop_counts_) {
      step.strides.push_back(one_in(3) ? 0 : static_cast<std::int64_t>(below(300)) - 100);
      widen(step.strides.back() * (static_cast<std::int64_t>(count) - 1));
    }
    const std::uint64_t bytes = static_cast<std::uint64_t>(high - low);
    const std::uint64_t first = options_.memory_base + place(bytes, kWorkBytes, 1);
    dma.memory_address = first + static_cast<std::uint64_t>(-low);
    return {.space = Touch::Space::memory, .first = first, .end = first + bytes};
  }

  void add_local_touches(Item& step) {
    for (const LocalAccess& access : local_accesses(step.command, step.engine)) {
      const auto space = access.start.in_accumulator() ? Touch::Space::accumulator : Touch::Space::scratchpad;
      step.touches.push_back({.space = space,
                              .first = access.start.byte(),
                              .end = access.start.byte() + access.extent(),
                              .writes = access.writes});
    }
  }

  Item load() {
    Item step{.engine = Engine::load};
    Dma dma{.row_bytes = skewed(200), .rows = skewed(7), .planes = skewed(3)};
    place_local(dma, one_in(4), one_in(2) ? 1 : 4);
    const Touch memory = place_memory(step, dma, true);
    step.command.payload = dma;
    step.touches.push_back(memory);
    add_local_touches(step);
    return step;
  }

  Item store() {
    Item step{.engine = Engine::store};
    const bool requantizes = one_in(2);
    Dma dma{.row_bytes = skewed(requantizes ? 40 : 200), .rows = skewed(7), .planes = skewed(3)};
    if (requantizes) {
      dma.convert = Convert::requantize;
      dma.multiplier = static_cast<std::int32_t>(random_() & 0xFFFF'FFFF);
      dma.shift = static_cast<std::uint8_t>(one_in(5) ? below(63) : 24 + below(20));
    }
    place_local(dma, requantizes || one_in(2), requantizes ? 4 : 1);
    // A row may be stored again and again.
    if (one_in(10)) dma.local_row_pitch = 0;
    Touch memory = place_memory(step, dma, false);
    memory.writes = true;
    step.command.payload = dma;
    step.touches.push_back(memory);
    add_local_touches(step);
    return step;
  }

  Item matmul() {
    Item step{.engine = Engine::array};
    Matmul matmul{.m = skewed(options_.largest), .k = skewed(options_.largest), .n = skewed(options_.largest)};
    matmul.transpose_w = one_in(3);
    matmul.accumulate = one_in(2);
    matmul.dataflow = one_in(2) ? Dataflow::weight_stationary : Dataflow::output_stationary;
    const std::uint32_t w_rows = matmul.transpose_w ? matmul.n : matmul.k;
    const std::uint32_t w_columns = matmul.transpose_w ? matmul.k : matmul.n;
    matmul.a_pitch = one_in(12) ? 0 : pitch(matmul.k, 1);
    matmul.w_pitch = one_in(12) ? 0 : pitch(w_columns, 1);
    matmul.out_pitch = pitch(4 * matmul.n, 4);
    matmul.a = local(false, std::uint64_t{matmul.m} * matmul.a_pitch + matmul.k, 1);
    matmul.w = local(false, std::uint64_t{w_rows} * matmul.w_pitch + w_columns, 1);
    matmul.out = local(true, std::uint64_t{matmul.m} * matmul.out_pitch, 4);
    step.command.payload = matmul;
    add_local_touches(step);
    return step;
  }

  /// All of a local memory from or to memory, where `offset` says.
  void move_all(Engine engine, bool is_accumulator, std::uint64_t offset) {
    const std::uint64_t bytes = is_accumulator ? options_.accumulator : options_.scratchpad;
    Item step{.engine = engine};
    Dma dma{.memory_address = options_.memory_base + offset, .row_bytes = static_cast<std::uint32_t>(bytes)};
    dma.local = is_accumulator ? LocalAddress::accumulator(0) : LocalAddress::scratchpad(0);
    step.command.payload = dma;
    step.touches.push_back({.space = Touch::Space::memory,
                            .first = dma.memory_address,
                            .end = dma.memory_address + bytes,
                            .writes = engine == Engine::store});
    add_local_touches(step);
    nodes_.push_back({.step = step});
  }
  void fill() {
    move_all(Engine::load, false, kWorkBytes);
    move_all(Engine::load, true, kWorkBytes + options_.scratchpad);
  }
  void empty() {
    move_all(Engine::store, false, kWorkBytes);
    move_all(Engine::store, true, kWorkBytes + options_.scratchpad);
  }

  RandomProgramOptions options_;
  std::mt19937_64 random_;
  Engine signaller_ = Engine::store;
  std::vector<std::uint32_t> loop_counts_;  // of the loops that are open
  std::vector<Node> nodes_;
};

}  // namespace

RandomProgram random_program(std::uint64_t seed, const RandomProgramOptions& options) {
  return Generator(seed, options).run();
}

}  // namespace archsim
