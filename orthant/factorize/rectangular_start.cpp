#include "orthant/factorize/rectangular_start.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/factorize/nndsvd.h"

namespace orthant::factorize {
namespace {

constexpr uint16_t kRowStream = 0xff10;
constexpr uint16_t kColumnStream = 0xff11;

void fill_half_normal(Matrix64& factor, double scale, uint64_t seed, uint16_t stream) {
  for (int64_t i = 0; i < factor.rows(); ++i) {
    Rng rng(StreamKey{.seed = seed, .sample = static_cast<uint64_t>(i), .view = stream});
    for (double& value : factor.mutable_row(i)) value = scale * std::max(std::abs(rng.normal()), 1e-6);
  }
}

double column_norm(const Matrix64& factor, int64_t j) {
  double sum = 0;
  for (int64_t i = 0; i < factor.rows(); ++i) sum += factor(i, j) * factor(i, j);
  return std::sqrt(sum);
}

void scale_column(Matrix64& factor, int64_t j, double scale) {
  for (int64_t i = 0; i < factor.rows(); ++i) factor(i, j) *= scale;
}

}  // namespace

void check_problem(const Target& target, const SolverOptions& options, const std::string& where) {
  const int64_t limit = std::min(target.rows(), target.cols());
  check(options.rank >= 1 && options.rank <= limit, "[", where, "] expected a rank from 1 to ", limit,
        " for a matrix of ", target.rows(), " x ", target.cols(), ", got ", options.rank);
  check(options.max_iterations >= 0, "[", where, "] expected max_iterations of 0 or more, got ",
        options.max_iterations);
  check(options.tolerance >= 0, "[", where, "] expected a tolerance of 0 or more, got ", options.tolerance);
  target.check_nonnegative(where);
  check(std::isfinite(target.squared_norm()), "[", where,
        "] expected values whose squares can be summed, got values above 1e150; divide the matrix by a constant");
}

void check_start(const Target& target, const Factors& start, const SolverOptions& options, const std::string& where) {
  check(start.w.rows() == target.rows() && start.h.rows() == target.cols() && start.w.cols() == options.rank &&
            start.h.cols() == options.rank,
        "[", where, "] expected a start of ", target.rows(), " x ", options.rank, " and ", target.cols(), " x ",
        options.rank, ", got ", start.w.rows(), " x ", start.w.cols(), " and ", start.h.rows(), " x ", start.h.cols());
  const auto usable = [](double x) { return std::isfinite(x) && x >= 0; };
  check(std::ranges::all_of(start.w.values(), usable) && std::ranges::all_of(start.h.values(), usable), "[", where,
        "] expected a start that is finite and not negative, got one that is not");
}

Factors make_start(const Target& target, const SolverOptions& options, bool positive) {
  const double mean = target.sum() / static_cast<double>(target.rows()) / static_cast<double>(target.cols());
  if (options.init == Init::nndsvd) {
    Factors start = nndsvd(target, {.rank = options.rank, .seed = options.seed, .threads = options.threads});
    if (positive) {
      for (double& value : start.w.mutable_values()) value = value > 0 ? value : mean;
      for (double& value : start.h.mutable_values()) value = value > 0 ? value : mean;
    }
    return start;
  }
  Factors start{Matrix64(target.rows(), options.rank), Matrix64(target.cols(), options.rank)};
  const double scale = std::sqrt(mean / static_cast<double>(options.rank));
  fill_half_normal(start.w, scale, options.seed, kRowStream);
  fill_half_normal(start.h, scale, options.seed, kColumnStream);
  return start;
}

Descent::Descent(double start_loss, double scale, const SolverOptions& options) : options_(options), scale_(scale) {
  result_.losses.push_back(start_loss);
}

bool Descent::goes_on(double loss) {
  const double fall = result_.losses.back() - loss;
  const double change = scale_ > 0 ? std::abs(fall) / scale_ : 0;
  result_.losses.push_back(loss);
  ++result_.iterations;
  result_.converged = change <= options_.tolerance;
  if (options_.progress &&
      !options_.progress({.iteration = result_.iterations, .loss = loss, .relative_change = change})) {
    return false;
  }
  return !result_.converged && result_.iterations < options_.max_iterations;
}

Factorization Descent::finish(Factors factors) && {
  for (int64_t j = 0; j < factors.w.cols(); ++j) {
    const double w = column_norm(factors.w, j);
    const double h = column_norm(factors.h, j);
    const bool lives = w > 0 && h > 0;
    scale_column(factors.w, j, lives ? std::sqrt(h / w) : 0);
    scale_column(factors.h, j, lives ? std::sqrt(w / h) : 0);
  }
  result_.w = std::move(factors.w);
  result_.h = std::move(factors.h);
  return std::move(result_);
}

Factorization Descent::finish(Matrix64 factor) && {
  result_.w = std::move(factor);
  return std::move(result_);
}

}  // namespace orthant::factorize
