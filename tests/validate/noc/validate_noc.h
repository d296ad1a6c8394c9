// scripts/validate noc.
#pragma once

namespace archsim {

/// Prints how far each group of BookSim's rows is from ours, and the worst ten; false if a limit is missed.
bool validate_noc();

}  // namespace archsim
