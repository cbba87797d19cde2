#include "orthant/heat/heat_maps.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "orthant/core/error.h"

namespace orthant::heat {
namespace {

constexpr size_t kHead = 8;            // method, rows, cols, count, box
constexpr float kMostCells = 1 << 16;  // a side of the grid, and maps at once
constexpr float kSlack = 1e-4F;        // of sums of shares

int64_t whole(float number, const char* what) {
  check_io(number >= 0 && number <= kMostCells && number == std::floor(number),
           "[heat map] expected a whole number of ", what, " up to ", kMostCells, ", got ", number);
  return static_cast<int64_t>(number);
}

bool inside(float begin, float length) {
  return begin >= -kSlack && length > 0 && begin + length <= 1 + kSlack;  // false for NaN
}

}  // namespace

std::string method_name(Method method) { return method == Method::kAdditive ? "additive" : "occlusion"; }

HeatMaps coarser(const HeatMaps& maps, int64_t most) {
  if (maps.method != Method::kAdditive || (maps.rows <= most && maps.cols <= most)) return maps;
  HeatMaps fewer = maps;
  fewer.rows = std::min(maps.rows, most);
  fewer.cols = std::min(maps.cols, most);
  fewer.maps = Matrix(maps.count(), fewer.rows * fewer.cols);
  for (int64_t m = 0; m < maps.count(); ++m) {
    for (int64_t cell = 0; cell < maps.rows * maps.cols; ++cell) {
      const int64_t row = cell / maps.cols * fewer.rows / maps.rows;
      const int64_t col = cell % maps.cols * fewer.cols / maps.cols;
      fewer.maps(m, row * fewer.cols + col) += maps.maps(m, cell);
    }
  }
  return fewer;
}

std::vector<float> to_floats(const HeatMaps& maps) {
  std::vector<float> floats = {static_cast<float>(maps.method),
                               static_cast<float>(maps.rows),
                               static_cast<float>(maps.cols),
                               static_cast<float>(maps.count()),
                               maps.box.left,
                               maps.box.top,
                               maps.box.width,
                               maps.box.height};
  floats.insert(floats.end(), maps.values.begin(), maps.values.end());
  floats.insert(floats.end(), maps.rests.begin(), maps.rests.end());
  floats.insert(floats.end(), maps.maps.values().begin(), maps.maps.values().end());
  return floats;
}

HeatMaps from_floats(std::span<const float> floats) {
  check_io(floats.size() >= kHead, "[heat map] expected at least ", kHead, " numbers, got ", floats.size());
  check_io(std::ranges::all_of(floats, [](float x) { return std::isfinite(x); }),
           "[heat map] expected finite numbers, got others");
  HeatMaps maps;
  const int64_t method = whole(floats[0], "a method");
  check_io(method <= 1, "[heat map] expected the method 0 or 1, got ", method);
  maps.method = static_cast<Method>(method);
  maps.rows = whole(floats[1], "rows");
  maps.cols = whole(floats[2], "columns");
  const int64_t count = whole(floats[3], "maps");
  maps.box = {.left = floats[4], .top = floats[5], .width = floats[6], .height = floats[7]};
  check_io(inside(maps.box.left, maps.box.width) && inside(maps.box.top, maps.box.height),
           "[heat map] expected a box within the picture, got ", maps.box.left, ", ", maps.box.top, ", ",
           maps.box.width, " x ", maps.box.height);
  const int64_t cells = maps.rows * maps.cols;
  const auto rest = floats.subspan(kHead);
  check_io(cells > 0 && std::ssize(rest) == count * (cells + 2), "[heat map] expected ", count, " maps of ", maps.rows,
           " x ", maps.cols, " cells, got ", rest.size(), " numbers");
  const auto some = static_cast<size_t>(count);
  maps.values.assign(rest.begin(), rest.begin() + count);
  maps.rests.assign(rest.begin() + count, rest.begin() + 2 * count);
  const auto body = rest.subspan(2 * some);
  maps.maps = Matrix(count, cells, {body.begin(), body.end()});
  return maps;
}

}  // namespace orthant::heat
