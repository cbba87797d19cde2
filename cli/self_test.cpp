#include "cli/self_test.h"

#include <cmath>
#include <filesystem>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/core/threads.h"
#include "orthant/io/image_file.h"
#include "orthant/linalg/products.h"
#include "orthant/sources/open.h"
#include "orthant/views/view.h"

namespace orthant::cli {
namespace {

std::string random_numbers() {
  const std::array<uint32_t, 4> expected = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  check(philox({0, 0, 0, 0}, {0, 0}) == expected, "expected the published answer, got another");
  return "Philox gives its published answer";
}

std::string pictures() {
  const DatasetPtr sprites = open_dataset("sprites", {.size = 8});
  for (int64_t i = 0; i < sprites->size(); ++i) {
    const Image image = sprites->image(i);
    const std::string png = io::encode_png(image);
    check(io::decode_image(std::as_bytes(std::span(png)), "self-test") == image, "expected the same pixels back");
  }
  return "8 sprites survive PNG unchanged";
}

std::vector<float> make_views(const Dataset& dataset, const ViewMaker& maker, int threads) {
  const auto view_size = static_cast<size_t>(maker.options().view_size());
  std::vector<float> out(static_cast<size_t>(dataset.size()) * view_size);
  parallel_for(dataset.size(), 1, threads, [&](int64_t begin, int64_t end) {
    ViewScratch scratch;
    for (int64_t i = begin; i < end; ++i) {
      const auto view = std::span(out).subspan(static_cast<size_t>(i) * view_size, view_size);
      maker(dataset.image(i), {.seed = 1, .sample = static_cast<uint64_t>(i)}, scratch, view);
    }
  });
  return out;
}

std::string views_on_threads(int threads) {
  const DatasetPtr sprites = open_dataset("sprites", {.size = 2000});
  const ViewMaker maker(view_preset("simclr"));
  const int many = std::max(2, resolve_threads(threads));
  const auto one = make_views(*sprites, maker, 1);
  check(one == make_views(*sprites, maker, many), "expected the same bytes on 1 and ", many, " threads");
  for (const float x : one) check(std::isfinite(x), "expected finite values, got ", x);
  return join("2000 views have the same bytes on 1 and ", many, " threads");
}

std::string matrix_products(int threads) {
  constexpr int64_t kSize = 150;
  Rng rng(2);
  Matrix64 a(kSize, kSize);
  Matrix64 b(kSize, kSize);
  for (double& x : a.mutable_values()) x = rng.normal();
  for (double& x : b.mutable_values()) x = rng.normal();
  const Matrix64 fast = linalg::matmul(a, b, threads);
  double worst = 0;
  for (int64_t i = 0; i < kSize; ++i) {
    for (int64_t j = 0; j < kSize; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < kSize; ++k) sum += a(i, k) * b(k, j);
      worst = std::max(worst, std::abs(sum - fast(i, j)));
    }
  }
  check(worst < 1e-11, "expected a plain loop's product, got a difference of ", worst);
  return join("BLAS agrees with a plain loop to ", worst);
}

template <class Test>
SelfTestResult attempt(const std::string& name, Test&& test) {
  try {
    return {name, true, test()};
  } catch (const std::exception& error) {
    return {name, false, error.what()};
  }
}

}  // namespace

std::vector<SelfTestResult> self_test(int threads) {
  return {attempt("random numbers", random_numbers), attempt("pictures", pictures),
          attempt("views", [&] { return views_on_threads(threads); }),
          attempt("matrix products", [&] { return matrix_products(threads); })};
}

}  // namespace orthant::cli
