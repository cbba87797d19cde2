#include "orthant/report/selection_documents.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "orthant/catalogue/text.h"
#include "orthant/core/error.h"
#include "orthant/report/contrast.h"
#include "orthant/report/documents.h"
#include "orthant/report/read_out_documents.h"

namespace orthant::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kVoters = 10;

void check_item(const catalogue::Catalogue& run, int64_t i) {
  check(i >= 0 && i < run.items().size(), "expected an item from 0 to ", run.items().size() - 1, ", got ", i);
}

template <class T>
std::string encoded(const std::vector<T>& values) {
  return catalogue::base64(std::as_bytes(std::span<const T>(values)));
}

std::vector<float> dense_row(const Features& features, int64_t i) {
  std::vector<float> row(static_cast<size_t>(features.cols()));
  features.visit_row(i, [&](int64_t f, float value) { row[static_cast<size_t>(f)] = value; });
  return row;
}

// The class that most of the voters name, of equals the one that is named first; -1 without voters.
int64_t elected(std::span<const int64_t> votes) {
  int64_t best = -1;
  int64_t most = 0;
  for (const int64_t vote : votes) {
    const int64_t named = std::count(votes.begin(), votes.end(), vote);
    if (named > most) {
      best = vote;
      most = named;
    }
  }
  return best;
}

}  // namespace

std::string contrast_document(const catalogue::Catalogue& run, const std::vector<bool>& chosen) {
  const Contrast found = contrast(run.matrix(), chosen);
  Json features = Json::array();
  for (size_t f = 0; f < found.features.size(); ++f) {
    const FeatureContrast& one = found.features[f];
    features.push_back({{"feature", f},
                        {"firing", one.firing},
                        {"firing_others", one.firing_others},
                        {"mean", one.mean},
                        {"mean_others", one.mean_others},
                        {"deviation", one.deviation}});
  }
  return Json{{"items", found.items}, {"others", found.others}, {"features", std::move(features)}}.dump();
}

std::string rows_document(const catalogue::Catalogue& run, std::span<const int64_t> items) {
  const Features matrix = run.matrix();
  std::vector<uint32_t> indptr = {0};
  std::vector<uint32_t> indices;
  std::vector<float> values;
  for (const int64_t i : items) {
    check_item(run, i);
    matrix.visit_row(i, [&](int64_t f, float value) {
      if (value == 0) return;
      indices.push_back(static_cast<uint32_t>(f));
      values.push_back(value);
    });
    indptr.push_back(static_cast<uint32_t>(values.size()));
  }
  return Json{{"indptr", encoded(indptr)}, {"indices", encoded(indices)}, {"values", encoded(values)}}.dump();
}

std::string changed_document(const catalogue::Catalogue& run, int64_t i, std::span<const FeatureChange> changes) {
  check_item(run, i);
  const std::vector<float> before = dense_row(run.matrix(), i);
  std::vector<float> row = before;
  for (const FeatureChange& change : changes) {
    check(change.feature >= 0 && change.feature < run.features(), "expected a feature from 0 to ", run.features() - 1,
          ", got ", change.feature);
    check(std::isfinite(change.value), "expected a finite value of feature ", change.feature);
    row[static_cast<size_t>(change.feature)] = change.value;
  }
  const Json after = Json::parse(embed_document(run, row));
  const auto compared = [&](int64_t other) {
    return Json{{"item", other}, {"score", run.explain(row, other).score}, {"was", run.explain(before, other).score}};
  };
  Json nearest = Json::array();
  for (const Json& match : after["neighbours"]) {
    if (match["item"] != i) nearest.push_back(compared(match["item"]));
  }
  Json former = Json::array();
  for (const catalogue::ItemMatch& match : run.item(i).neighbours) former.push_back(compared(match.item));
  return Json{{"item", i},
              {"active", after["active"]},
              {"norm", after["norm"]},
              {"features", after["features"]},
              {"neighbours", std::move(nearest)},
              {"before", std::move(former)},
              {"prediction", Json::parse(prediction_document(run, row))}}
      .dump();
}

std::string vote_document(const catalogue::Catalogue& run) {
  const catalogue::Items& items = run.items();
  const auto classes = static_cast<int64_t>(items.classes.size());
  constexpr int64_t kMostClasses = 4000;  // of a confusion matrix
  if (classes == 0 || classes > kMostClasses || items.size() > catalogue::kMostTogether) return "null";
  const DenseMatrix<int32_t>& near = run.neighbours();
  std::vector<int64_t> labels(static_cast<size_t>(items.size()), -1);
  std::vector<int64_t> predicted(labels.size(), 0);
  for (int64_t i = 0; i < items.size(); ++i) {
    std::vector<int64_t> votes;
    for (const int32_t other : near.row(i)) {
      if (std::ssize(votes) == kVoters) break;
      if (other >= 0 && items.label(other) >= 0) votes.push_back(items.label(other));
    }
    const int64_t winner = elected(votes);
    if (winner < 0) continue;
    labels[static_cast<size_t>(i)] = items.label(i);
    predicted[static_cast<size_t>(i)] = winner;
  }
  Json json = Json::parse(confusion_document(classify::confusion(labels, predicted, classes)));
  json["k"] = std::min<int64_t>(kVoters, near.cols());
  return json.dump();
}

}  // namespace orthant::report
