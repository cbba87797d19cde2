#include "orthant/data/notes.h"

#include <gmock/gmock.h>

namespace orthant {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Notes, AreSilentWhereAllIsAsItSeems) {
  DatasetInfo info;
  info.split = "train";
  info.splits = {{"train", 9}, {"test", 1}, {"all", 10}};
  EXPECT_THAT(notes(info), IsEmpty());
  info.split_made_here = true;
  info.split = "all";
  EXPECT_THAT(notes(info), IsEmpty());
}

TEST(Notes, TellWhatWasLeftOutAndWhy) {
  DatasetInfo info;
  info.split = "train";
  info.splits = {{"train", 9}, {"test", 1}, {"all", 10}};
  info.split_made_here = true;
  info.unreadable = {"a.jpg: cut off"};
  info.other_kinds = {{".gif", 3}, {".tiff", 1}};
  info.asked_for = 20;
  EXPECT_THAT(notes(info),
              ElementsAre("1 file left out because it cannot be used; the first: a.jpg: cut off",
                          "passed over, of kinds that are not read: 3 .gif, 1 .tiff",
                          "the data came without a split: train is 9 of 10 items, a tenth of each class being kept for "
                          "test; the split all has them all",
                          "20 items were asked for, but train has fewer: all are taken"));
}

}  // namespace
}  // namespace orthant
