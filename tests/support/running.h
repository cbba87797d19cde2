#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace orthant::test {

// The built orthant with these arguments, running beside the test; at most two minutes. Its stderr goes to `errors`.
class Running {
 public:
  explicit Running(std::vector<std::string> words, const std::string& errors = "/dev/null") {
    words.insert(words.begin(), ORTHANT_PROGRAM);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    child_ = ::fork();
    if (child_ != 0) return;
    if (::freopen(errors.c_str(), "w", stderr) == nullptr) ::_exit(127);
    ::alarm(120);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }

  // The exit code after `signal_number`.
  int end(int signal_number) {
    ::kill(child_, signal_number);
    int status = 0;
    ::waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t child_ = 0;
};

// Until the file has content, at most a minute.
inline void wait_for_content(const std::string& path) {
  for (int tries = 0; tries < 30'000; ++tries) {
    if (std::filesystem::exists(path) && std::filesystem::file_size(path) > 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace orthant::test
