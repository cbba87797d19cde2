// One layout of the rows of a file, timed, as one JSON line; layout.py drives it.
//
// layout_bench pca|umap FEATURES.npy POINTS.npy THREADS
//   Reading and writing the files is not timed.

#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/io/npy.h"
#include "orthant/layout/pca.h"
#include "orthant/layout/umap.h"

int main(int argc, char** argv) {
  using namespace orthant;
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    check(argc == 5 && (arguments[0] == "pca" || arguments[0] == "umap"), "usage: see the top of layout_bench.cpp");
    const Matrix features = io::to_matrix(io::read_npy(arguments[1]), arguments[1]);
    const int threads = std::stoi(arguments[3]);
    const auto start = std::chrono::steady_clock::now();
    const Matrix points = arguments[0] == "pca" ? layout::pca_layout(features, {.threads = threads})
                                                : layout::umap_layout(features, {.threads = threads});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    io::write_npy(arguments[2], io::array_of(points.values(), {points.rows(), points.cols()}));
    std::printf("{\"seconds\": %.4f}\n", seconds);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "layout_bench: %s\n", error.what());
    return 1;
  }
}
