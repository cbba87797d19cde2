#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "orthant/catalogue/names.h"
#include "orthant/io/embeddings_file.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;

// Forty items of two classes; feature 0 is on for dogs, 1 for cats, 2 for none.
class NameCommand : public ::testing::Test {
 protected:
  NameCommand() {
    Embeddings embeddings;
    Matrix features(40, 3);
    std::string captions;
    std::string table = "file\tcaption\n";
    for (int64_t i = 0; i < 40; ++i) {
      embeddings.labels.push_back(i % 2);
      embeddings.ids.push_back(std::string(i % 2 ? "cats" : "dogs") + "/" + std::to_string(i) + ".jpg");
      features(i, i % 2) = 1;
      const std::string caption = i % 2 ? "a cat sleeps" : "a dog runs";
      captions += caption + "\n";
      table += embeddings.ids.back() + "\t" + caption + "\n" + embeddings.ids.back() + "\tan animal\n";
    }
    embeddings.features = std::move(features);
    embeddings.class_names = {"dog", "cat"};
    io::write_embeddings(path(), embeddings);
    test::write_bytes(folder_ / "captions.txt", captions);
    test::write_bytes(folder_ / "captions.tsv", table);
  }

  std::string path() const { return folder_ / "e.safetensors"; }
  std::string names_path() const { return path() + ".names.json"; }

  test::Finished name(const std::vector<std::string>& more) {
    std::vector<std::string> words = {"name", path()};
    words.insert(words.end(), more.begin(), more.end());
    return test::run_orthant(words);
  }

  test::TemporaryFolder folder_;
};

TEST_F(NameCommand, ProposesClassesAndKeepsThemForThePage) {
  const auto result = name({"--json"});
  ASSERT_EQ(result.code, 0) << result.errors;
  const auto told = nlohmann::json::parse(result.output);
  EXPECT_EQ(told["proposed"].size(), 2U);
  EXPECT_EQ(told["proposed"][0]["name"], "dog");
  EXPECT_EQ(told["above_chance"], 2);
  const auto kept = catalogue::Names(names_path(), 3).proposed();
  EXPECT_EQ(kept.at(1).name, "cat");
  EXPECT_EQ(kept.at(1).from, "labels");
  EXPECT_FALSE(kept.contains(2));
}

TEST_F(NameCommand, TakesWordsOfTextsTablesAndFileNames) {
  for (const std::string& from : {folder_ / "captions.txt", folder_ / "captions.tsv", std::string("ids")}) {
    const auto result = name({"--from", from, "--json", "--dry-run"});
    ASSERT_EQ(result.code, 0) << result.errors;
    const auto first = nlohmann::json::parse(result.output)["proposed"][0]["name"].get<std::string>();
    EXPECT_TRUE(first == "dog" || first == "runs" || first == "dogs") << from << ": " << first;
  }
  EXPECT_FALSE(std::filesystem::exists(names_path()));
}

TEST_F(NameCommand, TakesNamedVectors) {
  Embeddings vectors;
  vectors.features = Matrix(2, 2, {1, 0, 0, 1});
  io::write_embeddings(folder_ / "w.npy", vectors);
  test::write_bytes(folder_ / "w.txt", "hound\nkitten\n");
  Matrix items(40, 2);
  for (int64_t i = 0; i < 40; ++i) items(i, i % 2) = 3;
  vectors.features = std::move(items);
  io::write_embeddings(folder_ / "v.npy", vectors);
  const std::string from = (folder_ / "w.npy") + "," + (folder_ / "w.txt");
  const auto result = name({"--from", from, "--vectors", folder_ / "v.npy", "--json"});
  ASSERT_EQ(result.code, 0) << result.errors;
  EXPECT_EQ(nlohmann::json::parse(result.output)["proposed"][1]["name"], "kitten");
  EXPECT_THAT(name({"--from", from}).errors, HasSubstr("[--from] expected --vectors"));
}

TEST_F(NameCommand, RefusesBadInputInOneLine) {
  test::write_bytes(folder_ / "short.txt", "one\ntwo\n");
  const auto result = name({"--from", folder_ / "short.txt"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.errors, HasSubstr("short.txt] expected 40 lines, one for each item, got 2"));
  EXPECT_THAT(name({"--from", "factors"}).errors, HasSubstr("[factors] expected items with factors, got none"));
  EXPECT_EQ(name({"--from", folder_ / "missing.txt"}).code, 1);
  EXPECT_FALSE(std::filesystem::exists(names_path()));
}

}  // namespace
}  // namespace orthant
