#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "orthant/io/embeddings_file.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::read_bytes;
using test::run_orthant;
using test::TemporaryFolder;
using testing::HasSubstr;

// Four items, two classes, three features of which two have names.
std::string write_items(const TemporaryFolder& folder) {
  Embeddings embeddings;
  embeddings.features = Matrix(4, 3, {1, 0, 0, 0.5F, 0.5F, 0, 0, 1, 0, 0, 0, 1});
  embeddings.ids = {"a", "b", "c\t1", "d"};
  embeddings.labels = {0, 0, 1, -1};
  embeddings.class_names = {"cat", "dog"};
  embeddings.feature_names = {"wheel", "red car", ""};
  io::write_embeddings(folder / "x.safetensors", embeddings);
  return folder / "x.safetensors";
}

TEST(Find, IndexAndSearchSayWhatTheyFoundAndWhy) {
  const TemporaryFolder folder;
  const std::string index = folder / "x.oix";
  const auto built = run_orthant({"index", write_items(folder), "-o", index});
  ASSERT_EQ(built.code, 0) << built.errors;
  EXPECT_THAT(built.errors, HasSubstr("4 items x 3 features, 5 entries in 1 segment"));
  const auto found = run_orthant({"search", index, "--features", "wheel:1, -\"red car\":0.5", "-k", "2", "--explain"});
  EXPECT_EQ(found.code, 0) << found.errors;
  EXPECT_THAT(found.output, HasSubstr("exact, cosine, 4 items: "));
  EXPECT_THAT(found.output, HasSubstr("  1     0.8944  a  [cat]\n         0.8944  wheel (f0)  (asked 1, has 1)\n"));
  EXPECT_THAT(found.output, HasSubstr("  2     0.3162  b  [cat]\n"));
  EXPECT_THAT(found.output, HasSubstr("        -0.3162  red car (f1)  (asked -0.5, has 0.5)\n"));

  const auto json = run_orthant({"search", index, "--item", "b", "--filter", "not class=cat", "--json", "-k", "1"});
  const auto document = nlohmann::json::parse(json.output);
  EXPECT_TRUE(document.at("exact").get<bool>());
  EXPECT_EQ(document.at("allowed"), 2);
  EXPECT_EQ(document.at("queries").at(0).at("hits").at(0).at("id"), "c\t1");
  EXPECT_EQ(document.at("queries").at(0).at("hits").at(0).at("class"), "dog");

  const auto batch =
      run_orthant({"search", index, "--query", folder / "x.safetensors", "-k", "1", "-o", folder / "h.tsv"});
  EXPECT_EQ(batch.code, 0) << batch.errors;
  EXPECT_EQ(read_bytes(folder / "h.tsv"),
            "query\trank\tid\tclass\tscore\na\t1\ta\tcat\t1\nb\t1\tb\tcat\t1\nc\\t1\t1\tc\\t1\tdog\t1\nd\t1\td\t\t1\n");
}

TEST(Find, AnIndexIsChangedInPlace) {
  const TemporaryFolder folder;
  const std::string index = folder / "x.oix";
  const std::string items = write_items(folder);
  ASSERT_EQ(run_orthant({"index", items, "-o", index, "--metric", "dot", "--values", "u8"}).code, 0);
  EXPECT_EQ(run_orthant({"index", items, "-o", index}).code, 1);
  EXPECT_THAT(run_orthant({"index", "add", index, items}).errors, HasSubstr("expected new ids, got 'a'"));
  EXPECT_EQ(run_orthant({"index", "remove", index, "a", "d", "--quiet"}).code, 0);
  EXPECT_EQ(run_orthant({"index", "add", index, items, "--replace", "--quiet"}).code, 0);
  EXPECT_EQ(run_orthant({"index", "merge", index, "--quiet"}).code, 0);
  const auto verified = run_orthant({"index", "verify", index, "--json"});
  EXPECT_EQ(verified.code, 0) << verified.errors;
  const auto document = nlohmann::json::parse(verified.output);
  EXPECT_EQ(document.at("items"), 4);
  EXPECT_EQ(document.at("segments"), 1);
  EXPECT_EQ(document.at("metric"), "dot");
}

TEST(Find, FeaturesHaveTheNamesThatPeopleGaveThem) {
  const TemporaryFolder folder;
  Embeddings embeddings;
  embeddings.features = Matrix(2, 3, {1, 0, 0.5F, 0, 1, 0});
  io::write_embeddings(folder / "x.safetensors", embeddings);
  test::write_bytes(folder / "x.safetensors.names.json",
                    R"({"format": "orthant.names.1", "features": {"1": {"name": "two wheels", "note": ""}}})");
  const std::string index = folder / "x.oix";
  const auto built = run_orthant({"index", folder / "x.safetensors", "-o", index, "--quiet"});
  ASSERT_EQ(built.code, 0) << built.errors;
  const auto found = run_orthant({"search", index, "--features", "\"two wheels\"", "-k", "1", "--explain"});
  EXPECT_EQ(found.code, 0) << found.errors;
  EXPECT_THAT(found.output, HasSubstr("two wheels (f1)"));
  EXPECT_EQ(run_orthant({"search", index, "--item", "0", "--filter", "f0 or \"two wheels\">0.5"}).code, 0);
  EXPECT_THAT(run_orthant({"search", index, "--features", "\"two weels\""}).errors, HasSubstr("two wheels"));
}

TEST(Find, InfoKnowsAnIndex) {
  const TemporaryFolder folder;
  const std::string index = folder / "x.oix";
  ASSERT_EQ(run_orthant({"index", write_items(folder), "-o", index, "--values", "u16", "--quiet"}).code, 0);
  ASSERT_EQ(run_orthant({"index", "remove", index, "b", "--quiet"}).code, 0);
  const auto told = run_orthant({"info", index, "--json"});
  ASSERT_EQ(told.code, 0) << told.errors;
  const auto document = nlohmann::json::parse(told.output);
  EXPECT_EQ(document.at("kind"), "index");
  EXPECT_EQ(document.at("items"), 3);
  EXPECT_EQ(document.at("removed"), 1);
  EXPECT_EQ(document.at("features"), 3);
  EXPECT_EQ(document.at("feature_names"), true);
  EXPECT_NEAR(document.at("filled"), 5.0 / 12, 1e-9);
  EXPECT_EQ(document.at("segments"), 1);
  EXPECT_EQ(document.at("values"), "u16");
  EXPECT_EQ(document.at("bytes"), read_bytes(index).size());
  EXPECT_TRUE(document.at("recall").contains("0.95"));
  EXPECT_THAT(run_orthant({"info", index}).output, HasSubstr("header and directory are intact"));

  std::string damaged = read_bytes(index);
  damaged.back() ^= 1;
  test::write_bytes(index, damaged);
  EXPECT_THAT(run_orthant({"info", index}).errors, HasSubstr("expected an intact directory, got a damaged one"));
}

TEST(Find, MistakesAreOneLine) {
  const TemporaryFolder folder;
  const std::string index = folder / "x.oix";
  const std::string items = write_items(folder);
  ASSERT_EQ(run_orthant({"index", items, "-o", index, "--quiet"}).code, 0);
  EXPECT_EQ(run_orthant({"index"}).code, 2);
  EXPECT_EQ(run_orthant({"search", index}).code, 2);
  EXPECT_EQ(run_orthant({"search", index, "--image", "x.png"}).code, 2);
  EXPECT_EQ(run_orthant({"search", index, "--item", "a", "--recall", "2"}).code, 2);
  EXPECT_EQ(run_orthant({"search", index, "--item", "a", "-o", "hits.doc"}).code, 2);
  EXPECT_EQ(run_orthant({"search", items, "--item", "a"}).code, 1);
  EXPECT_THAT(run_orthant({"search", index, "--item", "z"}).errors, HasSubstr("expected the id of an item, got 'z'"));
  EXPECT_THAT(run_orthant({"search", index, "--features", "weel:1"}).errors, HasSubstr("did you mean 'wheel'?"));
  EXPECT_THAT(run_orthant({"search", index, "--item", "a", "--filter", "class=cow"}).errors, HasSubstr("got 'cow'"));
}

}  // namespace
}  // namespace orthant
