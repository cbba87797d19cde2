#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace orthant::words {

// Which of N items have which words in their texts.
struct WordTable {
  int64_t items = 0;                              // N
  std::vector<std::string> words = {};            // [V], rising
  std::vector<std::vector<int32_t>> places = {};  // [V]: the items that have the word, rising
};

struct WordTableOptions {
  int64_t fewest = 3;  // words of fewer items are left out
  int threads = 0;     // 0: what the machine offers; the table does not depend on it
};

// Words as orthant/text/words.h finds them, in any of an item's texts; how often is not counted. Items may have no
// text. std::invalid_argument for 2^31 items or more.
WordTable word_table(std::span<const std::vector<std::string>> texts, const WordTableOptions& options = {});

}  // namespace orthant::words
