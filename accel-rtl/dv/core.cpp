#include "accel-rtl/dv/core.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "arch/describe/diagnostic.h"

namespace archsim::rtl {
namespace {

struct Name {
  std::string_view name;
  std::uint64_t CoreParams::*member;
};

constexpr std::array kNames{Name{"Rows", &CoreParams::rows},
                            Name{"Cols", &CoreParams::cols},
                            Name{"ScratchpadBytes", &CoreParams::scratchpad_bytes},
                            Name{"ScratchpadBanks", &CoreParams::scratchpad_banks},
                            Name{"PortBytes", &CoreParams::port_bytes},
                            Name{"AccumulatorBytes", &CoreParams::accumulator_bytes},
                            Name{"QueueDepth", &CoreParams::queue_depth},
                            Name{"DmaOutstanding", &CoreParams::dma_outstanding},
                            Name{"DmaBurstBytes", &CoreParams::dma_burst_bytes},
                            Name{"DmaSetupCycles", &CoreParams::dma_setup_cycles},
                            Name{"DmaDescriptors", &CoreParams::dma_descriptors},
                            Name{"Semaphores", &CoreParams::semaphores}};

}  // namespace

CoreParams params_of(std::string_view text) {
  CoreParams params;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const std::size_t equals = item.find('=');
    const auto found =
        std::find_if(kNames.begin(), kNames.end(), [&](Name name) { return name.name == item.substr(0, equals); });
    ARCHSIM_ASSERT(equals != std::string_view::npos && found != kNames.end(),
                   "ARCHSIM_RTL_CORES: " + std::string(item));
    params.*found->member = std::stoull(std::string(item.substr(equals + 1)));
  }
  return params;
}

#include "accel-rtl/dv/built_cores.inc"

const BuiltCore* find_core(const CoreParams& params) {
  for (const BuiltCore& core : built_cores()) {
    CoreParams same = core.params;
    same.semaphores = params.semaphores;
    if (same == params && core.params.semaphores >= params.semaphores) return &core;
  }
  return nullptr;
}

std::string parameter_text(const CoreParams& params) {
  std::string text;
  for (const Name& name : kNames)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name.name, params.*name.member);
  return text;
}

}  // namespace archsim::rtl
