#pragma once

#include <stdexcept>

namespace orthant::cli {

// Thrown by stop_if_interrupted(): unwinds, so that unfinished files are removed; main() then exits with 128 + signal.
struct Interrupted : std::runtime_error {
  explicit Interrupted(int signal_number);
  int signal_number;
};

// From here on Ctrl-C and SIGTERM are only noted; a second one ends the program at once.
void catch_interrupts();

// From here on a mapped file that shrinks while it is read ends the program with one line that names it and exit code
// 1, instead of SIGBUS. Unfinished files are left for the next writer to remove.
void catch_shrunk_files();

// From here on the first of those signals is answered at once with a line on stderr.
void acknowledge_interrupts();

// The signal that was noted, or 0.
int interrupt_signal();

// To be called now and then by whatever takes long, on the main thread.
void stop_if_interrupted();

}  // namespace orthant::cli
