// The body of a SystemC process, whose exceptions may not reach the kernel.
#pragma once

#include <exception>
#include <systemc>

#include "arch/block/build_context.h"

namespace archsim {

/// Runs `body`. What it throws becomes a fault of the block, kind illegal_command; the kernel's own unwinding passes.
template <class Body>
void run_guarded(const BuildContext& context, Body body) {
  try {
    body();
  } catch (const sc_core::sc_unwind_exception&) {
    throw;
  } catch (const std::exception& problem) {
    context.faults->fault(FaultKind::illegal_command, context.name, problem.what());
  }
}

}  // namespace archsim
