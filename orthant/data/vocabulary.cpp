#include "orthant/data/vocabulary.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "orthant/text/words.h"

namespace orthant {

int64_t vocabulary(const Dataset& dataset, const TextOptions& options, int64_t fewest, int64_t max_items) {
  const int64_t count = max_items > 0 ? std::min(max_items, dataset.size()) : dataset.size();
  std::unordered_map<std::string, int64_t> texts_with;
  for (int64_t k = 0; k < count; ++k) {
    std::unordered_set<std::string> own;
    for (std::string& word : words_of(dataset.texts(k * dataset.size() / count).front(), options)) {
      own.insert(std::move(word));
    }
    for (const std::string& word : own) ++texts_with[word];
  }
  return std::ranges::count_if(texts_with, [fewest](const auto& entry) { return entry.second >= fewest; });
}

}  // namespace orthant
