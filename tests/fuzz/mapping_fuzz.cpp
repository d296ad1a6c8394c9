// Any text, read as a mapping file of a small trace: it must end in decisions or in located errors, and what is planned
// with decisions in a plan or in errors.
#include <cstddef>
#include <cstdint>
#include <string>

#include "arch/mapping/overrule/mapping_file.h"

using namespace archsim;

namespace {

Tensor tensor(const char* name, Role role, std::uint64_t rows, std::uint64_t columns) {
  Tensor made;
  made.name = name;
  made.role = role;
  made.dtype = Dtype::int8;
  made.shape = {rows, columns};
  return made;
}

TensorUse use(std::uint32_t number) { return TensorUse{.tensor = number, .copy = {}}; }

/// Two linears of one input, one after the other.
Trace small_trace() {
  Trace trace;
  trace.model = "net";
  trace.tensors = {tensor("x", Role::input, 64, 128), tensor("wq", Role::weight, 128, 128),
                   tensor("wk", Role::weight, 128, 128), tensor("q", Role::output, 64, 128),
                   tensor("k", Role::output, 64, 128)};
  for (std::uint32_t i = 0; i < 2; ++i) {
    Operator op;
    op.name = i == 0 ? "q" : "k";
    op.type = OperatorType::linear;
    op.inputs = {use(0), use(1 + i)};
    op.outputs = {use(3 + i)};
    trace.operators.push_back(op);
  }
  trace.loops = {{.name = "stage", .count = 1}};
  trace.stages.push_back({.name = "stage", .repeat = {.loop = 0, .body = {0U, 1U}}});
  return trace;
}

MachineView small_machine() {
  MachineView view;
  view.soc = "edge";
  for (unsigned a = 0; a < 2; ++a) {
    AcceleratorCapabilities npu;
    npu.name = "npu" + std::to_string(a);
    npu.clock = 1_GHz;
    npu.rows = npu.columns = 16;
    npu.macs_per_pe = {{Dtype::int8, 1.0}};
    npu.dataflows = {Dataflow::weight_stationary};
    npu.scratchpad = 64_KiB;
    npu.accumulator = 16_KiB;
    npu.dma_burst = 64_B;
    npu.dma_outstanding = 8;
    npu.memory_port = Bandwidth(64e9);
    view.accelerators.push_back(npu);
  }
  view.dram = {
      .name = "dram", .base = 0x8000'0000, .capacity = 1_GiB, .peak = Bandwidth(50e9), .delivered = Bandwidth(45e9)};
  view.host.estimate = [](const Operator&, std::uint64_t) { return std::optional<Time>(1_us); };
  return view;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Trace trace = small_trace();
  static const MachineView machine = small_machine();
  const auto read =
      read_mapping(make_source("fuzz.yaml", std::string(reinterpret_cast<const char*>(data), size)), trace, machine);
  if (!read) {
    ARCHSIM_ASSERT(!render(read.diagnostics()).empty());
    return 0;
  }
  const auto planned = plan_trace(trace, machine, {}, *read);
  if (!planned) {
    ARCHSIM_ASSERT(!render(planned.diagnostics()).empty());
    return 0;
  }
  ARCHSIM_ASSERT(program_of(trace, machine, {}, *planned).has_value());
  return 0;
}
