#include "orthant/classify/classifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/io/array.h"
#include "orthant/io/safetensors.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::classify {
namespace {

using testing::HasSubstr;
using Numbers = std::vector<int64_t>;

void write(const std::string& path, std::vector<float> weights, std::vector<int64_t> shape, std::vector<float> bias) {
  const auto count = static_cast<int64_t>(bias.size());
  const io::Array first = io::array_from<float>(std::move(weights), std::move(shape));
  const io::Array second = io::array_from<float>(std::move(bias), {count});
  io::write_safetensors(path, {{"fc.weight", io::tensor_of(first)}, {"fc.bias", io::tensor_of(second)}});
}

TEST(Classifier, IsReadFromTheFileOfAModel) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() / "model.safetensors";
  write(path, {1, 2, 3, 4, 5, 6}, {2, 3}, {0.5F, -INFINITY});
  EXPECT_TRUE(has_classifier(path));
  const Classifier found = read_classifier(path);
  EXPECT_EQ(found.weights, Matrix(2, 3, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(found.bias, (std::vector<float>{0.5F, -INFINITY}));
  EXPECT_FALSE(found.unit_rows);
  EXPECT_EQ(found.name_of(1), "class 1");
}

TEST(Classifier, RejectsFilesThatHoldNoneOrABadOne) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() / "model.safetensors";
  io::write_safetensors(path, {});
  EXPECT_FALSE(has_classifier(path));
  EXPECT_THAT(test::message_of([&] { read_classifier(path); }),
              HasSubstr(path + "] expected a classifier (fc.weight, fc.bias), got none"));
  write(path, {1, 2}, {2}, {0, 0});
  EXPECT_THAT(test::message_of([&] { read_classifier(path); }), HasSubstr("expected weights [C, K], got"));
  write(path, {1, 2}, {2, 1}, {0});
  EXPECT_THAT(test::message_of([&] { read_classifier(path); }),
              HasSubstr("expected a bias for each of 2 classes, got 1"));
  write(path, {1, NAN}, {2, 1}, {0, 0});
  EXPECT_THAT(test::message_of([&] { read_classifier(path); }), HasSubstr("expected finite features, got 1 NaN"));
  write(path, {1, 1}, {2, 1}, {0, INFINITY});
  EXPECT_THAT(test::message_of([&] { read_classifier(path); }),
              HasSubstr("expected biases below infinity, got inf for class 1"));
}

// Two phrasings of "crab", of different lengths, count the same.
TEST(Classifier, OfClassVectorsPointsWhereTheirUnitVectorsDo) {
  const Matrix vectors(3, 2, {10, 0, 0, 1, 0, 3});
  const Classifier found = from_class_vectors(vectors, Numbers{0, 0, 1}, {"crab", "fish"});
  const float half = std::sqrt(0.5F);
  EXPECT_FLOAT_EQ(found.weights(0, 0), half);
  EXPECT_FLOAT_EQ(found.weights(0, 1), half);
  EXPECT_EQ(found.weights(1, 0), 0);
  EXPECT_EQ(found.weights(1, 1), 1);
  EXPECT_TRUE(found.unit_rows);
  EXPECT_EQ(found.name_of(0), "crab");
}

TEST(Classifier, OfClassVectorsRejectsClassesThatPointNowhere) {
  const Matrix vectors(2, 2, {1, 0, 0, 0});
  EXPECT_THAT(test::message_of([&] {
                from_class_vectors(vectors, Numbers{0, 1}, {"crab", "fish"});
              }),
              HasSubstr("[fish] expected vectors that point somewhere, got 1 without any feature"));
  EXPECT_THAT(test::message_of([&] {
                from_class_vectors(vectors, Numbers{0, 0}, {"crab", "fish"});
              }),
              HasSubstr("[fish] expected vectors that point somewhere, got 0 without"));
  EXPECT_THAT(test::message_of([&] {
                from_class_vectors(vectors, Numbers{0, 2}, {"crab", "fish"});
              }),
              HasSubstr("expected a class from 0 to 1 for vector 1, got 2"));
  EXPECT_THAT(test::message_of([&] { from_class_vectors(vectors, Numbers{0}, {"crab"}); }),
              HasSubstr("expected a class for each of 2 vectors, got 1"));
  const Matrix bad(1, 1, {NAN});
  EXPECT_THAT(test::message_of([&] { from_class_vectors(bad, Numbers{0}, {"crab"}); }),
              HasSubstr("[class vectors] expected finite features"));
}

}  // namespace
}  // namespace orthant::classify
