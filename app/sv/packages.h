// SystemVerilog packages of the accelerator's RTL, from the tables that the model is made of.
#pragma once

#include <optional>
#include <string>

#include "models/accel/tables.h"

namespace archsim {

/// Opcodes, field positions, legal values and the bits that each opcode may set: arch/program/encoding.h.
std::string command_package();

struct SvBuild {
  SystolicParams params;
  std::size_t accelerators = 1;
  std::string soc;  // whose accelerators these are; empty: the defaults
};
/// The sizes of one build, and the order of the counters.
std::string config_package(const SvBuild& build);

}  // namespace archsim
