#include "orthant/fit/logistic.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/core/threads.h"
#include "orthant/fit/lbfgs.h"
#include "orthant/fit/logistic_objective.h"

namespace orthant::fit {
namespace {

constexpr int64_t kBlock = 256;
constexpr double kNoise = 1e-7;  // of a mean over rows whose logits are float32
constexpr uint16_t kHeldOut = 0xff20;

// Labels as targets of the classes that occur: `present[t]` is the label of target t.
struct Problem {
  Targets targets;
  std::vector<int64_t> present;
  int64_t classes = 0;
};

void check_options(const LogisticOptions& options, int64_t classes) {
  check(std::isfinite(options.l2) && options.l2 >= 0, "[logistic] expected an l2 of at least 0, got ", options.l2);
  check(std::isfinite(options.tolerance) && options.tolerance >= 0, "[logistic] expected a tolerance of at least 0, ",
        "got ", options.tolerance);
  const auto& weights = options.class_weights;
  check(weights.empty() || static_cast<int64_t>(weights.size()) >= classes, "[logistic] expected weights of ", classes,
        " classes, got ", weights.size());
  for (const double w : weights) {
    check(std::isfinite(w) && w >= 0, "[logistic] expected class weights of at least 0, got ", w);
  }
}

Problem make_problem(const Features& features, std::span<const int64_t> labels, const LogisticOptions& options) {
  check(static_cast<int64_t>(labels.size()) == features.rows(), "[logistic] expected ", features.rows(),
        " labels, got ", labels.size());
  Problem problem;
  for (size_t i = 0; i < labels.size(); ++i) {
    check(labels[i] >= -1 && labels[i] < INT32_MAX, "[logistic] expected labels from -1 (unknown) on, got ", labels[i],
          " in row ", i);
    problem.classes = std::max(problem.classes, labels[i] + 1);
  }
  check_options(options, problem.classes);
  check_finite(features, "logistic");
  const auto weight = [&](int64_t label) {
    if (label < 0) return 0.0;
    return options.class_weights.empty() ? 1.0 : options.class_weights[static_cast<size_t>(label)];
  };
  std::vector<int32_t> target_of(static_cast<size_t>(problem.classes), -1);
  for (const int64_t label : labels) {
    if (weight(label) > 0) target_of[static_cast<size_t>(label)] = 0;
  }
  for (size_t c = 0; c < target_of.size(); ++c) {
    if (target_of[c] < 0) continue;
    target_of[c] = static_cast<int32_t>(problem.present.size());
    problem.present.push_back(static_cast<int64_t>(c));
  }
  check(!problem.present.empty(), "[logistic] expected a row with a label, got none among ", labels.size());
  for (const int64_t label : labels) {
    problem.targets.weights.push_back(static_cast<float>(weight(label)));
    problem.targets.classes.push_back(weight(label) > 0 ? target_of[static_cast<size_t>(label)] : 0);
  }
  return problem;
}

struct Fit {
  Minimum minimum;
  LogisticModel model;
};

Fit fit(const Features& features, const Problem& problem, const Targets& targets, const LogisticOptions& options,
        double l2, std::vector<double> start) {
  const auto present = static_cast<int64_t>(problem.present.size());
  const LogisticObjective objective(features, targets, present, {.l2 = l2, .standardise = options.standardise},
                                    options.threads);
  start.resize(static_cast<size_t>(objective.parameters()));
  FitProgress at{.l2 = l2};
  const auto look = [&](std::span<const double> p, std::span<double> gradient) {
    if (options.progress) options.progress(at);
    ++at.looks;
    return objective(p, gradient);
  };
  Fit result;
  result.minimum =
      minimise(look, std::move(start),
               {.max_iterations = options.max_iterations, .tolerance = options.tolerance, .noise = kNoise});
  LogisticModel& model = result.model;
  model.weights = Matrix(problem.classes, features.cols());
  model.bias.assign(static_cast<size_t>(problem.classes), -std::numeric_limits<double>::infinity());
  const LinearMap map = objective.map_of(result.minimum.x);
  for (int64_t t = 0; t < present; ++t) {
    const int64_t c = problem.present[static_cast<size_t>(t)];
    model.bias[static_cast<size_t>(c)] = map.offset[static_cast<size_t>(t)];
    for (int64_t j = 0; j < features.cols(); ++j) {
      model.weights(c, j) = map.weights[static_cast<size_t>(j * present + t)];
    }
  }
  model.l2 = l2;
  model.loss = result.minimum.value;
  model.iterations = result.minimum.iterations;
  model.converged = result.minimum.converged;
  return result;
}

// True for the rows held out: of each class the first share of its rows in a random order.
std::vector<bool> held_out_rows(const Problem& problem, const BestOptions& best) {
  std::vector<std::vector<size_t>> rows(problem.present.size());
  for (size_t i = 0; i < problem.targets.weights.size(); ++i) {
    if (problem.targets.weights[i] > 0) rows[static_cast<size_t>(problem.targets.classes[i])].push_back(i);
  }
  std::vector<bool> held(problem.targets.weights.size(), false);
  for (size_t c = 0; c < rows.size(); ++c) {
    Rng({.seed = best.seed, .epoch = 0, .sample = c, .view = kHeldOut}).shuffle(std::span(rows[c]));
    rows[c].resize(static_cast<size_t>(static_cast<double>(rows[c].size()) * best.held_out));
    for (const size_t i : rows[c]) held[i] = true;
  }
  return held;
}

}  // namespace

LogisticModel fit_logistic(const Features& features, std::span<const int64_t> labels, const LogisticOptions& options) {
  const Problem problem = make_problem(features, labels, options);
  return fit(features, problem, problem.targets, options, options.l2, {}).model;
}

LogisticModel fit_best(const Features& features, std::span<const int64_t> labels, const LogisticOptions& options,
                       const BestOptions& best) {
  check(!best.l2.empty(), "[logistic] expected strengths to try, got none");
  for (const double l2 : best.l2) {
    check(std::isfinite(l2) && l2 >= 0, "[logistic] expected an l2 of at least 0, got ", l2);
  }
  check(best.held_out >= 0 && best.held_out < 1, "[logistic] expected a held-out share from 0 to below 1, got ",
        best.held_out);
  const Problem problem = make_problem(features, labels, options);
  std::vector<double> grid = best.l2;
  std::ranges::sort(grid, std::greater());
  const std::vector<bool> held = held_out_rows(problem, best);
  FitProgress overall;
  LogisticOptions counted = options;
  if (options.progress) {
    counted.progress = [&](const FitProgress& at) {
      options.progress({overall.fitted, overall.fits, at.l2, at.looks});
    };
  }
  double chosen = grid[grid.size() / 2];
  std::vector<double> start;
  if (grid.size() > 1 && std::ranges::find(held, true) != held.end()) {
    overall.fits += static_cast<int64_t>(grid.size());
    Targets kept = problem.targets;
    std::vector<int64_t> judged(labels.size(), -1);
    for (size_t i = 0; i < held.size(); ++i) {
      if (!held[i]) continue;
      kept.weights[i] = 0;
      judged[i] = labels[i];
    }
    double most = -1;
    std::vector<double> at;
    for (const double l2 : grid) {
      Fit tried = fit(features, problem, kept, counted, l2, at);
      ++overall.fitted;
      at = tried.minimum.x;
      const double top1 = accuracy(tried.model, features, judged, options.threads).top1;
      if (top1 <= most) continue;
      most = top1;
      chosen = l2;
      start = at;
    }
  }
  return fit(features, problem, problem.targets, counted, chosen, std::move(start)).model;
}

Matrix logits(const LogisticModel& model, const Features& features, int threads) {
  check(features.cols() == model.weights.cols(), "[logistic] expected ", model.weights.cols(), " features, got ",
        features.cols());
  const int64_t classes = model.weights.rows();
  LinearMap map{std::vector<float>(static_cast<size_t>(model.weights.size())), {}};
  for (int64_t c = 0; c < classes; ++c) {
    map.offset.push_back(model.bias[static_cast<size_t>(c)]);
    for (int64_t j = 0; j < model.weights.cols(); ++j) {
      map.weights[static_cast<size_t>(j * classes + c)] = model.weights(c, j);
    }
  }
  Matrix out(features.rows(), classes);
  float* const data = out.mutable_data();
  parallel_for(features.rows(), kBlock, threads,
               [&](int64_t begin, int64_t end) { map_rows(features, map, begin, end, data + begin * classes); });
  return out;
}

std::vector<int64_t> predict(const LogisticModel& model, const Features& features, int threads) {
  const Matrix z = logits(model, features, threads);
  std::vector<int64_t> classes;
  for (int64_t i = 0; i < z.rows(); ++i) {
    const auto row = z.row(i);
    classes.push_back(std::ranges::max_element(row) - row.begin());
  }
  return classes;
}

Accuracy accuracy(const LogisticModel& model, const Features& features, std::span<const int64_t> labels, int threads) {
  check(static_cast<int64_t>(labels.size()) == features.rows(), "[logistic] expected ", features.rows(),
        " labels, got ", labels.size());
  const Matrix z = logits(model, features, threads);
  int64_t first = 0;
  int64_t fifth = 0;
  Accuracy result;
  for (int64_t i = 0; i < z.rows(); ++i) {
    const int64_t label = labels[static_cast<size_t>(i)];
    if (label < 0) continue;
    ++result.rows;
    if (label >= z.cols() || std::isinf(model.bias[static_cast<size_t>(label)])) continue;
    const auto row = z.row(i);
    const float own = z(i, label);
    int64_t ahead = 0;
    for (int64_t c = 0; c < z.cols(); ++c) ahead += row[static_cast<size_t>(c)] > own || (c < label && z(i, c) == own);
    first += ahead == 0;
    fifth += ahead < 5;
  }
  if (result.rows == 0) return result;
  result.top1 = static_cast<double>(first) / static_cast<double>(result.rows);
  result.top5 = static_cast<double>(fifth) / static_cast<double>(result.rows);
  return result;
}

}  // namespace orthant::fit
