#include "orthant/corrupt/filter.h"

#include <cmath>
#include <numbers>

namespace orthant::corrupt {
namespace {

std::vector<float> gaussian_kernel(double sigma, int64_t radius) {
  std::vector<double> weights;
  double sum = 0;
  for (int64_t k = -radius; k <= radius; ++k) {
    weights.push_back(std::exp(-static_cast<double>(k * k) / (2 * sigma * sigma)));
    sum += weights.back();
  }
  std::vector<float> kernel;
  for (const double weight : weights) kernel.push_back(static_cast<float>(weight / sum));
  return kernel;
}

void across(float* row, int64_t width, const std::vector<float>& kernel, Border border, std::vector<float>& padded) {
  const auto radius = static_cast<int64_t>(kernel.size() / 2);
  padded.resize(static_cast<size_t>(width + 2 * radius));
  for (int64_t x = -radius; x < width + radius; ++x) {
    padded[static_cast<size_t>(x + radius)] = row[border_index(x, width, border)];
  }
  std::fill_n(row, width, 0.0F);
  for (size_t k = 0; k < kernel.size(); ++k) {
    const float weight = kernel[k];
    const float* from = padded.data() + k;
    for (int64_t x = 0; x < width; ++x) row[x] += weight * from[x];
  }
}

struct Step {
  int64_t dy = 0;
  int64_t dx = 0;
  float weight = 0;
};

// The pixels that ImageMagick's MotionBlurImage visits.
std::vector<Step> motion_steps(double radius, double sigma, double angle) {
  const double radians = angle * std::numbers::pi / 180;
  const auto length = static_cast<int64_t>(std::max(1.0, std::round(2 * radius + 1)));
  std::vector<Step> steps;
  double sum = 0;
  for (int64_t i = 0; i < length; ++i) {
    const auto t = static_cast<double>(i);
    const double weight = std::exp(-t * t / (2 * sigma * sigma));
    steps.push_back({static_cast<int64_t>(std::ceil(t * std::sin(radians) - 0.5)),
                     static_cast<int64_t>(std::ceil(t * std::cos(radians) - 0.5)), static_cast<float>(weight)});
    sum += weight;
  }
  for (Step& step : steps) step.weight = static_cast<float>(step.weight / sum);
  return steps;
}

// Where each pixel of an axis comes from when its middle is enlarged.
struct Source {
  int64_t first = 0;
  int64_t second = 0;
  float share = 0;  // of the second
};

std::vector<Source> zoom_axis(int64_t n, double factor) {
  const auto kept = std::min(n, static_cast<int64_t>(std::ceil(static_cast<double>(n) / factor)));
  const int64_t begin = (n - kept) / 2;
  const auto stretched = std::max(n, static_cast<int64_t>(std::nearbyint(static_cast<double>(kept) * factor)));
  const int64_t trimmed = (stretched - n) / 2;
  std::vector<Source> sources;
  for (int64_t i = 0; i < n; ++i) {
    const double at = stretched == 1 ? 0
                                     : static_cast<double>(i + trimmed) * static_cast<double>(kept - 1) /
                                           static_cast<double>(stretched - 1);
    const int64_t low = std::min(static_cast<int64_t>(at), kept - 1);
    sources.push_back(
        {begin + low, begin + std::min(low + 1, kept - 1), static_cast<float>(at - static_cast<double>(low))});
  }
  return sources;
}

}  // namespace

int64_t border_index(int64_t i, int64_t n, Border border) {
  if (i >= 0 && i < n) return i;
  if (border == Border::nearest || n == 1) return std::clamp<int64_t>(i, 0, n - 1);
  const int64_t period = border == Border::reflect ? 2 * n : 2 * n - 2;
  const int64_t at = ((i % period) + period) % period;
  if (at < n) return at;
  return border == Border::reflect ? period - 1 - at : period - at;
}

void gaussian(Canvas& canvas, double sigma, int64_t radius, Border border) {
  if (sigma <= 0 || radius <= 0) return;
  const std::vector<float> kernel = gaussian_kernel(sigma, radius);
  std::vector<float> scratch;
  for (int64_t c = 0; c < canvas.channels; ++c) {
    for (int64_t y = 0; y < canvas.height; ++y) across(canvas.row(c, y), canvas.width, kernel, border, scratch);
    const auto plane = canvas.plane(c);
    const std::vector<float> source(plane.begin(), plane.end());
    std::ranges::fill(plane, 0.0F);
    for (int64_t y = 0; y < canvas.height; ++y) {
      float* to = canvas.row(c, y);
      for (int64_t k = -radius; k <= radius; ++k) {
        const float weight = kernel[static_cast<size_t>(k + radius)];
        const float* from = source.data() + border_index(y + k, canvas.height, border) * canvas.width;
        for (int64_t x = 0; x < canvas.width; ++x) to[x] += weight * from[x];
      }
    }
  }
}

void disk(Canvas& canvas, double radius) {
  const auto reach = static_cast<int64_t>(radius);
  if (reach <= 0) return;
  std::vector<int64_t> half;  // of the run of pixels in each row of the disk
  int64_t area = 0;
  for (int64_t dy = -reach; dy <= reach; ++dy) {
    half.push_back(static_cast<int64_t>(std::sqrt(radius * radius - static_cast<double>(dy * dy))));
    area += 2 * half.back() + 1;
  }
  // Running sums of each row turn a run of any length into one difference.
  const int64_t pitch = canvas.width + 2 * reach + 1;
  std::vector<double> sums(static_cast<size_t>(canvas.height * pitch));
  std::vector<double> total(static_cast<size_t>(canvas.width));
  for (int64_t c = 0; c < canvas.channels; ++c) {
    for (int64_t y = 0; y < canvas.height; ++y) {
      double* to = sums.data() + y * pitch;
      for (int64_t x = 0; x + 1 < pitch; ++x) {
        to[x + 1] = to[x] + canvas.row(c, y)[border_index(x - reach, canvas.width, Border::mirror)];
      }
    }
    for (int64_t y = 0; y < canvas.height; ++y) {
      std::ranges::fill(total, 0.0);
      for (int64_t dy = -reach; dy <= reach; ++dy) {
        const int64_t run = half[static_cast<size_t>(dy + reach)];
        const double* low = sums.data() + border_index(y + dy, canvas.height, Border::mirror) * pitch + reach - run;
        const double* high = low + 2 * run + 1;
        for (int64_t x = 0; x < canvas.width; ++x) total[static_cast<size_t>(x)] += high[x] - low[x];
      }
      float* to = canvas.row(c, y);
      for (int64_t x = 0; x < canvas.width; ++x) {
        to[x] = static_cast<float>(total[static_cast<size_t>(x)] / static_cast<double>(area));
      }
    }
  }
}

void motion(Canvas& canvas, double radius, double sigma, double angle) {
  const Canvas source = canvas;
  const int64_t width = canvas.width;
  std::ranges::fill(canvas.values, 0.0F);
  for (const Step& step : motion_steps(radius, sigma, angle)) {
    const int64_t begin = std::clamp<int64_t>(-step.dx, 0, width);
    const int64_t end = std::clamp<int64_t>(width - step.dx, begin, width);
    for (int64_t c = 0; c < canvas.channels; ++c) {
      for (int64_t y = 0; y < canvas.height; ++y) {
        float* to = canvas.row(c, y);
        const float* from = source.row(c, std::clamp<int64_t>(y + step.dy, 0, canvas.height - 1));
        for (int64_t x = 0; x < begin; ++x) to[x] += step.weight * from[0];
        for (int64_t x = begin; x < end; ++x) to[x] += step.weight * from[x + step.dx];
        for (int64_t x = end; x < width; ++x) to[x] += step.weight * from[width - 1];
      }
    }
  }
}

Canvas zoom(const Canvas& canvas, double factor) {
  const std::vector<Source> rows = zoom_axis(canvas.height, factor);
  const std::vector<Source> columns = zoom_axis(canvas.width, factor);
  Canvas zoomed(canvas.height, canvas.width, canvas.channels);
  std::vector<float> line(static_cast<size_t>(canvas.width));
  for (int64_t c = 0; c < canvas.channels; ++c) {
    for (int64_t y = 0; y < canvas.height; ++y) {
      const Source& down = rows[static_cast<size_t>(y)];
      const float* upper = canvas.row(c, down.first);
      const float* lower = canvas.row(c, down.second);
      for (size_t x = 0; x < line.size(); ++x) line[x] = upper[x] + down.share * (lower[x] - upper[x]);
      float* to = zoomed.row(c, y);
      for (size_t x = 0; x < line.size(); ++x) {
        const Source& from = columns[x];
        const float left = line[static_cast<size_t>(from.first)];
        to[x] = left + from.share * (line[static_cast<size_t>(from.second)] - left);
      }
    }
  }
  return zoomed;
}

float sample(std::span<const float> plane, int64_t height, int64_t width, double y, double x, Border border) {
  const double top = std::floor(y);
  const double left = std::floor(x);
  const auto at = [&](double row, double column) {
    return plane[static_cast<size_t>(border_index(static_cast<int64_t>(row), height, border) * width +
                                     border_index(static_cast<int64_t>(column), width, border))];
  };
  const auto down = static_cast<float>(y - top);
  const auto right = static_cast<float>(x - left);
  const float upper = at(top, left) * (1 - right) + at(top, left + 1) * right;
  const float lower = at(top + 1, left) * (1 - right) + at(top + 1, left + 1) * right;
  return upper * (1 - down) + lower * down;
}

}  // namespace orthant::corrupt
