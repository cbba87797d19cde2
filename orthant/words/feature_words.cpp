#include "orthant/words/feature_words.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"

namespace orthant::words {
namespace {

constexpr int64_t kGrain = 16;

// What one feature is over all items.
struct Spread {
  double mean = 0;
  double variance = 0;
  double low = 0;
  double high = 0;
};

std::vector<Spread> spreads_of(const Features& features) {
  const auto count = static_cast<double>(features.rows());
  std::vector<Spread> spreads(static_cast<size_t>(features.cols()));
  std::vector<int64_t> visited(spreads.size());
  for (int64_t i = 0; i < features.rows(); ++i) {
    features.visit_row(i, [&](int64_t j, float value) {
      Spread& spread = spreads[static_cast<size_t>(j)];
      const double x = value;
      const bool first = visited[static_cast<size_t>(j)]++ == 0;
      spread.mean += x / count;
      spread.low = first ? x : std::min(spread.low, x);
      spread.high = first ? x : std::max(spread.high, x);
    });
  }
  for (int64_t i = 0; i < features.rows(); ++i) {
    features.visit_row(i, [&](int64_t j, float value) {
      Spread& spread = spreads[static_cast<size_t>(j)];
      spread.variance += (value - spread.mean) * (value - spread.mean) / count;
    });
  }
  for (size_t j = 0; j < spreads.size(); ++j) {
    Spread& spread = spreads[j];
    const int64_t zeros = features.rows() - visited[j];  // that a sparse matrix does not store
    if (zeros == 0) continue;
    spread.variance += static_cast<double>(zeros) * spread.mean * spread.mean / count;
    spread.low = std::min(spread.low, 0.0);
    spread.high = std::max(spread.high, 0.0);
  }
  return spreads;
}

// Bennett's exponent for the mean of `count` items that is `shift` from that of all, with values at most `reach` from
// it.
double exponent(double count, double shift, double variance, double reach) {
  const double u = reach * shift / variance;
  return count * variance / (reach * reach) * ((1 + u) * std::log1p(u) - u);
}

// Of a word whose items have the mean `with`, the others `without`.
double evidence(const Spread& spread, double items, double others, double with, double without) {
  const bool raises = with > without;
  const double above = spread.high - spread.mean;
  const double below = spread.mean - spread.low;
  return std::max(exponent(items, std::abs(with - spread.mean), spread.variance, raises ? above : below),
                  exponent(others, std::abs(without - spread.mean), spread.variance, raises ? below : above));
}

// A word before it is spelled.
struct Candidate {
  size_t word = 0;
  double with = 0;
  double without = 0;
  double evidence = 0;

  bool operator<(const Candidate& other) const {
    return evidence != other.evidence ? evidence > other.evidence : word < other.word;
  }
};

struct Candidates {
  std::vector<Candidate> raising;
  std::vector<Candidate> lowering;

  // Keeps the first `most`, in whatever order they come.
  void add(const Candidate& one, int64_t most) {
    auto& list = one.with > one.without ? raising : lowering;
    list.insert(std::ranges::upper_bound(list, one, std::less()), one);
    if (std::ssize(list) > most) list.pop_back();
  }
};

// Everything that is said of one word.
class Judge {
 public:
  Judge(const Features& features, const WordTable& table, const FeatureWordsOptions& options)
      : features_(features),
        table_(table),
        spreads_(spreads_of(features)),
        least_(std::log(static_cast<double>(std::max<size_t>(1, table.words.size())) / options.chance)) {}

  // Calls found(feature, candidate) for the features that it raises or lowers beyond chance.
  template <class Found>
  void judge(size_t word, std::vector<double>& sums, Found&& found) const {
    const std::vector<int32_t>& places = table_.places[word];
    const auto items = static_cast<double>(places.size());
    const double others = static_cast<double>(table_.items) - items;
    if (others == 0) return;
    std::ranges::fill(sums, 0.0);
    for (const int32_t item : places) {
      features_.visit_row(item, [&](int64_t j, float x) { sums[static_cast<size_t>(j)] += x; });
    }
    for (size_t j = 0; j < sums.size(); ++j) {
      const Spread& spread = spreads_[j];
      if (spread.low == spread.high) continue;
      const double with = sums[j] / items;
      const double without = (spread.mean * (items + others) - sums[j]) / others;
      const double e = evidence(spread, items, others, with, without);
      if (e >= least_ && with != without) found(j, Candidate{word, with, without, e});
    }
  }

 private:
  const Features& features_;
  const WordTable& table_;
  std::vector<Spread> spreads_;
  double least_;
};

std::vector<WordEffect> spelled(const std::vector<Candidate>& list, const WordTable& table) {
  std::vector<WordEffect> effects;
  for (const Candidate& one : list) {
    effects.push_back({table.words[one.word], std::ssize(table.places[one.word]), one.with, one.without, one.evidence});
  }
  return effects;
}

}  // namespace

std::vector<FeatureWords> feature_words(const Features& features, const WordTable& table,
                                        const FeatureWordsOptions& options) {
  check(features.rows() == table.items, "[words] expected features of the ", table.items, " items with texts, got ",
        features.rows(), " rows");
  check(options.chance > 0 && options.chance <= 1, "[words] expected a chance above 0 and at most 1, got ",
        options.chance);
  const Judge judge(features, table, options);
  std::vector<Candidates> best(static_cast<size_t>(features.cols()));
  std::mutex mutex;
  parallel_for(std::ssize(table.words), kGrain, options.threads, [&](int64_t begin, int64_t end) {
    std::vector<double> sums(best.size());
    std::vector<std::pair<size_t, Candidate>> found;
    for (auto word = static_cast<size_t>(begin); word < static_cast<size_t>(end); ++word) {
      judge.judge(word, sums, [&](size_t j, const Candidate& one) { found.emplace_back(j, one); });
    }
    const std::lock_guard lock(mutex);
    for (const auto& [j, one] : found) best[j].add(one, options.most);
  });
  std::vector<FeatureWords> words;
  for (const Candidates& one : best) words.push_back({spelled(one.raising, table), spelled(one.lowering, table)});
  return words;
}

}  // namespace orthant::words
