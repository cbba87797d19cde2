#include "orthant/sources/cifar.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "orthant/data/statistics.h"
#include "tests/data/fake_dataset.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::message_of;
using test::TemporaryFolder;
using test::write_bytes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A record whose red is 1, green 2 and blue 3 everywhere, but for the first red pixel of the second row.
std::string record(const std::string& labels) {
  std::string bytes = labels + std::string(1024, 1) + std::string(1024, 2) + std::string(1024, 3);
  bytes[labels.size() + 32] = 99;
  return bytes;
}

void write_cifar10(const TemporaryFolder& folder) {
  for (int k = 1; k <= 5; ++k) {
    const auto label = static_cast<char>(k);
    write_bytes(folder / ("data_batch_" + std::to_string(k) + ".bin"), record({label}) + record({0}));
  }
  write_bytes(folder / "test_batch.bin", record({9}));
}

TEST(Cifar, ReadsRecordsOfAllBatches) {
  const TemporaryFolder folder;
  write_cifar10(folder);
  const auto train = open_cifar10(folder.path(), "train");
  ASSERT_EQ(train->size(), 10);
  EXPECT_EQ(train->label(0), 1);
  EXPECT_EQ(train->label(1), 0);
  EXPECT_EQ(train->label(8), 5);
  const Image image = train->image(8);
  EXPECT_THAT(image.at(0, 0), ElementsAre(1, 2, 3));
  EXPECT_THAT(image.at(1, 0), ElementsAre(99, 2, 3));
  EXPECT_EQ(train->info().class_names[1], "automobile");
  EXPECT_EQ(open_cifar10(folder.path(), "test")->label(0), 9);
  const auto all = open_cifar10(folder.path(), "all");
  EXPECT_EQ(all->size(), 11);
  EXPECT_EQ(all->id(10), "test/0");
  EXPECT_EQ(all->info().split, "all");
}

TEST(Cifar, TakesClassNamesFromTheFolder) {
  const TemporaryFolder folder;
  write_cifar10(folder);
  write_bytes(folder / "batches.meta.txt", "a\nb\r\nc\nd\ne\nf\ng\nh\ni\nj\n\n");
  EXPECT_EQ(open_cifar10(folder.path(), "test")->info().class_names[1], "b");
  write_bytes(folder / "batches.meta.txt", "a\nb\n");
  EXPECT_THAT(message_of<IoError>([&] { open_cifar10(folder.path(), "test"); }),
              HasSubstr("batches.meta.txt] expected 10 names of classes, got 2"));
}

TEST(Cifar, NamesWhatIsWrong) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of<IoError>([&] { open_cifar10(folder / "nowhere", "train"); }),
              HasSubstr("nowhere] expected a folder with data_batch_1.bin, got nothing there"));
  write_cifar10(folder);
  write_bytes(folder / "data_batch_3.bin", record({1}) + "x");
  EXPECT_THAT(message_of<IoError>([&] { open_cifar10(folder.path(), "train"); }),
              HasSubstr("data_batch_3.bin] expected a whole number of records of 3073 bytes, got 3074 bytes"));
  write_bytes(folder / "data_batch_3.bin", record({1}) + record({10}));
  EXPECT_THAT(message_of<IoError>([&] { open_cifar10(folder.path(), "train"); }),
              HasSubstr("data_batch_3.bin] expected labels from 0 to 9, got 10 in record 1"));
  write_bytes(folder / "data_batch_3.bin", "");
  EXPECT_THAT(message_of<IoError>([&] { open_cifar10(folder.path(), "train"); }), HasSubstr("got 0 bytes"));
  std::filesystem::remove(folder / "data_batch_3.bin");
  EXPECT_THAT(message_of<IoError>([&] { open_cifar10(folder.path(), "train"); }),
              HasSubstr("data_batch_3.bin] expected a batch of the official binary version, got no such file"));
  EXPECT_THROW(open_cifar10(folder.path(), "val"), std::invalid_argument);
}

TEST(Cifar, Has100FineAnd20CoarseLabels) {
  const TemporaryFolder folder;
  write_bytes(folder / "train.bin", record({19, 99}) + record({4, 0}));
  write_bytes(folder / "test.bin", record({0, 4}));
  const auto fine = open_cifar100(folder.path(), "train");
  EXPECT_EQ(fine->label(0), 99);
  EXPECT_EQ(fine->info().class_names.size(), 100);
  EXPECT_EQ(fine->info().class_names[99], "worm");
  std::array<int32_t, 2> classes{};
  fine->factors(1, classes);
  EXPECT_THAT(classes, ElementsAre(0, 4));
  EXPECT_THAT(fine->image(1).at(1, 0), ElementsAre(99, 2, 3));
  const auto coarse = open_cifar100(folder.path(), "all", {.coarse = true});
  EXPECT_EQ(coarse->label(0), 19);
  EXPECT_EQ(coarse->info().class_names[4], "fruit_and_vegetables");
  EXPECT_EQ(coarse->size(), 3);
  write_bytes(folder / "train.bin", record({20, 0}));
  EXPECT_THAT(message_of<IoError>([&] { open_cifar100(folder.path(), "train"); }),
              HasSubstr("expected labels from 0 to 19, got 20"));
}

// The published mean and deviation of the training pictures.
TEST(Cifar, RealDataHaveTheKnownStatistics) {
  const char* named = std::getenv("ORTHANT_CIFAR10");
  const char* home = std::getenv("HOME");
  const std::string folder =
      named ? named : std::string(home ? home : "") + "/.cache/orthant/data/cifar-10-batches-bin";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no CIFAR-10: set ORTHANT_CIFAR10 to cifar-10-batches-bin";
  const auto statistics = dataset_statistics(*open_cifar10(folder, "train"));
  EXPECT_EQ(statistics.items, 50'000);
  EXPECT_THAT(statistics.per_class, ::testing::Each(5000));
  EXPECT_NEAR(statistics.mean[0], 0.4914, 1e-4);
  EXPECT_NEAR(statistics.mean[1], 0.4822, 1e-4);
  EXPECT_NEAR(statistics.mean[2], 0.4465, 1e-4);
  EXPECT_NEAR(statistics.deviation[0], 0.2470, 1e-4);
  EXPECT_NEAR(statistics.deviation[1], 0.2435, 1e-4);
  EXPECT_NEAR(statistics.deviation[2], 0.2616, 1e-4);
}

}  // namespace
}  // namespace orthant
