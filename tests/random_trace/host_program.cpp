#include "tests/random_trace/host_program.h"

#include <random>

namespace archsim {
namespace {

void place(const Trace& trace, std::uint64_t seed, HostProgram& made) {
  std::mt19937_64 random(seed);
  constexpr std::uint64_t kBase = 0x8000'0000;
  constexpr std::uint64_t kGap = 24;
  std::uint64_t address = kBase;
  for (const auto& tensor : trace.tensors) {
    Placement placement{.address = address, .copy_stride = std::vector<std::uint64_t>(tensor.copies.size())};
    std::uint64_t stride = tensor.bytes() + kGap;
    for (std::size_t d = tensor.copies.size(); d-- > 0;) {
      placement.copy_stride[d] = stride;
      stride *= tensor.copies[d];
    }
    address += stride;
    if (random() % 2 == 0) {
      placement.layout = {.tile_rows = static_cast<std::uint32_t>(1 + random() % 9),
                          .tile_columns = static_cast<std::uint32_t>(1 + random() % 9),
                          .columns_first = random() % 2 == 0};
    }
    made.program.placements.push_back(std::move(placement));
  }
  made.limits.memories = {{.name = "dram", .base = kBase, .bytes = address - kBase}};
}

void append(const Trace& trace, const Repeat& repeat, Program& program) {
  program.host.push_back({.payload = LoopBegin{.count = trace.loops[repeat.loop].count}});
  for (const auto& step : repeat.body) {
    if (const auto* inner = std::get_if<Repeat>(&step)) {
      append(trace, *inner, program);
      continue;
    }
    const auto op = std::get<std::uint32_t>(step);
    program.host.push_back(
        {.tag = op, .payload = HostOperation{static_cast<std::uint32_t>(program.host_operations.size())}});
    program.host_operations.push_back({.operator_index = op});
    program.operators[op].runs_on = RunsOn::host;
  }
  program.host.push_back({.payload = EndLoop{}});
}

}  // namespace

HostProgram host_program(const Trace& trace, std::uint64_t seed) {
  HostProgram made;
  place(trace, seed, made);
  made.program.operators.resize(trace.operators.size());
  for (const auto& stage : trace.stages) append(trace, stage.repeat, made.program);
  made.program.host.push_back({.payload = Halt{}});
  AcceleratorStreams idle;
  for (auto& stream : idle.stream) stream.push_back({.payload = Halt{}});
  made.program.accelerators = {idle};
  made.limits.accelerators = {{.name = "npu0", .scratchpad = 1024, .accumulator = 1024}};
  return made;
}

}  // namespace archsim
