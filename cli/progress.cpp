#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/interrupt.h"

namespace orthant::cli {
namespace {

std::string duration(double seconds) {
  const auto whole = static_cast<int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

}  // namespace

Progress::Progress(std::string label, std::string unit, int64_t total, bool quiet)
    : label_(std::move(label)),
      unit_(std::move(unit)),
      total_(total),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (terminal_ && drawn_) std::fputs("\r\x1b[K", stderr);
}

void Progress::update(int64_t done, const std::string& note) {
  stop_if_interrupted();
  if (quiet_) return;
  const auto now = Clock::now();
  const auto pause = terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000);
  if (now - last_ < pause) return;
  last_ = now;
  draw(done, note, now);
}

void Progress::draw(int64_t done, const std::string& note, Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const double share = total_ > 0 ? std::clamp(static_cast<double>(done) / static_cast<double>(total_), 0.0, 1.0) : 0;
  const std::string left = rate > 0 ? duration(static_cast<double>(total_ - done) / rate) : "?";
  const std::string tail = note.empty() ? "" : "  " + note;
  if (terminal_) {
    constexpr int kWidth = 24;
    const auto filled = static_cast<size_t>(share * kWidth);
    const std::string bar = std::string(filled, '=') + std::string(kWidth - filled, ' ');
    fmt::print(stderr, "\r\x1b[K{} [{}] {:3.0f} %  {:.4g} {}/s  {} left{}", label_, bar, share * 100, rate, unit_, left,
               tail);
    std::fflush(stderr);
    drawn_ = true;
  } else {
    fmt::print(stderr, "{}: {} of {} {} ({:.0f} %), {:.4g}/s, {} left{}\n", label_, done, total_, unit_, share * 100,
               rate, left, tail);
  }
}

}  // namespace orthant::cli
