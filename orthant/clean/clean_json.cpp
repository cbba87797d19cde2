#include "orthant/clean/clean_json.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace orthant::clean {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kKinds = {Kind::label, Kind::duplicate, Kind::leak, Kind::outlier, Kind::empty};

std::string called(const std::function<std::string(int64_t)>& name, int64_t number, const char* prefix) {
  return name ? name(number) : fmt::format("{}{}", prefix, number);
}

// To four digits: threads change the last ones of a probe.
double rounded(double value) {
  const double size = value == 0 ? 1 : std::pow(10.0, 3 - std::floor(std::log10(std::abs(value))));
  return std::round(value * size) / size;
}

std::string percent(double share) { return fmt::format("{:.{}f} %", 100 * share, share < 0.0995 ? 1 : 0); }

std::string near_words(const Suspect& suspect, const std::string& other) {
  if (suspect.distance == 0) return fmt::format("the same as {}", other);
  return fmt::format("like {}: {} of the distance to its tenth nearest", other, percent(suspect.distance));
}

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

std::string label_words(const Suspect& suspect, const CleanNames& names) {
  const std::string times =
      suspect.own <= 0 ? "far more" : fmt::format("{:.0f} times as", suspect.likelier / suspect.own);
  std::string text = fmt::format(
      "labelled {}, {} is {} likely ({} beside {})", called(names.klass, suspect.label, "class "),
      called(names.klass, suspect.suggested, "class "), times, percent(suspect.likelier), percent(suspect.own));
  for (size_t k = 0; k < suspect.reasons.size(); ++k) {
    text += (k == 0 ? ": " : ", ") + called(names.feature, suspect.reasons[k].feature, "f");
  }
  return text;
}

}  // namespace

std::string words_of(const Suspect& suspect, const CleanNames& names) {
  switch (suspect.kind) {
    case Kind::label:
      return label_words(suspect, names);
    case Kind::duplicate:
      return near_words(suspect, called(names.item, suspect.other, "item "));
    case Kind::leak:
      return near_words(suspect, called(names.bank_item, suspect.other, "item ") + " of the bank");
    case Kind::outlier:
      return fmt::format("{:.2f} times as far from its nearest as usual", suspect.distance);
    case Kind::empty:
      break;
  }
  return "no feature fires on it";
}

std::string words_of(const CleanReport& report, Kind kind) {
  switch (kind) {
    case Kind::label:
      if (!report.labels.left_out.empty()) return "not judged: " + report.labels.left_out;
      return fmt::format("the judge agrees with {} of {} labels; always saying the commonest class, {}",
                         percent(report.labels.agreement), report.labels.judged, percent(report.labels.chance));
    case Kind::duplicate:
      return fmt::format("much nearer to another than to its tenth nearest; up to {:.0f} would be by chance",
                         report.distances.duplicates_expected);
    case Kind::leak:
      return "as duplicates, between these items and those of the bank";
    case Kind::outlier:
      return fmt::format("far from all others; {:.1f} would be by chance", report.distances.outliers_expected);
    case Kind::empty:
      break;
  }
  return "no feature fires";
}

std::string to_json(const CleanReport& report, const CleanNames& names, int64_t most) {
  Json kinds = Json::array();
  for (const Kind kind : kKinds) {
    kinds.push_back({{"kind", name_of(kind)}, {"count", report.count(kind)}, {"words", words_of(report, kind)}});
  }
  Json suspects = Json::array();
  std::map<Kind, int64_t> written;
  for (const Suspect& suspect : report.suspects) {
    if (most > 0 && written[suspect.kind]++ >= most) continue;
    Json one = {{"kind", name_of(suspect.kind)}, {"item", suspect.item}};
    if (names.item) one["id"] = names.item(suspect.item);
    one["score"] = rounded(suspect.score);
    one["label"] = suspect.label < 0 ? Json() : names.klass ? Json(names.klass(suspect.label)) : Json(suspect.label);
    if (suspect.kind == Kind::label) {
      one["suggested"] = names.klass ? Json(names.klass(suspect.suggested)) : Json(suspect.suggested);
      one["own"] = rounded(suspect.own);
      one["likelier"] = rounded(suspect.likelier);
      Json reasons = Json::array();
      for (const Reason& reason : suspect.reasons) {
        Json part = {{"feature", reason.feature}, {"value", rounded(reason.value)}};
        if (names.feature) part["name"] = names.feature(reason.feature);
        reasons.push_back(std::move(part));
      }
      one["reasons"] = std::move(reasons);
    }
    if (suspect.other >= 0) {
      one["other"] = suspect.other;
      const auto& other = suspect.kind == Kind::leak ? names.bank_item : names.item;
      if (other) one["other_id"] = other(suspect.other);
    }
    if (suspect.kind != Kind::label && suspect.kind != Kind::empty) one["distance"] = rounded(suspect.distance);
    one["words"] = words_of(suspect, names);
    suspects.push_back(std::move(one));
  }
  const Json document = {{"items", report.items},
                         {"kinds", std::move(kinds)},
                         {"labels",
                          {{"judged", report.labels.judged},
                           {"agreement", report.labels.agreement},
                           {"chance", report.labels.chance},
                           {"left_out", report.labels.left_out}}},
                         {"distances",
                          {{"usual", report.distances.usual},
                           {"far", report.distances.far},
                           {"dimension", report.distances.dimension},
                           {"duplicates_expected", report.distances.duplicates_expected},
                           {"outliers_expected", report.distances.outliers_expected}}},
                         {"suspects", std::move(suspects)}};
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string to_csv(const CleanReport& report, const CleanNames& names) {
  std::string text = "kind,item,id,score,label,suggested,own,likelier,other,other_id,distance,words\n";
  for (const Suspect& suspect : report.suspects) {
    const bool label = suspect.kind == Kind::label;
    const bool near = suspect.other >= 0;
    const auto& other = suspect.kind == Kind::leak ? names.bank_item : names.item;
    text += fmt::format("{},{},{},{:.4f},{},{},{},{},{},{},{},{}\n", name_of(suspect.kind), suspect.item,
                        cell(called(names.item, suspect.item, "")), suspect.score,
                        suspect.label < 0 ? "" : cell(called(names.klass, suspect.label, "")),
                        label ? cell(called(names.klass, suspect.suggested, "")) : "",
                        label ? fmt::format("{:.4f}", suspect.own) : "",
                        label ? fmt::format("{:.4f}", suspect.likelier) : "", near ? std::to_string(suspect.other) : "",
                        near ? cell(called(other, suspect.other, "")) : "",
                        label || suspect.kind == Kind::empty ? "" : fmt::format("{:.4f}", suspect.distance),
                        cell(words_of(suspect, names)));
  }
  return text;
}

}  // namespace orthant::clean
