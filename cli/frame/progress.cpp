#include "cli/frame/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/frame/interrupt.h"

namespace orthant::cli {
namespace {

bool on_terminal() { return isatty(STDERR_FILENO) != 0; }

std::string duration(double seconds) {
  const auto whole = static_cast<int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

}  // namespace

Progress::~Progress() { clear_line(); }

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  clear_line();
}

void Progress::clear_line() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

void Progress::update(const Step& step) {
  stop_if_interrupted();
  show(step);
}

void Progress::show(const Step& step) {
  if (quiet_) return;
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (step.what != what_ || step.done < done_ || step.total == 0) begin(step, now);
  done_ = step.done;
  if (step.total == 0) return;
  const auto pause = on_terminal() ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000);
  if (now - last_ < pause) return;
  last_ = now;
  draw(step, now);
}

void Progress::begin(const Step& step, Clock::time_point now) {
  clear_line();
  what_ = step.what;
  first_ = step.done;
  start_ = now;
  last_ = now;
}

void Progress::draw(const Step& step, Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = seconds > 0 ? static_cast<double>(step.done - first_) / seconds : 0;
  const double share = std::clamp(static_cast<double>(step.done) / static_cast<double>(step.total), 0.0, 1.0);
  const std::string left = rate > 0 ? duration(static_cast<double>(step.total - step.done) / rate) : "?";
  const std::string tail = step.note.empty() ? "" : "  " + step.note;
  if (on_terminal()) {
    constexpr int kWidth = 24;
    const auto filled = static_cast<size_t>(share * kWidth);
    const std::string bar = std::string(filled, '=') + std::string(kWidth - filled, ' ');
    fmt::print(stderr, "\r\x1b[K{} [{}] {:3.0f} %  {:.4g} {}/s  {} left{}", step.what, bar, share * 100, rate,
               step.unit, left, tail);
    std::fflush(stderr);
    drawn_ = true;
  } else {
    fmt::print(stderr, "{}: {} of {} {} ({:.0f} %), {:.4g}/s, {} left{}\n", step.what, step.done, step.total, step.unit,
               share * 100, rate, left, tail);
  }
}

}  // namespace orthant::cli
