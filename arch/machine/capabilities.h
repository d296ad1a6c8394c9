// What the mapper and the roofline may know of a machine: pure data and functions, no SystemC.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "arch/machine/mapping_options.h"
#include "arch/machine/memory_map.h"
#include "arch/program/command.h"
#include "arch/units/quantity.h"
#include "arch/workload/operator.h"

namespace archsim {

struct AcceleratorCapabilities {
  std::string name;  // "npu0"
  Frequency clock = Frequency::zero();
  unsigned rows = 0, columns = 0;       // processing elements; rows hold k, columns hold n (weight-stationary)
  std::map<Dtype, double> macs_per_pe;  // a cycle, by element type (of the wider operand); absent: cannot
  std::map<Sparsity, double> sparsity;  // times as many MACs; absent: runs as dense
  bool decodes_weights = true;          // takes weights of another format than the activations'
  std::set<Dataflow> dataflows;
  Bytes scratchpad = Bytes::zero();
  Bytes accumulator = Bytes::zero();
  Location dtypes_place;                                       // where the user gave its element types, for messages
  Location scratchpad_place, accumulator_place;                // where the user gave their sizes, for messages
  unsigned vector_lanes = 0;                                   // 0: no vector unit
  std::map<VectorFunction, double> vector_cycles_per_element;  // lane-cycles an element; absent: cannot
  bool requantizing_store = true;  // its store engine has Convert::requantize and fp32_to_bf16
  Bytes dma_burst = Bytes::zero();
  unsigned dma_outstanding = 0;
  Bandwidth memory_port{0.0};  // peak of its own memory port
  /// Time the command keeps its engine from starting the next one, operands present, memory ideal (DMA: port-limited).
  std::function<Cycles(const Command&)> estimate;
};

struct MemoryCapabilities {
  std::string name;
  std::uint64_t base = 0;  // in the SoC's one address space
  Bytes capacity = Bytes::zero();
  Location capacity_place;  // where the user gave it, for messages
  Interleave interleave;
  Bandwidth peak{0.0};               // of the devices
  Bandwidth delivered{0.0};          // what its ports and links can carry of that, at best
  Time latency = Time::zero();       // unloaded, seen from an accelerator
  Bytes cache_line = Bytes::zero();  // of a cache before the DRAM, which has no addresses of its own; zero: it is none
};

/// The interconnect as a grid of tiles; each endpoint stands on a tile of its own.
struct FabricCapabilities {
  unsigned columns = 0, rows = 0;
  Bandwidth link{0.0};  // of one link in one direction; an endpoint's too
  /// Of a request's first byte from one tile to another, one way, nothing else under way. Tiles by index, row by row.
  std::function<Time(unsigned from, unsigned to)> idle_latency;
  /// What all `sources` together can send to all `sinks`, to each alike, in packets of `burst`, until the most loaded link is
  /// full. Empty if the model cannot say.
  std::function<Bandwidth(const std::vector<unsigned>& sources, const std::vector<unsigned>& sinks, Bytes burst)>
      uniform_limit;
  unsigned most_classes = 1;  // of initiators by `noc_priority` that it can tell apart
};

struct HostCapabilities {
  std::string name;
  Time launch = Time::zero();     // host-side cost of starting work on the accelerators
  Time interrupt = Time::zero();  // from an accelerator's completion to the waiting host thread running
  /// To clean or invalidate so many bytes in its caches, because accelerators share them; empty: caches are coherent.
  std::function<Time(std::uint64_t bytes)> maintenance;
  /// Time for one instance of a host operation, without its memory transfers; nullopt: the host cannot run it either.
  /// `elements` as in HostWork.
  std::function<std::optional<Time>(const Operator&, std::uint64_t elements)> estimate;
};

/// The machine as the mapper sees it.
struct MachineView {
  std::string soc;
  std::vector<AcceleratorCapabilities> accelerators;
  MemoryCapabilities dram;
  std::optional<MemoryCapabilities> l2;     // software-managed; absent: activations live in DRAM
  std::optional<MemoryCapabilities> cache;  // before the DRAM
  HostCapabilities host;
  MappingOptions mapping;  // what the user decides about it

  /// MACs a second of all accelerators together for this element type; 0 if none has it.
  double peak_macs_per_second(Dtype dtype) const;
  Bytes on_chip_capacity() const;  // scratchpads, accumulators, l2 and cache
};

}  // namespace archsim
