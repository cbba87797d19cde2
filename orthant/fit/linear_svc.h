#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace orthant::fit {

// Linear classifiers of one number x, one class against the rest: the support vector machine of scikit-learn's
// LinearSVC(class_weight="balanced"), for a single feature. Class c's line w x + b minimises
//
//   (w^2 + b^2) / 2 + C_c sum_{i in c} max(0, 1 - (w x_i + b))^2 + C sum_{i not in c} max(0, 1 + (w x_i + b))^2,
//   C_c = C N / (K N_c),
//
// which is strictly convex, so there is one solution (the intercept is in the penalty, as in LIBLINEAR). With two
// classes there is one line, class 1 against class 0, and both classes have their weight.
struct LinearSvc {
  int64_t classes = 0;
  std::vector<double> slope;      // [K], or [1] for two classes
  std::vector<double> intercept;  // likewise

  // The class with the largest w x + b, the first of equal ones.
  int32_t predict(double x) const;
};

// Fits to x [N] with classes 0..count-1, each of which must occur, count >= 2 (unchecked: a kernel). Newton's method;
// each step looks at sums over sorted values, so it costs O(log N): O(N log N) in all, once for all classes. LIBLINEAR
// finds the same lines in a walk over all items for each class and step, which takes longer the more classes there are.
LinearSvc fit_linear_svc(std::span<const float> x, std::span<const int32_t> classes, int64_t count, double c);

}  // namespace orthant::fit
