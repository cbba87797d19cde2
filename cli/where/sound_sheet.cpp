#include "cli/where/sound_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "orthant/heat/overlay.h"
#include "orthant/heat/sound_place.h"
#include "orthant/report/font.h"
#include "orthant/views/resize.h"

namespace orthant::cli {
namespace {

constexpr int64_t kLeft = 40;   // for frequencies
constexpr int64_t kBelow = 24;  // for times
constexpr int64_t kTop = 8;
constexpr int64_t kRight = 12;
constexpr int64_t kWidth = kSoundCell - kLeft - kRight;
constexpr int64_t kHeight = kSoundCell - kTop - kBelow;
constexpr int64_t kTick = 4;
constexpr Colour kInk = {34, 34, 40};

void mark(Image& cell, int64_t y, int64_t x) {
  const auto pixel = cell.at(y, x);
  pixel[0] = kInk.red;
  pixel[1] = kInk.green;
  pixel[2] = kInk.blue;
}

struct Part {
  Image picture;
  views::SoundAxes axes;
};

// Whole frames around what the network saw.
Part seen_part(const Image& spectrogram, const views::SoundAxes& axes, const heat::HeatMaps& maps) {
  const auto frames = static_cast<double>(spectrogram.width);
  const auto left = static_cast<double>(maps.box.left) * frames;
  const auto first = std::clamp<int64_t>(std::llround(left), 0, spectrogram.width - 1);
  const auto end = std::clamp<int64_t>(std::llround(left + static_cast<double>(maps.box.width) * frames), first + 1,
                                       spectrogram.width);
  Part part{.picture = Image(spectrogram.height, end - first, 1), .axes = axes};
  for (int64_t y = 0; y < spectrogram.height; ++y) {
    for (int64_t x = first; x < end; ++x) part.picture.at(y, x - first)[0] = spectrogram.at(y, x)[0];
  }
  part.axes.begin = views::seconds_at(axes, static_cast<double>(first) / frames);
  part.axes.end = views::seconds_at(axes, static_cast<double>(end) / frames);
  return part;
}

// 1, 2 or 5 times a power of ten, so that there are at most four steps.
double step_of(double length) {
  const double least = length / 4;
  const double ten = std::pow(10, std::floor(std::log10(least)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (times * ten >= least) return times * ten;
  }
  return 10 * ten;
}

void draw_times(Image& cell, const views::SoundAxes& axes) {
  const double step = step_of(axes.end - axes.begin);
  const int digits = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  for (double k = std::ceil(axes.begin / step - 1e-6); k * step <= axes.end + 1e-9; ++k) {
    const auto x = kLeft + std::clamp<int64_t>(std::llround(views::across_at(axes, k * step) * kWidth), 0, kWidth - 1);
    for (int64_t y = 0; y < kTick; ++y) mark(cell, kTop + kHeight + y, x);
    const std::string text =
        fmt::format("{:.{}f}", k * step + 0.0, digits) + ((k + 1) * step > axes.end + 1e-9 ? " s" : "");
    const int64_t left = std::min(x - text_width(text) / 2, kSoundCell - text_width(text));
    draw_text(cell, left, kTop + kHeight + 8, text, kInk);
  }
}

void draw_frequencies(Image& cell, const views::SoundAxes& axes) {
  int64_t last = kSoundCell;
  for (const double hz : {100, 200, 500, 1000, 2000, 4000, 8000, 16000, 32000}) {
    if (hz < axes.low || hz > axes.high) continue;
    const auto y = kTop + std::clamp<int64_t>(std::llround(views::down_at(axes, hz) * kHeight), 0, kHeight - 1);
    if (last - y < kFontHeight + 3) continue;  // no room
    last = y;
    for (int64_t x = kLeft - kTick; x < kLeft; ++x) mark(cell, y, x);
    const std::string text = hz < 1000 ? fmt::format("{:.0f} Hz", hz) : fmt::format("{:.0f} kHz", hz / 1000);
    draw_text(cell, kLeft - 6 - text_width(text), y - kFontHeight / 2, text, kInk);
  }
}

}  // namespace

Image sound_cell(const Image& spectrogram, const views::SoundAxes& axes, const heat::HeatMaps& maps, int64_t m) {
  const Part part = seen_part(spectrogram, axes, maps);
  Image inner = views::resize(part.picture, kHeight, kWidth);
  if (m >= 0) {
    heat::HeatMaps moved = maps;
    moved.box = heat::moved_box(maps.box, axes, part.axes);
    const auto map = maps.maps.row(m);
    inner = heat::overlay(inner, moved, map, heat::strong_part(map));
  }
  Image cell(kSoundCell, kSoundCell, 3, 255);
  for (int64_t y = 0; y < kHeight; ++y) {
    for (int64_t x = 0; x < kWidth; ++x) {
      const auto from = inner.at(y, x);
      const auto to = cell.at(kTop + y, kLeft + x);
      for (size_t c = 0; c < 3; ++c) to[c] = from[inner.channels == 3 ? c : 0];
    }
  }
  draw_times(cell, part.axes);
  draw_frequencies(cell, part.axes);
  return cell;
}

}  // namespace orthant::cli
