#include "orthant/text/text_view.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "orthant/core/error.h"
#include "orthant/text/words.h"

namespace orthant {
namespace {

constexpr uint16_t kTextStream = 0xfe00;  // which text of an item
constexpr uint16_t kDealStream = 0xfd00;  // what two views are dealt together
constexpr size_t kFewestWords = 4;        // of a sentence

std::string joined(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

Rng dealer(const StreamKey& key) {
  StreamKey shared = key;
  shared.view = static_cast<uint16_t>(kDealStream + key.view / 2);
  return Rng(shared);
}

// The half of the words that belongs to the view; all of fewer than two.
std::vector<std::string> half(std::vector<std::string> words, const StreamKey& key) {
  if (words.size() < 2) return words;
  std::vector<size_t> places(words.size());
  std::iota(places.begin(), places.end(), size_t{0});
  Rng rng = dealer(key);
  rng.shuffle(std::span(places));
  const size_t middle = words.size() / 2;
  const auto dealt =
      std::span(places).subspan(key.view % 2 == 0 ? 0 : middle, key.view % 2 == 0 ? middle : places.size() - middle);
  std::ranges::sort(dealt);
  std::vector<std::string> chosen;
  for (const size_t place : dealt) chosen.push_back(std::move(words[place]));
  return chosen;
}

void drop(std::vector<std::string>& words, double share, const StreamKey& key) {
  if (share <= 0 || words.empty()) return;
  Rng rng(key);
  const size_t spared = rng.below(words.size());
  size_t kept = 0;
  for (size_t place = 0; place < words.size(); ++place) {
    if (rng.bernoulli(share) && place != spared) continue;
    if (kept != place) words[kept] = std::move(words[place]);
    ++kept;
  }
  words.resize(kept);
}

bool is_blank_byte(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The length of what ends a sentence at `at`; 0: nothing does.
size_t ends_at(std::string_view text, size_t at) {
  constexpr std::array<std::string_view, 3> kWide = {"\xe3\x80\x82", "\xef\xbc\x81", "\xef\xbc\x9f"};
  for (const std::string_view mark : kWide) {
    if (text.substr(at).starts_with(mark)) return mark.size();
  }
  constexpr std::array<std::string_view, 4> kMarks = {".", "!", "?", "\xe2\x80\xa6"};
  for (const std::string_view mark : kMarks) {
    const size_t behind = at + mark.size();
    if (text.substr(at).starts_with(mark) && (behind == text.size() || is_blank_byte(text[behind]))) return mark.size();
  }
  return 0;
}

// Enough to count words roughly, in one pass: letters and digits, and the first bytes of what is mostly ideographs.
enum class WordByte { none, part, whole };
WordByte word_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0xe3) return WordByte::whole;
  const bool letter = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || byte >= 0x80;
  return letter ? WordByte::part : WordByte::none;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank_byte(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank_byte(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

std::vector<std::string_view> sentences_of(std::string_view text) {
  std::vector<std::string_view> sentences;
  size_t begin = 0;
  size_t words = 0;
  bool inside = false;
  for (size_t at = 0; at < text.size();) {
    const size_t mark = ends_at(text, at);
    if (mark == 0) {
      const WordByte byte = word_byte(text[at]);
      words += byte == WordByte::whole || (byte == WordByte::part && !inside) ? 1 : 0;
      inside = byte == WordByte::part;
      ++at;
      continue;
    }
    at += mark;
    inside = false;
    if (words < kFewestWords) continue;
    sentences.push_back(trimmed(text.substr(begin, at - begin)));
    begin = at;
    words = 0;
  }
  const std::string_view rest = trimmed(text.substr(begin));
  if (rest.empty()) return sentences;
  if (sentences.empty() || words >= kFewestWords) {
    sentences.push_back(rest);
  } else {
    const char* const first = sentences.back().data();
    sentences.back() = {first, static_cast<size_t>(rest.data() + rest.size() - first)};
  }
  return sentences;
}

size_t drawn_text(size_t texts, const StreamKey& key) {
  StreamKey own = key;
  own.view = static_cast<uint16_t>(kTextStream + key.view);
  return Rng(own).below(texts);
}

std::string text_view(std::string_view text, const TextViewOptions& options, const StreamKey& key) {
  if (options.kind == "none") return std::string(text);
  std::vector<std::string> words;
  if (options.kind == "sentences") {
    const std::vector<std::string_view> sentences = sentences_of(text);
    if (sentences.size() < 2) {
      words = half(words_of(text, options.words), key);
    } else {
      const size_t first = dealer(key).below(sentences.size() - 1);
      words = words_of(sentences[first + key.view % 2], options.words);
    }
  } else {
    check(options.kind == "halves" || options.kind == "dropout",
          "[text] expected views of the kind none, halves, dropout or sentences, got ", options.kind);
    words = words_of(text, options.words);
    if (options.kind == "halves") words = half(std::move(words), key);
  }
  drop(words, options.dropout, key);
  return joined(words);
}

}  // namespace orthant
