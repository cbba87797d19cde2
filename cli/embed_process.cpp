#include "cli/embed_process.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "cli/frame/interrupt.h"
#include "cli/frame/learn_program.h"
#include "cli/frame/run_model.h"
#include "orthant/core/error.h"
#include "orthant/io/file_descriptor.h"

namespace orthant::cli {
namespace {

// Waits for a child, which is told to stop if this program is.
int wait_for(pid_t child) {
  constexpr auto kPause = std::chrono::milliseconds(20);
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (interrupt_signal() != 0) {
      ::kill(child, SIGTERM);
      ::waitpid(child, &status, 0);
      stop_if_interrupted();
    }
    std::this_thread::sleep_for(kPause);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::vector<std::string> words_for(const catalogue::EmbedRequest& request, const Common& common) {
  const EmbeddingsKey& key = request.key;
  std::vector<std::string> words = {"embed", request.run, "--split", key.split, "--overwrite", "-o", request.output};
  if (key.layer != EmbeddingsKey().layer) words.insert(words.end(), {"--layer", key.layer});
  if (key.tower != "a") words.insert(words.end(), {"--tower", key.tower});
  if (!key.data.empty()) words.insert(words.end(), {"--data", key.data});
  if (key.size > 0) words.insert(words.end(), {"--size", std::to_string(key.size)});
  if (!key.corrupt.empty()) words.insert(words.end(), {"--corrupt", key.corrupt});
  if (key.views > 0) {
    words.insert(words.end(), {"--views", std::to_string(key.views), "--seed", std::to_string(key.seed)});
  }
  if (common.threads > 0) words.insert(words.end(), {"--threads", std::to_string(common.threads)});
  if (common.quiet) words.emplace_back("--quiet");
  return words;
}

// This program again.
void run_embed(const catalogue::EmbedRequest& request, const Common& common) {
  run_model_file(request.run);  // says better what is wrong than the exit code of a program can
  std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<std::string> words = words_for(request, common);
  std::vector<char*> argv = {self.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, self.c_str(), nullptr, nullptr, argv.data(), environ);
  check_io(error == 0, "[", self, "] expected to start, got: ", io::error_text(error));
  const int code = wait_for(child);
  check_io(code == 0, "[", request.run, "] expected 'orthant embed' to make embeddings, got exit code ", code);
}

}  // namespace

bool can_embed() {
  try {
    return !learn_program_path().empty();
  } catch (const IoError&) {
    return false;
  }
}

catalogue::EmbedMissing embed_process(const Common& common) {
  if (!can_embed()) return nullptr;
  return [common](const catalogue::EmbedRequest& request) { run_embed(request, common); };
}

}  // namespace orthant::cli
