// The work of a whole SoC: command streams of the accelerators, the host's stream, and where every tensor lies.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "arch/program/command.h"
#include "arch/workload/trace.h"

namespace archsim {

enum class MemoryLevel : std::uint8_t { dram, l2 };

/// How a matrix's bytes lie in memory. Tiled: tiles of tile_rows x tile_columns stand one after another, each row-major and
/// contiguous; edge tiles are stored at their real size. With `columns_first` the tile's column index runs fastest (row of
/// tiles by row of tiles), else its row index (column of tiles by column of tiles). The matrix of a tensor has its last
/// dimension as columns and the product of the others as rows. arch/program/placement.h computes offsets.
struct TileLayout {
  std::uint32_t tile_rows = 0;  // 0: plain row-major
  std::uint32_t tile_columns = 0;
  bool columns_first = false;
};

/// Where one tensor lies. Address of copy (i, j, ...) = address + i * copy_stride[0] + j * copy_stride[1] + ...
struct Placement {
  MemoryLevel level = MemoryLevel::dram;
  std::uint64_t address = 0;
  std::vector<std::uint64_t> copy_stride;
  TileLayout layout;
};

/// A plain piece of memory traffic of the host.
struct HostTransfer {
  std::uint64_t address = 0;
  std::uint8_t address_register = loop_register::kZero;
  std::uint64_t bytes = 0;
  bool write = false;
  bool is_shared = false;  // with accelerators: the host's caches must not keep it
};

/// One operator run on the CPU: its transfers, and scalar operations to execute.
struct HostWork {
  std::uint32_t operator_index = 0;
  std::vector<HostTransfer> transfers;
  std::uint64_t elements = 0;  // elements produced, MACs for linear, matmul and attention; priced by operator type
};

enum class RunsOn : std::uint8_t { array, vector, dma, host };

/// How many iterations of one of its loops an operator does at once. One executed instance of the program then stands for
/// `count` of the trace, which are `inner` apart: the product of the counts of the loops inside that loop.
struct Batch {
  std::uint32_t count = 1;
  std::uint64_t inner = 1;
};

/// How one operator of the trace was mapped.
struct OperatorMapping {
  RunsOn runs_on = RunsOn::array;
  std::uint32_t lead = 0;  // the operator whose commands do this one's work (itself unless fused)
  std::string why;         // for the host: why no accelerator runs it; for a fused one: the pass that fused it
  std::string decided_by;  // the param that lets it run there, or that keeps it from the accelerators: "dtypes.bf16"
  std::uint64_t dram_bytes = 0;  // that the commands of one instance move to or from DRAM, all accelerators
  Batch batch;
};

struct AcceleratorStreams {
  std::array<std::vector<Command>, kEngines> stream;  // by Engine; each ends with Halt
};

struct MemoryPeak {
  std::string memory;
  std::uint64_t used_bytes = 0;
  std::uint64_t capacity_bytes = 0;
};

/// Activations and caches that l2 had no room for, and what each reads and writes in DRAM instead, over the whole run.
struct Spill {
  std::uint32_t tensor = 0;
  std::uint64_t bytes = 0;          // all copies
  std::uint64_t traffic_bytes = 0;  // roughly: as the memory plan ranks them
};

struct Program {
  std::vector<AcceleratorStreams> accelerators;
  std::vector<Command> host;  // LoopBegin, Stride, EndLoop, WaitSemaphore, Signal, HostOperation, Halt
  std::vector<HostWork> host_operations;
  std::vector<Placement> placements;       // by tensor
  std::vector<OperatorMapping> operators;  // by operator of the trace
  std::vector<MemoryPeak> peaks;
  std::vector<Spill> spills;  // largest traffic first
};

}  // namespace archsim
