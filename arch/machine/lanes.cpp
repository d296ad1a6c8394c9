#include "arch/machine/lanes.h"

namespace archsim {

std::string_view name_of(Doubling doubling) {
  constexpr std::array<std::string_view, kDoublings> kNames{"none", "compute", "vector", "sram",  "dma",
                                                            "noc",  "dram",    "cpu",    "launch"};
  return kNames[static_cast<std::size_t>(doubling)];
}

}  // namespace archsim
