#include "orthant/words/word_table.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/text/words.h"

namespace orthant::words {
namespace {

constexpr int64_t kGrain = 256;

// The words of an item, rising, each once.
std::vector<std::string> words_of_item(const std::vector<std::string>& texts) {
  TextOptions whole;
  whole.max_words = std::numeric_limits<int64_t>::max();
  std::vector<std::string> all;
  for (const std::string& text : texts) std::ranges::move(words_of(text, whole), std::back_inserter(all));
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace

WordTable word_table(std::span<const std::vector<std::string>> texts, const WordTableOptions& options) {
  check(texts.size() < static_cast<size_t>(std::numeric_limits<int32_t>::max()),
        "[words] expected fewer than 2^31 items, got ", texts.size());
  std::vector<std::vector<std::string>> found(texts.size());
  parallel_for(std::ssize(texts), kGrain, options.threads, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) found[i] = words_of_item(texts[i]);
  });
  std::unordered_map<std::string, std::vector<int32_t>> places;
  for (size_t i = 0; i < found.size(); ++i) {
    for (const std::string& word : found[i]) places[word].push_back(static_cast<int32_t>(i));
  }
  WordTable table{.items = std::ssize(texts)};
  for (const auto& [word, items] : places) {
    if (std::ssize(items) >= options.fewest) table.words.push_back(word);
  }
  std::ranges::sort(table.words);
  for (const std::string& word : table.words) table.places.push_back(std::move(places[word]));
  return table;
}

}  // namespace orthant::words
