#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "orthant/io/embeddings_file.h"
#include "orthant/io/npy_header.h"
#include "orthant/measure/evaluation.h"
#include "orthant/pack/pack_dataset.h"
#include "orthant/pack/pack_writer.h"
#include "orthant/shards/row_store.h"
#include "orthant/sources/open.h"
#include "tests/memory/peak.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::peak_of;
using test::TemporaryFolder;

constexpr int64_t kRows = 1 << 16;
constexpr int64_t kCols = 256;
constexpr int64_t kMatrixBytes = kRows * kCols * 4;  // 64 MiB

// What can be computed in passes over the rows, with sums of a size that the columns decide.
const std::vector<std::string> kSummed = {"sparsity",           "active_per_sample", "dead_features",
                                          "non_negative_ratio", "anchored_features", "class_consistency",
                                          "class_entropy",      "correlation",       "effective_rank"};

// A matrix with one entry in every 64th row; the rest is not even on the disk.
void write_large(const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  const std::string header = io::npy_header_text("<f4", std::vector<int64_t>{kRows, kCols});
  file << header;
  for (int64_t i = 0; i < kRows; i += 64) {
    const float value = 1.0F + static_cast<float>(i % 7);
    file.seekp(static_cast<std::streamoff>(std::ssize(header) + (i * kCols + i / 64 % kCols) * 4));
    file.write(reinterpret_cast<const char*>(&value), sizeof value);
  }
  file.close();
  std::filesystem::resize_file(path, static_cast<uintmax_t>(std::ssize(header) + kMatrixBytes));
}

std::vector<int64_t> some_labels() {
  std::vector<int64_t> labels(kRows);
  for (size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<int64_t>(i / 64 % 10);
  return labels;
}

TEST(Memory, SummedMeasuresTakeAFewBytesForEachRowOfAMappedMatrix) {
  const TemporaryFolder folder;
  write_large(folder / "large.npy");
  const std::vector<int64_t> labels = some_labels();
  const int64_t peak = peak_of([&] {
    const Embeddings embeddings = io::read_embeddings(folder / "large.npy");
    const auto report =
        measure::evaluate({.name = "large", .features = embeddings, .labels = labels}, {.only = kSummed, .threads = 2});
    EXPECT_TRUE(report.skipped.empty());
  });
  EXPECT_LT(peak, kMatrixBytes / 8);
}

TEST(Memory, SummedMeasuresLeaveSparseFeaturesInTheirFile) {
  const TemporaryFolder folder;
  constexpr int64_t kEntries = 64;  // of a row
  {
    shards::RowStore store;
    std::vector<float> row(1'024);
    for (int64_t i = 0; i < kRows; ++i) {
      std::ranges::fill(row, 0.0F);
      for (int64_t k = 0; k < kEntries; ++k) row[static_cast<size_t>((i + 16 * k) % 1'024)] = 1.0F;
      store.append(row);
    }
    Embeddings embeddings;
    embeddings.features = store.finish(1'024);
    ASSERT_TRUE(embeddings.sparse());
    io::write_embeddings(folder / "e.safetensors", embeddings);
  }
  const int64_t peak = peak_of([&] {
    const Embeddings embeddings = io::read_embeddings(folder / "e.safetensors");
    measure::evaluate({.name = "e", .features = embeddings}, {.only = {"sparsity", "dead_features"}, .threads = 2});
  });
  EXPECT_LT(peak, kRows * kEntries * 8 / 8);
}

TEST(Memory, RowsBeyondTheLimitGoToTheDisk) {
  const TemporaryFolder folder;
  const int64_t peak = peak_of([&] {
    shards::RowStore store({.folder = folder.path(), .memory = 1 << 20});
    const std::vector<float> row(1'024, 2.5F);
    for (int64_t i = 0; i < 16'384; ++i) store.append(row);
    const auto held = store.finish(1'024);
    EXPECT_EQ(std::get<Matrix>(held)(16'383, 1'023), 2.5F);
  });
  EXPECT_LT(peak, (int64_t{64} << 20) / 2) << "of a matrix of 64 MiB";
}

TEST(Memory, ADataSetOfVectorsStaysInItsFile) {
  const TemporaryFolder folder;
  write_large(folder / "large.npy");
  const int64_t peak = peak_of([&] {
    const DatasetPtr data = open_dataset("npy:" + (folder / "large.npy"));
    EXPECT_EQ(data->vector(0).size(), static_cast<size_t>(kCols));
  });
  EXPECT_LT(peak, kMatrixBytes / 8);
}

// However many pictures there are.
TEST(Memory, OpeningAPackTakesNextToNothing) {
  const TemporaryFolder folder;
  {
    pack::PackWriter writer(folder / "p", 1);
    writer.keep(0);
    pack::Contents contents;
    for (int i = 0; i < 100'000; ++i) {
      writer.append({}, std::as_bytes(std::span("x", 1)));
      contents.items.push_back({"a rather long name of a picture " + std::to_string(i) + ".jpg"});
    }
    writer.finish(contents);
  }
  const int64_t peak = peak_of([&] { EXPECT_EQ(open_pack(folder / "p", {.split = "all"})->size(), 100'000); });
  EXPECT_LT(peak, 100'000);
}

}  // namespace
}  // namespace orthant
