// Whether maps find the figure: sprites of the test split, whose masks are known.
//   where_bench RUN [ITEMS]
// For each item the map of its strongest feature; the share of the map's positive parts that lies on the figure (a cell
// counts by how much of it the figure covers), beside the share of the picture that the figure covers. As the sprites
// are, and planted at random places of a plain picture of three times the side, where a figure is small.
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "learn/explain/picture_input.h"
#include "learn/explain/where.h"
#include "orthant/core/rng.h"
#include "orthant/sources/sprites.h"

namespace {

using namespace orthant;

struct Scene {
  Image picture;
  Image mask;
};

Scene sprite(const Dataset& data, int64_t i) { return {data.image(i), sprite_mask({.split = "test"}, i)}; }

Scene planted(const Scene& own, int64_t times, Rng& rng) {
  const int64_t side = own.picture.height;
  double sums[3] = {};
  double count = 0;
  for (int64_t p = 0; p < side * side; ++p) {
    if (own.mask.pixels[static_cast<size_t>(p)] > 0) continue;
    for (int64_t c = 0; c < 3; ++c) sums[c] += own.picture.pixels[static_cast<size_t>(3 * p + c)];
    ++count;
  }
  Scene scene{Image(times * side, times * side, 3), Image(times * side, times * side, 1)};
  for (size_t p = 0; p < scene.mask.pixels.size(); ++p) {
    for (size_t c = 0; c < 3; ++c) scene.picture.pixels[3 * p + c] = static_cast<uint8_t>(sums[c] / count);
  }
  const auto top = static_cast<int64_t>(rng.below(static_cast<uint64_t>((times - 1) * side + 1)));
  const auto left = static_cast<int64_t>(rng.below(static_cast<uint64_t>((times - 1) * side + 1)));
  for (int64_t y = 0; y < side; ++y) {
    for (int64_t x = 0; x < side; ++x) {
      for (size_t c = 0; c < 3; ++c) scene.picture.at(top + y, left + x)[c] = own.picture.at(y, x)[c];
      scene.mask.at(top + y, left + x)[0] = own.mask.at(y, x)[0];
    }
  }
  return scene;
}

struct Shares {
  double mass = 0;
  double area = 0;
};

Shares shares_of(const heat::HeatMaps& maps, const Image& mask) {
  Shares shares;
  double positive = 0;
  for (int64_t y = 0; y < mask.height; ++y) {
    for (int64_t x = 0; x < mask.width; ++x) {
      const int64_t cell = y * maps.rows / mask.height * maps.cols + x * maps.cols / mask.width;
      const double part = std::max(0.0F, maps.maps(0, cell));
      const double covered = mask.at(y, x)[0] / 255.0;
      positive += part;
      shares.mass += part * covered;
      shares.area += covered;
    }
  }
  shares.mass = positive > 0 ? shares.mass / positive : 0;
  shares.area /= static_cast<double>(mask.height * mask.width);
  return shares;
}

void measure(Model& model, int64_t items, int64_t times, heat::Method method) {
  const DatasetPtr data = make_sprites({.split = "test"});
  Preprocessing preprocessing = model.options().preprocessing;
  preprocessing.size *= times;
  preprocessing.crop = "stretch";
  Rng rng(0);
  Shares sum;
  int64_t fired = 0;
  heat::HeatMaps maps;
  for (int64_t i = 0; i < items; ++i) {
    Scene scene = sprite(*data, i);
    if (times > 1) scene = planted(scene, times, rng);
    const Where where(model, picture_input(scene.picture, preprocessing).tensor,
                      {.method = method, .occlusion_grid = 8 * times});
    if (where.features().max().item<float>() <= 0) continue;
    maps = where.maps(where.of_features(std::vector<int64_t>{where.before()[0].argmax().item<int64_t>()})).front();
    const Shares own = shares_of(maps, scene.mask);
    sum.mass += own.mass;
    sum.area += own.area;
    ++fired;
  }
  const auto count = static_cast<double>(std::max<int64_t>(fired, 1));
  fmt::print(
      "{:<10} side {:<4} grid {:>2} x {:<2}  on the figure {:.3f}, its area {:.3f}, ratio {:.2f} (at most {:.2f}), {} "
      "items\n",
      heat::method_name(method), 32 * times, maps.rows, maps.cols, sum.mass / count, sum.area / count,
      sum.mass / sum.area, count / sum.area, fired);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: where_bench RUN [ITEMS]\n");
    return 2;
  }
  const int64_t items = argc > 2 ? std::atoll(argv[2]) : 500;
  Model model = Model::load(std::string(argv[1]) + "/model.safetensors");
  for (const int64_t times : {1, 3}) {
    for (const heat::Method method : {heat::Method::kAdditive, heat::Method::kOcclusion}) {
      measure(model, method == heat::Method::kOcclusion ? std::max<int64_t>(items / 10, 1) : items, times, method);
    }
  }
  return 0;
}
