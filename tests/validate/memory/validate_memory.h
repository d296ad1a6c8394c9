// scripts/validate memory.
#pragma once

namespace archsim {

/// Prints every row, and how many of each tool's meet each limit; false if one misses.
bool validate_memory();

}  // namespace archsim
