#include "app/terminal/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "app/exit_status.h"

namespace archsim {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void on_signal(int) {
  if (interrupted) ::_exit(exit_status::kInterrupted);
  interrupted = 1;
}

void end_on_signal(int) {
  constexpr std::string_view kText = "interrupted before anything was simulated; nothing was written\n";
  if (::write(STDERR_FILENO, kText.data(), kText.size()) < 0) ::_exit(exit_status::kInterrupted);
  ::_exit(exit_status::kInterrupted);
}

void on_interrupts(void (*handler)(int)) {
  std::signal(SIGINT, handler);
  std::signal(SIGTERM, handler);
}

}  // namespace

void end_on_interrupts() { on_interrupts(end_on_signal); }

void catch_interrupts() { on_interrupts(on_signal); }

bool is_interrupted() { return interrupted != 0; }

}  // namespace archsim
