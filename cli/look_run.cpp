#include "cli/look_run.h"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "cli/interrupt.h"
#include "cli/learn_program.h"
#include "orthant/catalogue/text.h"
#include "orthant/core/error.h"
#include "orthant/core/version.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/file_descriptor.h"
#include "orthant/io/settings_file.h"
#include "orthant/measure/evaluation.h"

namespace orthant::cli {
namespace {

namespace fs = std::filesystem;

// Removed with the object; files of it that are mapped stay readable.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "orthant-XXXXXX").string();
    check_io(::mkdtemp(pattern.data()) != nullptr, "[", pattern,
             "] expected to make a temporary folder, got: ", io::error_text(errno));
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

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

// This program again, with the terminal it has.
void run_embed(const std::string& run, const LookData& data, const std::string& output, const Common& common) {
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  std::vector<std::string> words = {self, "embed", run, "--split", data.split, "--overwrite", "-o", output};
  if (!data.spec.empty()) words.insert(words.end(), {"--data", data.spec});
  if (data.size > 0) words.insert(words.end(), {"--size", std::to_string(data.size)});
  if (common.threads > 0) words.insert(words.end(), {"--threads", std::to_string(common.threads)});
  if (common.quiet) words.emplace_back("--quiet");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, self.c_str(), nullptr, nullptr, argv.data(), environ);
  check_io(error == 0, "[", self, "] expected to start, got: ", io::error_text(error));
  const int code = wait_for(child);
  check_io(code == 0, "[", run, "] expected 'orthant embed' to make embeddings, got exit code ", code);
}

// Where embeddings of a run belong; empty if they are not to be kept.
std::string place_in_run(const std::string& run, const LookData& data) {
  const Settings recipe = io::read_settings(run + "/run.toml");
  const auto source = recipe.find("data.source");
  const bool own = data.spec.empty() || (source != recipe.end() && to_string(source->second) == data.spec);
  if (!own) return "";
  const std::string size = data.size > 0 ? fmt::format("-{}", data.size) : "";
  return fmt::format("{}/embeddings/{}-projector{}.safetensors", run, data.split, size);
}

bool can_embed() {
  try {
    return !learn_program_path().empty();
  } catch (const IoError&) {
    return false;
  }
}

bool can_write_into(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  return !error && ::access(folder.c_str(), W_OK) == 0;
}

bool is_newer(const std::string& file, const std::string& than) {
  std::error_code error;
  const auto own = fs::last_write_time(file, error);
  if (error) return false;
  const auto other = fs::last_write_time(than, error);
  return !error && own > other;
}

// A measures.json that still says what is true, or nothing.
std::string kept_measures(const std::string& path, const RunEmbeddings& from) {
  if (!fs::exists(path) || is_newer(from.file, path)) return "";
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (catalogue::json_depth(text) > catalogue::kDeepestJson) return "";
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("input") || !json["input"].is_object()) return "";
  const auto& input = json["input"];
  const bool fits = json.value("orthant", nlohmann::ordered_json()) == version() &&
                    json.value("definition", nlohmann::ordered_json()) == "paper" &&
                    input.value("rows", nlohmann::ordered_json()) == from.embeddings.rows() &&
                    input.value("cols", nlohmann::ordered_json()) == from.embeddings.cols();
  return fits ? json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) : "";
}

}  // namespace

RunEmbeddings run_embeddings(const std::string& run, const LookData& data, const Common& common) {
  RunEmbeddings result;
  result.file = place_in_run(run, data);
  const bool there = !result.file.empty() && fs::exists(result.file);
  const bool stale = there && is_newer(run + "/model.safetensors", result.file);
  if (stale && !can_embed()) {
    fmt::print(stderr, "orthant: {} is older than the model, and this build cannot make it again\n", result.file);
  }
  result.kept = there && (!stale || !can_embed());
  if (!result.kept && !result.file.empty() && can_write_into(fs::path(result.file).parent_path())) {
    run_embed(run, data, result.file, common);
    result.kept = true;
  }
  if (result.kept) {
    result.embeddings = io::read_embeddings(result.file);
    return result;
  }
  const TemporaryFolder folder;
  result.file = folder.path() + "/embeddings.safetensors";
  run_embed(run, data, result.file, common);
  result.embeddings = io::read_embeddings(result.file);
  result.file = run;
  return result;
}

std::string measures_of(const Embeddings& embeddings, const std::string& source, const std::vector<int64_t>& labels,
                        const Common& common, const LookProgress& progress) {
  measure::EvaluationInput input{.name = source, .features = embeddings};
  std::set<int64_t> classes(labels.begin(), labels.end());
  classes.erase(-1);
  if (classes.size() > 1) input.labels = labels;
  input.factors = embeddings.factors;
  measure::EvaluationOptions options;
  options.threads = common.threads;
  options.sepin.seed = common.seed;
  options.factors.seed = common.seed;
  options.progress = progress;
  return measure::to_json(measure::evaluate(input, options));
}

std::string run_measures(const std::string& run, const RunEmbeddings& from, const std::vector<int64_t>& labels,
                         const Common& common, const LookProgress& progress) {
  const std::string path = run + "/measures.json";
  std::string document = kept_measures(path, from);
  if (!document.empty()) return document;
  document = measures_of(from.embeddings, from.file, labels, common, progress);
  if (can_write_into(run)) io::write_file(path, document + "\n");
  return document;
}

}  // namespace orthant::cli
