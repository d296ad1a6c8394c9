// Ctrl-C as a question that long work asks itself now and then.
#pragma once

namespace archsim {

/// From now on SIGINT and SIGTERM end the program at once: while there is nothing to keep.
void end_on_interrupts();
/// From now on SIGINT and SIGTERM only set a flag; a second one ends the program at once.
void catch_interrupts();
bool is_interrupted();

}  // namespace archsim
