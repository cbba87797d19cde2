#include "orthant/heat/sound_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace orthant::heat {
namespace {

// About as many as the last layer has: single pixels of a finer map are uneven, and say no place.
constexpr int64_t kPlaceCells = 8;

struct Cells {
  int64_t top = 0;
  int64_t left = 0;
  int64_t below = 0;  // excluded
  int64_t right = 0;
};

// The rectangle around the cells that hang together with `first` and have at least `least`.
Cells grown(std::span<const float> parts, int64_t rows, int64_t cols, int64_t first, float least) {
  Cells cells{first / cols, first % cols, first / cols + 1, first % cols + 1};
  std::vector<bool> taken(parts.size());
  std::vector<int64_t> open = {first};
  taken[static_cast<size_t>(first)] = true;
  while (!open.empty()) {
    const int64_t r = open.back() / cols;
    const int64_t c = open.back() % cols;
    open.pop_back();
    cells = {std::min(cells.top, r), std::min(cells.left, c), std::max(cells.below, r + 1),
             std::max(cells.right, c + 1)};
    const auto visit = [&](int64_t y, int64_t x) {
      if (y < 0 || x < 0 || y >= rows || x >= cols) return;
      const auto at = static_cast<size_t>(y * cols + x);
      if (taken[at] || parts[at] < least) return;
      taken[at] = true;
      open.push_back(y * cols + x);
    };
    visit(r - 1, c);
    visit(r + 1, c);
    visit(r, c - 1);
    visit(r, c + 1);
  }
  return cells;
}

// A part of the box, in shares of it.
SoundPlace place_of(const Box& box, const views::SoundAxes& axes, double left, double right, double top, double below) {
  const auto seconds = [&](double share) {
    return std::clamp(views::seconds_at(axes, box.left + share * box.width), axes.begin, axes.end);
  };
  const auto hz = [&](double share) { return views::hz_at(axes, box.top + share * box.height); };
  return {.begin = seconds(left), .end = seconds(right), .low = hz(below), .high = hz(top), .share = 1};
}

std::string hz_text(double low, double high) {
  constexpr double kKilo = 1000;
  const auto kilo = [](double hz) { return fmt::format("{:.1f}", hz / kKilo); };
  constexpr double kAsKilo = 999.5;  // what would be rounded to a thousand
  if (low >= kAsKilo) return fmt::format("{}-{} kHz", kilo(low), kilo(high));
  if (high < kAsKilo) return fmt::format("{:.0f}-{:.0f} Hz", low, high);
  return fmt::format("{:.0f} Hz-{} kHz", low, kilo(high));
}

}  // namespace

std::optional<SoundPlace> strongest_place(const HeatMaps& fine, int64_t m, const views::SoundAxes& axes) {
  const HeatMaps maps = coarser(fine, kPlaceCells);
  const float sign = maps.values[static_cast<size_t>(m)] < 0 ? -1.0F : 1.0F;
  std::vector<float> parts(maps.maps.row(m).begin(), maps.maps.row(m).end());
  double all = 0;
  for (float& part : parts) all += part = std::max(0.0F, sign * part);
  const auto best = std::ranges::max_element(parts);
  if (best == parts.end() || !(*best > 0)) return {};
  const Cells cells = grown(parts, maps.rows, maps.cols, best - parts.begin(), *best / 2);
  double inside = 0;
  for (int64_t r = cells.top; r < cells.below; ++r) {
    for (int64_t c = cells.left; c < cells.right; ++c) inside += parts[static_cast<size_t>(r * maps.cols + c)];
  }
  const auto across = [&](int64_t c) { return static_cast<double>(c) / static_cast<double>(maps.cols); };
  const auto down = [&](int64_t r) { return static_cast<double>(r) / static_cast<double>(maps.rows); };
  SoundPlace place =
      place_of(maps.box, axes, across(cells.left), across(cells.right), down(cells.top), down(cells.below));
  place.share = static_cast<float>(inside / all);
  return place;
}

SoundPlace seen_place(const HeatMaps& maps, const views::SoundAxes& axes) {
  return place_of(maps.box, axes, 0, 1, 0, 1);
}

std::string seconds_text(double begin, double end) { return fmt::format("{:.2f}-{:.2f} s", begin, end); }

std::string place_text(const SoundPlace& place) {
  const std::string time = place.begin < place.end ? seconds_text(place.begin, place.end)
                           : place.begin > 0       ? "the silence after it"
                                                   : "the silence before it";
  return time + ", " + hz_text(place.low, place.high);
}

Box moved_box(const Box& box, const views::SoundAxes& from, const views::SoundAxes& to) {
  const double left = views::across_at(to, views::seconds_at(from, box.left));
  const double right = views::across_at(to, views::seconds_at(from, box.left + box.width));
  const double top = views::down_at(to, views::hz_at(from, box.top));
  const double below = views::down_at(to, views::hz_at(from, box.top + box.height));
  return {.left = static_cast<float>(left),
          .top = static_cast<float>(top),
          .width = static_cast<float>(right - left),
          .height = static_cast<float>(below - top)};
}

}  // namespace orthant::heat
