#include "orthant/text/text_ids.h"

#include <string>

#include "orthant/text/words.h"

namespace orthant {
namespace {

int32_t bucket_of(std::string_view bytes, const TextOptions& options) {
  return static_cast<int32_t>(fnv1a_64(bytes) % static_cast<uint64_t>(options.buckets));
}

// Where each code point of `text` begins, and its end.
std::vector<size_t> beginnings(std::string_view text) {
  std::vector<size_t> places;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) places.push_back(i);
  }
  places.push_back(text.size());
  return places;
}

void add_character_ngrams(std::string_view bracketed, const TextOptions& options, std::vector<int32_t>& ids) {
  const std::vector<size_t> places = beginnings(bracketed);
  const size_t points = places.size() - 1;
  const auto shortest = static_cast<size_t>(options.char_min);
  const auto longest = static_cast<size_t>(options.char_max);
  for (size_t first = 0; first < points; ++first) {
    for (size_t length = shortest; length <= longest && first + length <= points; ++length) {
      if (length == points) continue;  // the word itself
      ids.push_back(bucket_of(bracketed.substr(places[first], places[first + length] - places[first]), options));
    }
  }
}

std::string bracketed(std::string_view words) {
  std::string text = "<";
  text += words;
  text += '>';
  return text;
}

}  // namespace

uint64_t fnv1a_64(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

int32_t word_id(std::string_view word, const TextOptions& options) { return bucket_of(bracketed(word), options); }

std::vector<int32_t> word_ids(std::string_view text, const TextOptions& options) {
  std::vector<int32_t> ids;
  for (const std::string& word : words_of(text, options)) ids.push_back(word_id(word, options));
  return ids;
}

std::vector<int32_t> text_ids(std::string_view text, const TextOptions& options) {
  const std::vector<std::string> words = words_of(text, options);
  std::vector<int32_t> ids;
  for (const std::string& word : words) {
    ids.push_back(word_id(word, options));
    add_character_ngrams(bracketed(word), options, ids);
  }
  for (int64_t length = 2; length <= options.word_ngrams; ++length) {
    for (size_t first = 0; first + static_cast<size_t>(length) <= words.size(); ++first) {
      std::string joined = words[first];
      for (size_t k = 1; k < static_cast<size_t>(length); ++k) joined += " " + words[first + k];
      ids.push_back(word_id(joined, options));
    }
  }
  return ids;
}

}  // namespace orthant
