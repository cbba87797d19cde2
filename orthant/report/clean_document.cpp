#include "orthant/report/clean_document.h"

#include "orthant/clean/clean_json.h"
#include "orthant/core/error.h"
#include "orthant/search/neighbours.h"

namespace orthant::report {
namespace {

constexpr int64_t kMostOfAKind = 1'000;

// The neighbours that the catalogue has, with their cosines.
search::Neighbours with_scores(const catalogue::Catalogue& run) {
  search::Neighbours found;
  found.indices = run.neighbours();
  found.scores = Matrix(found.indices.rows(), found.indices.cols());
  found.self_excluded = true;
  const Features features = run.matrix();
  std::vector<double> room(static_cast<size_t>(features.cols()));
  std::vector<double> norms;
  for (int64_t i = 0; i < features.rows(); ++i) norms.push_back(features.row_norm(i));
  for (int64_t i = 0; i < features.rows(); ++i) {
    features.visit_row(i, [&](int64_t f, float value) { room[static_cast<size_t>(f)] = double{value}; });
    for (int64_t n = 0; n < found.k(); ++n) {
      const int64_t other = found.indices(i, n);
      double product = 0;
      features.visit_row(other,
                         [&](int64_t f, float value) { product += room[static_cast<size_t>(f)] * double{value}; });
      const double scale = norms[static_cast<size_t>(i)] * norms[static_cast<size_t>(other)];
      found.scores(i, n) = scale > 0 ? static_cast<float>(product / scale) : 0;
    }
    features.visit_row(i, [&](int64_t f, float) { room[static_cast<size_t>(f)] = 0; });
  }
  return found;
}

}  // namespace

std::string clean_document(const catalogue::Catalogue& run, int threads) {
  const catalogue::Items& items = run.items();
  if (items.size() > catalogue::kMostTogether) {
    return join(R"({"left_out":"more than )", catalogue::kMostTogether, R"( items: orthant clean looks at them"})");
  }
  if (items.size() < 3 || run.neighbours().cols() < 2) return R"({"left_out":"fewer than three items"})";
  const clean::CleanReport report =
      clean::find_suspects(run.matrix(), items.labels, with_scores(run), {}, {.threads = threads});
  return clean::to_json(report, {}, kMostOfAKind);
}

}  // namespace orthant::report
