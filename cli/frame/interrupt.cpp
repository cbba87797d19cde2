#include "cli/frame/interrupt.h"

#include <csignal>

namespace orthant::cli {
namespace {

volatile std::sig_atomic_t noted_signal = 0;  // the one thing a signal handler may write

void note(int signal_number) {
  noted_signal = signal_number;
  std::signal(signal_number, SIG_DFL);
}

}  // namespace

Interrupted::Interrupted(int number) : std::runtime_error("stopped by a signal"), signal_number(number) {}

void catch_interrupts() {
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
}

int interrupt_signal() { return noted_signal; }

void stop_if_interrupted() {
  if (noted_signal != 0) throw Interrupted(noted_signal);
}

}  // namespace orthant::cli
