#include "orthant/classify/classifier.h"

#include <algorithm>
#include <cmath>

#include "orthant/core/error.h"
#include "orthant/io/safetensors.h"

namespace orthant::classify {
namespace {

constexpr const char* kWeight = "fc.weight";
constexpr const char* kBias = "fc.bias";

size_t at(int64_t index) { return static_cast<size_t>(index); }

// Sums of the unit vectors of each class [C, K].
Matrix64 summed_directions(const Features& vectors, std::span<const int64_t> class_of, int64_t classes) {
  Matrix64 sums(classes, vectors.cols());
  for (int64_t i = 0; i < vectors.rows(); ++i) {
    const double norm = vectors.row_norm(i);
    const int64_t c = class_of[at(i)];
    check(c >= 0 && c < classes, "[classify] expected a class from 0 to ", classes - 1, " for vector ", i, ", got ", c);
    if (norm > 0) vectors.visit_row(i, [&](int64_t k, float x) { sums(c, k) += static_cast<double>(x) / norm; });
  }
  return sums;
}

}  // namespace

void Classifier::validate() const {
  const auto count = static_cast<size_t>(classes());
  check(classes() > 0 && features() > 0, "[classifier] expected classes and features, got ", classes(), " x ",
        features());
  check(bias.size() == count, "[classifier] expected a bias for each of ", count, " classes, got ", bias.size());
  check(names.empty() || names.size() == count, "[classifier] expected ", count, " names, got ", names.size());
  check_finite(weights, "classifier");
  for (size_t c = 0; c < count; ++c) {
    check(!std::isnan(bias[c]) && !(std::isinf(bias[c]) && bias[c] > 0),
          "[classifier] expected biases below infinity, got ", bias[c], " for ", name_of(static_cast<int64_t>(c)));
  }
}

void Classifier::check_fits(const Features& rows) const {
  validate();
  check(rows.cols() == features(), "[classifier] expected ", features(), " features, got ", rows.cols());
  check_finite(rows, "classifier");
}

std::string Classifier::name_of(int64_t number) const {
  return names.empty() ? join("class ", number) : names[at(number)];
}

bool has_classifier(const std::string& path) {
  const io::SafeTensors file = io::SafeTensors::open(path);
  return file.contains(kWeight) && file.contains(kBias);
}

Classifier read_classifier(const std::string& path) {
  const io::SafeTensors file = io::SafeTensors::open(path);
  check_io(file.contains(kWeight) && file.contains(kBias), "[", path, "] expected a classifier (", kWeight, ", ", kBias,
           "), got none");
  const io::Tensor& weights = file.tensor(kWeight);
  check_io(weights.shape.size() == 2, "[", path, "] expected weights [C, K], got ", io::shape_text(weights.shape));
  Classifier classifier{Matrix(weights.shape[0], weights.shape[1], weights.to_floats(kWeight)),
                        file.tensor(kBias).to_floats(kBias)};
  try {
    classifier.validate();
  } catch (const std::invalid_argument& error) {
    fail_io("[", path, "] ", error.what());
  }
  return classifier;
}

Classifier from_class_vectors(const Features& vectors, std::span<const int64_t> class_of,
                              std::vector<std::string> names) {
  const auto classes = static_cast<int64_t>(names.size());
  check(static_cast<int64_t>(class_of.size()) == vectors.rows(), "[classify] expected a class for each of ",
        vectors.rows(), " vectors, got ", class_of.size());
  check_finite(vectors, "class vectors");
  const Matrix64 sums = summed_directions(vectors, class_of, classes);
  Classifier classifier{Matrix(classes, vectors.cols()), std::vector<float>(names.size()), std::move(names), true};
  for (int64_t c = 0; c < classes; ++c) {
    double square = 0;
    for (const double x : sums.row(c)) square += x * x;
    check(square > 0, "[", classifier.name_of(c), "] expected vectors that point somewhere, got ",
          std::ranges::count(class_of, c), " without any feature");
    for (int64_t k = 0; k < vectors.cols(); ++k) {
      classifier.weights(c, k) = static_cast<float>(sums(c, k) / std::sqrt(square));
    }
  }
  classifier.validate();
  return classifier;
}

}  // namespace orthant::classify
