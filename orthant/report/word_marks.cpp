#include "orthant/report/word_marks.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace orthant::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostWords = 12;
constexpr size_t kMostFeatures = 6;
constexpr size_t kSnippet = 200;  // bytes
constexpr size_t kBefore = 60;    // of them, at most, before the word

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

const std::string& text_of_item(const catalogue::Catalogue& run, int64_t i) {
  return run.items().texts[static_cast<size_t>(i)].front();
}

bool has_text(const catalogue::Catalogue& run, int64_t i) { return !run.items().texts[static_cast<size_t>(i)].empty(); }

Json pair_of(const words::WordShare& word) { return Json::array({word.word, word.share}); }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

bool is_letter(char c) {
  return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

// Where the word stands in the text, whatever the case of its ASCII letters; 0 if it is not found.
size_t place_of(const std::string& word, const std::string& text) {
  for (size_t from = 0; from < text.size();) {
    const auto found = std::search(text.begin() + static_cast<ptrdiff_t>(from), text.end(), word.begin(), word.end(),
                                   [](char a, char b) { return lower(a) == lower(b); });
    if (found == text.end()) return 0;
    const auto at = static_cast<size_t>(found - text.begin());
    const size_t behind = at + word.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (behind == text.size() || !is_letter(text[behind]))) return at;
    from = at + 1;
  }
  return 0;
}

// The part of the text around a place, from the beginning of a word on.
std::string snippet(const std::string& text, size_t place) {
  if (text.size() <= kSnippet) return text;
  size_t begin = 0;
  if (place > kBefore) {
    begin = place - kBefore;
    while (begin < place && text[begin] != ' ') ++begin;
    while (begin < place && text[begin] == ' ') ++begin;
  }
  size_t end = std::min(begin + kSnippet, text.size());
  while (end < text.size() && continues(text[end])) ++end;
  return (begin > 0 ? "\u2026" : "") + text.substr(begin, end - begin) + (end < text.size() ? "\u2026" : "");
}

}  // namespace

bool has_word_marks(const catalogue::Catalogue& run) {
  const auto& bag = run.record().bag;
  return bag != nullptr && !run.items().texts.empty() && bag->features() == run.features();
}

std::string feature_marks_document(const catalogue::Catalogue& run, int64_t f, const std::vector<int64_t>& items) {
  Json list = Json::array();
  if (!has_word_marks(run)) return text_of(list);
  for (const int64_t item : items) {
    Json words = Json::array();
    if (!has_text(run, item)) {
      list.push_back({{"words", words}, {"snippet", ""}});
      continue;
    }
    const std::string& text = text_of_item(run, item);
    const words::FeatureParts parts = run.record().bag->take_apart(text, std::vector{f}).front();
    for (const words::WordShare& word : parts.words) {
      if (words.size() < kMostWords && word.share > 0) words.push_back(pair_of(word));
    }
    const size_t place = parts.words.empty() ? 0 : place_of(parts.words.front().word, text);
    list.push_back({{"words", std::move(words)}, {"snippet", snippet(text, place)}});
  }
  return text_of(list);
}

std::string item_marks_document(const catalogue::Catalogue& run, int64_t i) {
  Json list = Json::array();
  if (!has_word_marks(run) || !has_text(run, i)) return text_of(list);
  std::vector<int64_t> features;
  for (const catalogue::ItemFeature& one : run.item(i).features) {
    if (features.size() < kMostFeatures) features.push_back(one.feature);
  }
  for (words::FeatureParts& parts : run.record().bag->take_apart(text_of_item(run, i), features)) {
    std::ranges::stable_sort(parts.words, std::ranges::greater(),
                             [](const words::WordShare& word) { return std::abs(word.share); });
    Json words = Json::array();
    double others = 0;
    for (const words::WordShare& word : parts.words) {
      if (words.size() < kMostWords) {
        words.push_back(pair_of(word));
      } else {
        others += word.share;
      }
    }
    list.push_back({{"feature", parts.feature},
                    {"value", parts.value},
                    {"words", std::move(words)},
                    {"others", others},
                    {"rest", parts.rest}});
  }
  return text_of(list);
}

}  // namespace orthant::report
