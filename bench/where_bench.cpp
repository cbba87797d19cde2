// Whether maps find the figure: sprites of the test split, whose masks are known.
//   where_bench RUN [ITEMS]
// Three kinds of scene: a sprite as it is, with its strongest feature; the same planted at a random place of a plain
// picture of three times the side, with that feature and with the strongest there, if it fires; and two sprites of
// different shapes side by side, with the feature by which the first is ahead of the second most, if it fires. For each
// kind of map the share of its positive parts that lies on the figure (a cell counts by how much of it the figure
// covers), beside the share of the picture that the figure covers, which is chance; of two sprites also the first
// figure's share of what lies on both. "no network" is how far a pixel is from the plain picture: what needs no network
// to find.
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>

#include "learn/explain/picture_input.h"
#include "learn/explain/where.h"
#include "orthant/core/rng.h"
#include "orthant/sources/sprites.h"

namespace {

using namespace orthant;

struct Scene {
  at::Tensor input;
  Image mask;
  Image other = {};  // mask of another figure
  int64_t feature = 0;
  int64_t label = 0;
};

struct Kind {
  const char* name;
  std::optional<WhereOptions> options;  // none: no network
  int64_t every = 1;                    // one scene in so many, where it takes long
};

class Lab {
 public:
  explicit Lab(Model& model) : model_(model), data_(make_sprites({.split = "test"})) {}

  at::Tensor input(const Image& picture, int64_t times) const {
    Preprocessing preprocessing = model_.options().preprocessing;
    preprocessing.size *= times;
    preprocessing.crop = "stretch";
    return picture_input(picture, preprocessing).tensor;
  }
  // Before sigma+, [K].
  at::Tensor before(const at::Tensor& input) {
    const EvalScope eval(model_);
    return model_.project(model_.backbone(input))[0];
  }
  Image mask(int64_t i) const { return sprite_mask({.split = "test"}, i); }

  std::vector<Scene> sprites(int64_t items) {
    std::vector<Scene> scenes;
    for (int64_t i = 0; i < items; ++i) {
      Scene scene{.input = input(data_->image(i), 1), .mask = mask(i), .label = data_->label(i)};
      scene.feature = before(scene.input).argmax().item<int64_t>();
      scenes.push_back(std::move(scene));
    }
    return scenes;
  }

  // `own`: asked for the sprite's own strongest feature, not for the strongest there.
  std::vector<Scene> planted(int64_t items, bool own) {
    constexpr int64_t kTimes = 3;
    Rng rng(0);
    std::vector<Scene> scenes;
    for (int64_t i = 0; i < items; ++i) {
      const Image picture = data_->image(i);
      const Image shape = mask(i);
      const int64_t side = picture.height;
      const auto place = static_cast<uint64_t>((kTimes - 1) * side + 1);
      const auto top = static_cast<int64_t>(rng.below(place));
      const auto left = static_cast<int64_t>(rng.below(place));
      Image large = ground(picture, shape, kTimes);
      Image where(large.height, large.width, 1);
      paste(picture, top, left, large);
      paste(shape, top, left, where);
      Scene scene{.input = input(large, kTimes), .mask = std::move(where), .label = data_->label(i)};
      const at::Tensor values = before(scene.input);
      scene.feature = (own ? before(input(picture, 1)) : values).argmax().item<int64_t>();
      if (values[scene.feature].item<float>() > 0) scenes.push_back(std::move(scene));
    }
    return scenes;
  }

  std::vector<Scene> pairs(int64_t items) {
    std::vector<Scene> scenes;
    for (int64_t i = 0; i + 1 < items; i += 2) {
      if (data_->label(i) == data_->label(i + 1)) continue;
      const at::Tensor first = input(data_->image(i), 1);
      const at::Tensor second = input(data_->image(i + 1), 1);
      const auto normalised = [&](const at::Tensor& x) {
        const at::Tensor z = before(x).clamp_min(0);
        return z / z.norm().clamp_min(1e-9);
      };
      Scene scene{.input = at::cat({first, second}, 3),
                  .mask = side_by_side(mask(i), Image(32, 32, 1)),
                  .other = side_by_side(Image(32, 32, 1), mask(i + 1)),
                  .label = data_->label(i)};
      scene.feature = (normalised(first) - normalised(second)).argmax().item<int64_t>();
      if (before(scene.input)[scene.feature].item<float>() > 0) scenes.push_back(std::move(scene));
    }
    return scenes;
  }

 private:
  // A picture of `times` the side that has the mean colour of what is not figure.
  static Image ground(const Image& picture, const Image& mask, int64_t times) {
    double sums[3] = {};
    double count = 0;
    for (size_t p = 0; p < mask.pixels.size(); ++p) {
      if (mask.pixels[p] > 0) continue;
      for (size_t c = 0; c < 3; ++c) sums[c] += picture.pixels[3 * p + c];
      ++count;
    }
    Image large(times * picture.height, times * picture.width, 3);
    for (size_t p = 0; p < large.pixels.size(); ++p) large.pixels[p] = static_cast<uint8_t>(sums[p % 3] / count);
    return large;
  }
  static void paste(const Image& from, int64_t top, int64_t left, Image& to) {
    for (int64_t y = 0; y < from.height; ++y) {
      for (int64_t x = 0; x < from.width; ++x) {
        std::ranges::copy(from.at(y, x), to.at(top + y, left + x).begin());
      }
    }
  }
  static Image side_by_side(const Image& a, const Image& b) {
    Image both(a.height, a.width + b.width, 1);
    paste(a, 0, 0, both);
    paste(b, 0, a.width, both);
    return both;
  }

  Model& model_;
  DatasetPtr data_;
};

heat::HeatMaps map_of(Model& model, const Scene& scene, const Kind& kind) {
  if (kind.options) {
    const Where where(model, scene.input, *kind.options);
    return where.maps(where.of_features(std::vector<int64_t>{scene.feature})).front();
  }
  const at::Tensor middle = std::get<0>(scene.input.flatten(2).median(2)).unsqueeze(2).unsqueeze(3);
  const at::Tensor far = (scene.input - middle).abs().sum(1).contiguous();
  heat::HeatMaps maps{.rows = far.size(1), .cols = far.size(2)};
  maps.maps = Matrix(1, far.numel(), {far.data_ptr<float>(), far.data_ptr<float>() + far.numel()});
  return maps;
}

double share_on(const heat::HeatMaps& maps, const Image& mask) {
  double on = 0;
  double all = 0;
  for (int64_t y = 0; y < mask.height; ++y) {
    for (int64_t x = 0; x < mask.width; ++x) {
      const int64_t cell = y * maps.rows / mask.height * maps.cols + x * maps.cols / mask.width;
      const double part = std::max(0.0F, maps.maps(0, cell));
      all += part;
      on += part * mask.at(y, x)[0] / 255.0;
    }
  }
  return all > 0 ? on / all : 0;
}

double area_of(const Image& mask) {
  return std::accumulate(mask.pixels.begin(), mask.pixels.end(), 0.0) / 255 / static_cast<double>(mask.pixels.size());
}

void measure(Model& model, const std::vector<Scene>& scenes, const Kind& kind) {
  double mass = 0;
  double area = 0;
  double first = 0;
  int64_t won = 0;
  int64_t below = 0;
  int64_t count = 0;
  std::map<int64_t, std::pair<double, double>> classes;
  for (size_t i = 0; i < scenes.size(); i += static_cast<size_t>(kind.every)) {
    const Scene& scene = scenes[i];
    const heat::HeatMaps maps = map_of(model, scene, kind);
    const double on = share_on(maps, scene.mask);
    const double covered = area_of(scene.mask);
    mass += on;
    area += covered;
    below += on < covered;
    classes[scene.label].first += on;
    classes[scene.label].second += covered;
    ++count;
    if (scene.other.pixels.empty()) continue;
    const double wrong = share_on(maps, scene.other);
    first += on + wrong > 0 ? on / (on + wrong) : 0;
    won += on > wrong;
  }
  double worst = INFINITY;
  for (const auto& [label, sums] : classes) worst = std::min(worst, sums.first / sums.second);
  const auto n = static_cast<double>(std::max<int64_t>(count, 1));
  fmt::print(
      "  {:<11} on the figure {:.3f}, its area {:.3f}: {:5.2f} times (at most {:.2f}); worst shape {:.2f}, below 1 in "
      "{:.0f} %",
      kind.name, mass / n, area / n, mass / area, n / area, worst, 100 * static_cast<double>(below) / n);
  if (!scenes.front().other.pixels.empty()) {
    fmt::print("; of both figures {:.2f} on the first, more in {:.0f} %", first / n,
               100 * static_cast<double>(won) / n);
  }
  fmt::print("; {} scenes\n", count);
  std::fflush(stdout);
}

void measure_all(Model& model, const char* title, const std::vector<Scene>& scenes, int64_t asked,
                 int64_t occlusion_grid) {
  fmt::print("{}: {} of {}\n", title, scenes.size(), asked);
  if (scenes.empty()) return;
  const Kind kinds[] = {
      {"additive", WhereOptions{.method = heat::Method::kAdditive}},
      {"places", WhereOptions{.method = heat::Method::kAdditive, .places = true}},
      {"occlusion", WhereOptions{.method = heat::Method::kOcclusion, .occlusion_grid = occlusion_grid}, 10},
      {"no network", std::nullopt}};
  for (const Kind& kind : kinds) measure(model, scenes, kind);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: where_bench RUN [ITEMS]\n");
    return 2;
  }
  const int64_t items = std::max<int64_t>(argc > 2 ? std::atoll(argv[2]) : 500, 10);
  Model model = Model::load(std::string(argv[1]) + "/model.safetensors");
  Lab lab(model);
  measure_all(model, "sprites, the strongest feature", lab.sprites(items), items, 8);
  measure_all(model, "two side by side, a feature of the first where it fires", lab.pairs(items), items / 2, 8);
  measure_all(model, "planted, the sprite's own strongest feature where it fires", lab.planted(items / 2, true),
              items / 2, 24);
  measure_all(model, "planted, the strongest feature there", lab.planted(items / 2, false), items / 2, 24);
  return 0;
}
