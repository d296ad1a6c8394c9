#include "arch/mapping/map.h"

#include <algorithm>

#include "arch/mapping/emit/emitter.h"
#include "arch/mapping/order/lower.h"
#include "arch/mapping/plan/panels.h"
#include "arch/mapping/plan/plans.h"
#include "arch/mapping/plan/schedule.h"
#include "arch/mapping/plan/staging.h"

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
      const bool is_product = std::find(group.products.begin(), group.products.end(), op) != group.products.end();
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

std::vector<OperatorMapping> describe(const Trace& trace, const Schedule& schedule) {
  std::vector<OperatorMapping> mappings(trace.operators.size());
  for (const auto& group : schedule.groups) {
    if (group.work == Work::staging) continue;
    for (std::size_t i = 0; i < group.operators.size(); ++i) {
      const std::uint32_t op = group.operators[i];
      mappings[op] = {.runs_on = runs_on(group, op),
                      .lead = group.operators[0],
                      .why = group.work == Work::host ? group.why : group.passes[i]};
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

}  // namespace

Checked<Program> map(const Trace& trace, const MachineView& machine, const MappingOptions& options) {
  const auto schedule = make_schedule(trace, machine, options);
  if (!schedule) return schedule.diagnostics();
  auto staged = stage_caches(trace, machine, *schedule, options.stage_caches);
  if (!staged) return staged.diagnostics();
  MemoryPlan& memory = staged->memory;
  const auto plans = make_plans(staged->trace, machine, staged->schedule, memory);
  if (!plans) return plans.diagnostics();
  put_weight_layouts(*plans, memory);
  put_panels(staged->trace, staged->schedule, *plans, memory);

  const auto tapes = emit_tapes(staged->trace, machine, staged->schedule, memory, *plans);
  const MemoryOrder order = order_memory(staged->trace, staged->schedule, memory);
  const LoweringInput input{staged->trace, staged->schedule, memory, order, static_cast<std::uint16_t>(tapes.size())};

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
  program.placements = memory.placements;
  program.placements.resize(trace.tensors.size());  // without the copies
  program.peaks = memory.peaks;
  program.operators = describe(trace, *schedule);
  count_dram_bytes(machine.dram, program);
  return program;
}

}  // namespace archsim
