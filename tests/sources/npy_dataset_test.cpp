#include "orthant/sources/npy_dataset.h"

#include <gmock/gmock.h>

#include "orthant/io/npy.h"
#include "orthant/io/npy_header.h"
#include "orthant/io/npz.h"
#include "orthant/sources/dsprites.h"
#include "tests/data/fake_dataset.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kGolden = std::string(ORTHANT_GOLDEN_DIR) + "/data/";

template <class T>
io::Array array(std::vector<T> values, std::vector<int64_t> shape) {
  return io::array_from(std::move(values), std::move(shape));
}

TEST(NpyDataset, ReadsBothOrdersOfChannelsFromNumPy) {
  for (const char* file : {"nhwc.npy", "nchw.npy", "images.npz"}) {
    const auto dataset = open_npy(kGolden + file, "", "all");
    ASSERT_EQ(dataset->size(), 5) << file;
    EXPECT_EQ(dataset->info().height, 4);
    EXPECT_EQ(dataset->info().width, 6);
    EXPECT_EQ(dataset->info().channels, 3);
    EXPECT_THAT(dataset->image(4).at(2, 3), ElementsAre((240 + 23) % 256, (240 + 123) % 256, (240 + 223) % 256))
        << file;
  }
}

TEST(NpyDataset, ReadsLabelsWithGaps) {
  for (const auto& dataset :
       {open_npy(kGolden + "nchw.npy", kGolden + "labels.npy", "all"), open_npy(kGolden + "images.npz", "", "all")}) {
    std::vector<int64_t> labels;
    for (int64_t i = 0; i < 5; ++i) labels.push_back(dataset->label(i));
    EXPECT_THAT(labels, ElementsAre(2, 0, -1, 1, 2));
    EXPECT_THAT(dataset->info().class_names, ElementsAre("0", "1", "2"));
  }
}

TEST(NpyDataset, PrefersChannelsLastWhereBothFit) {
  const auto dataset =
      dataset_from_array(array<uint8_t>(std::vector<uint8_t>(2 * 3 * 5 * 1), {2, 3, 5, 1}), nullptr, "x");
  EXPECT_EQ(dataset->info().height, 3);
  EXPECT_EQ(dataset->info().channels, 1);
}

TEST(NpyDataset, ReadsGreyPicturesAndVectors) {
  const auto grey = dataset_from_array(array<uint8_t>({1, 2, 3, 4, 5, 6}, {1, 2, 3}), nullptr, "x");
  EXPECT_THAT(grey->image(0).pixels, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THROW(grey->vector(0), std::invalid_argument);
  const auto vectors = dataset_from_array(array<float>({1, 2, 3, 4, 5, 6}, {3, 2}), nullptr, "x");
  EXPECT_THAT(vectors->vector(2), ElementsAre(5, 6));
  EXPECT_EQ(vectors->info().dims, 2);
  EXPECT_THROW(vectors->image(0), std::invalid_argument);
  EXPECT_THROW(vectors->vector(3), std::invalid_argument);
  const auto doubles = dataset_from_array(array<double>({1, 2}, {1, 2}), nullptr, "x");
  EXPECT_THAT(doubles->vector(0), ElementsAre(1, 2));
}

TEST(NpyDataset, SplitsByTheStandardRule) {
  const test::TemporaryFolder folder;
  io::write_npy(folder / "v.npy", array<float>(std::vector<float>(200), {100, 2}));
  EXPECT_EQ(open_npy(folder / "v.npy", "", "train")->size(), 90);
  EXPECT_EQ(open_npy(folder / "v.npy", "", "test")->size(), 10);
}

TEST(NpyDataset, RejectsArraysThatAreNoDataSet) {
  const auto refused = [](io::Array items) {
    return message_of<IoError>([&] { dataset_from_array(items, nullptr, "x.npy"); });
  };
  EXPECT_THAT(refused(array<uint8_t>({1, 2}, {2})),
              HasSubstr("[x.npy] expected uint8 images of 3 or 4 dimensions or float vectors of 2, got uint8 (2,)"));
  EXPECT_THAT(refused(array<int32_t>({1, 2}, {1, 2})), HasSubstr("got int32 (1, 2)"));
  EXPECT_THAT(refused(array<uint8_t>(std::vector<uint8_t>(16), {1, 2, 2, 4})),
              HasSubstr("expected 1 or 3 channels in the second or the last dimension, got (1, 2, 2, 4)"));
  EXPECT_THAT(refused(array<float>({}, {0, 2})), HasSubstr("expected at least one item, got (0, 2)"));
}

TEST(NpyDataset, RejectsLabelsThatDoNotFit) {
  const auto refused = [](io::Array labels) {
    return message_of<IoError>([&] { dataset_from_array(array<float>({1, 2}, {2, 1}), &labels, "x"); });
  };
  EXPECT_THAT(refused(array<int64_t>({0}, {1})), HasSubstr("[x labels] expected 2 labels, one for each item, got 1"));
  EXPECT_THAT(refused(array<int64_t>({0, -2}, {2})), HasSubstr("or -1 for none, got -2"));
  EXPECT_THAT(refused(array<int64_t>({0, int64_t{1} << 40}, {2})), HasSubstr("expected labels from 0 to 999999"));
  EXPECT_THAT(refused(array<float>({0, 1}, {2})), HasSubstr("x labels"));
}

TEST(NpyDataset, ReadsLabelsFromText) {
  const test::TemporaryFolder folder;
  io::write_npy(folder / "v.npy", array<float>({1, 2, 3, 4}, {4, 1}));
  test::write_bytes(folder / "y.txt", "dog\r\nbig cat\r\nant\r\ndog\r\n");
  const auto named = open_npy(folder / "v.npy", folder / "y.txt", "all");
  EXPECT_THAT(named->info().class_names, ElementsAre("ant", "big cat", "dog"));
  std::vector<int64_t> labels;
  for (int64_t i = 0; i < 4; ++i) labels.push_back(named->label(i));
  EXPECT_THAT(labels, ElementsAre(2, 1, 0, 2));
  test::write_bytes(folder / "y.txt", "2\n0\n-1\n2\n");
  const auto numbered = open_npy(folder / "v.npy", folder / "y.txt", "all");
  EXPECT_THAT(numbered->info().class_names, ElementsAre("0", "1", "2"));
  EXPECT_EQ(numbered->label(2), -1);
  test::write_bytes(folder / "y.txt", "a\nb\n");
  EXPECT_THAT(message_of<IoError>([&] { open_npy(folder / "v.npy", folder / "y.txt", "all"); }),
              HasSubstr("y.txt] expected 4 labels, one for each item, got 2"));
}

TEST(NpyDataset, ReadsSmallerTypesAndFortranOrder) {
  const std::string golden = std::string(ORTHANT_GOLDEN_DIR) + "/io/";
  EXPECT_THAT(open_npy(golden + "fortran.npy", "", "all")->vector(1), ElementsAre(3, 4, 5));
  EXPECT_THAT(open_npy(golden + "f2.npy", "", "all")->vector(1), ElementsAre(10, 13, 16));
  const test::TemporaryFolder folder;
  std::string text = io::npy_header_text("<i2", std::vector<int64_t>{2});
  test::write_bytes(folder / "y.npy", text + std::string("\5\0\xff\xff", 4));
  const auto dataset = open_npy(golden + "f2.npy", folder / "y.npy", "all");
  EXPECT_EQ(dataset->label(0), 5);
  EXPECT_EQ(dataset->label(1), -1);
}

TEST(NpyDataset, RejectsArchivesWithoutTheArray) {
  const test::TemporaryFolder folder;
  io::write_npz(folder / "x.npz", {{"other", array<float>({1}, {1, 1})}});
  EXPECT_THAT(message_of<IoError>([&] { open_npy(folder / "x.npz", "", "all"); }),
              HasSubstr("expected an array called images or vectors, got neither"));
  EXPECT_THROW(open_npy(folder / "none.npy", "", "all"), IoError);
}

TEST(DspritesFile, ReadsNumPysFileWithoutItsPickle) {
  const auto dataset = open_dsprites(kGolden + "dsprites.npz", "all");
  ASSERT_EQ(dataset->size(), 4);
  std::array<int32_t, 5> classes{};
  dataset->factors(2, classes);
  EXPECT_THAT(classes, ElementsAre(2, 5, 39, 31, 31));
  EXPECT_EQ(dataset->label(1), 1);
  EXPECT_EQ(dataset->image(3).at(22, 30)[0], 255);
  EXPECT_EQ(dataset->image(3).at(23, 30)[0], 0);
  EXPECT_FLOAT_EQ(dataset->info().factors[1].values[5], 1.0F);
}

}  // namespace
}  // namespace orthant
