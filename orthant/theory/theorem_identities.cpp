#include <algorithm>
#include <cmath>

#include "orthant/core/rng.h"
#include "orthant/factorize/spectral.h"
#include "orthant/linalg/products.h"
#include "orthant/theory/linear_head.h"
#include "orthant/theory/population_loss.h"
#include "orthant/theory/theorem_parts.h"

namespace orthant::theory {
namespace {

// What most identities need of a world.
struct Scene {
  explicit Scene(LatentClasses latent)
      : world(std::move(latent)),
        joint(world.joint()),
        cooccurrence(world.cooccurrence()),
        phi(world.optimal_features()),
        factors(to_factors(phi, world.marginal)),
        norm(linalg::squared_norm(cooccurrence)) {}

  LatentClasses world;
  Matrix64 joint;
  Matrix64 cooccurrence;
  Matrix64 phi;
  Matrix64 factors;
  double norm;  // ||Abar||^2
};

Theorem rotation(const Scene& scene, const TheoryOptions& options) {
  const Matrix64 best = factorize::spectral(scene.cooccurrence, {.rank = options.dims, .threads = 1}).w;
  const double loss = factorization_loss(scene.cooccurrence, best);
  const double population = spectral_loss(scene.joint, from_factors(best, scene.world.marginal));
  double change = 0;
  double population_change = 0;
  double rise = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    const uint64_t seed = options.seed + static_cast<uint64_t>(draw);
    const Matrix64 turned = linalg::matmul(best, factorize::random_rotation(options.dims, seed));
    const Matrix64 turned_phi = linalg::matmul(scene.factors, factorize::random_rotation(scene.factors.cols(), seed));
    change = std::max(change, std::abs(factorization_loss(scene.cooccurrence, turned) - loss) / scene.norm);
    population_change = std::max(
        population_change,
        std::abs(spectral_loss(scene.joint, from_factors(turned, scene.world.marginal)) - population) / scene.norm);
    rise += factorization_loss(scene.cooccurrence, rectified(turned_phi)) / scene.norm / kDraws;
  }
  Theorem theorem{.id = "1",
                  .title = "Rotation symmetry of CL",
                  .statement =
                      "Contrastive features can be turned by any rotation without changing the loss, so no axis ever "
                      "means anything by itself. Non-negative features cannot.",
                  .formula = "L(F R) = L(F) for every R with R Rᵀ = I;  L(σ₊(F R)) > L(F)",
                  .measured = {at_most("change of ‖Ā − F Fᵀ‖² under 10 random rotations", change, kExact),
                               at_most("change of the spectral loss under the same", population_change, kExact),
                               at_least("mean rise of the loss when σ₊ follows a rotation", rise, 0.01)},
                  .explanation =
                      "The best features without a sign constraint (leading eigenvectors) are turned by ten random "
                      "rotations; then the closed-form non-negative features are turned and cut at zero. All changes "
                      "are shares of ‖Ā‖²."};
  theorem.verdict = judge(theorem.measured);
  return theorem;
}

Theorem constant_difference(const Scene& scene, const TheoryOptions& options) {
  double difference = 0;
  for (uint32_t draw = 0; draw < kDraws; ++draw) {
    const Matrix64 f = random_features(scene.world.samples(), options.dims, options.seed, draw);
    const double ncl = spectral_loss(scene.joint, f);
    const double nmf = factorization_loss(scene.cooccurrence, to_factors(f, scene.world.marginal));
    difference = std::max(difference, std::abs(ncl + scene.norm - nmf) / nmf);
  }
  Theorem theorem{
      .id = "2",
      .title = "NCL is symmetric NMF",
      .statement =
          "The loss of non-negative contrastive learning and that of symmetric non-negative "
          "matrix factorisation differ by a constant, so they have the same optima.",
      .formula = "L_NCL(f₊) + ‖Ā‖² = ‖Ā − F₊F₊ᵀ‖²,  F₊ₓ = √P(x) f₊(x)",
      .measured = {at_most("largest difference between the two sides, 10 random f₊ ≥ 0", difference, kExact),
                   for_information("the constant ‖Ā‖²", scene.norm)},
      .explanation =
          "Both sides are summed term by term over all pairs of samples, neither from the "
          "other. The difference is relative to the loss."};
  theorem.verdict = judge(theorem.measured);
  return theorem;
}

Theorem optimum(const Scene& scene) {
  const int64_t classes = scene.world.classes();
  Matrix64 permuted(scene.factors.rows(), classes);
  double mean_error = 0;
  double active = 0;
  for (int64_t c = 0; c < classes; ++c) {
    double mean = 0;
    for (int64_t x = 0; x < permuted.rows(); ++x) {
      permuted(x, c) = scene.factors(x, (c + 1) % classes);
      mean += scene.world.marginal[static_cast<size_t>(x)] * scene.phi(x, c);
      if (scene.phi(x, c) > 0) active += scene.world.marginal[static_cast<size_t>(x)];
    }
    mean_error = std::max(mean_error, std::abs(mean - std::sqrt(scene.world.prior[static_cast<size_t>(c)])));
  }
  const double residual = factorization_loss(scene.cooccurrence, scene.factors) / scene.norm;
  const double other = factorization_loss(scene.cooccurrence, permuted) / scene.norm;
  const double gap = std::abs(spectral_loss(scene.joint, scene.phi) + scene.norm) / scene.norm;
  Theorem theorem{
      .id = "3",
      .title = "The optimum in closed form",
      .statement =
          "If pairs come from latent classes, the features that give each class's posterior, "
          "scaled by its frequency, are optimal. They are sparse where samples belong to few "
          "classes.",
      .formula = "φ(x)_c = P(c|x) / √P(c)  ⇒  F Fᵀ = Ā,  L = −‖Ā‖²",
      .measured = {at_most("residual ‖Ā − F Fᵀ‖² / ‖Ā‖²", residual, kExact),
                   at_most("the same with the classes in another order", other, kExact),
                   at_most("|L(φ) + ‖Ā‖²| / ‖Ā‖²", gap, kExact), at_most("largest |E φ_c − √P(c)|", mean_error, kExact),
                   for_information("share of zeros in φ", 1 - active / static_cast<double>(classes))},
      .explanation =
          "No loss can lie below −‖Ā‖², as a squared norm is never negative: residual 0 proves "
          "optimality."};
  theorem.verdict = judge(theorem.measured);
  return theorem;
}

// E phi phi^T, and what the theory says it is: sum_x P(x) P(i|x) P(j|x) / sqrt(P(i) P(j)).
struct SecondMoment {
  Matrix64 measured;
  Matrix64 formula;
};

SecondMoment second_moment(const Scene& scene) {
  const int64_t m = scene.world.classes();
  SecondMoment moment{linalg::gram(scene.factors), Matrix64(m, m)};
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < m; ++j) {
      for (int64_t x = 0; x < scene.world.samples(); ++x) {
        moment.formula(i, j) +=
            scene.world.marginal[static_cast<size_t>(x)] * scene.world.posterior(x, i) * scene.world.posterior(x, j);
      }
      moment.formula(i, j) /=
          std::sqrt(scene.world.prior[static_cast<size_t>(i)] * scene.world.prior[static_cast<size_t>(j)]);
    }
  }
  return moment;
}

Theorem orthogonality(const Scene& scene, const TheoryOptions& options) {
  const int64_t m = options.classes;
  Matrix64 identity(m, m);
  for (int64_t c = 0; c < m; ++c) identity(c, c) = 1;
  const Scene separate(make_world(options, 0, true, options.seed));
  const SecondMoment moment = second_moment(scene);
  double off_diagonal = 0;
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < i; ++j) off_diagonal += 2 * moment.measured(i, j) / static_cast<double>(m * (m - 1));
  }
  Theorem theorem{.id = "4",
                  .title = "Orthogonality of features",
                  .statement =
                      "If every sample belongs to exactly one class, different features never fire together and the "
                      "features are orthonormal. In general their overlap measures the overlap of the classes.",
                  .formula = "E φφᵀ = I;  in general E φᵢφⱼ = Σₓ P(x) P(i|x) P(j|x) / √(P(i)P(j)) ≥ 0",
                  .measured = {at_most("largest |E φφᵀ − I| without overlap",
                                       max_difference(linalg::gram(separate.factors), identity), kExact),
                               at_most("largest difference from the general formula, with overlap",
                                       max_difference(moment.measured, moment.formula), kExact),
                               at_least("smallest entry of E φφᵀ, with overlap",
                                        *std::ranges::min_element(moment.measured.values()), 0),
                               for_information("mean off-diagonal entry, with overlap", off_diagonal)},
                  .explanation =
                      "The first figure is from a world without overlap; the others are from the world of the chosen "
                      "overlap."};
  theorem.verdict = judge(theorem.measured);
  return theorem;
}

Theorem downstream(const Scene& scene) {
  const LatentClasses& world = scene.world;
  const int64_t m = world.classes();
  const int64_t labels = label_count(m);
  const Matrix64 given_class = label_given_class(m, labels);
  Matrix64 head = given_class;
  for (int64_t y = 0; y < labels; ++y) {
    for (int64_t c = 0; c < m; ++c) head(y, c) *= std::sqrt(world.prior[static_cast<size_t>(c)]);
  }
  const Matrix64 bayes = linalg::matmul_by_transposed(world.posterior, given_class);
  const Matrix64 linear = linalg::matmul_by_transposed(scene.phi, head);
  const double bayes_error = decision_error(bayes, bayes, world.marginal);
  const double linear_error = decision_error(linear, bayes, world.marginal);
  Theorem theorem{
      .id = "6",
      .title = "A linear head is the Bayes classifier",
      .statement =
          "If labels depend on a sample only through its latent class, a linear head on the optimal features "
          "gives the exact label probabilities, hence the smallest possible error.",
      .formula = "P(y|x) = Σ_c W_yc φ_c(x),  W_yc = √P(c) P(y|c)",
      .measured = {at_most("largest |W φ(x) − P(y|x)|", max_difference(linear, bayes), kExact),
                   at_most("error of the linear head above the Bayes error", linear_error - bayes_error, kExact),
                   for_information("Bayes error", bayes_error)},
      .explanation =
          "Classes share labels, two to one, and a tenth of the labels is drawn at random. The same holds for CL "
          "features with the head turned along: the theorem is about linear heads, not about axes."};
  theorem.verdict = judge(theorem.measured);
  return theorem;
}

}  // namespace

int64_t identity_experiments() { return 5; }

std::vector<Theorem> identity_theorems(const TheoryOptions& options, TheoryProgress& progress) {
  const Scene scene(make_world(options, options.overlap, true, options.seed));
  std::vector<Theorem> theorems;
  const auto add = [&](Theorem theorem) {
    progress.done("theorem " + theorem.id);
    theorems.push_back(std::move(theorem));
  };
  add(rotation(scene, options));
  add(constant_difference(scene, options));
  add(optimum(scene));
  add(orthogonality(scene, options));
  add(downstream(scene));
  return theorems;
}

}  // namespace orthant::theory
