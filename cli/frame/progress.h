#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace orthant::cli {

// How far one piece of work is.
struct Step {
  std::string what;  // names the bar: "train", "umap"
  int64_t done = 0;
  int64_t total = 0;  // 0: not known yet, nothing is drawn
  std::string unit = "steps";
  std::string note = {};  // such as "loss 1.234"
};

// Progress on stderr, one bar after the other: with rate and time left on a terminal, a line every ten seconds
// elsewhere, nothing when quiet. A new bar begins when another piece of work is named, or one begins again. Cheap
// enough to be told of every item. Safe from several threads.
class Progress {
 public:
  explicit Progress(bool quiet) : quiet_(quiet) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Draws, and nothing else: for work that looks for interrupts itself and has something to save before it stops.
  void show(const Step& step);

  // The place where Ctrl-C takes effect in other work: throws Interrupted, or shows the step.
  void update(const Step& step);

  // update(), as the library tells it.
  void operator()(const std::string& what, int64_t done, int64_t total) { update({what, done, total}); }

  // Clears the terminal's line before something else is printed; the bar comes back with the next step.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void begin(const Step& step, Clock::time_point now);
  void draw(const Step& step, Clock::time_point now);
  void clear_line();

  const bool quiet_;
  std::mutex mutex_;
  std::string what_;
  int64_t done_ = 0;
  int64_t first_ = 0;  // done when the bar began
  bool drawn_ = false;
  Clock::time_point start_;
  Clock::time_point last_;
};

}  // namespace orthant::cli
