#include "orthant/texts/text_statistics.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "orthant/core/threads.h"
#include "orthant/text/words.h"

namespace orthant {

TextStatistics text_statistics(const Dataset& dataset, int threads) {
  TextOptions options;
  options.max_words = INT64_MAX;
  std::unordered_set<std::string> vocabulary;
  std::vector<int64_t> lengths;
  std::mutex mutex;
  parallel_for(dataset.size(), 256, threads, [&](int64_t begin, int64_t end) {
    std::unordered_set<std::string> seen;
    std::vector<int64_t> counts;
    for (int64_t i = begin; i < end; ++i) {
      for (const std::string& text : dataset.texts(i)) {
        std::vector<std::string> words = words_of(text, options);
        counts.push_back(std::ssize(words));
        for (std::string& word : words) seen.insert(std::move(word));
      }
    }
    const std::lock_guard lock(mutex);
    vocabulary.merge(seen);
    lengths.insert(lengths.end(), counts.begin(), counts.end());
  });
  TextStatistics statistics{.texts = std::ssize(lengths), .vocabulary = std::ssize(vocabulary)};
  if (lengths.empty()) return statistics;
  std::ranges::sort(lengths);
  for (const int64_t length : lengths) statistics.words += length;
  statistics.median_words = lengths[(lengths.size() - 1) / 2];
  statistics.most_words = lengths.back();
  return statistics;
}

}  // namespace orthant
