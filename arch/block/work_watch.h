// What the blocks do, one piece of work after another, for those who draw it. No SystemC in here.
#pragma once

#include <cstdint>
#include <functional>

#include "arch/program/command.h"
#include "arch/units/quantity.h"

namespace archsim {

/// One command of an accelerator, or one piece of work of the host: it held the engine from start to end.
struct WorkSpan {
  std::uint32_t operator_index = 0;
  std::uint64_t iteration = 0;  // of the program's instance
  bool is_host = false;
  Engine engine = Engine::array;  // of `accelerator`; not of the host
  unsigned accelerator = 0;
  Time start = Time::zero(), end = Time::zero();
  Time busy = Time::zero();
};

using WorkWatch = std::function<void(const WorkSpan&)>;

}  // namespace archsim
