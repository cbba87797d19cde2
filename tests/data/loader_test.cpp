#include "orthant/data/loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/data/concatenation.h"
#include "orthant/data/image_cache.h"
#include "orthant/data/label_noise.h"
#include "orthant/data/order.h"
#include "orthant/data/subset.h"
#include "orthant/data/vector_statistics.h"
#include "orthant/views/view.h"

namespace orthant {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class FakeImages : public Dataset {
 public:
  explicit FakeImages(int64_t size, int64_t broken = -1) : size_(size), broken_(broken) {
    info_.name = "fake";
    info_.height = 9;
    info_.width = 11;
    info_.channels = 3;
  }

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return size_; }
  Image image(int64_t i) const override {
    ++decoded;
    check_io(i != broken_, "expected a picture, got noise");
    Image image(9, 11, 3);
    Rng rng(static_cast<uint64_t>(i));
    for (auto& pixel : image.pixels) pixel = static_cast<uint8_t>(rng.next());
    return image;
  }
  int64_t label(int64_t i) const override { return i % 7; }
  std::string id(int64_t i) const override { return "picture-" + std::to_string(i); }

  mutable std::atomic<int> decoded{0};

 private:
  DatasetInfo info_;
  int64_t size_;
  int64_t broken_;
};

class FakeVectors : public Dataset {
 public:
  FakeVectors() : values_(40 * 50, 1.0f) {
    info_.name = "vectors";
    info_.dims = 50;
  }

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return 40; }
  std::span<const float> vector(int64_t i) const override {
    return std::span(values_).subspan(static_cast<size_t>(i * 50), 50);
  }
  int64_t label(int64_t) const override { return -1; }

 private:
  DatasetInfo info_;
  std::vector<float> values_;
};

struct Copy {
  int64_t number;
  std::vector<float> values;
  std::vector<int64_t> indices;
  std::vector<int64_t> labels;

  bool operator==(const Copy&) const = default;
};

std::vector<Copy> rest_of_epoch(Loader& loader) {
  std::vector<Copy> copies;
  while (const Batch* batch = loader.next()) {
    copies.push_back({batch->number, {batch->values.begin(), batch->values.end()}, batch->indices, batch->labels});
  }
  return copies;
}

const ViewOptions kViews = view_preset("simclr", 8);

TEST(Loader, GivesTheSameBytesForAnyNumberOfThreadsAndBatchesAhead) {
  const auto data = std::make_shared<FakeImages>(100);
  Loader reference(data, kViews, {.batch = 12, .prefetch = 1, .threads = 1});
  reference.start_epoch(3);
  const auto want = rest_of_epoch(reference);
  ASSERT_EQ(want.size(), 8u);
  for (const int64_t threads : {1, 2, 8}) {
    for (const int64_t prefetch : {1, 2, 5, 20}) {
      for (const int64_t cache : {int64_t{0}, int64_t{20000}, int64_t{1} << 30}) {
        Loader loader(data, kViews, {.batch = 12, .prefetch = prefetch, .cache_bytes = cache, .threads = threads});
        loader.start_epoch(3);
        EXPECT_EQ(rest_of_epoch(loader), want) << threads << " threads, " << prefetch << " ahead, " << cache;
      }
    }
  }
}

TEST(Loader, GivesTheSameBytesWhenResumedInTheMiddle) {
  const auto data = std::make_shared<FakeImages>(64);
  Loader loader(data, kViews, {.batch = 8, .threads = 3});
  loader.start_epoch(5);
  const auto whole = rest_of_epoch(loader);
  for (int64_t first = 0; first <= 8; ++first) {
    loader.start_epoch(5, first);
    EXPECT_EQ(rest_of_epoch(loader), std::vector<Copy>(whole.begin() + first, whole.end()));
  }
}

TEST(Loader, StacksTheViewsThatTheKeysSay) {
  const auto data = std::make_shared<FakeImages>(10);
  Loader loader(data, kViews, {.batch = 4, .views = 3, .drop_last = false, .seed = 9, .threads = 2});
  EXPECT_EQ(loader.batches(), 3);
  loader.start_epoch(2);
  ViewMaker make(kViews);
  ViewScratch scratch;
  std::vector<float> want(3 * 8 * 8);
  std::vector<int64_t> sizes;
  while (const Batch* batch = loader.next()) {
    sizes.push_back(batch->items);
    ASSERT_EQ(batch->values.size(), static_cast<size_t>(3 * batch->items) * want.size());
    EXPECT_EQ(reinterpret_cast<uintptr_t>(batch->values.data()) % 64, 0u);
    for (int64_t view = 0; view < 3; ++view) {
      for (int64_t i = 0; i < batch->items; ++i) {
        const int64_t item = batch->indices[static_cast<size_t>(i)];
        make(data->image(item),
             {.seed = 9, .epoch = 2, .sample = static_cast<uint64_t>(item), .view = static_cast<uint16_t>(view)},
             scratch, want);
        const auto got = batch->values.subspan(static_cast<size_t>(view * batch->items + i) * want.size(), want.size());
        EXPECT_TRUE(std::ranges::equal(got, want)) << item << " view " << view;
        EXPECT_EQ(batch->labels[static_cast<size_t>(i)], item % 7);
      }
    }
  }
  EXPECT_THAT(sizes, ElementsAre(4, 4, 2));
}

TEST(Loader, GivesEveryItemOnceInANewOrderEachEpoch) {
  Loader loader(std::make_shared<FakeImages>(50), kViews, {.batch = 10, .threads = 2});
  std::set<std::vector<int64_t>> orders;
  for (int64_t epoch = 0; epoch < 4; ++epoch) {
    loader.start_epoch(epoch);
    std::vector<int64_t> order;
    for (const Copy& batch : rest_of_epoch(loader))
      order.insert(order.end(), batch.indices.begin(), batch.indices.end());
    orders.insert(order);
    std::ranges::sort(order);
    for (int64_t i = 0; i < 50; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
  }
  EXPECT_EQ(orders.size(), 4u);
}

TEST(Loader, KeepsTheOrderOfTheDataWithoutShuffle) {
  Loader loader(std::make_shared<FakeImages>(7), kViews, {.batch = 3, .shuffle = false, .threads = 2});
  loader.start_epoch(0);
  EXPECT_THAT(loader.next()->indices, ElementsAre(0, 1, 2));
  EXPECT_THAT(loader.next()->indices, ElementsAre(3, 4, 5));
  EXPECT_EQ(loader.next(), nullptr);
  EXPECT_EQ(loader.next(), nullptr);
}

TEST(Loader, DecodesOnceWhatFitsTheCache) {
  const auto data = std::make_shared<FakeImages>(40);
  {
    Loader loader(data, kViews, {.batch = 10, .threads = 4});
    for (int64_t epoch = 0; epoch < 3; ++epoch) {
      loader.start_epoch(epoch);
      rest_of_epoch(loader);
    }
  }
  EXPECT_EQ(data->decoded, 40);
  data->decoded = 0;
  Loader loader(data, kViews, {.batch = 10, .cache_bytes = 0, .threads = 4});
  for (int64_t epoch = 0; epoch < 3; ++epoch) {
    loader.start_epoch(epoch);
    rest_of_epoch(loader);
  }
  EXPECT_EQ(data->decoded, 120);
}

TEST(ImageCache, NeverKeepsMoreThanItMay) {
  const auto data = std::make_shared<FakeImages>(40);
  ImageCache cache(data, 32, 2000);
  Image room;
  for (int64_t i = 0; i < 40; ++i) EXPECT_EQ(cache.get(i, room), data->image(i));
  EXPECT_GT(cache.bytes(), 0);
  EXPECT_LE(cache.bytes(), 2000);
}

TEST(Loader, RethrowsAFailureAtItsBatchAndNamesTheItem) {
  for (const int64_t threads : {1, 4}) {
    Loader loader(std::make_shared<FakeImages>(60, 25), kViews, {.batch = 10, .shuffle = false, .threads = threads});
    for (int epoch = 0; epoch < 2; ++epoch) {
      loader.start_epoch(epoch);
      EXPECT_NE(loader.next(), nullptr);
      EXPECT_NE(loader.next(), nullptr);
      try {
        loader.next();
        FAIL() << "expected an IoError";
      } catch (const IoError& error) {
        EXPECT_STREQ(error.what(), "[fake] item 25 (picture-25): expected a picture, got noise");
      }
      EXPECT_EQ(loader.next(), nullptr);
    }
    loader.start_epoch(2, 3);
    EXPECT_EQ(rest_of_epoch(loader).size(), 3u);
  }
}

TEST(Loader, StopsAtAnyTime) {
  const auto data = std::make_shared<FakeImages>(200);
  for (int64_t taken = 0; taken < 12; ++taken) {
    Loader loader(data, kViews, {.batch = 8, .prefetch = 4, .threads = 4});
    loader.start_epoch(0);
    for (int64_t i = 0; i < taken; ++i) EXPECT_NE(loader.next(), nullptr);
    if (taken % 2 == 0) {
      loader.start_epoch(1);
      EXPECT_EQ(loader.next()->number, 0);
    }
  }
  const Loader never_started(data, kViews, {.batch = 8, .threads = 4});
}

TEST(Loader, CopiesVectorsUnlessTold) {
  Loader plain(std::make_shared<FakeVectors>(), kViews, {.batch = 40, .threads = 2});
  plain.start_epoch(0);
  const Batch* batch = plain.next();
  EXPECT_EQ(batch->channels, 50);
  EXPECT_EQ(batch->height * batch->width, 1);
  EXPECT_THAT(batch->values, testing::Each(1.0f));
}

// Elements on scales of their own: element j is 1000 j plus or minus 10^j, as often one as the other.
class ScaledVectors final : public Dataset {
 public:
  static constexpr int64_t kItems = 4000;
  ScaledVectors() {
    info_.name = "scaled";
    info_.dims = 4;
    for (int64_t i = 0; i < kItems * 4; ++i) {
      const auto j = static_cast<double>(i % 4);
      values_.push_back(static_cast<float>(1000 * j + (i / 4 % 2 == 0 ? 1 : -1) * std::pow(10.0, j)));
    }
  }
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return kItems; }
  std::span<const float> vector(int64_t i) const override {
    check_index(i);
    return std::span(values_).subspan(static_cast<size_t>(4 * i), 4);
  }

 private:
  DatasetInfo info_;
  std::vector<float> values_;
};

TEST(VectorStatistics, AreThoseOfEveryElement) {
  const VectorStatistics all = vector_statistics(ScaledVectors(), 0);
  EXPECT_THAT(all.mean, testing::Pointwise(testing::DoubleNear(1e-9), {0.0, 1000.0, 2000.0, 3000.0}));
  EXPECT_THAT(all.deviation, testing::Pointwise(testing::DoubleNear(1e-9), {1.0, 10.0, 100.0, 1000.0}));
  const VectorStatistics constant = vector_statistics(FakeVectors());
  EXPECT_THAT(constant.mean, testing::Each(1.0));
  EXPECT_THAT(constant.deviation, testing::Each(0.0));
}

TEST(Loader, DisturbsVectorsOnTheScaleOfEachElement) {
  Loader loader(std::make_shared<ScaledVectors>(), kViews,
                {.batch = ScaledVectors::kItems, .shuffle = false, .vector_noise = 0.5, .threads = 2});
  loader.start_epoch(0);
  const Batch* batch = loader.next();
  const ScaledVectors data;
  for (size_t j = 0; j < 4; ++j) {
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < ScaledVectors::kItems; ++i) {
      const double noise = batch->values[static_cast<size_t>(4 * i) + j] - data.vector(i)[j];
      sum += noise;
      squares += noise * noise;
    }
    const double scale = 0.5 * std::pow(10.0, static_cast<double>(j));
    EXPECT_NEAR(sum / ScaledVectors::kItems, 0, 0.1 * scale) << j;
    EXPECT_NEAR(std::sqrt(squares / ScaledVectors::kItems), scale, 0.05 * scale) << j;
  }
}

TEST(Loader, DropsElementsOfVectorsToTheirMean) {
  Loader loader(std::make_shared<ScaledVectors>(), kViews,
                {.batch = ScaledVectors::kItems, .vector_dropout = 0.25, .threads = 2});
  loader.start_epoch(0);
  const Batch* batch = loader.next();
  double dropped = 0;
  for (size_t k = 0; k < batch->values.size(); ++k) {
    dropped += std::abs(batch->values[k] - static_cast<float>(1000 * (k % 4))) < 0.01F ? 1 : 0;
  }
  EXPECT_NEAR(dropped / static_cast<double>(batch->values.size()), 0.25, 0.01);
}

// Says which size was asked for.
class Askable final : public Dataset {
 public:
  Askable() { info_.class_names = {"this", "that"}; }
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return 4; }
  Image image(int64_t) const override { return {64, 64, 3}; }
  Image image_for(int64_t, int64_t side) const override {
    asked = side;
    return {64, 64, 3};
  }
  int64_t label(int64_t i) const override { return i % 2; }
  mutable std::atomic<int64_t> asked{0};

 private:
  DatasetInfo info_;
};

TEST(Loader, AsksForPicturesAsLargeAsItsViewsNeed) {
  const auto data = std::make_shared<Askable>();
  Loader loader(subset(label_noise(concatenate({data, data}), 0, 1), 8, 1), kViews, {.batch = 8, .threads = 1});
  loader.start_epoch(0);
  rest_of_epoch(loader);
  EXPECT_EQ(data->asked, kViews.size);
}

TEST(Loader, CountsWaitingAndViews) {
  Loader loader(std::make_shared<FakeImages>(40), kViews, {.batch = 10, .threads = 1});
  loader.start_epoch(0);
  rest_of_epoch(loader);
  EXPECT_GE(loader.wait_share(), 0);
  EXPECT_LE(loader.wait_share(), 1);
  EXPECT_GT(loader.views_per_second(), 0);
}

TEST(Loader, OfTheSameSeedMeetsTheSameItemsWhateverItsViews) {
  const auto data = std::make_shared<FakeImages>(40);
  Loader one(data, kViews, {.batch = 10, .views = 2, .seed = 5, .threads = 1});
  Loader other(data, kViews, {.batch = 10, .views = 1, .first_view = 1, .seed = 5, .threads = 1});
  one.start_epoch(4);
  other.start_epoch(4);
  const auto pairs = rest_of_epoch(one);
  const auto seconds = rest_of_epoch(other);
  const std::vector<int64_t> order = epoch_order(40, 5, 4);
  ASSERT_EQ(pairs.size(), 4u);
  for (size_t b = 0; b < pairs.size(); ++b) {
    EXPECT_EQ(seconds[b].indices, pairs[b].indices);
    EXPECT_TRUE(std::equal(seconds[b].indices.begin(), seconds[b].indices.end(),
                           order.begin() + static_cast<ptrdiff_t>(10 * b)));
    const auto half = pairs[b].values.begin() + static_cast<ptrdiff_t>(pairs[b].values.size() / 2);
    EXPECT_EQ(seconds[b].values, std::vector<float>(half, pairs[b].values.end()));
  }
}

template <class Make>
std::string message_of(const Make& make) {
  try {
    make();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Loader, RejectsOptionsThatCannotWork) {
  const auto data = std::make_shared<FakeImages>(20);
  EXPECT_EQ(message_of([&] { Loader(data, kViews, {.batch = 0}); }),
            "[loader] expected batch from 1 to 1.67772e+07, got 0");
  EXPECT_EQ(
      message_of([&] { Loader(data, kViews, {.batch = 21}); }),
      "[loader] expected at least one batch of 21 items, got 20 items in all; ask for smaller batches or keep the "
      "last");
  EXPECT_THAT(message_of([&] { Loader(data, kViews, {.batch = 2, .prefetch = 0}); }), HasSubstr("prefetch"));
  EXPECT_THAT(message_of([&] { Loader(data, kViews, {.batch = 2, .threads = -1}); }), HasSubstr("threads, got -1"));
  EXPECT_THAT(message_of([&] { Loader(data, {.size = 0}, {.batch = 2}); }), HasSubstr("size"));
  EXPECT_THAT(message_of([&] { Loader(nullptr, kViews); }), HasSubstr("data set"));
  Loader loader(data, kViews, {.batch = 10, .threads = 1});
  EXPECT_THAT(message_of([&] { loader.start_epoch(0, 3); }), HasSubstr("first batch from 0 to 2, got 3"));
  EXPECT_THAT(message_of([&] { loader.start_epoch(-1); }), HasSubstr("epoch"));
}

}  // namespace
}  // namespace orthant
