// The loader's throughput at two threads: SimCLR views of CIFAR-10, or of sprites where there is none.
//   loader_bench [FOLDER]      FOLDER of CIFAR-10's binary files; by default the variable ORTHANT_CIFAR10
// The first epoch also decodes; the later ones read the cache. A consumer that does nothing always waits.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "orthant/data/loader.h"
#include "orthant/sources/open.h"

int main(int argc, char** argv) {
  try {
    const char* variable = std::getenv("ORTHANT_CIFAR10");
    const std::string folder = argc > 1 ? argv[1] : variable != nullptr ? variable : "";
    const std::string name = folder.empty() ? "sprites" : "cifar10:" + folder;
    orthant::Loader loader(orthant::open_dataset(name), orthant::view_preset("simclr"), {.threads = 2});
    std::printf("%s, %lld batches of 256 x 2 views, 2 threads\n", name.c_str(),
                static_cast<long long>(loader.batches()));
    for (int64_t epoch = 0; epoch < 4; ++epoch) {
      const auto start = std::chrono::steady_clock::now();
      loader.start_epoch(epoch);
      while (loader.next() != nullptr) {
      }
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
      std::printf("epoch %lld: %.2f s, %.0f views/s\n", static_cast<long long>(epoch), elapsed.count(),
                  loader.views_per_second());
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "loader_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
