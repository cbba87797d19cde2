#include "orthant/catalogue/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "orthant/catalogue/comparison.h"
#include "orthant/report/documents.h"
#include "tests/catalogue/catalogues.h"
#include "tests/support/message_of.h"

namespace orthant::catalogue {
namespace {

using test::catalogue_of;
using test::embeddings_of;
using test::items_of;
using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Four items, four features: feature 0 fires on items 0 to 2, feature 1 is twice feature 0 but for item 2, feature 2 is
// alone on item 3, feature 3 is dead.
std::unique_ptr<Catalogue> small_run() {
  auto items = std::make_shared<Items>();
  items->ids = {"a", "b", "c", "d"};
  items->labels = {0, 0, 1, -1};
  items->classes = {"cat", "dog", "nothing"};
  return catalogue_of(embeddings_of(4, 4,
                                    {3, 4, 0, 0,    //
                                     0.5, 1, 0, 0,  //
                                     1, 0, 0, 0,    //
                                     0, 0, 2, 0}),
                      items);
}

TEST(Catalogue, SummariesAreAsCountedByHand) {
  const auto run = small_run();
  const FeatureSummary& first = run->summaries()[0];
  EXPECT_EQ(first.firing_rate, 0.75);
  EXPECT_NEAR(first.expected_activation, (0.6 + 0.5 / std::sqrt(1.25) + 1) / 4, 1e-7);
  EXPECT_EQ(first.max, 3.0F);
  EXPECT_DOUBLE_EQ(*first.consistency, 2.0 / 3);
  EXPECT_EQ(first.commonest, 0);
  EXPECT_NEAR(*first.entropy, -(2.0 / 3) * std::log(2.0 / 3) - (1.0 / 3) * std::log(1.0 / 3), 1e-12);
  EXPECT_EQ(first.anchors, 1);
  EXPECT_TRUE(first.dense);
  EXPECT_FALSE(first.dead);
  EXPECT_THAT(first.top, ElementsAre(0, 2, 1));
  EXPECT_THAT(first.profile, ElementsAre(2.0 / 3, 1.0 / 3, 0));
}

TEST(Catalogue, OfAlikeColumnsTheLongestIsTheOneDuplicated) {
  const auto run = catalogue_of(embeddings_of(3, 3, {1, 2, 0, 2, 4, 0, 0, 0.1F, 1}), items_of(3, 0));
  EXPECT_EQ(run->summaries()[0].duplicate_of, 1);
  EXPECT_EQ(run->summaries()[1].duplicate_of, std::nullopt);
  EXPECT_EQ(run->summaries()[2].duplicate_of, std::nullopt);
}

TEST(Catalogue, AFeatureWithoutLabelledItemsHasNoClass) {
  const auto run = small_run();
  const FeatureSummary& third = run->summaries()[2];
  EXPECT_EQ(third.consistency, std::nullopt);
  EXPECT_EQ(third.commonest, std::nullopt);
  EXPECT_EQ(third.entropy, std::nullopt);
  EXPECT_THAT(third.profile, ElementsAre(0, 0, 0));
  EXPECT_EQ(third.anchors, 1);
}

TEST(Catalogue, ADeadFeatureHasAPageOfItsOwn) {
  const auto run = small_run();
  const FeatureProfile dead = run->feature(3);
  EXPECT_TRUE(dead.summary.dead);
  EXPECT_EQ(dead.summary.max, 0.0F);
  EXPECT_THAT(dead.top, IsEmpty());
  EXPECT_EQ(dead.quantiles.size(), 10);
  EXPECT_THAT(dead.quantiles[0].items, IsEmpty());
  EXPECT_THAT(dead.silent, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(dead.zeros, 4);
  EXPECT_EQ(dead.histogram.edges.size(), 21);
  EXPECT_THAT(dead.similar, IsEmpty());
  EXPECT_THAT(dead.cofiring, IsEmpty());
}

TEST(Catalogue, AFeaturePageIsAsCountedByHand) {
  const auto run = small_run();
  const FeatureProfile page = run->feature(0);
  ASSERT_EQ(page.top.size(), 3);
  EXPECT_EQ(page.top[1].item, 2);
  EXPECT_EQ(page.top[1].value, 1.0F);
  EXPECT_THAT(page.silent, ElementsAre(3));
  EXPECT_EQ(page.zeros, 1);
  EXPECT_EQ(page.histogram.edges.front(), 0);
  EXPECT_EQ(page.histogram.edges.back(), 3);
  EXPECT_EQ(page.histogram.counts[3], 1);   // 0.5 lies between 0.45 and 0.6
  EXPECT_EQ(page.histogram.counts[6], 1);   // 1 between 0.9 and 1.05
  EXPECT_EQ(page.histogram.counts[19], 1);  // 3, the end of the last range
  ASSERT_EQ(page.classes.size(), 3);
  EXPECT_EQ(page.classes[0].count, 2);
  EXPECT_EQ(page.classes[0].rate, 1);
  EXPECT_EQ(page.classes[0].mean, 1.75);
  EXPECT_EQ(page.classes[1].share, 1.0 / 3);
  EXPECT_EQ(page.classes[2].rate, 0);
  ASSERT_EQ(page.similar.size(), 2);
  EXPECT_EQ(page.similar[0].feature, 1);
  EXPECT_NEAR(page.similar[0].cosine, 12.5 / std::sqrt(10.25 * 17), 1e-6);
  EXPECT_EQ(page.similar[1].cosine, 0);
  ASSERT_EQ(page.cofiring.size(), 1);
  EXPECT_EQ(page.cofiring[0].both, 2);
  EXPECT_DOUBLE_EQ(page.cofiring[0].jaccard, 2.0 / 3);
  EXPECT_DOUBLE_EQ(page.cofiring[0].lift, 2.0 * 4 / (3 * 2));
  ASSERT_EQ(page.anchor_items.size(), 1);
  EXPECT_EQ(page.anchor_items[0].item, 2);
}

TEST(Catalogue, AnItemShowsItsFeaturesAndNeighbours) {
  const auto run = small_run();
  const ItemProfile item = run->item(0);
  EXPECT_EQ(item.id, "a");
  EXPECT_EQ(item.label, 0);
  EXPECT_EQ(item.norm, 5);
  ASSERT_EQ(item.features.size(), 2);
  EXPECT_EQ(item.features[0].feature, 1);
  EXPECT_DOUBLE_EQ(item.features[0].share, 0.64);
  ASSERT_EQ(item.neighbours.size(), 3);
  EXPECT_EQ(item.neighbours[0].item, 1);
  EXPECT_NEAR(item.neighbours[0].score, 5.5 / (5 * std::sqrt(1.25)), 1e-12);
  EXPECT_EQ(item.neighbours[1].item, 2);
  EXPECT_DOUBLE_EQ(item.neighbours[1].score, 0.6);
  EXPECT_EQ(item.neighbours[2].score, 0);
  EXPECT_EQ(run->item(3).label, -1);
}

TEST(Catalogue, TheFeaturesOfAnItemAreThoseThatFire) {
  const auto run = catalogue_of(embeddings_of(2, 4, {1, 9e-6F, -2, 2e-5F, 0, 0, 1e-5F, 0}), items_of(2, 0));
  const ItemProfile item = run->item(0);
  EXPECT_EQ(item.active, 3);
  ASSERT_EQ(item.features.size(), 3);
  EXPECT_EQ(item.features[0].feature, 2);
  EXPECT_EQ(item.features[1].feature, 0);
  EXPECT_EQ(item.features[2].feature, 3);
  EXPECT_TRUE(run->item(1).features.empty());
  EXPECT_EQ(run->item_of(std::vector<float>{0, 1e-6F, 0, 3}).features.size(), 1);
}

TEST(Catalogue, NeighboursOfEqualScoreComeByLowerItem) {
  const auto run = catalogue_of(embeddings_of(5, 1, {1, 1, 1, 1, 1}), items_of(5, 2));
  const ItemProfile item = run->item(2);
  ASSERT_EQ(item.neighbours.size(), 4);
  for (size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(item.neighbours[k].item, static_cast<int64_t>(k < 2 ? k : k + 1));
    EXPECT_EQ(item.neighbours[k].score, 1);
  }
}

TEST(Catalogue, ListsItemsByPageAndClass) {
  const auto run = small_run();
  const ItemPage page = run->list(1, 2);
  EXPECT_EQ(page.total, 4);
  ASSERT_EQ(page.items.size(), 2);
  EXPECT_EQ(page.items[0].id, "b");
  EXPECT_EQ(page.items[0].active, 2);
  EXPECT_EQ(run->list(0, 10, 0).items.size(), 2);
  EXPECT_EQ(run->list(0, 10, 2).total, 0);
  EXPECT_THAT(run->list(100, 10).items, IsEmpty());
  EXPECT_EQ(run->list(INT64_MAX, INT64_MAX).total, 4);
}

TEST(Catalogue, ARowFromElsewhereIsLikeTheItemItEquals) {
  const auto run = small_run();
  const std::vector<float> row = {3, 4, 0, 0};
  const ItemProfile item = run->item_of(row);
  EXPECT_EQ(item.item, std::nullopt);
  EXPECT_EQ(item.norm, 5);
  ASSERT_EQ(item.neighbours.size(), 4);
  EXPECT_EQ(item.neighbours[0].item, 0);
  EXPECT_DOUBLE_EQ(item.neighbours[0].score, 1);
  EXPECT_EQ(item.neighbours[1].score, run->item(0).neighbours[0].score);
  const ItemProfile zero = run->item_of(std::vector<float>(4, 0));
  EXPECT_EQ(zero.norm, 0);
  EXPECT_THAT(zero.features, IsEmpty());
  EXPECT_EQ(zero.neighbours[0].score, 0);
}

TEST(Catalogue, OneItemAndOneFeatureIsEnough) {
  const auto run = catalogue_of(embeddings_of(1, 1, {2}), items_of(1, 1));
  EXPECT_EQ(run->neighbours().rows(), 1);
  EXPECT_EQ(run->neighbours().cols(), 0);
  EXPECT_THAT(run->item(0).neighbours, IsEmpty());
  EXPECT_EQ(run->feature(0).top.size(), 1);
  EXPECT_EQ(run->map("pca").rows(), 1);
  EXPECT_EQ(run->map("umap").rows(), 1);
  EXPECT_THAT(run->correlation().values, ElementsAre(255));
}

TEST(Catalogue, WithoutLabelsThereAreNoClasses) {
  const auto run = catalogue_of(embeddings_of(2, 2, {1, 0, 0, 1}), items_of(2, 0));
  EXPECT_EQ(run->summaries()[0].consistency, std::nullopt);
  EXPECT_THAT(run->summaries()[0].profile, IsEmpty());
  EXPECT_THAT(run->feature(0).classes, IsEmpty());
  EXPECT_THAT(run->consistency_histogram().counts, IsEmpty());
  EXPECT_EQ(run->item(0).label, -1);
}

TEST(Catalogue, UnknownLabelsOnlyAreAsNoLabels) {
  auto items = items_of(2, 2);
  items->labels = {-1, -1};
  const auto run = catalogue_of(embeddings_of(2, 2, {1, 0, 0, 1}), items);
  EXPECT_EQ(run->summaries()[0].consistency, std::nullopt);
  EXPECT_THAT(run->feature(0).classes, IsEmpty());
}

TEST(Catalogue, NegativeEntriesFireButAreNoExamples) {
  const auto run = catalogue_of(embeddings_of(4, 2, {-3, 1, -1, 0, 2, 0, -2, 0}), items_of(4, 2));
  const FeatureProfile page = run->feature(0);
  EXPECT_EQ(page.summary.firing_rate, 1);
  EXPECT_EQ(page.summary.max, 2);
  EXPECT_THAT(page.summary.top, ElementsAre(2));
  EXPECT_THAT(page.silent, IsEmpty());
  EXPECT_EQ(page.histogram.edges.front(), -3);
  EXPECT_EQ(page.histogram.edges.back(), 2);
  EXPECT_EQ(page.zeros, 0);
  EXPECT_EQ(*page.summary.consistency, 1);
  EXPECT_EQ(run->item(0).features[0].value, -3);
}

TEST(Catalogue, AColumnOfNegativesHasALargestValueBelowZero) {
  const auto run = catalogue_of(embeddings_of(2, 1, {-3, -1}), items_of(2, 0));
  EXPECT_EQ(run->summaries()[0].max, -1);
  EXPECT_FALSE(run->summaries()[0].dead);
  EXPECT_EQ(run->feature(0).histogram.edges.back(), 0);
  EXPECT_EQ(run->explain(0, 1).score, 1);
}

TEST(Catalogue, WhatIsNotThereIsRefused) {
  const auto run = small_run();
  EXPECT_THAT(message_of([&] { run->feature(4); }), HasSubstr("expected a feature from 0 to 3, got 4"));
  EXPECT_THAT(message_of([&] { run->activations(-1); }), HasSubstr("expected a feature from 0 to 3, got -1"));
  EXPECT_THAT(message_of([&] { run->item(4); }), HasSubstr("expected an item from 0 to 3, got 4"));
  EXPECT_THAT(message_of([&] { run->explain(0, 9); }), HasSubstr("expected an item from 0 to 3, got 9"));
  EXPECT_THAT(message_of([&] { run->list(0, 1, 3); }), HasSubstr("expected a class from 0 to 2, got 3"));
  EXPECT_THAT(message_of([&] { run->list(-1, 1); }), HasSubstr("from 0 on, got -1"));
  EXPECT_THAT(message_of([&] { run->map("tsne"); }), HasSubstr("expected the map pca or umap, got tsne"));
  EXPECT_THAT(message_of([&] { run->item_of(std::vector<float>(3)); }), HasSubstr("expected 4 features, got 3"));
  EXPECT_THAT(message_of([&] { run->item_of(std::vector<float>{1, NAN, 0, 0}); }), HasSubstr("finite"));
}

TEST(Catalogue, FeaturesThatCannotBeShownAreRefused) {
  const auto refused = [](Embeddings embeddings, std::shared_ptr<Items> items) {
    return message_of([&] { catalogue_of(std::move(embeddings), std::move(items)); });
  };
  EXPECT_THAT(refused(embeddings_of(0, 3, {}), items_of(0, 0)),
              HasSubstr("[runs/run] expected features of some items, got 0 x 3"));
  EXPECT_THAT(refused(embeddings_of(3, 0, {}), items_of(3, 0)), HasSubstr("got 3 x 0"));
  EXPECT_THAT(refused(embeddings_of(1, 2, {1, NAN}), items_of(1, 0)), HasSubstr("row 0, column 1"));
  EXPECT_THAT(refused(embeddings_of(2, 1, {1, 2}), items_of(3, 0)), HasSubstr("of 3 items, got 2 rows"));
  EXPECT_THAT(refused(embeddings_of(1, 8193, std::vector<float>(8193, 1)), items_of(1, 0)),
              HasSubstr("expected at most 8192 features to look at, got 8193"));
  auto items = items_of(2, 2);
  items->labels[1] = 2;
  EXPECT_THAT(refused(embeddings_of(2, 1, {1, 2}), items), HasSubstr("expected label 1 to be -1 or one of 2 classes"));
}

TEST(Catalogue, DenseAndSparseFeaturesSayTheSame) {
  const Matrix dense = test::random_features(90, 21, 0.6, true);
  Embeddings sparse;
  sparse.features = SparseMatrix::from_dense(dense);
  Embeddings full;
  full.features = dense;
  const auto items = items_of(90, 4);
  const auto a = catalogue_of(full, items);
  const auto b = catalogue_of(sparse, items);
  EXPECT_FALSE(a->sparse());
  EXPECT_TRUE(b->sparse());
  EXPECT_EQ(report::features_document(*a), report::features_document(*b));
  EXPECT_EQ(a->neighbours(), b->neighbours());
  for (int64_t f = 0; f < 21; ++f) EXPECT_EQ(report::feature_document(*a, f), report::feature_document(*b, f));
  for (int64_t i = 0; i < 90; ++i) EXPECT_EQ(report::item_document(*a, i), report::item_document(*b, i));
}

TEST(Catalogue, BeyondItsLimitNeighboursAreFoundWhenTheyAreAskedFor) {
  for (const double filled : {0.15, 0.8}) {
    Embeddings features;
    features.features = test::random_features(9'000, 60, filled, true);
    const auto items = items_of(9'000, 3);
    const auto all = catalogue_of(features, items);
    const auto one = catalogue_of(features, items, {.together = 8'999});
    EXPECT_EQ(one->map_names(), std::vector<std::string>{"pca"});
    for (const int64_t i : {0, 1, 8191, 8192, 8999}) {
      EXPECT_EQ(report::item_document(*one, i), report::item_document(*all, i)) << filled << " " << i;
    }
    EXPECT_THAT(message_of([&] { one->neighbours(); }),
                HasSubstr("expected at most 8999 items to compare all with all, got 9000"));
    EXPECT_THAT(message_of([&] { one->map("umap"); }), HasSubstr("expected at most 8999 items for the map umap"));
  }
}

TEST(Catalogue, DenseFeaturesWithManyZerosBecomeSparse) {
  Embeddings full;
  full.features = test::random_features(40, 20, 0.1, false);
  EXPECT_TRUE(catalogue_of(full, items_of(40, 0))->sparse());
}

TEST(Catalogue, DoesNotDependOnTheNumberOfThreads) {
  Embeddings features;
  features.features = test::random_features(300, 30, 0.2, false);
  const auto items = items_of(300, 5);
  const auto one = catalogue_of(features, items, {.threads = 1});
  const auto three = catalogue_of(features, items, {.threads = 3});
  EXPECT_EQ(report::features_document(*one), report::features_document(*three));
  EXPECT_EQ(one->neighbours(), three->neighbours());
  EXPECT_EQ(one->correlation().order, three->correlation().order);
  EXPECT_EQ(report::map_document(*one, "umap"), report::map_document(*three, "umap"));
}

TEST(Catalogue, AnswersTheSameToSeveralThreadsAtOnce) {
  Embeddings features;
  features.features = test::random_features(200, 24, 0.2, false);
  const auto run = catalogue_of(features, items_of(200, 5));
  const auto ask = [&] {
    std::string answers = report::map_document(*run, "umap") + report::map_document(*run, "pca");
    for (int64_t f = 0; f < 24; ++f) answers += report::feature_document(*run, f);
    for (int64_t i = 0; i < 200; ++i)
      answers += report::item_document(*run, i) + report::explain_document(*run, i, 199 - i);
    return answers;
  };
  std::vector<std::string> answers(4);
  std::vector<std::thread> threads;
  for (std::string& answer : answers) threads.emplace_back([&ask, &answer] { answer = ask(); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& answer : answers) EXPECT_EQ(answer, answers.front());
}

TEST(Catalogue, TellsOfLongWorkAndStopsWhenTold) {
  Embeddings features;
  features.features = test::random_features(100, 10, 0.5, false);
  int64_t last = 0;
  const auto tell = [&](const std::string& what, int64_t done, int64_t total) {
    EXPECT_EQ(what, "neighbours");
    EXPECT_EQ(total, 100);
    last = done;
  };
  catalogue_of(features, items_of(100, 0), {.progress = tell});
  EXPECT_EQ(last, 100);
  const auto stop = [](const std::string&, int64_t, int64_t) { throw std::runtime_error("stopped"); };
  EXPECT_EQ(message_of([&] { catalogue_of(features, items_of(100, 0), {.progress = stop}); }), "stopped");
}

TEST(Comparison, FindsAPermutationOfTheColumns) {
  const Matrix features = test::random_features(120, 14, 0.3, true);
  Matrix turned(120, 14);
  for (int64_t i = 0; i < 120; ++i) {
    for (int64_t j = 0; j < 14; ++j) turned(i, (5 * j + 3) % 14) = 2 * features(i, j);
  }
  const auto items = items_of(120, 0);
  Embeddings first;
  first.features = features;
  Embeddings second;
  second.features = turned;
  const Comparison found = compare(*catalogue_of(first, items), *catalogue_of(second, items));
  EXPECT_EQ(found.pairs.size(), 12);  // two columns are dead
  EXPECT_NEAR(found.mean, 1, 1e-12);
  for (const FeaturePair& pair : found.pairs) {
    EXPECT_EQ(pair.b, (5 * pair.a + 3) % 14);
    EXPECT_NEAR(pair.cosine, 1, 1e-12);
  }
}

TEST(Comparison, TellsOppositesAndLeavesDeadFeaturesOutOfTheMeanOfPairs) {
  const auto items = items_of(3, 0);
  const auto a = catalogue_of(embeddings_of(3, 3, {-3, 0, 0, -4, 0, 3, 0, 1, 0}), items);
  const auto b = catalogue_of(embeddings_of(3, 3, {3, 0, 0, 4, 0, 0, 0, 0, 1}), items);
  const Comparison found = compare(*a, *b);
  ASSERT_EQ(found.pairs.size(), 2);
  EXPECT_EQ(found.pairs[0].a, 0);
  EXPECT_EQ(found.pairs[0].b, 0);
  EXPECT_DOUBLE_EQ(found.pairs[0].cosine, -1);
  EXPECT_EQ(found.pairs[1].a, 1);
  EXPECT_EQ(found.pairs[1].b, 2);
  EXPECT_DOUBLE_EQ(found.pairs[1].cosine, 1);
  EXPECT_EQ(found.live_a, 3);
  EXPECT_EQ(found.live_b, 2);
  EXPECT_NEAR(found.mean, 2.0 / 3, 1e-12);
  EXPECT_DOUBLE_EQ(*found.mean_of_pairs, 1);
}

TEST(Comparison, OfADeadRunHasNoPairsAndNoMeanOfThem) {
  const auto items = items_of(2, 0);
  const auto dead = catalogue_of(embeddings_of(2, 1, {0, 0}), items);
  const Comparison found = compare(*dead, *catalogue_of(embeddings_of(2, 1, {1, 0}), items));
  EXPECT_TRUE(found.pairs.empty());
  EXPECT_FALSE(found.mean_of_pairs);
}

TEST(Comparison, PutsTheBestPairFirst) {
  const auto items = items_of(3, 0);
  const auto a = catalogue_of(embeddings_of(3, 2, {1, 0, 1, 0, 0, 1}), items);
  const auto b = catalogue_of(embeddings_of(3, 2, {0, 1, 0, 0, 1, 0}), items);
  const Comparison found = compare(*a, *b);
  ASSERT_EQ(found.pairs.size(), 2);
  EXPECT_EQ(found.pairs[0].a, 1);
  EXPECT_EQ(found.pairs[0].b, 0);
  EXPECT_DOUBLE_EQ(found.pairs[0].cosine, 1);
  EXPECT_NEAR(found.pairs[1].cosine, std::sqrt(0.5), 1e-12);
}

}  // namespace
}  // namespace orthant::catalogue
