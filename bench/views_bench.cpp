// Makes views of one picture size on one thread for a while and prints how many per second of CPU time:
//   views_bench SOURCE_SIZE VIEW_SIZE SECONDS IMAGES
// IMAGES holds SOURCE_SIZE x SOURCE_SIZE x 3 bytes per picture. bench/views.py compares with torchvision.

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/views/view.h"

namespace {

std::vector<orthant::Image> read_images(const std::string& path, int64_t size) {
  std::ifstream in(path, std::ios::binary);
  orthant::check_io(in.is_open(), "[", path, "] expected a readable file");
  std::vector<orthant::Image> images;
  orthant::Image image(size, size, 3);
  while (in.read(reinterpret_cast<char*>(image.pixels.data()), static_cast<std::streamsize>(image.pixels.size()))) {
    images.push_back(image);
  }
  orthant::check_io(!images.empty(), "[", path, "] expected at least one picture of ", size, " x ", size);
  return images;
}

double views_per_second(const std::vector<orthant::Image>& images, int64_t size, double seconds) {
  const auto cpu_seconds = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  const orthant::ViewMaker make(orthant::view_preset("simclr", size));
  orthant::ViewScratch scratch;
  // Views go to a buffer of a batch, as in training: what is written does not stay in the cache.
  constexpr uint64_t kBatch = 256;
  const auto view_size = static_cast<size_t>(make.options().view_size());
  std::vector<float> batch(kBatch * view_size);
  const double start = cpu_seconds();
  double elapsed = 0;
  uint64_t count = 0;
  while (elapsed < seconds) {
    for (const uint64_t end = count + 16; count < end; ++count) {
      const std::span<float> out(batch.data() + count % kBatch * view_size, view_size);
      make(images[count % images.size()], {.seed = 1, .sample = count}, scratch, out);
    }
    elapsed = cpu_seconds() - start;
  }
  return static_cast<double>(count) / elapsed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: views_bench SOURCE_SIZE VIEW_SIZE SECONDS IMAGES\n");
    return 2;
  }
  try {
    const auto images = read_images(argv[4], std::atoll(argv[1]));
    std::printf("%.1f\n", views_per_second(images, std::atoll(argv[2]), std::atof(argv[3])));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "views_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
