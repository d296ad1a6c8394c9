#pragma once

namespace archsim {

/// The whole program; returns its exit status.
int command_line(int argc, const char* const* argv);

}  // namespace archsim
