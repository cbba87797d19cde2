#include "orthant/launch/launcher.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>

#include "orthant/core/error.h"
#include "orthant/io/file_descriptor.h"
#include "orthant/launch/world.h"

extern char** environ;

namespace orthant {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPause = 50;  // milliseconds between two looks at the processes
constexpr int kCannotStart = 127;

struct Process {
  int64_t rank = 0;
  pid_t id = -1;
  io::FileDescriptor errors = {};  // what it writes, read here
  std::string unfinished = {};     // line
  std::optional<int> status = {};  // as waitpid() tells it
};

bool ended_well(int status) { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }
bool lost_a_peer(int status) { return WIFEXITED(status) && WEXITSTATUS(status) == kPeerLostCode; }

std::string how(int status) {
  if (WIFSIGNALED(status)) {
    return join("was ended by signal ", WTERMSIG(status), " (", ::strsignal(WTERMSIG(status)), ")");
  }
  return join("ended with code ", WEXITSTATUS(status));
}

// The environment of one process, in memory that lives until it has started.
std::vector<std::string> environment_of(int64_t rank, const LaunchOptions& options, int64_t restart, int file) {
  const std::vector<std::pair<std::string, std::string>> ours = {
      {"RANK", std::to_string(rank)},
      {"WORLD_SIZE", std::to_string(options.processes)},
      {"LOCAL_RANK", std::to_string(rank)},
      {"LOCAL_WORLD_SIZE", std::to_string(options.processes)},
      {"ORTHANT_GROUP_FILE", join("/proc/self/fd/", file)},
      {"TORCHELASTIC_RESTART_COUNT", std::to_string(restart)},
      {"OMP_NUM_THREADS", std::to_string(options.threads)},
  };
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    if (std::ranges::none_of(ours, [&](const auto& variable) { return variable.first == name; })) {
      all.emplace_back(text);
    }
  }
  for (const auto& [name, value] : ours) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

class Crew {
 public:
  Crew(const std::string& program, const std::vector<std::string>& arguments, const LaunchOptions& options,
       const LaunchListener& listener)
      : program_(program), arguments_(arguments), options_(options), listener_(listener) {}

  ~Crew() {
    for (const Process& process : processes_) {
      if (process.status) continue;
      ::kill(-process.id, SIGKILL);
      ::waitpid(process.id, nullptr, 0);
    }
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  void start(int64_t restart) {
    const io::FileDescriptor file(::memfd_create("orthant-group", 0));
    check_io(file.get() >= 0, "[launch] expected a file to meet in, got: ", io::error_text(errno));
    for (int64_t rank = 0; rank < options_.processes; ++rank) start_one(rank, restart, file.get());
  }

  // Until the last has ended.
  void wait() {
    while (running() > 0) {
      relay();
      reap();
      pass_signals_on();
      end_stragglers();
    }
    // What they wrote last; something that they started may hold the other end.
    const auto end = Clock::now() + std::chrono::seconds(1);
    while (open() > 0 && Clock::now() < end) relay();
  }

  // How the one that failed first ended, not counting those that were killed here.
  const std::optional<int>& failure() const { return failure_; }
  // Whether nothing but signals and lost peers ended anyone.
  bool may_restart() const { return !stopped_ && !failed_by_itself_; }
  std::optional<int> code_of_failure() const { return failed_by_itself_; }

 private:
  void start_one(int64_t rank, int64_t restart, int file) {
    int ends[2];
    check_io(::pipe2(ends, O_CLOEXEC) == 0, "[launch] expected a pipe, got: ", io::error_text(errno));
    Process process{.rank = rank, .errors = io::FileDescriptor(ends[0])};
    const io::FileDescriptor writing(ends[1]);
    std::vector<std::string> words = {program_};
    words.insert(words.end(), arguments_.begin(), arguments_.end());
    std::vector<std::string> variables = environment_of(rank, options_, restart, file);
    const std::vector<char*> argv = pointers_to(words);
    const std::vector<char*> envp = pointers_to(variables);
    const pid_t launcher = ::getpid();
    process.id = ::fork();
    check_io(process.id >= 0, "[", program_, "] expected to start, got: ", io::error_text(errno));
    if (process.id == 0) become(argv, envp, writing.get(), rank, launcher);
    ::setpgid(process.id, process.id);  // here as well: whoever comes first
    processes_.push_back(std::move(process));
  }

  // In the new process: only what is safe between fork and exec.
  [[noreturn]] void become(const std::vector<char*>& argv, const std::vector<char*>& envp, int errors, int64_t rank,
                           pid_t launcher) const {
    ::setpgid(0, 0);  // Ctrl-C comes through the launcher, once
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != launcher) ::_exit(kCannotStart);
    ::dup2(errors, STDERR_FILENO);
    if (rank > 0) ::dup2(errors, STDOUT_FILENO);
    ::signal(SIGINT, SIG_DFL);
    ::signal(SIGTERM, SIG_DFL);
    ::execve(program_.c_str(), argv.data(), envp.data());
    ::_exit(kCannotStart);
  }

  int64_t running() const {
    return std::ranges::count_if(processes_, [](const Process& process) { return !process.status; });
  }
  int64_t open() const {
    return std::ranges::count_if(processes_, [](const Process& process) { return process.errors.get() >= 0; });
  }

  void relay() {
    std::vector<pollfd> wanted;
    for (const Process& process : processes_) wanted.push_back({process.errors.get(), POLLIN, 0});
    ::poll(wanted.data(), wanted.size(), kPause);
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i].fd >= 0 && wanted[i].revents != 0) read_some(processes_[i]);
    }
  }

  void read_some(Process& process) {
    char room[4096];
    const ssize_t count = ::read(process.errors.get(), room, sizeof room);
    if (count < 0 && errno == EINTR) return;
    if (count > 0) process.unfinished.append(room, static_cast<size_t>(count));
    for (size_t end; (end = process.unfinished.find('\n')) != std::string::npos;) {
      tell_line(process.rank, std::string_view(process.unfinished).substr(0, end));
      process.unfinished.erase(0, end + 1);
    }
    if (count > 0) return;
    if (!process.unfinished.empty()) tell_line(process.rank, process.unfinished);
    process.unfinished.clear();
    process.errors = io::FileDescriptor();
  }

  void tell_line(int64_t rank, std::string_view text) const {
    if (listener_.line) listener_.line(rank, text);
  }

  void reap() {
    for (Process& process : processes_) {
      int status = 0;
      if (process.status || ::waitpid(process.id, &status, WNOHANG) != process.id) continue;
      process.status = status;
      if (!ended_well(status) && !killing_) note_failure(process, status);
    }
  }

  void note_failure(const Process& process, int status) {
    if (!failure_) {
      failure_ = status;
      since_ = Clock::now();
    }
    if (WIFEXITED(status) && !lost_a_peer(status) && !failed_by_itself_) failed_by_itself_ = WEXITSTATUS(status);
    if (!stopped_ && WIFSIGNALED(status) && listener_.tell) {
      listener_.tell(join("rank ", process.rank, " ", how(status)));
    }
  }

  void pass_signals_on() {
    const int number = listener_.signal ? listener_.signal() : 0;
    if (number == 0 || stopped_) return;
    stopped_ = true;
    for (const Process& process : processes_) {
      if (!process.status) ::kill(process.id, number);
    }
  }

  void end_stragglers() {
    if (!failure_ || killing_ || Clock::now() - since_ < std::chrono::duration<double>(options_.grace)) return;
    killing_ = true;
    for (const Process& process : processes_) {
      if (process.status) continue;
      if (listener_.tell) listener_.tell(join("rank ", process.rank, " did not end by itself and was killed"));
      ::kill(-process.id, SIGKILL);  // with whatever it started
    }
  }

  const std::string& program_;
  const std::vector<std::string>& arguments_;
  const LaunchOptions& options_;
  const LaunchListener& listener_;
  std::vector<Process> processes_;
  std::optional<int> failure_;
  std::optional<int> failed_by_itself_;  // exit code
  Clock::time_point since_;
  bool stopped_ = false;  // a signal was passed on
  bool killing_ = false;
};

int code_of(int status) {
  if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
  return lost_a_peer(status) ? 1 : WEXITSTATUS(status);
}

}  // namespace

int launch(const std::string& program, const std::vector<std::string>& arguments, const LaunchOptions& options,
           const LaunchListener& listener) {
  check(options.processes >= 1 && options.processes <= 4096, "[launch] expected 1 to 4096 processes, got ",
        options.processes);
  for (int64_t restart = 0;; ++restart) {
    Crew crew(program, arguments, options, listener);
    crew.start(restart);
    crew.wait();
    if (!crew.failure()) return 0;
    if (!crew.may_restart() || restart == options.restarts) {
      return crew.code_of_failure().value_or(code_of(*crew.failure()));
    }
    if (listener.tell) {
      listener.tell(join("starting all ", options.processes, " again from the last checkpoint (", restart + 1, " of ",
                         options.restarts, ")"));
    }
  }
}

}  // namespace orthant
