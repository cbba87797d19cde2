#include "cli/frame/processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "cli/frame/interrupt.h"
#include "cli/frame/terminal_text.h"
#include "orthant/core/threads.h"
#include "orthant/launch/launcher.h"

namespace orthant::cli {
namespace {

constexpr int64_t kMostProcesses = 4096;
constexpr int64_t kMostRestarts = 1'000'000;

// The value of a flag, as `--flag VALUE` or `--flag=VALUE`; the last one counts.
std::optional<int64_t> number_behind(const std::vector<std::string>& words, const std::string& flag) {
  std::optional<int64_t> found;
  for (size_t i = 0; i < words.size(); ++i) {
    std::string_view text;
    if (words[i] == flag && i + 1 < words.size()) text = words[i + 1];
    if (words[i].starts_with(flag + "=")) text = std::string_view(words[i]).substr(flag.size() + 1);
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (!text.empty() && error == std::errc() && end == text.data() + text.size()) found = value;
  }
  return found;
}

void print_line(int64_t rank, std::string_view text) {
  fmt::print(stderr, "[{}] {}\n", rank, terminal_text(std::string(text)));
}

}  // namespace

void add_process_flags(App* command, ProcessFlags& flags) {
  command->add_option("--processes", flags.processes, "Processes on this machine that share the work")
      ->check(between(1, kMostProcesses))
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--restarts", flags.restarts,
                   "How often all processes start again from the last checkpoint after one was killed or lost")
      ->check(between(0, kMostRestarts))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--timeout", flags.timeout, "Seconds after which a process that does not answer is given up")
      ->check(above_zero())
      ->type_name("SECONDS")
      ->capture_default_str();
}

double parse_bandwidth(const std::string& flag, const std::string& text) {
  const std::vector<std::pair<std::string_view, double>> units = {{"Gbit", 1.25e8}, {"Mbit", 1.25e5}, {"kbit", 125},
                                                                  {"GB", 1e9},      {"MB", 1e6},      {"kB", 1e3}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view rest(end, static_cast<size_t>(text.data() + text.size() - end));
  const auto unit = std::ranges::find(units, rest, &std::pair<std::string_view, double>::first);
  if (error != std::errc() || unit == units.end() || !(number > 0) || number > 1e6) {
    throw Misuse(flag + ": expected a bandwidth such as 10Gbit, 100Mbit or 1GB, got '" + text + "'");
  }
  return number * unit->second;
}

std::optional<int> launch_if_asked(const std::string& program, char** argv) {
  std::vector<std::string> words;
  for (char** word = argv + 1; *word != nullptr; ++word) words.emplace_back(*word);
  // What is wrong with the words is told by the program itself.
  const int64_t processes = number_behind(words, "--processes").value_or(1);
  const bool only_asks = std::ranges::any_of(
      words, [](const std::string& word) { return word == "--help" || word == "-h" || word == "--dry-run"; });
  if (processes <= 1 || processes > kMostProcesses || only_asks) return std::nullopt;
  const World world = world_of_this_process();
  if (world.size > 1) {
    throw Misuse(
        fmt::format("--processes starts processes of its own: expected it without another launcher, got one "
                    "({}) that started {}",
                    world.launcher, world.size));
  }
  const int64_t threads = resolve_threads(0);
  LaunchOptions options{.processes = processes, .restarts = number_behind(words, "--restarts").value_or(0)};
  options.threads = std::getenv("OMP_NUM_THREADS") != nullptr ? threads : std::max<int64_t>(1, threads / processes);
  return launch(program, words, options,
                {.line = print_line,
                 .tell = [](const std::string& text) { fmt::print(stderr, "orthant: {}\n", text); },
                 .signal = interrupt_signal});
}

World enter_world(const ProcessFlags& flags) {
  const World world = world_of_this_process();
  if (flags.processes > 1 && world.size != flags.processes) {
    throw Misuse(fmt::format("--processes {} needs the launcher of 'orthant': expected as many processes, got {}",
                             flags.processes, world.size));
  }
  return world;
}

}  // namespace orthant::cli
