#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace orthant::cli {

// Progress on stderr: a bar with rate and time left on a terminal, a line every ten seconds elsewhere, nothing when
// quiet. Cheap enough to be told of every item. Also the place where Ctrl-C takes effect: update() may throw
// Interrupted.
class Progress {
 public:
  Progress(std::string label, std::string unit, int64_t total, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `done` of `total`, with an optional note such as "loss 1.234".
  void update(int64_t done, const std::string& note = {});

 private:
  using Clock = std::chrono::steady_clock;
  void draw(int64_t done, const std::string& note, Clock::time_point now);

  std::string label_;
  std::string unit_;
  int64_t total_;
  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_;
  Clock::time_point last_;
};

}  // namespace orthant::cli
