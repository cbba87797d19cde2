#include <gtest/gtest.h>

#include "orthant/index/edit.h"
#include "tests/index/naive.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::index {
namespace {

using test::message_of;
using test::naive_search;
using test::random_embeddings;
using test::random_query;
using test::read_bytes;
using test::TemporaryFolder;

Embeddings rows_of(const Embeddings& all, int64_t begin, int64_t end) {
  Embeddings some = all;
  const auto part = [&](auto& list) { list = {list.begin() + begin, list.begin() + end}; };
  part(some.ids);
  part(some.labels);
  const Matrix& features = std::get<Matrix>(all.features);
  Matrix kept(end - begin, all.cols());
  for (int64_t i = begin; i < end; ++i) std::ranges::copy(features.row(i), kept.mutable_row(i - begin).begin());
  some.features = std::move(kept);
  return some;
}

// Ids and scores, as the index finds them and as looking at every row does.
void expect_same(const Index& index, const Embeddings& all, const std::function<bool(int64_t)>& there) {
  const Mask mask(index);
  for (uint64_t seed = 0; seed < 8; ++seed) {
    const Query query = random_query(all.cols(), 0.3, seed, seed % 2 == 1);
    const auto found = search(index, std::span(&query, 1), mask, {.k = 25});
    const auto expected = naive_search(all, query, 25, index.metric(), there);
    ASSERT_EQ(found[0].hits.size(), expected.size());
    for (size_t n = 0; n < expected.size(); ++n) {
      EXPECT_EQ(found[0].hits[n].score, expected[n].score);
      EXPECT_EQ(index.id(found[0].hits[n].item), all.ids[static_cast<size_t>(expected[n].row)]);
      EXPECT_EQ(index.label(found[0].hits[n].item), all.labels[static_cast<size_t>(expected[n].row)]);
    }
  }
}

TEST(IndexEdit, AddingRemovingAndMergingFindTheSameAsOneIndexOfIt) {
  const Embeddings all = random_embeddings(900, 24, 0.3, 9, true);
  const TemporaryFolder folder;
  const std::string path = folder / "x.oix";
  build_index(path, rows_of(all, 0, 500), "x");
  add_to_index(path, rows_of(all, 500, 600), "y");
  add_to_index(path, rows_of(all, 600, 900), "z");
  EXPECT_EQ(Index::open(path).size(), 900);
  EXPECT_EQ(Index::open(path).segments().size(), 3U);
  expect_same(Index::open(path), all, [](int64_t) { return true; });

  std::vector<std::string> gone;
  for (int64_t i = 0; i < 900; i += 3) gone.push_back(all.ids[static_cast<size_t>(i)]);
  EXPECT_EQ(remove_from_index(path, gone), 300);
  const auto left = [](int64_t i) { return i % 3 != 0; };
  Index::open(path).verify(2);
  EXPECT_EQ(Index::open(path).size(), 600);
  EXPECT_FALSE(Index::open(path).find("item 3"));
  expect_same(Index::open(path), all, left);

  merge_index(path);
  EXPECT_EQ(Index::open(path).segments().size(), 1U);
  EXPECT_EQ(Index::open(path).size(), 600);
  Index::open(path).verify(1);
  expect_same(Index::open(path), all, left);
}

TEST(IndexEdit, TheBytesDoNotDependOnTheNumberOfThreads) {
  const Embeddings all = random_embeddings(9000, 40, 0.1, 4);
  const TemporaryFolder folder;
  build_index(folder / "one.oix", all, "x", {.threads = 1});
  build_index(folder / "two.oix", all, "x", {.threads = 2});
  EXPECT_EQ(read_bytes(folder / "one.oix"), read_bytes(folder / "two.oix"));
}

TEST(IndexEdit, ItemsCanBeReplacedAndComeBack) {
  const Embeddings all = random_embeddings(60, 8, 0.5, 4);
  const TemporaryFolder folder;
  const std::string path = folder / "x.oix";
  build_index(path, rows_of(all, 0, 40), "x");
  const std::string before = read_bytes(path);
  EXPECT_EQ(message_of([&] { add_to_index(path, rows_of(all, 39, 60), "y"); }),
            "[y] expected new ids, got 'item 39', which is in " + path + " already");
  EXPECT_EQ(read_bytes(path), before);
  add_to_index(path, rows_of(all, 39, 60), "y", {.replace = true});
  EXPECT_EQ(Index::open(path).size(), 60);
  const std::vector<std::string> one = {"item 50"};
  EXPECT_EQ(remove_from_index(path, one), 1);
  add_to_index(path, rows_of(all, 50, 51), "z");
  EXPECT_EQ(Index::open(path).size(), 60);
  EXPECT_EQ(Index::open(path).segments().size(), 3U);
}

TEST(IndexEdit, ClassesAreMatchedByName) {
  Embeddings first = random_embeddings(10, 4, 0.9, 1);
  Embeddings second = random_embeddings(10, 4, 0.9, 2);
  second.class_names = {"bird", "cat"};
  second.labels.assign(10, 1);
  second.labels[0] = 0;
  for (std::string& id : second.ids) id += " again";
  const TemporaryFolder folder;
  const std::string path = folder / "x.oix";
  build_index(path, first, "x");
  add_to_index(path, second, "y");
  const Index index = Index::open(path);
  EXPECT_EQ(index.directory().class_names, (std::vector<std::string>{"cat", "dog", "air plane", "bird"}));
  EXPECT_EQ(index.label({1, 0}), 3);
  EXPECT_EQ(index.label({1, 1}), 0);
}

TEST(IndexEdit, RefusesWhatDoesNotFit) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.oix";
  Embeddings embeddings = random_embeddings(20, 4, 0.9, 1);
  Embeddings negative = embeddings;
  std::get<Matrix>(negative.features)(7, 2) = -0.25F;
  EXPECT_EQ(message_of([&] { build_index(path, negative, "n"); }),
            "[n] expected features from 0 to 1e30 (an index is for non-negative ones), got -0.25 in row 7, feature 2");
  std::get<Matrix>(negative.features)(7, 2) = NAN;
  EXPECT_EQ(message_of([&] { build_index(path, negative, "n"); }),
            "[n] expected features from 0 to 1e30, got nan in row 7, feature 2");
  EXPECT_FALSE(std::filesystem::exists(path));
  build_index(path, embeddings, "x");
  EXPECT_EQ(message_of([&] { add_to_index(path, random_embeddings(3, 5, 1, 1), "y"); }),
            "[y] expected 4 features, as in " + path + ", got 5");
  const std::vector<std::string> ids = {"item 1", "nobody"};
  EXPECT_EQ(message_of([&] { remove_from_index(path, ids); }),
            "[" + path + "] expected ids of items to remove, got 'nobody', which is not there");
  EXPECT_EQ(Index::open(path).size(), 20);
}

}  // namespace
}  // namespace orthant::index
