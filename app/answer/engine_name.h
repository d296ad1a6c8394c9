// What an operator runs on, as reports call it.
#pragma once

#include <string_view>

#include "arch/program/program.h"

namespace archsim {

/// "array", "vector", "dma" or "host".
constexpr std::string_view engine_name(RunsOn engine) {
  switch (engine) {
    case RunsOn::array:
      return "array";
    case RunsOn::vector:
      return "vector";
    case RunsOn::dma:
      return "dma";
    case RunsOn::host:
      break;
  }
  return "host";
}

}  // namespace archsim
