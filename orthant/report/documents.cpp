#include "orthant/report/documents.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "orthant/catalogue/text.h"
#include "orthant/report/read_out_documents.h"
#include "orthant/report/word_marks.h"
#include "orthant/words/feature_words.h"

namespace orthant::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostTexts = 20;      // of an item
constexpr size_t kLongestText = 5000;  // characters
constexpr size_t kLongestInReport = 1000;
constexpr size_t kLongestInList = 200;

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// A character that stands for itself in JSON, whatever is around it.
bool is_plain(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

// {"NAME": base64}, without looking for what JSON must escape: megabytes of digits have none.
std::string array_document(const std::string& name, std::span<const std::byte> bytes) {
  return "{\"" + name + "\":\"" + catalogue::base64(bytes) + "\"}";
}

// The double whose shortest text is that of the float: 0.1 instead of 0.10000000149011612.
double shortest(float value) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  double result = 0;
  std::from_chars(text.data(), written.ptr, result);
  return result;
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json label_json(int64_t label) { return label < 0 ? Json(nullptr) : Json(label); }

Json valued(const std::vector<catalogue::Activation>& list) {
  Json json = Json::array();
  for (const catalogue::Activation& one : list) json.push_back({{"item", one.item}, {"value", shortest(one.value)}});
  return json;
}

// What raises feature f in each of these items, where that is known.
void add_marks(const catalogue::Catalogue& run, int64_t f, Json& items) {
  if (!has_word_marks(run)) return;
  std::vector<int64_t> numbers;
  for (const Json& one : items) numbers.push_back(one["item"]);
  const Json marks = Json::parse(feature_marks_document(run, f, numbers));
  for (size_t i = 0; i < items.size(); ++i) {
    items[i]["marks"] = marks[i]["words"];
    items[i]["snippet"] = marks[i]["snippet"];
  }
}

Json words_json(const std::vector<words::WordEffect>& list) {
  Json json = Json::array();
  for (const words::WordEffect& one : list) {
    json.push_back({{"word", one.word}, {"items", one.items}, {"with", one.with}, {"without", one.without}});
  }
  return json;
}

Json negative_json(const std::optional<catalogue::NegativeSide>& side) {
  if (!side) return nullptr;
  return {{"rate", side->rate},
          {"min", shortest(side->min)},
          {"consistency", or_null(side->consistency)},
          {"class", or_null(side->commonest)},
          {"top", side->top},
          {"profile", side->profile},
          {"words", words_json(side->words)}};
}

Json card(const catalogue::FeatureSummary& summary, const catalogue::FeatureLabel& label) {
  Json flags = Json::array();
  if (summary.dead) flags.push_back("dead");
  if (summary.dense) flags.push_back("dense");
  if (summary.duplicate_of) flags.push_back("duplicate");
  return {{"feature", summary.feature},
          {"name", label.name},
          {"note", label.note},
          {"firing_rate", summary.firing_rate},
          {"expected_activation", summary.expected_activation},
          {"max", shortest(summary.max)},
          {"consistency", or_null(summary.consistency)},
          {"class", or_null(summary.commonest)},
          {"entropy", or_null(summary.entropy)},
          {"monosemanticity", or_null(summary.monosemanticity)},
          {"anchors", summary.anchors},
          {"flags", std::move(flags)},
          {"duplicate_of", or_null(summary.duplicate_of)},
          {"top", summary.top},
          {"profile", summary.profile},
          {"words", words_json(summary.words)},
          {"negative", negative_json(summary.negative)}};
}

Json quantiles_json(const std::vector<catalogue::QuantileBand>& bands) {
  Json json = Json::array();
  for (const catalogue::QuantileBand& band : bands) {
    json.push_back({{"from", band.from},
                    {"to", band.to},
                    {"low", shortest(band.low)},
                    {"high", shortest(band.high)},
                    {"items", valued(band.items)}});
  }
  return json;
}

Json classes_json(const std::vector<catalogue::ClassActivation>& classes) {
  Json json = Json::array();
  for (const catalogue::ClassActivation& one : classes) {
    json.push_back({{"class", one.klass},
                    {"count", one.count},
                    {"share", one.share},
                    {"rate", one.rate},
                    {"mean", one.mean},
                    {"negative", one.negative}});
  }
  return json;
}

// The first of them, each at most `longest` characters.
Json told_texts(const std::vector<std::string>& texts, size_t longest) {
  Json json = Json::array();
  for (const std::string& text : texts) {
    if (json.size() < kMostTexts) json.push_back(catalogue::shortened(text, longest));
  }
  return json;
}

Json item_json(const catalogue::ItemProfile& profile) {
  Json json = Json::object();
  if (profile.item) {
    json["item"] = *profile.item;
    json["id"] = profile.id;
    json["texts"] = told_texts(profile.texts, kLongestText);
    json["label"] = label_json(profile.label);
  }
  json["active"] = profile.active;
  json["norm"] = profile.norm;
  json["features"] = Json::array();
  for (const catalogue::ItemFeature& one : profile.features) {
    json["features"].push_back({{"feature", one.feature}, {"value", shortest(one.value)}, {"share", one.share}});
  }
  json["neighbours"] = Json::array();
  for (const catalogue::ItemMatch& one : profile.neighbours) {
    json["neighbours"].push_back({{"item", one.item}, {"score", one.score}});
  }
  if (profile.item) {
    json["links"] = Json::array();
    for (const catalogue::ItemMatch& one : profile.links) {
      json["links"].push_back({{"item", one.item}, {"score", one.score}});
    }
  }
  return json;
}

Json parts_json(const catalogue::Explanation& explanation) {
  Json json = Json::array();
  for (const catalogue::ExplanationPart& part : explanation.parts) {
    json.push_back({{"feature", part.feature},
                    {"a", shortest(part.a)},
                    {"b", shortest(part.b)},
                    {"contribution", part.contribution}});
  }
  return json;
}

}  // namespace

std::string features_document(const catalogue::Catalogue& run) {
  const auto labels = run.names().all();
  Json features = Json::array();
  for (const catalogue::FeatureSummary& summary : run.summaries()) {
    const auto label = labels.find(summary.feature);
    features.push_back(card(summary, label == labels.end() ? catalogue::FeatureLabel{} : label->second));
  }
  return text_of({{"features", std::move(features)}});
}

std::string feature_document(const catalogue::Catalogue& run, int64_t f) {
  const catalogue::FeatureProfile profile = run.feature(f);
  Json json = card(profile.summary, run.names().get(f));
  json["top"] = valued(profile.top);
  add_marks(run, f, json["top"]);
  json["quantiles"] = quantiles_json(profile.quantiles);
  if (profile.summary.negative) {
    json["negative"]["top"] = valued(profile.negative_top);
    json["negative"]["quantiles"] = quantiles_json(profile.negative_quantiles);
  }
  json["silent"] = profile.silent;
  json["histogram"] = {
      {"edges", profile.histogram.edges}, {"counts", profile.histogram.counts}, {"zeros", profile.zeros}};
  json["classes"] = classes_json(profile.classes);
  json["similar"] = Json::array();
  for (const catalogue::SimilarFeature& one : profile.similar) {
    json["similar"].push_back({{"feature", one.feature}, {"cosine", one.cosine}});
  }
  json["cofiring"] = Json::array();
  for (const catalogue::CofiringFeature& one : profile.cofiring) {
    json["cofiring"].push_back(
        {{"feature", one.feature}, {"both", one.both}, {"jaccard", one.jaccard}, {"lift", one.lift}});
  }
  json["anchor_items"] = valued(profile.anchor_items);
  return text_of(json);
}

std::string items_document(const catalogue::Catalogue& run, int64_t offset, int64_t limit,
                           std::optional<int64_t> klass) {
  const catalogue::ItemPage page = run.list(offset, limit, klass);
  Json items = Json::array();
  for (const catalogue::ItemSummary& one : page.items) {
    items.push_back({{"item", one.item}, {"id", one.id}, {"label", label_json(one.label)}, {"active", one.active}});
  }
  return text_of({{"total", page.total}, {"items", std::move(items)}});
}

std::string item_document(const catalogue::Catalogue& run, int64_t i) {
  Json json = item_json(run.item(i));
  json["marks"] = Json::parse(item_marks_document(run, i));
  json["prediction"] = Json::parse(prediction_document(run, i));
  return text_of(json);
}

std::string explain_document(const catalogue::Catalogue& run, int64_t a, int64_t b) {
  const catalogue::Explanation explanation = run.explain(a, b);
  return text_of({{"a", a},
                  {"b", b},
                  {"score", explanation.score},
                  {"parts", parts_json(explanation)},
                  {"shared", explanation.parts.size()}});
}

std::string map_document(const catalogue::Catalogue& run, std::string_view name) {
  return array_document("points", std::as_bytes(run.map(name).values()));
}

std::string activations_document(const catalogue::Catalogue& run, int64_t f) {
  return array_document("values", std::as_bytes(std::span<const float>(run.activations(f))));
}

std::string labels_document(const catalogue::Items& items) {
  std::vector<int32_t> labels;
  for (int64_t i = 0; i < items.size(); ++i) labels.push_back(static_cast<int32_t>(items.label(i)));
  return array_document("labels", std::as_bytes(std::span<const int32_t>(labels)));
}

std::string ids_document(const catalogue::Items& items) {
  std::string text = "{\"ids\":[";
  for (const std::string& id : items.ids) {
    if (text.back() != '[') text += ',';
    if (std::ranges::all_of(id, is_plain)) {
      text.append("\"").append(id).append("\"");
    } else {
      text += text_of(Json(id));
    }
  }
  return text + "]}";
}

std::string texts_document(const catalogue::Items& items) {
  Json texts = Json::array();
  for (const auto& own : items.texts)
    texts.push_back(own.empty() ? "" : catalogue::shortened(own.front(), kLongestInList));
  return text_of({{"texts", std::move(texts)}});
}

std::string all_texts_document(const catalogue::Items& items) {
  Json texts = Json::array();
  for (const auto& own : items.texts) texts.push_back(told_texts(own, kLongestInReport));
  return text_of(texts);
}

std::string compare_document(const catalogue::Comparison& comparison, int64_t a, int64_t b) {
  Json pairs = Json::array();
  for (const catalogue::FeaturePair& pair : comparison.pairs) {
    pairs.push_back({{"a", pair.a}, {"b", pair.b}, {"similarity", std::abs(pair.cosine)}, {"cosine", pair.cosine}});
  }
  return text_of({{"a", a},
                  {"b", b},
                  {"pairs", std::move(pairs)},
                  {"mean", comparison.mean},
                  {"mean_of_pairs", or_null(comparison.mean_of_pairs)},
                  {"live", {comparison.live_a, comparison.live_b}}});
}

std::string embed_document(const catalogue::Catalogue& run, std::span<const float> row, std::optional<int64_t> with) {
  const catalogue::ItemProfile profile = run.item_of(row);
  const int64_t other = with.value_or(profile.neighbours.front().item);
  const catalogue::Explanation explanation = run.explain(row, other);
  Json json = item_json(profile);
  json["parts"] = parts_json(explanation);
  json["with"] = other;
  json["score"] = explanation.score;
  return text_of(json);
}

}  // namespace orthant::report
