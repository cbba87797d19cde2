#include "orthant/serve/encoder_process.h"

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>

#include "orthant/io/file_descriptor.h"
#include "orthant/serve/connection.h"
#include "orthant/serve/message.h"

namespace orthant::serve {
namespace {

static_assert(std::endian::native == std::endian::little, "what is sent is what is in memory");

[[noreturn]] void fail(const std::string& line) { throw StatusError(500, line); }

struct Ended : StatusError {
  Ended() : StatusError(500, "the program that embeds ended; its reason is where 'orthant explore' runs") {}
};

// Starts a program with `socket` as its stdin and stdout, in a group of its own, so that Ctrl-C reaches only us.
pid_t start(const std::vector<std::string>& command, int socket) {
  std::vector<std::string> words = command;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, socket, STDOUT_FILENO);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int failure = ::posix_spawn(&child, argv[0], &files, &attributes, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  if (failure != 0) fail("[" + command.front() + "] expected to start, got: " + io::error_text(failure));
  return child;
}

}  // namespace

// The running program. Any call but the destructor may throw, and then it must not be used any more.
class EncoderProcess::Child {
 public:
  Child(const std::vector<std::string>& command, const std::function<bool()>& stop) : stop_(stop) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      fail("[encoder] expected a pair of sockets, got: " + io::error_text(errno));
    }
    socket_ = io::FileDescriptor(ends[0]);
    const io::FileDescriptor theirs(ends[1]);
    process_ = start(command, theirs.get());
  }

  ~Child() {
    ::kill(-process_, SIGKILL);  // its group: what it may have started as well
    ::waitpid(process_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void write(std::string_view bytes, Clock::time_point deadline) {
    while (!bytes.empty()) {
      wait(POLLOUT, deadline);
      const ssize_t count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (count <= 0) throw Ended();
      bytes.remove_prefix(static_cast<size_t>(count));
    }
  }

  void read(void* target, size_t size, Clock::time_point deadline) {
    auto* at = static_cast<char*>(target);
    while (size > 0) {
      wait(POLLIN, deadline);
      const ssize_t count = ::recv(socket_.get(), at, size, MSG_DONTWAIT);
      if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (count <= 0) throw Ended();
      at += count;
      size -= static_cast<size_t>(count);
    }
  }

 private:
  void wait(short event, Clock::time_point deadline) const {
    constexpr int64_t kSlice = 100;
    for (;;) {
      if (stop_()) throw StatusError(503, "the server is stopping");
      pollfd one{socket_.get(), event, 0};
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) throw StatusError(503, "the program that embeds took too long; try again");
      if (::poll(&one, 1, static_cast<int>(std::min<int64_t>(left, kSlice))) != 0) return;
    }
  }

  const std::function<bool()>& stop_;
  io::FileDescriptor socket_;
  pid_t process_ = 0;
};

EncoderProcess::EncoderProcess(std::vector<std::string> command, std::chrono::milliseconds patience,
                               std::function<bool()> stop)
    : command_(std::move(command)), patience_(patience), stop_(std::move(stop)) {}
EncoderProcess::~EncoderProcess() = default;

std::vector<float> EncoderProcess::encode(Question kind, std::string_view bytes) {
  if (bytes.size() > kLongest) throw StatusError(413, "expected a smaller picture");
  const std::lock_guard lock(mutex_);
  if (child_ != nullptr) {
    try {
      return ask(kind, bytes);
    } catch (const Ended&) {  // some time since the last question
    }
  }
  child_ = std::make_unique<Child>(command_, stop_);
  return ask(kind, bytes);
}

// Leaves the program running only if its answer was complete.
std::vector<float> EncoderProcess::ask(Question question, std::string_view bytes) {
  const Clock::time_point deadline = Clock::now() + patience_;
  std::unique_ptr<Child> child = std::move(child_);
  const std::array<uint32_t, 2> asked = {question, static_cast<uint32_t>(bytes.size())};
  child->write({reinterpret_cast<const char*>(asked.data()), sizeof(asked)}, deadline);
  child->write(bytes, deadline);
  std::array<uint32_t, 2> head{};
  child->read(head.data(), sizeof(head), deadline);
  const auto [kind, size] = head;
  if (kind > kFailed || size > kLongest) fail("the program that embeds gave an answer of another kind");
  if (kind != kFeatures) {
    std::string line(size, ' ');
    child->read(line.data(), size, deadline);
    child_ = std::move(child);
    throw StatusError(kind == kFailed ? 500 : question == kText ? 400 : 415, line);
  }
  std::vector<float> features(size / sizeof(float));
  child->read(features.data(), features.size() * sizeof(float), deadline);
  child_ = std::move(child);
  return features;
}

}  // namespace orthant::serve
