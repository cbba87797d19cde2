#include "cli/frame/duration.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <utility>

#include "cli/frame/app.h"

namespace orthant::cli {
namespace {

constexpr double kMost = 3.6e6;

// The seconds of a unit that `text` begins with, which is taken off it; 0 if it begins with none.
double take_unit(std::string_view& text) {
  for (const auto& [name, seconds] : {std::pair<std::string_view, double>{"min", 60}, {"h", 3600}, {"s", 1}}) {
    if (!text.starts_with(name)) continue;
    text.remove_prefix(name.size());
    return seconds;
  }
  return 0;
}

}  // namespace

double parse_duration(const std::string& flag, const std::string& text) {
  std::string_view rest = text;
  double sum = 0;
  bool good = !rest.empty();
  while (good && !rest.empty()) {
    double number = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    good = error == std::errc() && number >= 0;
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    const double unit = take_unit(rest);
    good = good && unit > 0;
    sum += number * unit;
  }
  if (!good || sum < 1 || sum > kMost) {
    throw Misuse(flag + ": expected a time from 1s to 1000h such as 90s, 10min or 1h30min, got '" + text + "'");
  }
  return sum;
}

std::string duration_text(double seconds) {
  if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
  if (seconds < 99.5 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace orthant::cli
