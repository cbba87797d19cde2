#include "tests/support/program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/support/temporary_folder.h"

namespace orthant::test {
namespace {

void redirect(const std::string& path, int target) {
  const int file = ::open(path.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  ::dup2(file, target);
}

void allow(__rlimit_resource resource, long bytes) {
  const rlimit limit{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
  ::setrlimit(resource, &limit);
}

}  // namespace

Finished run_orthant(const std::vector<std::string>& arguments, const ProgramLimits& limits) {
  const TemporaryFolder folder;
  const std::string output = folder / "stdout";
  const std::string errors = folder / "stderr";
  std::vector<std::string> words = {ORTHANT_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    redirect(limits.output.empty() ? output : limits.output, STDOUT_FILENO);
    redirect(errors, STDERR_FILENO);
    if (limits.file_bytes >= 0) {
      allow(RLIMIT_FSIZE, limits.file_bytes);
      ::signal(SIGXFSZ, SIG_IGN);
    }
    if (limits.memory_bytes >= 0) allow(RLIMIT_AS, limits.memory_bytes);
    ::alarm(120);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, read_bytes(output), read_bytes(errors)};
}

}  // namespace orthant::test
