#include "orthant/report/read_out_documents.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "orthant/catalogue/text.h"
#include "orthant/classify/read_out.h"

namespace orthant::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kParts = 12;  // features that are told one by one
constexpr int64_t kMistakes = 10;
constexpr int64_t kLargest = 100;  // classes of a confusion matrix that is told cell by cell
constexpr int64_t kMostWeights = 500'000;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json numbers(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(number(value));
  return json;
}

Json class_json(int64_t label) { return label < 0 ? Json(nullptr) : Json(label); }

// The parts that are told and the sum of the others make the score.
Json score_json(const classify::ScoreParts& score) {
  Json parts = Json::array();
  double others = 0;
  for (size_t k = 0; k < score.parts.size(); ++k) {
    const classify::Contribution& part = score.parts[k];
    if (k >= kParts) {
      others += part.value;
      continue;
    }
    parts.push_back(
        {{"feature", part.feature}, {"activation", part.activation}, {"weight", part.weight}, {"value", part.value}});
  }
  return {{"class", score.class_number},
          {"score", number(score.score)},
          {"bias", number(score.bias)},
          {"parts", std::move(parts)},
          {"others", {{"features", score.parts.size() - std::min(kParts, score.parts.size())}, {"value", others}}}};
}

Json confusion_json(const classify::Confusion& confusion) {
  Json counts = nullptr;
  if (confusion.counts.rows() <= kLargest) {
    counts = Json::array();
    for (int64_t c = 0; c < confusion.counts.rows(); ++c) {
      const auto row = confusion.counts.row(c);
      counts.push_back(std::vector<int64_t>(row.begin(), row.end()));
    }
  }
  Json mistakes = Json::array();
  for (const classify::Mistake& one : classify::mistakes(confusion, kMistakes)) {
    mistakes.push_back(
        {{"label", one.label}, {"predicted", one.predicted}, {"items", one.items}, {"share", one.share}});
  }
  return {{"judged", confusion.judged},
          {"unlabelled", confusion.unlabelled},
          {"accuracy", number(confusion.accuracy)},
          {"commonest", number(confusion.commonest)},
          {"worst", class_json(confusion.worst)},
          {"recall", numbers(confusion.recall)},
          {"precision", numbers(confusion.precision)},
          {"counts", std::move(counts)},
          {"mistakes", std::move(mistakes)}};
}

Json prediction_json(const classify::Prediction& prediction) {
  Json json = score_json(prediction.parts);
  json["runner_up"] = nullptr;
  if (prediction.runner_up >= 0) {
    json["runner_up"] = {{"class", prediction.runner_up}, {"score", prediction.runner_up_score}};
  }
  return json;
}

}  // namespace

std::string confusion_document(const classify::Confusion& confusion) { return confusion_json(confusion).dump(); }

std::string read_out_document(const catalogue::Catalogue& run) {
  const classify::ReadOut* read_out = run.read_out();
  if (read_out == nullptr) return "null";
  Json json = confusion_json(read_out->confusion);
  json["carried"] = Json::array();
  for (const classify::ScoreParts& one : read_out->carried) {
    json["carried"].push_back(score_json(one));
    json["carried"].back()["items"] = one.items;
  }
  return json.dump();
}

std::string prediction_document(const catalogue::Catalogue& run, int64_t i) {
  const classify::ReadOut* read_out = run.read_out();
  if (read_out == nullptr) return "null";
  return prediction_json(classify::predict(read_out->classifier, run.matrix(), i)).dump();
}

std::string prediction_document(const catalogue::Catalogue& run, std::span<const float> row) {
  const classify::ReadOut* read_out = run.read_out();
  if (read_out == nullptr) return "null";
  Matrix one(1, std::ssize(row));
  std::ranges::copy(row, one.mutable_row(0).begin());
  return prediction_json(classify::predict(read_out->classifier, one, 0)).dump();
}

std::string weights_document(const catalogue::Catalogue& run) {
  const classify::ReadOut* read_out = run.read_out();
  if (read_out == nullptr || read_out->classifier.weights.size() > kMostWeights) return "null";
  const classify::Classifier& classifier = read_out->classifier;
  Json bias = Json::array();
  for (const float value : classifier.bias) bias.push_back(number(value));
  return Json{{"weights", catalogue::base64(std::as_bytes(classifier.weights.values()))}, {"bias", std::move(bias)}}
      .dump();
}

}  // namespace orthant::report
