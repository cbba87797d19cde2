#include <gtest/gtest.h>

#include <csignal>

#include "orthant/index/checksum.h"
#include "orthant/index/edit.h"
#include "orthant/io/embeddings_file.h"
#include "tests/index/naive.h"
#include "tests/support/message_of.h"
#include "tests/support/program.h"
#include "tests/support/running.h"
#include "tests/support/temporary_folder.h"

namespace orthant::index {
namespace {

using test::message_of;
using test::random_embeddings;
using test::random_query;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;

std::vector<Hit> ask(const std::string& path) {
  const Index index = Index::open(path);
  const Query query = random_query(index.features(), 0.4, 3, true);
  return search(index, std::span(&query, 1), Mask(index), {.k = 5, .threads = 1})[0].hits;
}

// The values are those of the words of docs/formats.md done in Python.
TEST(IndexFile, ChecksumsAreThoseOfTheDocument) {
  const std::string text = "orthant";
  std::string bytes;
  for (int n = 0; n < 200; ++n) bytes += static_cast<char>(n);
  EXPECT_EQ(checksum({}), 0xb3cd661e75e405e5ULL);
  EXPECT_EQ(checksum(std::as_bytes(std::span(text))), 0x7a94f45d1cc38185ULL);
  EXPECT_EQ(checksum(std::as_bytes(std::span(bytes))), 0xc1c856e3cc307871ULL);
}

// Cut anywhere, it is refused when it is opened; with a bit turned, when it is opened or verified, unless the bit lies
// between two sections.
TEST(IndexFile, DamageIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.oix";
  build_index(path, random_embeddings(200, 12, 0.3, 1), "x", {.values = Values::u16});
  const std::string whole = read_bytes(path);
  const auto expected = ask(path);
  for (size_t length = 0; length < whole.size(); length += 1 + whole.size() / 97) {
    write_bytes(path, whole.substr(0, length));
    const std::string message = message_of([&] { ask(path); });
    EXPECT_TRUE(message.starts_with("[" + path + "] expected ")) << length << ": " << message;
  }
  write_bytes(path, whole + "x");
  EXPECT_TRUE(message_of([&] { ask(path); }).starts_with("[" + path + "] expected a file of "));
  int refused = 0;
  int same = 0;
  for (size_t at = 0; at < whole.size(); at += 7) {
    std::string turned = whole;
    turned[at] = static_cast<char>(turned[at] ^ (1 << (at % 8)));
    write_bytes(path, turned);
    const std::string message = message_of([&] {
      Index::open(path).verify(1);
      throw std::runtime_error("fine");
    });
    if (message == "fine") {
      EXPECT_EQ(ask(path), expected) << at;
      ++same;
    } else {
      EXPECT_TRUE(message.starts_with("[" + path + "] expected ")) << at << ": " << message;
      ++refused;
    }
  }
  EXPECT_GT(refused, 20 * same);
}

// What a search touches is compared before it is used.
TEST(IndexFile, ADamagedListIsNotSearched) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.oix";
  build_index(path, random_embeddings(200, 12, 0.3, 1), "x");
  std::string bytes = read_bytes(path);
  const Directory directory = parse_directory(std::as_bytes(std::span(bytes)), path);
  const Section rows = directory.segments[0].windows[0].rows;
  bytes[static_cast<size_t>(rows.begin + rows.bytes / 2)] ^= 1;
  write_bytes(path, bytes);
  EXPECT_EQ(message_of([&] { ask(path); }), "[" + path + "] expected intact rows, got damaged ones at bytes " +
                                                std::to_string(rows.begin) + " to " +
                                                std::to_string(rows.begin + rows.bytes));
}

TEST(IndexFile, OtherFilesAreRefused) {
  const TemporaryFolder folder;
  write_bytes(folder / "a", "something else");
  EXPECT_EQ(message_of([&] { Index::open(folder / "a"); }),
            "[" + (folder / "a") + "] expected an index that orthant index wrote, got another kind of file");
}

// Killed at any moment, the old index is there, or the new one.
TEST(IndexFile, AKilledWriterLeavesTheOldOneOrTheNew) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.oix";
  Embeddings all = random_embeddings(3000, 32, 0.3, 1);
  build_index(path, all, "x");
  for (std::string& id : all.ids) id += " more";
  io::write_embeddings(folder / "more.safetensors", all);
  const std::string one = read_bytes(path);
  int kept = 0;
  for (int round = 0; round < 12; ++round) {
    write_bytes(path, one);
    test::Running running({"index", "add", path, folder / "more.safetensors", "--quiet"});
    std::this_thread::sleep_for(std::chrono::milliseconds(15 * round));
    running.end(SIGKILL);
    const Index index = Index::open(path);
    index.verify(1);
    EXPECT_TRUE(index.size() == 3000 || index.size() == 6000);
    kept += index.size() == 3000 ? 1 : 0;
  }
  EXPECT_GT(kept, 0);
  EXPECT_EQ(test::run_orthant({"index", "merge", path, "--quiet"}).code, 0);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_FALSE(entry.path().filename().string().ends_with(".tmp")) << entry.path();
  }
}

}  // namespace
}  // namespace orthant::index
