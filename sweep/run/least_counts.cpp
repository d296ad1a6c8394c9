#include "sweep/run/least_counts.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace archsim {
namespace {

/// The accelerators' event of a multiplication; empty if arrays have none.
std::string_view mac_event(Dtype dtype) {
  switch (dtype) {
    case Dtype::int8:
      return "mac_int8";
    case Dtype::bf16:
      return "mac_bf16";
    case Dtype::fp16:
      return "mac_fp16";
    case Dtype::fp32:
      return "mac_fp32";
    case Dtype::fp8_e4m3:
    case Dtype::fp8_e5m2:
      return "mac_fp8";
    case Dtype::int4:
      return "mac_int4";
    case Dtype::mxfp8:
      return "mac_mxfp8";
    case Dtype::mxfp4:
    case Dtype::nvfp4:
      return "mac_fp4";
    case Dtype::int32:
    case Dtype::uint8:
      break;
  }
  return {};
}

bool is_sparse(const Trace& trace, const Operator& op) {
  return std::any_of(op.inputs.begin(), op.inputs.end(),
                     [&](const TensorUse& use) { return trace.tensors[use.tensor].grouping.is_two_of_four; });
}

std::array<std::uint64_t, kDtypes> macs_by_dtype(const MachineView& machine, const LeastWork& work) {
  std::array<std::uint64_t, kDtypes> macs{};
  for (std::size_t i = 0; i < work.peaks.size(); ++i) {
    const OperatorPeak& peak = work.peaks[i];
    if (peak.by_host || peak.macs == 0) continue;
    const Operator& op = work.trace.operators[i];
    const auto dtype = rate_dtype(work.trace, machine, op);
    if (!dtype) continue;
    const std::uint64_t each = is_sparse(work.trace, op) ? peak.macs / 2 : peak.macs;  // an array may skip half of 2:4
    macs[static_cast<std::size_t>(*dtype)] += each * work.where[i].instances;
  }
  return macs;
}

/// Null if the block has no such event.
std::uint64_t* count_of(BlockReport& report, std::string_view event) {
  const auto found =
      std::find_if(report.events.begin(), report.events.end(), [&](const auto& each) { return each.first == event; });
  return found == report.events.end() ? nullptr : &found->second;
}

/// Bytes of a burst, from the rate of bursts that the block is priced by.
double burst_bytes(const BlockSpec& block, const BlockReport& report, const MachineView& machine) {
  if (!block.is_priced) return 0.0;
  const auto costs = block.entry->costs(block.params, block.clock);
  for (std::size_t i = 0; i < std::min(report.events.size(), costs.events.size()); ++i) {
    if (report.events[i].first == "burst_read") return machine.dram.peak.value / costs.events[i].peak_per_s;
  }
  return 0.0;
}

}  // namespace

RunResult least_counts(const SocSpec& spec, const MachineView& machine, const LeastWork& work) {
  RunResult result;
  result.time = work.time;
  const auto macs = macs_by_dtype(machine, work);
  bool has_array = false;  // equal instances: it does not matter which multiplies
  for (const BlockSpec& block : spec.blocks) {
    BlockReport& report = result.blocks.emplace_back();
    report.name = block.name;
    report.kind = block.entry->kind;
    report.model = block.entry->model;
    for (const auto& event : block.entry->events.entries()) report.events.emplace_back(event.name, 0);
    if (auto* const reads = count_of(report, "burst_read"); reads != nullptr && report.kind == "dram") {
      const double burst = burst_bytes(block, report, machine);
      if (burst > 0.0) *reads = static_cast<std::uint64_t>(static_cast<double>(work.dram_bytes) / burst);
    }
    if (has_array || report.kind != "accel") continue;
    for (std::size_t d = 0; d < kDtypes; ++d) {
      const auto event = mac_event(static_cast<Dtype>(d));
      if (auto* const count = event.empty() ? nullptr : count_of(report, event)) {
        *count += macs[d];
        has_array = true;
      }
    }
  }
  return result;
}

}  // namespace archsim
