#include "app/terminal/interrupt.h"

#include <unistd.h>

#include <csignal>

#include "app/exit_status.h"

namespace archsim {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void on_signal(int) {
  if (interrupted) ::_exit(exit_status::kInterrupted);
  interrupted = 1;
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool is_interrupted() { return interrupted != 0; }

}  // namespace archsim
