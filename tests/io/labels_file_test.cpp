#include "orthant/io/labels_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orthant/io/npy.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::io {
namespace {

using test::message_of;
using test::TemporaryFolder;
using test::write_bytes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(LabelsFile, TextHoldsNumbersUnderATitleOrNamesInAlphabeticalOrder) {
  const TemporaryFolder folder;
  write_bytes(folder / "numbers.txt", "label\n3\n-1\n3\n\n");
  const NamedLabels numbers = read_labels(folder / "numbers.txt");
  EXPECT_THAT(numbers.labels, ElementsAre(3, -1, 3));
  EXPECT_THAT(numbers.names, IsEmpty());
  write_bytes(folder / "names.txt", "dog\r\n\"cat\"\r\ndog\r\n");
  const NamedLabels names = read_labels(folder / "names.txt");
  EXPECT_THAT(names.labels, ElementsAre(1, 0, 1));
  EXPECT_THAT(names.names, ElementsAre("cat", "dog"));
}

TEST(LabelsFile, FactorsAreTheColumnsOfAnArray) {
  const TemporaryFolder folder;
  write_npy(folder / "f.npy", array_from<int64_t>({5, 0, 2, 0, 5, 1}, {3, 2}));
  const auto factors = read_factors(folder / "f.npy");
  ASSERT_EQ(factors.size(), 2U);
  EXPECT_THAT(factors[0].classes, ElementsAre(1, 0, 1));
  EXPECT_THAT(factors[0].values, ElementsAre(2, 5));
  EXPECT_THAT(factors[1].classes, ElementsAre(0, 0, 1));
}

TEST(LabelsFile, RefusesWhatIsNeither) {
  const TemporaryFolder folder;
  write_bytes(folder / "empty.txt", "");
  write_bytes(folder / "gap.txt", "cat\n\ndog\n");
  write_npy(folder / "flat.npy", array_from<int64_t>({1, 2}, {2}));
  EXPECT_THAT(message_of([&] { read_labels(folder / "empty.txt"); }), HasSubstr("got an empty file"));
  EXPECT_THAT(message_of([&] { read_labels(folder / "gap.txt"); }), HasSubstr("got an empty line 2"));
  EXPECT_THAT(message_of([&] { read_factors(folder / "flat.npy"); }), HasSubstr("expected integers [items, factors]"));
  EXPECT_THAT(message_of([&] { read_factors(folder / "gap.txt"); }), HasSubstr("expected an integer .npy"));
}

}  // namespace
}  // namespace orthant::io
