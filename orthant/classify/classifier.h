#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orthant/core/features.h"
#include "orthant/core/matrix.h"

namespace orthant::classify {

// A linear read-out of features: the score of class c for a row x is  sum_k w_ck x_k + b_c,  and the row's class the
// one with the largest score.
struct Classifier {
  Matrix weights;                       // [C, K]
  std::vector<float> bias;              // [C]; minus infinity for a class that is never predicted
  std::vector<std::string> names = {};  // by class; may be empty
  bool unit_rows = false;               // rows are scaled to unit length first; one of zeros stays as it is

  int64_t classes() const { return weights.rows(); }
  int64_t features() const { return weights.cols(); }

  // std::invalid_argument unless there is a class and a feature, bias and names fit, weights are finite and biases
  // neither NaN nor plus infinity.
  void validate() const;

  // The same for features [N, K] that are to be read: of this width and finite.
  void check_fits(const Features& rows) const;

  // "crab", or "class 3" where there are no names.
  std::string name_of(int64_t number) const;
};

// The classifier "fc.weight" [C, K], "fc.bias" [C] in the file of a model or of a probe, without names. IoError naming
// the file if there is none in it or it is not valid.
Classifier read_classifier(const std::string& path);

// True if the file of weights holds a classifier. IoError if it is no such file.
bool has_classifier(const std::string& path);

// A classifier by cosine with one direction for each of the classes `names`, without bias. vectors [P, K] are features
// of things that stand for a class, such as phrases that name it; `class_of` [P] says for which. The direction is the
// mean of their unit vectors, scaled to unit length. std::invalid_argument for sizes that do not fit, a number that is
// no class, vectors that are not finite, or a class whose direction is zero (no vectors, or only zeros): it is named.
Classifier from_class_vectors(const Features& vectors, std::span<const int64_t> class_of,
                              std::vector<std::string> names);

}  // namespace orthant::classify
