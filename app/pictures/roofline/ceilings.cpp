#include "app/pictures/roofline/ceilings.h"

#include <algorithm>

#include "app/pictures/roofline/memory_path.h"
#include "arch/describe/values/value.h"

namespace archsim {
namespace {

const Datum* find(const Datum& datum, std::string_view key) {
  const auto* map = std::get_if<Datum::Map>(&datum.value);
  if (map == nullptr) return nullptr;
  for (const auto& [name, value] : *map) {
    if (name == key) return &value;
  }
  return nullptr;
}

/// All banks of an accelerator's scratchpad, each with its port's width a cycle; 0 if the model has no such params.
double scratchpad_rate(const BlockSpec& block) {
  const Datum params = block.entry->params.datum(block.params);
  const Datum* scratchpad = find(params, "scratchpad");
  const Datum* banks = scratchpad == nullptr ? nullptr : find(*scratchpad, "banks");
  const Datum* width = scratchpad == nullptr ? nullptr : find(*scratchpad, "port_width");
  if (banks == nullptr || width == nullptr) return 0.0;
  const auto* number = std::get_if<std::uint64_t>(&banks->value);
  const auto* text = std::get_if<std::string>(&width->value);
  if (number == nullptr || text == nullptr) return 0.0;
  const auto bytes = parse<Bytes>(*text);
  return bytes ? static_cast<double>(*number * bytes.value->value) * static_cast<double>(block.clock.value) : 0.0;
}

void add_compute(const MachineView& machine, Ceilings& to) {
  for (std::size_t d = 0; d < kDtypes; ++d) {
    const auto dtype = static_cast<Dtype>(d);
    const double peak = machine.peak_macs_per_second(dtype);
    if (peak <= 0.0) continue;
    to.macs_per_s.emplace_back(name_of(dtype), peak);
    double sparse = 0.0;
    for (const auto& can : machine.accelerators) {
      const auto rate = can.macs_per_pe.find(dtype);
      const auto times = can.sparsity.find(Sparsity::two_of_four);
      if (rate == can.macs_per_pe.end()) continue;
      sparse += rate->second * can.rows * can.columns * static_cast<double>(can.clock.value) *
                (times == can.sparsity.end() ? 1.0 : std::max(1.0, times->second));
    }
    if (sparse > peak * 1.001)
      to.macs_per_s.emplace_back(std::string(name_of(dtype)) + " " + std::string(name_of(Sparsity::two_of_four)),
                                 sparse);
  }
  for (const auto& can : machine.accelerators)
    to.vector_elements_per_s += can.vector_lanes * static_cast<double>(can.clock.value);
}

}  // namespace

Ceilings ceilings(const SocSpec& spec, const MachineView& machine) {
  Ceilings all;
  add_compute(machine, all);
  double scratchpads = 0.0, ports = 0.0;
  for (const BlockSpec* block : spec.accelerators()) scratchpads += scratchpad_rate(*block);
  for (const auto& can : machine.accelerators) ports += can.memory_port.value;
  if (scratchpads > 0.0) all.memories.push_back({"scratchpad", scratchpads, scratchpads});
  const MemoryPath dram = path_to(spec, spec.dram(), machine.dram, machine);
  double links = dram.links;
  if (const BlockSpec* l2 = spec.l2(); l2 != nullptr) {
    const MemoryCapabilities& memory = machine.l2 ? *machine.l2 : *machine.cache;
    const MemoryPath path = path_to(spec, *l2, memory, machine);
    all.memories.push_back({machine.l2 ? "l2" : "cache", path.device, std::min(path.achievable(), ports)});
    links = path.links;
  }
  if (ports > 0.0) all.memories.push_back({"noc", ports, std::min(ports, links)});
  all.memories.push_back({"dram", machine.dram.peak.value, std::min(dram.achievable(), ports)});
  std::stable_sort(all.memories.begin(), all.memories.end(),
                   [](const auto& a, const auto& b) { return a.bytes_per_s > b.bytes_per_s; });
  return all;
}

}  // namespace archsim
