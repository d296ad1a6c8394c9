// How long commands and transfers take, as far as the mapper needs to know.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "arch/machine/capabilities.h"
#include "arch/program/program.h"

namespace archsim {

/// Cycles for which the command keeps its engine: what the machine says, or a rough guess if it says nothing.
double command_cycles(const AcceleratorCapabilities& npu, const Command& command);

/// Bytes a cycle of `clock`.
double per_cycle(Bandwidth bandwidth, Frequency clock);

/// Of several equal accelerators that load and store in the same way at the same time.
class TransferEstimate {
 public:
  TransferEstimate(const MachineView& machine, const AcceleratorCapabilities& npu) : machine_(machine), npu_(npu) {}

  /// What each of many equal transfers of `rows` rows, `pitch` apart in memory, adds to the engine that does them: bound by
  /// its port, by the bursts that it may have under way, and by what the memory delivers to one that has it for itself.
  double cycles(MemoryLevel level, std::uint64_t rows, std::uint64_t row_bytes, std::uint64_t pitch);
  /// From a request to its answer, nothing else being under way.
  double latency(MemoryLevel level) const;
  /// Bytes a cycle that the memory delivers to all of them together.
  double delivered(MemoryLevel level) const { return per_cycle(memory(level).delivered, npu_.clock); }
  double port() const { return per_cycle(npu_.memory_port, npu_.clock); }

 private:
  const MemoryCapabilities& memory(MemoryLevel level) const {
    return level == MemoryLevel::l2 && machine_.l2 ? *machine_.l2 : machine_.dram;
  }

  const MachineView& machine_;
  const AcceleratorCapabilities& npu_;
  std::map<std::tuple<MemoryLevel, std::uint64_t, std::uint64_t, bool>, double> known_;
};

/// Cycles of what works at the same time, and what none of it hides.
struct CostTerms {
  double compute = 0.0;  // the array, with what it waits for at first
  double vector = 0.0;
  double load = 0.0;  // the busiest accelerator's load engine
  double store = 0.0;
  double memory = 0.0;    // what all accelerators together take from DRAM or l2
  double overhead = 0.0;  // fill, drain, first tiles, a share of what is hidden, and of each command
};

/// A way of cutting that fits.
struct Candidate {
  std::string what;  // its split, tiles and order
  double cycles = 0.0;
  CostTerms terms;
};

/// The dataflows that may be used, the preferred one first.
std::vector<Dataflow> dataflows_of(const AcceleratorCapabilities& accelerator);

/// A matrix product of packed operands that lie on chip.
struct ProductSize {
  std::uint64_t m = 0, k = 0, n = 0;
  Dtype a = Dtype::int8, w = Dtype::int8;
  Grouping w_grouping;
  friend bool operator==(const ProductSize&, const ProductSize&) = default;
};
struct ArrayEstimate {
  Dataflow dataflow = Dataflow::weight_stationary;
  double cycles = 0.0;  // that each of many equal ones adds
  double edges = 0.0;   // first weights in, last results out
  double alone() const { return cycles + edges; }
};
ArrayEstimate array_estimate(const AcceleratorCapabilities& npu, const ProductSize& size, Dataflow dataflow);
/// The dataflow that is quickest for many of them, or for one if that is the same.
ArrayEstimate best_array_estimate(const AcceleratorCapabilities& npu, const ProductSize& size);

/// The same, each size of one kind of accelerator once.
class ArrayEstimates {
 public:
  const ArrayEstimate& best(const AcceleratorCapabilities& npu, const ProductSize& size) {
    const auto [it, is_new] = known_.try_emplace(size);
    if (is_new) it->second = best_array_estimate(npu, size);
    return it->second;
  }

 private:
  struct Hash {
    std::size_t operator()(const ProductSize& size) const {
      std::size_t hash = 0;
      for (const std::uint64_t part : {size.m, size.k, size.n, std::uint64_t(size.a), std::uint64_t(size.w)})
        hash = (hash ^ part) * 0x9E3779B97F4A7C15;  // Knuth's multiplicative hash
      return hash ^ (hash >> 32);
    }
  };
  std::unordered_map<ProductSize, ArrayEstimate, Hash> known_;
};

}  // namespace archsim
