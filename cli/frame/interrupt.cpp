#include "cli/frame/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string_view>

#include "orthant/io/mapped_file.h"

namespace orthant::cli {
namespace {

volatile std::sig_atomic_t noted_signal = 0;  // the one thing a signal handler may write
const char* volatile acknowledgement = nullptr;

void say(std::string_view text) {
  const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(ignored);
}

// Only what a signal handler may call.
void note(int signal_number) {
  const int error = errno;
  noted_signal = signal_number;
  std::signal(signal_number, SIG_DFL);
  if (acknowledgement != nullptr) say(acknowledgement);
  errno = error;
}

// Only what a signal handler may call.
void tell_shrunk_file(int signal_number, siginfo_t* info, void*) {
  const char* path = io::MappedFile::path_at(info->si_addr);
  if (path == nullptr) {
    std::signal(signal_number, SIG_DFL);  // returning tries again, and ends the program
    return;
  }
  say("orthant: [");
  say(path);
  say("] expected a file that stays as it is, got one that shrank while it was read\n");
  ::_exit(1);
}

}  // namespace

Interrupted::Interrupted(int number) : std::runtime_error("stopped by a signal"), signal_number(number) {}

void catch_interrupts() {
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
}

void catch_shrunk_files() {
  struct sigaction action = {};
  action.sa_sigaction = tell_shrunk_file;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, nullptr);
}

void acknowledge_interrupts() {
  acknowledgement = isatty(STDERR_FILENO) != 0 ? "\r\x1b[Korthant: stopping...\n" : "orthant: stopping...\n";
}

int interrupt_signal() { return noted_signal; }

void stop_if_interrupted() {
  if (noted_signal != 0) throw Interrupted(noted_signal);
}

}  // namespace orthant::cli
