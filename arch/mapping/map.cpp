#include "arch/mapping/map.h"

#include <algorithm>

#include "arch/mapping/emit/emitter.h"
#include "arch/mapping/order/lower.h"
#include "arch/mapping/plan/panels.h"
#include "arch/mapping/planned.h"
#include "arch/mapping/schedule/suitability.h"
#include "arch/program/accesses.h"

namespace archsim {
namespace {

void put_weight_layouts(const Plans& plans, MemoryPlan& memory) {
  for (const auto& [tensor, tiles] : plans.weights) {
    memory.placements[tensor].layout = {.tile_rows = static_cast<std::uint32_t>(tiles.k_tile),
                                        .tile_columns = static_cast<std::uint32_t>(tiles.n_tile),
                                        .columns_first = false};
  }
}

RunsOn runs_on(const Group& group, std::uint32_t op) {
  switch (group.work) {
    case Work::product: {
      const auto linears = group.linears();
      const bool is_product = std::find(linears.begin(), linears.end(), op) != linears.end();
      return is_product ? RunsOn::array : RunsOn::vector;
    }
    case Work::attention:
      return RunsOn::array;
    case Work::vector:
      return RunsOn::vector;
    case Work::movement:
    case Work::staging:
      return RunsOn::dma;
    case Work::host:
      break;
  }
  return RunsOn::host;
}

// What lets the group's operator run where it does, or keeps it on the host.
std::string decided_by(const Trace& trace, const MachineView& machine, const Group& group, std::uint32_t op) {
  if (machine.accelerators.empty()) return "accelerators";
  const std::uint32_t accelerator = group.accelerators.empty() ? 0 : group.accelerators[0];
  return verdict(trace, op, machine.accelerators[accelerator]).capability;
}

std::vector<OperatorMapping> describe(const BatchedTrace& batched, const MachineView& machine,
                                      const Schedule& schedule) {
  std::vector<OperatorMapping> mappings(batched.trace.operators.size());
  for (const auto& group : schedule.groups) {
    if (group.work == Work::staging) continue;
    for (std::size_t i = 0; i < group.operators.size(); ++i) {
      const std::uint32_t op = group.operators[i];
      mappings[op] = {.runs_on = runs_on(group, op),
                      .lead = group.beside.empty() ? group.operators[0] : op,
                      .why = group.work == Work::host ? group.why : group.passes[i],
                      .decided_by = decided_by(batched.trace, machine, group, op),
                      .batch = batched.batches[op]};
    }
  }
  return mappings;
}

void count_dram_bytes(const MemoryCapabilities& dram, Program& program) {
  const auto is_in_dram = [&](std::uint64_t address) {
    return address >= dram.base && address - dram.base < dram.capacity.value;
  };
  for (const auto& accelerator : program.accelerators) {
    for (const auto& stream : accelerator.stream) {
      for (const auto& command : stream) {
        const auto* dma = std::get_if<Dma>(&command.payload);
        if (!dma || !is_in_dram(dma->memory_address)) continue;
        program.operators[command.tag].dram_bytes += std::uint64_t{dma->row_bytes} * dma->rows * dma->planes;
      }
    }
  }
  for (const auto& work : program.host_operations) {
    for (const auto& transfer : work.transfers) {
      if (is_in_dram(transfer.address)) program.operators[work.operator_index].dram_bytes += transfer.bytes;
    }
  }
}

// Scratchpads and accumulators: up to the last byte that a command touches.
void add_local_peaks(const MachineView& machine, Program& program) {
  for (std::size_t a = 0; a < program.accelerators.size(); ++a) {
    std::uint64_t scratchpad = 0, accumulator = 0;
    for (std::size_t e = 0; e < kEngines; ++e) {
      for (const auto& command : program.accelerators[a].stream[e]) {
        if (!command.is_work()) continue;
        for (const auto& access : local_accesses(command, static_cast<Engine>(e))) {
          auto& peak = access.start.in_accumulator() ? accumulator : scratchpad;
          peak = std::max(peak, access.start.byte() + access.extent());
        }
      }
    }
    const auto& npu = machine.accelerators[a];
    program.peaks.push_back({npu.name + ".scratchpad", scratchpad, npu.scratchpad.value});
    program.peaks.push_back({npu.name + ".accumulator", accumulator, npu.accumulator.value});
  }
}

// Where the trace's own tensors lie in the end: of one that got a copy an iteration, the last.
std::vector<Placement> placements_of(const Trace& trace, const BatchedTrace& batched, const MemoryPlan& memory) {
  std::vector<Placement> placements(memory.placements.begin(),
                                    memory.placements.begin() + static_cast<std::ptrdiff_t>(trace.tensors.size()));
  for (std::size_t t = 0; t < placements.size(); ++t) {
    auto& placement = placements[t];
    if (!trace.tensors[t].copies.empty() || placement.copy_stride.empty()) continue;
    placement.address += placement.copy_stride[0] * (batched.trace.tensors[t].copies[0] - 1);
    placement.copy_stride.clear();
  }
  return placements;
}

}  // namespace

Checked<Program> map(const Trace& trace, const MachineView& machine, const MappingOptions& options) {
  auto planned = plan_trace(trace, machine, options);
  if (!planned) return planned.diagnostics();
  return program_of(trace, machine, options, *std::move(planned));
}

Checked<Program> program_of(const Trace& trace, const MachineView& machine, const MappingOptions& options,
                            Planned planned) {
  auto& [batched, loops, schedule, staged, plans] = planned;
  MemoryPlan& memory = staged.memory;
  put_weight_layouts(plans, memory);
  put_panels(staged.trace, staged.schedule, plans, memory);

  const auto tapes = emit_tapes(staged.trace, machine, staged.schedule, memory, plans, options.launch);
  const MemoryOrder order = order_memory(staged.trace, staged.schedule, memory, options.launch);
  const LoweringInput input{staged.trace,  staged.schedule, memory, order, static_cast<std::uint16_t>(tapes.size()),
                            options.launch};

  Program program;
  for (std::size_t a = 0; a < tapes.size(); ++a) {
    auto streams = lower_tape(input, tapes[a], static_cast<std::uint16_t>(a));
    if (!streams) return streams.diagnostics();
    program.accelerators.push_back(*std::move(streams));
  }
  auto host = lower_host(input);
  if (!host) return host.diagnostics();
  program.host = std::move(host->stream);
  program.host_operations = std::move(host->operations);
  program.placements = placements_of(trace, batched, memory);
  program.peaks = memory.peaks;
  add_local_peaks(machine, program);
  program.spills = memory.spills;
  program.operators = describe(batched, machine, schedule);
  count_dram_bytes(machine.dram, program);
  return program;
}

}  // namespace archsim
