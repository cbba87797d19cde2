#include "orthant/classify/read_out_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "orthant/core/version.h"

namespace orthant::classify {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json features_of(const ScoreParts& parts, int64_t top) {
  Json list = Json::array();
  for (const Contribution& part : parts.parts) {
    if (static_cast<int64_t>(list.size()) == top) break;
    list.push_back({{"feature", part.feature},
                    {"activation", part.activation},
                    {"weight", part.weight},
                    {"contribution", part.value},
                    {"share", part.share}});
  }
  return list;
}

// What labels allow, or nulls.
void put_judgement(const ReadOut& result, Json& json) {
  for (const char* key : {"judged", "accuracy", "chance", "commonest", "worst", "confusion", "mistakes"}) {
    json[key] = nullptr;
  }
  const Confusion& confusion = result.confusion;
  if (confusion.judged == 0) return;
  json["judged"] = confusion.judged;
  json["accuracy"] = confusion.accuracy;
  json["chance"] = 1.0 / static_cast<double>(result.classifier.classes());
  json["commonest"] = confusion.commonest;
  json["worst"] = result.classifier.name_of(confusion.worst);
  json["confusion"] = Json::array();
  for (int64_t c = 0; c < confusion.counts.rows(); ++c) json["confusion"].push_back(confusion.counts.row(c));
  json["mistakes"] = Json::array();
  for (const Mistake& mistake : mistakes(confusion, confusion.counts.size())) {
    json["mistakes"].push_back({{"label", result.classifier.name_of(mistake.label)},
                                {"predicted", result.classifier.name_of(mistake.predicted)},
                                {"items", mistake.items},
                                {"share", mistake.share}});
  }
}

Json classes_of(const ReadOutDocument& document) {
  const ReadOut& result = document.result;
  Json list = Json::array();
  for (size_t c = 0; c < result.carried.size(); ++c) {
    const ScoreParts& parts = result.carried[c];
    list.push_back({{"name", result.classifier.name_of(static_cast<int64_t>(c))},
                    {"items", parts.items},
                    {"recall", number(result.confusion.recall[c])},
                    {"precision", number(result.confusion.precision[c])},
                    {"score", number(parts.score)},
                    {"bias", number(parts.bias)},
                    {"features", features_of(parts, document.top)}});
  }
  return list;
}

Json predictions_of(const ReadOutDocument& document) {
  const ReadOut& result = document.result;
  Json list = Json::array();
  for (size_t i = 0; i < result.predicted.size(); ++i) {
    const int64_t label = document.labels.empty() ? -1 : document.labels[i];
    list.push_back({{"id", document.ids.empty() ? std::to_string(i) : document.ids[i]},
                    {"predicted", result.classifier.name_of(result.predicted[i])},
                    {"label", label < 0 ? Json() : Json(result.classifier.name_of(label))}});
  }
  return list;
}

Json explained_of(const ReadOutDocument& document) {
  const Classifier& classifier = document.result.classifier;
  Json list = Json::array();
  for (const auto& [id, prediction] : document.explained) {
    const bool other = prediction.runner_up >= 0;
    list.push_back({{"id", id},
                    {"predicted", classifier.name_of(prediction.parts.class_number)},
                    {"score", number(prediction.parts.score)},
                    {"bias", number(prediction.parts.bias)},
                    {"runner_up", other ? Json(classifier.name_of(prediction.runner_up)) : Json()},
                    {"runner_up_score", other ? number(prediction.runner_up_score) : Json()},
                    {"features", features_of(prediction.parts, document.top)}});
  }
  return list;
}

}  // namespace

std::string to_json(const ReadOutDocument& document) {
  Json json = {{"source", document.source}, {"items", document.result.predicted.size()}};
  put_judgement(document.result, json);
  json["classes"] = classes_of(document);
  json["predictions"] = predictions_of(document);
  json["explained"] = explained_of(document);
  json["notes"] = document.notes;
  json["orthant"] = version();
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace orthant::classify
