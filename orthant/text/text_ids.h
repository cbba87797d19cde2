#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "orthant/text/text_options.h"

namespace orthant {

// FNV-1a of 64 bits (Fowler, Noll, Vo) over the bytes.
uint64_t fnv1a_64(std::string_view bytes);

// The id of a whole word, which is normalised already: the hash of "<word>", modulo options.buckets.
int32_t word_id(std::string_view word, const TextOptions& options = {});

// A text as a sequence: the id of each of words_of(text), in their order; none for a text without words.
std::vector<int32_t> word_ids(std::string_view text, const TextOptions& options = {});

// A text as a bag, after fastText (Bojanowski et al. 2017): for each word its own id, followed by those of the
// character n-grams of "<word>", char_min to char_max code points long, by their beginning and then their length; the
// whole of
// "<word>" counts once, as the word. Behind them all the word n-grams of 2 to word_ngrams words, as "<one two>". Every
// id is a hash modulo options.buckets, equal ids are repeated as often as they occur. No ids for a text without words.
//
// All three: std::invalid_argument unless the text is valid UTF-8. The same ids on every machine with the same
// unicode_version(). Safe from several threads.
std::vector<int32_t> text_ids(std::string_view text, const TextOptions& options = {});

}  // namespace orthant
