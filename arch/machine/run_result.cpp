#include "arch/machine/run_result.h"

namespace archsim {

std::string_view name_of(WaitReason reason) {
  constexpr std::array<std::string_view, kWaitReasons> names{"load", "array", "vector", "store", "dependency",
                                                             "host", "dram",  "sram",   "noc",   "dma"};
  return names[static_cast<std::size_t>(reason)];
}

std::string_view name_of(FaultKind kind) {
  constexpr std::array<std::string_view, 5> names{"deadlock", "watchdog", "illegal_command", "bad_address",
                                                  "queue_overflow"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace archsim
