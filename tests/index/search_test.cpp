#include <gtest/gtest.h>

#include <numeric>

#include "orthant/index/edit.h"
#include "orthant/index/recall.h"
#include "tests/index/naive.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::index {
namespace {

using test::message_of;
using test::naive_search;
using test::random_embeddings;
using test::random_query;
using test::TemporaryFolder;

std::vector<test::NaiveHit> plain(const std::vector<Hit>& hits) {
  std::vector<test::NaiveHit> all;
  for (const Hit& hit : hits) all.push_back({hit.item.number, hit.score});
  return all;
}

bool every(int64_t) { return true; }

struct Case {
  int64_t rows;
  int64_t cols;
  double filled;
  Metric metric;
  bool coarse;
};

class Exact : public testing::TestWithParam<Case> {};

TEST_P(Exact, EqualsLookingAtEveryRow) {
  const auto [rows, cols, filled, metric, coarse] = GetParam();
  const Embeddings embeddings = random_embeddings(rows, cols, filled, 7, coarse);
  const TemporaryFolder folder;
  build_index(folder / "x.oix", embeddings, "x", {.metric = metric, .threads = 2});
  const Index index = Index::open(folder / "x.oix");
  const Mask mask(index);
  std::vector<Query> queries;
  for (uint64_t seed = 0; seed < 24; ++seed) {
    queries.push_back(random_query(cols, seed % 6 == 5 ? 1 : filled, 100 + seed, seed % 2 == 1));
  }
  queries.push_back({});                    // nothing asked for
  queries.push_back({{{cols - 1, 0.0F}}});  // nothing either
  queries.push_back({{{0, -1.0F}}});        // only what should not be there
  queries.push_back({{{0, 1.0F}}});         // ties, and rows without the feature behind them
  for (const int64_t k : {1, 10, 300}) {
    const auto together = search(index, queries, mask, {.k = k, .threads = 2});
    for (size_t q = 0; q < queries.size(); ++q) {
      const auto expected = naive_search(embeddings, queries[q], k, metric, every);
      EXPECT_EQ(plain(together[q].hits), expected) << "query " << q << ", k " << k;
      for (const int threads : {1, 2}) {
        const auto alone = search(index, std::span(&queries[q], 1), mask, {.k = k, .threads = threads});
        EXPECT_EQ(plain(alone[0].hits), expected) << "query " << q << ", k " << k << ", threads " << threads;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Index, Exact,
                         testing::Values(Case{1, 1, 1, Metric::cosine, false}, Case{40, 9, 0.3, Metric::dot, true},
                                         Case{700, 32, 0.2, Metric::cosine, true}, Case{700, 32, 1, Metric::dot, false},
                                         Case{9000, 64, 0.05, Metric::cosine, false},
                                         Case{5000, 300, 0.03, Metric::dot, false}),
                         [](const auto& one) { return "Case" + std::to_string(one.index); });

TEST(IndexSearch, WideFeaturesAndSparseMatricesAreFoundToo) {
  std::vector<int64_t> starts = {0};
  std::vector<int32_t> columns;
  std::vector<float> values;
  for (int64_t i = 0; i < 300; ++i) {
    for (int32_t n = 0; n < 5; ++n) {
      columns.push_back(static_cast<int32_t>((i % 7) * 10'000 + n * 3 + 1));
      values.push_back(1.0F + static_cast<float>(i % 13));
    }
    starts.push_back(std::ssize(columns));
  }
  Embeddings embeddings;
  embeddings.features = SparseMatrix(300, 70'000, starts, columns, values);
  const TemporaryFolder folder;
  for (const Values kept : {Values::f32, Values::u16, Values::u8}) {
    const std::string path = folder / ("x" + std::to_string(static_cast<int>(kept)) + ".oix");
    build_index(path, embeddings, "x", {.metric = Metric::dot, .values = kept});
    const Index index = Index::open(path);
    index.verify(2);
    const Embeddings stored = embeddings_of(index);
    const Query query{{{1, 1.0F}, {60'001, -0.5F}, {60'004, 2.0F}}};
    const auto found = search(index, std::span(&query, 1), Mask(index));
    EXPECT_EQ(plain(found[0].hits), naive_search(stored, query, 10, Metric::dot, every));
    EXPECT_EQ(index.id({0, 299}), "299");
  }
}

TEST(IndexSearch, SmallerValuesAreAsNearAsTheirSteps) {
  const Embeddings embeddings = random_embeddings(500, 40, 0.3, 3);
  const TemporaryFolder folder;
  for (const auto& [kept, levels] : {std::pair{Values::u16, 65535.0}, std::pair{Values::u8, 255.0}}) {
    build_index(folder / "x.oix", embeddings, "x", {.values = kept});
    const Index index = Index::open(folder / "x.oix");
    EXPECT_GT(index.directory().largest_loss, 0);
    EXPECT_LE(index.directory().largest_loss, 0.51 / levels);
    const Embeddings stored = embeddings_of(index);
    const Matrix dense = std::get<SparseMatrix>(stored.features).to_dense();
    for (int64_t i = 0; i < 500; ++i) {
      for (int64_t j = 0; j < 40; ++j) {
        EXPECT_NEAR(dense(i, j), std::get<Matrix>(embeddings.features)(i, j), 0.51 / levels);
      }
    }
    const Query query = random_query(40, 0.3, 5, true);
    const auto found = search(index, std::span(&query, 1), Mask(index));
    EXPECT_EQ(plain(found[0].hits), naive_search(stored, query, 10, Metric::cosine, every));
  }
}

TEST(IndexSearch, FiltersLeaveTheRowsTheyShould) {
  const Embeddings embeddings = random_embeddings(5000, 32, 0.2, 11, true);
  const Matrix& features = std::get<Matrix>(embeddings.features);
  const TemporaryFolder folder;
  build_index(folder / "x.oix", embeddings, "x");
  const Index index = Index::open(folder / "x.oix");
  const std::vector<std::pair<std::string, std::function<bool(int64_t)>>> filters = {
      {"f3 > 0.5", [&](int64_t i) { return features(i, 3) > 0.5F; }},
      {"f3 <= 0.5 and class=\"air plane\"",
       [&](int64_t i) { return features(i, 3) <= 0.5F && embeddings.labels[static_cast<size_t>(i)] == 2; }},
      {"class != cat or id~\"M 12\"",
       [&](int64_t i) {
         return embeddings.labels[static_cast<size_t>(i)] != 0 ||
                embeddings.ids[static_cast<size_t>(i)].find("m 12") != std::string::npos;
       }},
      {"id = \"item 77\"", [&](int64_t i) { return i == 77; }},
      {"not f1", [&](int64_t i) { return features(i, 1) == 0; }},
      {"f1 < 0", [](int64_t) { return false; }}};
  for (const auto& [text, wanted] : filters) {
    const Mask mask(index, query::Filter::parse(text, index.vocabulary()));
    int64_t count = 0;
    for (int64_t i = 0; i < 5000; ++i) count += wanted(i) ? 1 : 0;
    EXPECT_EQ(mask.count(), count) << text;
    for (uint64_t seed = 0; seed < 4; ++seed) {
      const Query query = random_query(32, 0.2, seed, seed % 2 == 1);
      const auto found = search(index, std::span(&query, 1), mask, {.k = 12});
      EXPECT_EQ(plain(found[0].hits), naive_search(embeddings, query, 12, Metric::cosine, wanted)) << text;
    }
  }
}

// More hits than the first blocks have, in windows where few blocks are left: no row comes twice.
TEST(IndexSearch, ARowIsFoundOnce) {
  const Embeddings embeddings = random_embeddings(9000, 16, 0.9, 12);
  const TemporaryFolder folder;
  build_index(folder / "x.oix", embeddings, "x");
  const Index index = Index::open(folder / "x.oix");
  const Mask mask(index, query::Filter::parse("id~\"item 12\"", index.vocabulary()));
  const auto wanted = [&](int64_t i) { return embeddings.ids[static_cast<size_t>(i)].starts_with("item 12"); };
  for (const bool negative : {false, true}) {
    const Query query = random_query(16, 1, 3, negative);
    for (const int64_t k : {5, 100, 1000}) {
      const auto found = search(index, std::span(&query, 1), mask, {.k = k, .threads = 1});
      EXPECT_EQ(plain(found[0].hits), naive_search(embeddings, query, k, Metric::cosine, wanted)) << k;
    }
  }
}

TEST(IndexSearch, ContributionsAddUpToTheScore) {
  const Embeddings embeddings = random_embeddings(400, 50, 0.3, 5);
  const TemporaryFolder folder;
  for (const Metric metric : {Metric::cosine, Metric::dot}) {
    build_index(folder / "x.oix", embeddings, "x", {.metric = metric});
    const Index index = Index::open(folder / "x.oix");
    const Query query = random_query(50, 0.4, 8, true);
    const auto found = search(index, std::span(&query, 1), Mask(index));
    for (const Hit& hit : found[0].hits) {
      const auto parts = contributions(index, query, hit.item);
      double sum = 0;
      for (const Contribution& part : parts) sum += part.share;
      EXPECT_NEAR(sum, hit.score, 1e-12);
      EXPECT_TRUE(std::ranges::is_sorted(parts, std::greater(), [](const auto& part) { return std::abs(part.share); }));
    }
  }
}

TEST(IndexSearch, AnItemDoesNotFindItself) {
  const Embeddings embeddings = random_embeddings(300, 20, 0.4, 2);
  const TemporaryFolder folder;
  build_index(folder / "x.oix", embeddings, "x");
  const Index index = Index::open(folder / "x.oix");
  const auto item = index.find("item 21");
  ASSERT_TRUE(item);
  EXPECT_EQ(item->number, 21);
  EXPECT_FALSE(index.find("item 300"));
  const Query query = query_of(index, *item);
  const auto found = search(index, std::span(&query, 1), Mask(index), {.k = 20});
  EXPECT_EQ(plain(found[0].hits),
            naive_search(embeddings, query, 20, Metric::cosine, [](int64_t i) { return i != 21; }));
}

// Items of groups: each shares most of its features with its group.
Embeddings grouped(int64_t rows, uint64_t seed) {
  Matrix features(rows, 200);
  for (int64_t i = 0; i < rows; ++i) {
    Rng own({.seed = seed, .sample = static_cast<uint64_t>(i)});
    Rng group({.seed = 1, .sample = own.below(60)});
    for (int n = 0; n < 12; ++n) {
      const auto shared = static_cast<int64_t>(group.below(200));
      const auto alone = static_cast<int64_t>(own.below(200));
      features(i, own.bernoulli(0.7) ? shared : alone) = static_cast<float>(own.uniform(0.1, 1));
    }
  }
  Embeddings embeddings;
  embeddings.features = std::move(features);
  return embeddings;
}

TEST(IndexSearch, RecallIsWhatWasPromised) {
  const TemporaryFolder folder;
  build_index(folder / "x.oix", grouped(20'000, 1), "x");
  const Index index = Index::open(folder / "x.oix");
  const Embeddings others = grouped(300, 2);
  std::vector<Query> queries(300);
  for (size_t q = 0; q < queries.size(); ++q) {
    Features(others).visit_row(static_cast<int64_t>(q), [&](int64_t j, float x) {
      if (x > 0) queries[q].weights.push_back({j, x});
    });
  }
  const Mask mask(index);
  const auto exact = search(index, queries, mask);
  const auto& points = index.directory().curve.points;
  for (const double wanted : {0.8, 0.95}) {
    const auto point =
        std::ranges::find_if(points, [&](const auto& one) { return one.recall - 2 * one.error >= wanted; });
    ASSERT_NE(point, points.end());
    EXPECT_LT(point->blocks, index.blocks() / 2);
    const RecallPlan plan = plan_for(index, wanted);
    EXPECT_TRUE(plan.blocks == 0 || (plan.blocks == point->blocks && plan.measured == point->recall));
    const auto near = search(index, queries, mask, {.blocks = point->blocks, .threads = 2});
    double recall = 0;
    for (size_t q = 0; q < queries.size(); ++q) {
      for (const Hit& hit : near[q].hits) recall += static_cast<double>(std::ranges::count(exact[q].hits, hit)) / 3000;
      EXPECT_EQ(near[q].hits,
                search(index, std::span(&queries[q], 1), mask, {.blocks = point->blocks, .threads = 1})[0].hits);
    }
    EXPECT_GE(recall, wanted);
  }
  EXPECT_EQ(plan_for(index, 1).blocks, 0);
}

TEST(IndexSearch, RefusesWhatDoesNotFit) {
  const TemporaryFolder folder;
  build_index(folder / "x.oix", random_embeddings(10, 4, 0.5, 1), "x");
  const Index index = Index::open(folder / "x.oix");
  const Query wide{{{4, 1.0F}}};
  EXPECT_EQ(message_of([&] { search(index, std::span(&wide, 1), Mask(index)); }),
            "[search] expected features from 0 to 3, each once and in order, got 4 after -1");
  const Query twice{{{1, 1.0F}, {1, 1.0F}}};
  EXPECT_EQ(message_of([&] { search(index, std::span(&twice, 1), Mask(index)); }),
            "[search] expected features from 0 to 3, each once and in order, got 1 after 1");
  EXPECT_EQ(message_of([&] { search(index, {}, Mask(index), {.k = 0}); }), "[search] expected k of at least 1, got 0");
}

}  // namespace
}  // namespace orthant::index
