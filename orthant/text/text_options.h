#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include "orthant/core/fields.h"

namespace orthant {

// How a text becomes numbers. Two programs that agree on this, and on the version of Unicode, give every text the same
// ids; a model file holds all of it, since a network means nothing for ids that were made in another way.
struct TextOptions {
  std::string normalise = "nfkc-casefold";  // or "none"
  int64_t char_min = 3;                     // code points of a character n-gram of "<word>", at least
  int64_t char_max = 5;                     // at most; 0: whole words only
  int64_t word_ngrams = 1;                  // words of a word n-gram, at most; 1: single words only
  int64_t buckets = 1 << 15;                // ids are 0 .. buckets - 1
  int64_t max_words = 256;                  // of a text; those that follow are left out
  std::string hash = "fnv1a-64";            // the only one there is

  bool operator==(const TextOptions&) const = default;
};

// Lists every setting once; see orthant/core/fields.h.
template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, TextOptions>
void for_each_field(Options& options, Visitor&& visit) {
  visit(Field{"normalise",
              "What is one word: nfkc-casefold (upper and lower case, ligatures, widths) or none",
              {.choices = {"nfkc-casefold", "none"}}},
        options.normalise);
  visit(Field{"char_min", "Shortest character n-gram of a word", {.min = 1, .max = 16}}, options.char_min);
  visit(Field{"char_max", "Longest character n-gram of a word; 0: whole words only", {.min = 0, .max = 16}},
        options.char_max);
  visit(Field{"word_ngrams", "Longest word n-gram; 1: single words only", {.min = 1, .max = 5}}, options.word_ngrams);
  visit(Field{"buckets", "Rows of the table that words and n-grams are hashed into", {.min = 1, .max = 1 << 24}},
        options.buckets);
  visit(Field{"max_words", "Words of a text that are read; the rest is left out", {.min = 1, .max = 4096}},
        options.max_words);
  visit(Field{"hash", "How n-grams find their row", {.choices = {"fnv1a-64"}}}, options.hash);
}

// std::invalid_argument for a value that is out of range or unknown, or a char_max below char_min that is not 0.
void check_text_options(const TextOptions& options);

// The version of Unicode that decides what a letter is and what its case: "14.0.0". Texts of characters that another
// version does not know may come out as other words there; all others are the same words.
std::string unicode_version();

}  // namespace orthant
