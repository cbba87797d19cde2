#include "orthant/catalogue/feature_profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "orthant/catalogue/correlation_map.h"
#include "orthant/measure/evaluation.h"
#include "tests/catalogue/catalogues.h"

namespace orthant::catalogue {
namespace {

constexpr float kThreshold = 1e-5F;

// The definitions of the header, entry by entry.
struct Naive {
  Matrix x;
  std::vector<int64_t> labels;

  double norm(int64_t i) const {
    double sum = 0;
    for (const float v : x.row(i)) sum += double{v} * v;
    return std::sqrt(sum);
  }
  bool fires(int64_t i, int64_t f) const { return std::abs(x(i, f)) > kThreshold; }
  int64_t firing(int64_t f) const {
    int64_t count = 0;
    for (int64_t i = 0; i < x.rows(); ++i) count += fires(i, f);
    return count;
  }
  std::vector<Activation> ordered(int64_t f, float sign = 1) const {
    std::vector<Activation> list;
    for (int64_t i = 0; i < x.rows(); ++i) {
      if (sign * x(i, f) > kThreshold) list.push_back({i, x(i, f)});
    }
    std::ranges::stable_sort(list, std::ranges::greater(), [&](const Activation& a) { return sign * a.value; });
    return list;
  }
  std::vector<int64_t> alone(int64_t f) const {
    std::vector<int64_t> items;
    for (int64_t i = 0; i < x.rows(); ++i) {
      int64_t others = 0;
      for (int64_t g = 0; g < x.cols(); ++g) others += g != f && fires(i, g);
      if (fires(i, f) && others == 0) items.push_back(i);
    }
    return items;
  }
  double cosine(int64_t f, int64_t g) const {
    double product = 0;
    double left = 0;
    double right = 0;
    for (int64_t i = 0; i < x.rows(); ++i) {
      product += double{x(i, f)} * x(i, g);
      left += double{x(i, f)} * x(i, f);
      right += double{x(i, g)} * x(i, g);
    }
    return left > 0 && right > 0 ? product / std::sqrt(left * right) : 0;
  }
};

class FeatureProfiles : public testing::TestWithParam<bool> {
 protected:
  FeatureProfiles() : items(test::items_of(150, 6)) {
    naive.x = test::random_features(150, 15, GetParam() ? 0.9 : 0.15, GetParam());
    naive.labels = items->labels;
    Embeddings embeddings;
    embeddings.features = naive.x;
    run = test::catalogue_of(embeddings, items);
  }

  std::shared_ptr<Items> items;
  Naive naive;
  std::unique_ptr<Catalogue> run;
};

TEST_P(FeatureProfiles, ExamplesAreThoseOfANaiveTwin) {
  for (int64_t f = 0; f < 15; ++f) {
    const FeatureProfile page = run->feature(f);
    const auto ordered = naive.ordered(f);
    ASSERT_EQ(page.top.size(), std::min<size_t>(24, ordered.size()));
    for (size_t k = 0; k < page.top.size(); ++k) {
      EXPECT_EQ(page.top[k].item, ordered[k].item);
      EXPECT_EQ(page.top[k].value, ordered[k].value);
      if (k >= 12) continue;
      EXPECT_EQ(page.summary.top[k], ordered[k].item);
    }
    size_t seen = 0;
    ASSERT_EQ(page.quantiles.size(), 10);
    for (size_t band = 0; band < 10; ++band) {
      const size_t end = (band + 1) * ordered.size() / 10;
      const QuantileBand& found = page.quantiles[band];
      EXPECT_EQ(found.items.size(), std::min<size_t>(8, end - seen));
      EXPECT_NEAR(found.to - found.from, 0.1, 1e-12);
      if (end > seen) {
        EXPECT_EQ(found.high, ordered[seen].value);
        EXPECT_EQ(found.low, ordered[end - 1].value);
        EXPECT_EQ(found.items.front().item, ordered[seen].item);
        const size_t last = found.items.size() > 1 ? end - 1 : seen;
        EXPECT_EQ(found.items.back().item, ordered[last].item);
      }
      seen = end;
    }
  }
}

TEST_P(FeatureProfiles, TheNegativeSideIsThatOfANaiveTwin) {
  int64_t sides = 0;
  for (int64_t f = 0; f < 15; ++f) {
    const FeatureProfile page = run->feature(f);
    const auto ordered = naive.ordered(f, -1);
    ASSERT_EQ(page.summary.negative.has_value(), !ordered.empty());
    EXPECT_EQ(page.negative_quantiles.size(), ordered.empty() ? 0U : 10U);
    if (ordered.empty()) continue;
    ++sides;
    const NegativeSide& side = *page.summary.negative;
    EXPECT_DOUBLE_EQ(side.rate, static_cast<double>(ordered.size()) / 150);
    EXPECT_EQ(side.min, ordered.front().value);
    ASSERT_EQ(side.top.size(), std::min<size_t>(12, ordered.size()));
    ASSERT_EQ(page.negative_top.size(), std::min<size_t>(24, ordered.size()));
    for (size_t k = 0; k < page.negative_top.size(); ++k) {
      EXPECT_EQ(page.negative_top[k].item, ordered[k].item);
      EXPECT_EQ(page.negative_top[k].value, ordered[k].value);
      if (k >= 12) continue;
      EXPECT_EQ(side.top[k], ordered[k].item);
    }
    EXPECT_EQ(page.negative_quantiles.front().high, ordered.front().value);
    EXPECT_EQ(page.negative_quantiles.back().low, ordered.back().value);
    std::vector<int64_t> counts(6);
    for (const Activation& one : ordered) {
      const int64_t label = naive.labels[static_cast<size_t>(one.item)];
      if (label >= 0) ++counts[static_cast<size_t>(label)];
    }
    double total = 0;
    for (const int64_t count : counts) total += static_cast<double>(count);
    const auto most = std::ranges::max_element(counts);
    EXPECT_EQ(side.commonest, most - counts.begin());
    EXPECT_DOUBLE_EQ(*side.consistency, static_cast<double>(*most) / total);
    for (size_t c = 0; c < 6; ++c) {
      EXPECT_EQ(page.classes[c].negative, counts[c]);
      EXPECT_DOUBLE_EQ(side.profile[c], static_cast<double>(counts[c]) / total);
    }
  }
  EXPECT_EQ(sides, GetParam() ? 13 : 0);  // 2 of 15 are dead
}

TEST_P(FeatureProfiles, FiringIsThatOfANaiveTwin) {
  for (int64_t f = 0; f < 15; ++f) {
    const FeatureProfile page = run->feature(f);
    const int64_t firing = naive.firing(f);
    EXPECT_DOUBLE_EQ(page.summary.firing_rate, static_cast<double>(firing) / 150);
    EXPECT_EQ(page.zeros, 150 - firing);
    int64_t counted = 0;
    for (const int64_t count : page.histogram.counts) counted += count;
    EXPECT_EQ(counted, firing);
    EXPECT_EQ(page.silent.size(), static_cast<size_t>(std::min<int64_t>(12, 150 - firing)));
    const std::set<int64_t> different(page.silent.begin(), page.silent.end());
    EXPECT_EQ(different.size(), page.silent.size());
    for (const int64_t item : page.silent) EXPECT_FALSE(naive.fires(item, f));
    const auto alone = naive.alone(f);
    EXPECT_EQ(page.summary.anchors, static_cast<int64_t>(alone.size()));
    EXPECT_EQ(page.anchor_items.size(), std::min<size_t>(12, alone.size()));
    for (const Activation& one : page.anchor_items) EXPECT_TRUE(std::ranges::binary_search(alone, one.item));
  }
}

TEST_P(FeatureProfiles, ClassesAreThoseOfANaiveTwin) {
  for (int64_t f = 0; f < 15; ++f) {
    const FeatureProfile page = run->feature(f);
    std::map<int64_t, int64_t> counts;
    std::map<int64_t, int64_t> sizes;
    std::map<int64_t, double> sums;
    int64_t total = 0;
    for (int64_t i = 0; i < 150; ++i) {
      const int64_t label = naive.labels[static_cast<size_t>(i)];
      if (label < 0) continue;
      ++sizes[label];
      sums[label] += naive.x(i, f);
      const double norm = naive.norm(i);
      if (norm > 0 && naive.x(i, f) / norm > kThreshold) {
        ++counts[label];
        ++total;
      }
    }
    ASSERT_EQ(page.classes.size(), 6);
    double best = 0;
    for (const ClassActivation& one : page.classes) {
      const double share = total > 0 ? static_cast<double>(counts[one.klass]) / static_cast<double>(total) : 0;
      EXPECT_EQ(one.count, counts[one.klass]);
      EXPECT_DOUBLE_EQ(one.share, share);
      EXPECT_DOUBLE_EQ(one.rate, static_cast<double>(counts[one.klass]) / static_cast<double>(sizes[one.klass]));
      EXPECT_NEAR(one.mean, sums[one.klass] / static_cast<double>(sizes[one.klass]), 1e-12);
      EXPECT_EQ(page.summary.profile[static_cast<size_t>(one.klass)], one.share);
      best = std::max(best, share);
    }
    if (total > 0) {
      EXPECT_DOUBLE_EQ(*page.summary.consistency, best);
      EXPECT_EQ(counts[*page.summary.commonest],
                std::ranges::max_element(page.classes, {}, &ClassActivation::count)->count);
    } else {
      EXPECT_FALSE(page.summary.consistency);
    }
  }
}

TEST_P(FeatureProfiles, RelationsAreThoseOfANaiveTwin) {
  for (int64_t f = 0; f < 15; ++f) {
    const FeatureProfile page = run->feature(f);
    std::vector<double> cosines;
    std::vector<double> shares;
    for (int64_t g = 0; g < 15; ++g) {
      if (g == f || naive.firing(g) == 0 || naive.firing(f) == 0) continue;
      cosines.push_back(naive.cosine(f, g));
      int64_t both = 0;
      for (int64_t i = 0; i < 150; ++i) both += naive.fires(i, f) && naive.fires(i, g);
      const auto either = static_cast<double>(naive.firing(f) + naive.firing(g) - both);
      if (both > 0) shares.push_back(static_cast<double>(both) / either);
    }
    std::ranges::sort(cosines, std::ranges::greater());
    std::ranges::sort(shares, std::ranges::greater());
    ASSERT_EQ(page.similar.size(), std::min<size_t>(8, cosines.size()));
    for (size_t k = 0; k < page.similar.size(); ++k) {
      EXPECT_NEAR(page.similar[k].cosine, cosines[k], 1e-6);
      EXPECT_NEAR(page.similar[k].cosine, naive.cosine(f, page.similar[k].feature), 1e-6);
    }
    ASSERT_EQ(page.cofiring.size(), std::min<size_t>(8, shares.size()));
    for (size_t k = 0; k < page.cofiring.size(); ++k) {
      const CofiringFeature& one = page.cofiring[k];
      EXPECT_DOUBLE_EQ(one.jaccard, shares[k]);
      EXPECT_NEAR(one.lift * static_cast<double>(naive.firing(f) * naive.firing(one.feature)) / 150,
                  static_cast<double>(one.both), 1e-9);
    }
  }
}

TEST_P(FeatureProfiles, NeighboursAreThoseOfANaiveTwin) {
  for (int64_t i = 0; i < 150; i += 7) {
    std::vector<ItemMatch> all;
    for (int64_t j = 0; j < 150; ++j) {
      if (j != i) all.push_back({j, run->explain(i, j).score});
    }
    std::ranges::stable_sort(all, [](const ItemMatch& a, const ItemMatch& b) { return a.score > b.score; });
    const auto found = run->item(i).neighbours;
    ASSERT_EQ(found.size(), 24);
    for (size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k].score, all[k].score, 1e-6);
    EXPECT_TRUE(std::ranges::is_sorted(found, std::ranges::greater(), &ItemMatch::score));
  }
}

TEST_P(FeatureProfiles, ExplanationsSumToTheirScoreBitForBit) {
  for (int64_t a = 0; a < 150; ++a) {
    const int64_t b = (a * 31 + 7) % 150;
    const Explanation why = run->explain(a, b);
    double sum = 0;
    double product = 0;
    double last = INFINITY;
    for (const ExplanationPart& part : why.parts) {
      sum += part.contribution;
      EXPECT_EQ(part.a, naive.x(a, part.feature));
      EXPECT_EQ(part.b, naive.x(b, part.feature));
      EXPECT_LE(std::abs(part.contribution), last);
      last = std::abs(part.contribution);
    }
    for (int64_t f = 0; f < 15; ++f) product += double{naive.x(a, f)} * naive.x(b, f);
    const double scale = naive.norm(a) * naive.norm(b);
    EXPECT_EQ(sum, why.score);
    EXPECT_NEAR(why.score, scale > 0 ? product / scale : 0, 1e-12);
  }
}

TEST_P(FeatureProfiles, AgreesWithTheMeasures) {
  const measure::MeasureReport report =
      measure::evaluate({.name = "test", .features = naive.x, .labels = naive.labels},
                        {.only = {"dead_features", "anchored_features", "class_consistency", "active_per_sample"}});
  double dead = 0;
  double anchored = 0;
  double consistency = 0;
  double rates = 0;
  double known = 0;
  for (const FeatureSummary& summary : run->summaries()) {
    dead += summary.dead;
    anchored += summary.anchors > 0;
    rates += summary.firing_rate;
    consistency += summary.consistency.value_or(0);
    known += summary.consistency.has_value();
  }
  EXPECT_EQ(report.find("dead_features"), dead);
  EXPECT_EQ(report.find("anchored_features"), anchored);
  EXPECT_NEAR(*report.find("active_per_sample"), rates, 1e-9);
  EXPECT_NEAR(*report.find("class_consistency.positive"), consistency / known, 1e-9);
}

TEST_P(FeatureProfiles, HistogramsCountEveryItemAndFeature) {
  const Histogram& active = run->active_histogram();
  ASSERT_EQ(active.edges.size(), active.counts.size() + 1);
  std::vector<int64_t> counted(active.counts.size());
  for (int64_t i = 0; i < 150; ++i) {
    double fires = 0;
    for (int64_t f = 0; f < 15; ++f) fires += naive.fires(i, f);
    for (size_t k = 0; k < counted.size(); ++k) counted[k] += fires >= active.edges[k] && fires < active.edges[k + 1];
  }
  EXPECT_EQ(active.counts, counted);
  int64_t features = 0;
  for (const int64_t count : run->consistency_histogram().counts) features += count;
  EXPECT_EQ(features, std::ranges::count_if(run->summaries(), [](const auto& s) { return s.consistency.has_value(); }));
}

TEST_P(FeatureProfiles, TheHeatMapHoldsEveryLiveFeatureOnce) {
  const CorrelationMap& map = run->correlation();
  const size_t size = map.order.size();
  EXPECT_EQ(size, 13);  // 2 of 15 are dead
  EXPECT_EQ(std::set(map.order.begin(), map.order.end()).size(), size);
  for (size_t i = 0; i < size; ++i) {
    for (size_t j = 0; j < size; ++j) {
      EXPECT_NEAR(map.values[i * size + j], 255 * std::abs(naive.cosine(map.order[i], map.order[j])), 0.51);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(NonNegativeAndSigned, FeatureProfiles, testing::Bool());

TEST(CorrelationMap, PutsLikeFeaturesSideBySide) {
  // Three families, interleaved: 0 3 6, 1 4 7, 2 5 8.
  Matrix cosines(9, 9);
  for (int64_t i = 0; i < 9; ++i) {
    for (int64_t j = 0; j < 9; ++j) {
      cosines(i, j) = i == j ? 1.0F : i % 3 == j % 3 ? -0.8F : 0.1F;
    }
  }
  const std::vector<int64_t> all = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  const CorrelationMap map = correlation_map(cosines, all);
  for (size_t k = 0; k < 9; k += 3) {
    EXPECT_EQ(map.order[k] % 3, map.order[k + 1] % 3);
    EXPECT_EQ(map.order[k] % 3, map.order[k + 2] % 3);
  }
  EXPECT_EQ(map.values[1], 204);
}

TEST(CorrelationMap, TurnsGroupsSoThatTheirEndsMeet) {
  // A chain, each like the next: 2 - 0 - 3 - 1.
  Matrix cosines(4, 4);
  const std::vector<int64_t> chain = {2, 0, 3, 1};
  for (size_t i = 0; i < 4; ++i) {
    for (size_t j = 0; j < 4; ++j) {
      const auto apart = i > j ? i - j : j - i;
      cosines(chain[i], chain[j]) = static_cast<float>(std::pow(0.5, static_cast<double>(apart)));
    }
  }
  auto order = correlation_map(cosines, std::vector<int64_t>{0, 1, 2, 3}).order;
  if (order.front() == 1) std::ranges::reverse(order);
  EXPECT_EQ(order, chain);
}

TEST(CorrelationMap, NoFeaturesMakeAnEmptyMap) { EXPECT_TRUE(correlation_map(Matrix(3, 3), {}).order.empty()); }

}  // namespace
}  // namespace orthant::catalogue
