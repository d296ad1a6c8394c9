#include "arch/mapping/plan/memory_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "arch/mapping/plan/lifetimes.h"

namespace archsim {
namespace {

// A multiple of every usual burst, so that no two tensors share one.
constexpr std::uint64_t kAlignment = 512;

struct Region {
  const Lifetime* lifetime = nullptr;
  std::uint64_t begin = 0, end = 0;
};

// Places in one memory, given first fit among those that live at the same time.
class FirstFit {
 public:
  std::uint64_t find(const Lifetime& lifetime, std::uint64_t bytes) const {
    std::vector<Region> alive;
    for (const auto& region : regions_) {
      if (region.lifetime->meets(lifetime)) alive.push_back(region);
    }
    std::sort(alive.begin(), alive.end(), [](const Region& a, const Region& b) { return a.begin < b.begin; });
    std::uint64_t at = 0;
    for (const auto& region : alive) {
      if (at + bytes <= region.begin) break;
      at = std::max(at, region.end);
    }
    return at;
  }
  void take(const Lifetime& lifetime, std::uint64_t at, std::uint64_t bytes) {
    regions_.push_back({&lifetime, at, at + bytes});
    peak_ = std::max(peak_, at + bytes);
  }
  std::uint64_t peak() const { return peak_; }

 private:
  std::vector<Region> regions_;
  std::uint64_t peak_ = 0;
};

class Planner {
 public:
  Planner(const Trace& trace, const MachineView& machine, const Schedule& schedule)
      : trace_(trace),
        machine_(machine),
        joined_(schedule.joined),
        lifetimes_(find_lifetimes(trace, schedule)),
        is_contiguous_(trace.tensors.size()) {
    for (const auto& [joined, storage] : joined_.storage) is_contiguous_[storage] = true;
    plan_.placements.resize(trace.tensors.size());
    plan_.is_placed.assign(trace.tensors.size(), false);
  }

  Checked<MemoryPlan> plan() {
    find_used();
    place_in_l2();
    place_copies_in_dram();
    place_singles_in_dram();
    place_joined();
    return finish();
  }

 private:
  std::uint64_t size(std::uint32_t t) const {
    return round_up(std::max<std::uint64_t>(trace_.tensors[t].bytes(), 1), kAlignment);
  }
  // From copy to copy. What is joined has no gaps.
  std::uint64_t stride(std::uint32_t t) const { return is_contiguous_[t] ? trace_.tensors[t].bytes() : size(t); }
  std::uint64_t size_of_copies(std::uint32_t t) const {
    return round_up(stride(t) * trace_.tensors[t].number_of_copies(), kAlignment);
  }

  bool is_permanent(std::uint32_t t) const {
    const Role role = trace_.tensors[t].role;
    return role != Role::activation && role != Role::kv_cache;
  }

  // Operators that were fused leave no trace of their results in memory.
  void find_used() {
    for (std::uint32_t t = 0; t < trace_.tensors.size(); ++t) {
      if (lifetimes_[t].is_used() || (is_permanent(t) && !joined_.is_joined(t))) waiting_.push_back(t);
    }
  }

  void place(std::uint32_t t, MemoryLevel level, std::uint64_t address, std::uint64_t stride) {
    auto& placement = plan_.placements[t];
    placement.level = level;
    placement.address = address;
    const auto& copies = trace_.tensors[t].copies;
    placement.copy_stride.assign(copies.size(), 0);
    for (std::size_t d = copies.size(); d-- > 0;) {
      placement.copy_stride[d] = stride;
      stride *= copies[d];
    }
    plan_.is_placed[t] = true;
  }

  void place_in_l2() {
    if (!machine_.l2) return;
    std::vector<std::uint32_t> order;
    for (const std::uint32_t t : waiting_) {
      if (!is_permanent(t)) order.push_back(t);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return lifetimes_[a].traffic > lifetimes_[b].traffic; });
    for (const std::uint32_t t : order) {
      const std::uint64_t bytes = size_of_copies(t);
      const std::uint64_t at = l2_.find(lifetimes_[t], bytes);
      if (at + bytes > machine_.l2->capacity.value) {
        plan_.spills.push_back({t, bytes, lifetimes_[t].traffic});
        continue;
      }
      l2_.take(lifetimes_[t], at, bytes);
      place(t, MemoryLevel::l2, machine_.l2->base + at, stride(t));
    }
  }

  void place_copies_in_dram() {
    std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> packs;
    for (const std::uint32_t t : waiting_) {
      if (plan_.is_placed[t] || trace_.tensors[t].copies.empty()) continue;
      if (is_contiguous_[t]) {
        place(t, MemoryLevel::dram, machine_.dram.base + permanent_, stride(t));
        permanent_ += size_of_copies(t);
      } else {
        packs[trace_.tensors[t].copies].push_back(t);
      }
    }
    for (const auto& [copies, tensors] : packs) {
      std::uint64_t stride = 0;
      for (const std::uint32_t t : tensors) stride += size(t);
      std::uint64_t at = permanent_;
      for (const std::uint32_t t : tensors) {
        place(t, MemoryLevel::dram, machine_.dram.base + at, stride);
        at += size(t);
      }
      permanent_ += stride * trace_.tensors[tensors[0]].number_of_copies();
    }
  }

  void place_singles_in_dram() {
    for (const std::uint32_t t : waiting_) {
      if (plan_.is_placed[t] || !is_permanent(t)) continue;
      place(t, MemoryLevel::dram, machine_.dram.base + permanent_, 0);
      permanent_ += size(t);
    }
    for (const std::uint32_t t : waiting_) {
      if (plan_.is_placed[t]) continue;
      const std::uint64_t at = dram_.find(lifetimes_[t], size(t));
      dram_.take(lifetimes_[t], at, size(t));
      place(t, MemoryLevel::dram, machine_.dram.base + permanent_ + at, 0);
    }
  }

  void place_joined() {
    for (const auto& [joined, storage] : joined_.storage) {
      plan_.placements[joined] = plan_.placements[storage];
      plan_.placements[joined].copy_stride.clear();
      plan_.is_placed[joined] = plan_.is_placed[storage];
    }
  }

  Checked<MemoryPlan> finish() {
    const std::uint64_t dram = permanent_ + dram_.peak();
    const std::uint64_t capacity = machine_.dram.capacity.value;
    if (dram > capacity) {
      return Diagnostic{.message = fmt::format("memory `{}` is too small: the trace needs {} bytes there, it has {}",
                                               machine_.dram.name, dram, capacity),
                        .location = machine_.dram.capacity_place,
                        .help = fmt::format("give `{}` at least {} MiB", machine_.dram.name, ceil_div(dram, 1 << 20))};
    }
    plan_.peaks.push_back({machine_.dram.name, dram, capacity});
    if (machine_.l2) plan_.peaks.push_back({machine_.l2->name, l2_.peak(), machine_.l2->capacity.value});
    return std::move(plan_);
  }

  const Trace& trace_;
  const MachineView& machine_;
  const JoinedCopies& joined_;
  std::vector<Lifetime> lifetimes_;
  std::vector<bool> is_contiguous_;  // by tensor: its copies are those of a joined one
  std::vector<std::uint32_t> waiting_;
  FirstFit l2_, dram_;
  std::uint64_t permanent_ = 0;  // bytes of DRAM given for good; what comes and goes lies behind
  MemoryPlan plan_;
};

}  // namespace

MemoryAddress MemoryPlan::address(const TensorUse& use) const {
  const auto& placement = placements[use.tensor];
  MemoryAddress address{placement.address, {}};
  for (std::size_t d = 0; d < use.copy.size(); ++d) {
    address.base += use.copy[d].offset * placement.copy_stride[d];
    if (use.copy[d].loop != CopyIndex::kFixed) {
      address.pattern[use.copy[d].loop] += static_cast<std::int64_t>(placement.copy_stride[d]);
    }
  }
  return address;
}

std::uint64_t MemoryPlan::end(const Trace& trace, std::uint32_t tensor) const {
  std::uint64_t end = placements[tensor].address + trace.tensors[tensor].bytes();
  for (std::size_t d = 0; d < placements[tensor].copy_stride.size(); ++d) {
    end += placements[tensor].copy_stride[d] * (trace.tensors[tensor].copies[d] - 1);
  }
  return end;
}

Checked<MemoryPlan> plan_memory(const Trace& trace, const MachineView& machine, const Schedule& schedule) {
  return Planner(trace, machine, schedule).plan();
}

}  // namespace archsim
