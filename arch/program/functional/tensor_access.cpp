#include "arch/program/functional/tensor_access.h"

#include "arch/describe/diagnostic.h"
#include "arch/program/placement.h"

namespace archsim {

Array read_tensor(const Trace& trace, const Program& program, const AddressSpace& memory, std::uint32_t tensor,
                  const std::vector<std::uint32_t>& copy) {
  Array value = Array::like(trace.tensors[tensor]);
  for_each_run(trace.tensors[tensor], program.placements[tensor], copy, [&](const PlacedRun& run) {
    memory.read(run.address, std::span(value.bytes).subspan(run.offset, run.bytes));
  });
  return value;
}

void write_tensor(const Trace& trace, const Program& program, AddressSpace& memory, std::uint32_t tensor,
                  const std::vector<std::uint32_t>& copy, const Array& value) {
  for_each_run(trace.tensors[tensor], program.placements[tensor], copy, [&](const PlacedRun& run) {
    memory.write(run.address, std::span(value.bytes).subspan(run.offset, run.bytes));
  });
}

Iterations iterations_of(const Trace& trace, const Position& position, const std::vector<LoopIteration>& loops) {
  Iterations iterations(trace.loops.size(), 0);
  std::size_t next = 0;
  for (const auto& running : loops) {
    if (running.count == 1) continue;
    while (next < position.loops.size() && trace.loops[position.loops[next]].count == 1) ++next;
    ARCHSIM_ASSERT(next < position.loops.size() && trace.loops[position.loops[next]].count == running.count,
                   "a stream's loops are those of its operators");
    iterations[position.loops[next++]] = running.iteration;
  }
  return iterations;
}

}  // namespace archsim
