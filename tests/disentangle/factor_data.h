#pragma once

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/core/rng.h"
#include "orthant/io/npz.h"

namespace orthant::test {

// A factor whose values are its class numbers.
inline Factor factor_of(std::string name, int64_t count, std::vector<int32_t> classes) {
  Factor factor{.name = std::move(name), .values = std::vector<float>(static_cast<size_t>(count)), .classes = {}};
  std::iota(factor.values.begin(), factor.values.end(), 0.0F);
  factor.classes = std::move(classes);
  return factor;
}

inline Factor random_factor(const std::string& name, int64_t items, int64_t count, uint64_t seed) {
  Rng rng(seed);
  std::vector<int32_t> classes;
  for (int64_t i = 0; i < items; ++i) {
    classes.push_back(static_cast<int32_t>(rng.below(static_cast<uint64_t>(count))));
  }
  return factor_of(name, count, std::move(classes));
}

// Codes [N, K + 2]: one per factor, its class plus noise; one of noise alone; one dead.
inline Matrix codes_of(const std::vector<Factor>& factors, double noise, uint64_t seed) {
  Rng rng(seed);
  const auto items = static_cast<int64_t>(factors.front().classes.size());
  const auto count = static_cast<int64_t>(factors.size());
  Matrix codes(items, count + 2);
  for (int64_t i = 0; i < items; ++i) {
    for (int64_t k = 0; k < count; ++k) {
      codes(i, k) =
          static_cast<float>(factors[static_cast<size_t>(k)].classes[static_cast<size_t>(i)] + noise * rng.normal());
    }
    codes(i, count) = static_cast<float>(rng.normal());
  }
  return codes;
}

// What make_factors.py wrote: codes and factors of training items (two thirds) and test items, and any of the results.
// With the prefix "smooth_" those of continuous codes.
class FactorGolden {
 public:
  explicit FactorGolden(const std::string& prefix = "")
      : file_(io::Npz::open(ORTHANT_GOLDEN_DIR "/measure/factors.npz")) {
    const Matrix codes = io::to_matrix(file_.read(prefix + "codes"), "codes");
    const auto array = file_.read(prefix + "factors");
    const auto classes = array.as<int64_t>();
    const int64_t cut = 2 * codes.rows() / 3;
    train = rows(codes, 0, cut);
    test = rows(codes, cut, codes.rows());
    for (const int64_t count : {3, 5, 2}) {
      const auto k = train_factors.size();
      const auto column = [&](int64_t begin, int64_t end) {
        std::vector<int32_t> values;
        for (int64_t i = begin; i < end; ++i) {
          values.push_back(static_cast<int32_t>(classes[static_cast<size_t>(3 * i) + k]));
        }
        return values;
      };
      train_factors.push_back(factor_of(kNames[k], count, column(0, cut)));
      test_factors.push_back(factor_of(kNames[k], count, column(cut, codes.rows())));
    }
  }

  std::vector<double> numbers(const std::string& name) const {
    const auto array = file_.read(name);
    const auto values = array.as<double>();
    return {values.begin(), values.end()};
  }
  double number(const std::string& name) const { return numbers(name)[0]; }

  Matrix train;
  Matrix test;
  std::vector<Factor> train_factors;
  std::vector<Factor> test_factors;

 private:
  static constexpr const char* kNames[] = {"first", "second", "third"};

  static Matrix rows(const Matrix& from, int64_t begin, int64_t end) {
    return {end - begin, from.cols(),
            std::vector<float>(from.data() + begin * from.cols(), from.data() + end * from.cols())};
  }

  io::Npz file_;
};

}  // namespace orthant::test
