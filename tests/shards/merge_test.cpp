#include "orthant/shards/merge.h"

#include <gmock/gmock.h>

#include "orthant/io/embeddings_file.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::shards {
namespace {

using test::message_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;

// Items begin .. end - 1 of a whole, `views` of each.
Embeddings part_of(int64_t begin, int64_t end, int64_t views, bool sparse) {
  Embeddings part;
  Matrix features(views * (end - begin), 20);
  part.factors = {{"size", {1, 2}, {}, 0}};
  for (int64_t v = 0, row = 0; v < views; ++v) {
    for (int64_t i = begin; i < end; ++i, ++row) {
      features(row, i % 20) = static_cast<float>(i + 100 * v + 1);
      part.labels.push_back(i % 3 - 1);
      part.ids.push_back("item " + std::to_string(i) + "#" + std::to_string(v));
      part.factors[0].classes.push_back(static_cast<int32_t>(i % 2));
    }
  }
  part.class_names = {"a", "b"};
  part.how = {{"model", "m"}};
  if (sparse) {
    part.features = SparseMatrix::from_dense(features);
  } else {
    part.features = std::move(features);
  }
  return part;
}

TEST(MergeParts, IsWhatOneProcessMakes) {
  const TemporaryFolder folder;
  for (const int64_t views : {1, 2}) {
    std::vector<std::string> files;
    const std::vector<int64_t> ends = {0, 5, 6, 6, 13};  // unlike, one item, none
    for (size_t k = 1; k < ends.size(); ++k) {
      files.push_back(folder / (std::to_string(k) + ".safetensors"));
      const bool empty = ends[k] == ends[k - 1];
      io::write_embeddings(files.back(), empty ? Embeddings{} : part_of(ends[k - 1], ends[k], views, k % 2 == 0));
    }
    EXPECT_EQ(merge_parts(files, views), part_of(0, 13, views, true));
    EXPECT_EQ(merge_parts(files, views, {.folder = folder.path(), .memory = 32}), part_of(0, 13, views, true));
  }
}

TEST(MergeParts, RefusesWhatDoesNotBelongTogether) {
  const TemporaryFolder folder;
  io::write_embeddings(folder / "a.safetensors", part_of(0, 3, 1, false));
  Embeddings other = part_of(3, 5, 1, false);
  other.how["model"] = "another";
  io::write_embeddings(folder / "b.safetensors", other);
  EXPECT_THAT(message_of([&] {
                merge_parts({folder / "a.safetensors", folder / "b.safetensors"}, 1);
              }),
              HasSubstr("b.safetensors] expected a part of the same embeddings as the others, got 2 x 20"));
  EXPECT_THAT(message_of([&] { merge_parts({folder / "a.safetensors"}, 2); }), HasSubstr("a.safetensors] expected"));
  io::write_embeddings(folder / "c.safetensors", Embeddings{});
  EXPECT_THAT(message_of([&] { merge_parts({folder / "c.safetensors"}, 1); }), HasSubstr("got none in 1 files"));
}

}  // namespace
}  // namespace orthant::shards
