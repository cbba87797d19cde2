#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "orthant/io/embeddings_file.h"
#include "orthant/io/gzip.h"
#include "orthant/io/image_file.h"
#include "orthant/sources/open.h"
#include "tests/measure/random_features.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using nlohmann::json;
using test::read_bytes;
using test::run_orthant;
using test::TemporaryFolder;
using test::write_bytes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Embeddings some_embeddings(int64_t rows, int64_t cols = 4) {
  Embeddings embeddings;
  embeddings.features = test::random_features(rows, cols, 0.5, true, 1);
  for (int64_t i = 0; i < rows; ++i) embeddings.labels.push_back(i % 2);
  return embeddings;
}

// A run as `pretrain` and `embed` leave it, as far as it is looked at.
std::string make_run(const TemporaryFolder& folder, const std::string& name, const std::string& source,
                     const Embeddings& embeddings) {
  const std::string run = folder / name;
  std::filesystem::create_directories(run + "/embeddings");
  write_bytes(run + "/run.toml", "[data]\nsource = \"" + source + "\" # Data set\n[train]\nmethod = \"ncl\"\n");
  io::write_embeddings(run + "/embeddings/test-projector.safetensors", embeddings);
  return run;
}

json data_of(const std::string& path) {
  const std::string html = read_bytes(path);
  const std::string before = R"(<script id="orthant-data" type="application/json">)";
  const size_t begin = html.find(before) + before.size();
  return json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

// Runs `orthant report` on these words; the data of the page it wrote.
json shown(const TemporaryFolder& folder, std::vector<std::string> words) {
  words.insert(words.begin(), "report");
  words.insert(words.end(), {"--overwrite", "-o", folder / "page.html"});
  const auto finished = run_orthant(words);
  EXPECT_EQ(finished.code, 0) << finished.errors;
  return data_of(folder / "page.html");
}

std::string refused(const TemporaryFolder& folder, std::vector<std::string> words) {
  words.insert(words.begin(), "report");
  words.insert(words.end(), {"-o", folder / "refused.html"});
  const auto finished = run_orthant(words);
  EXPECT_EQ(finished.code, 1) << finished.output;
  return finished.errors;
}

std::vector<std::byte> from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::byte> bytes;
  uint32_t held = 0;
  int bits = 0;
  for (const char c : text.substr(0, text.find('='))) {
    held = held << 6 | static_cast<uint32_t>(digits.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<std::byte>(held >> bits & 255));
  }
  return bytes;
}

TEST(Look, PicturesFollowTheIdsOfASubset) {
  const TemporaryFolder folder;
  Embeddings embeddings = some_embeddings(3);
  embeddings.ids = {"7", "0", "5"};
  embeddings.labels.clear();
  io::write_embeddings(folder / "some.safetensors", embeddings);
  const json page = shown(folder, {folder / "some.safetensors", "--data", "sprites"});
  ASSERT_EQ(page["atlas"]["format"], "png");
  const auto sheet = from_base64(page["blobs"]["atlas.0"].get<std::string>());
  const Image atlas = io::decode_image(sheet, "atlas");
  const DatasetPtr sprites = open_dataset("sprites", {.split = "test"});
  const int64_t tile = page["atlas"]["tile_w"];
  for (int64_t place = 0; place < 3; ++place) {
    const Image picture = sprites->image(std::stoll(embeddings.ids[static_cast<size_t>(place)]));
    for (int64_t y = 0; y < picture.height; ++y) {
      for (int64_t x = 0; x < picture.width; ++x) {
        EXPECT_TRUE(std::ranges::equal(atlas.at(y, place * tile + x), picture.at(y, x))) << place << y << x;
      }
    }
  }
}

TEST(Look, ClassesHaveTheNamesThatAreKnown) {
  const TemporaryFolder folder;
  Embeddings embeddings = some_embeddings(6);
  embeddings.class_names = {"even", "odd"};
  io::write_embeddings(folder / "named.safetensors", embeddings);
  write_bytes(folder / "names.txt", "</script>\nb\na\nb\na\nb\n");
  write_bytes(folder / "numbers.txt", "1\n0\n1\n0\n1\n0\n");
  write_bytes(folder / "three.txt", "2\n0\n1\n0\n1\n0\n");
  const std::string file = folder / "named.safetensors";
  const auto classes = [&](const std::vector<std::string>& words) {
    return shown(folder, words)["overview"]["data"]["classes"].get<std::vector<std::string>>();
  };
  EXPECT_THAT(classes({file}), ElementsAre("even", "odd"));
  EXPECT_THAT(classes({file, "--labels", folder / "names.txt"}), ElementsAre("</script>", "a", "b"));
  EXPECT_THAT(classes({file, "--labels", folder / "numbers.txt"}), ElementsAre("even", "odd"));
  EXPECT_THAT(classes({file, "--labels", folder / "three.txt"}), ElementsAre("0", "1", "2"));
}

json unpacked(const json& page, const std::string& blob) {
  const auto bytes = io::gunzip(from_base64(page["blobs"][blob].get<std::string>()), blob, 10'000'000);
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  return json::parse(text, text + bytes.size());
}

TEST(Look, ItemsHaveTheTextsThatAreGiven) {
  const TemporaryFolder folder;
  io::write_embeddings(folder / "a.safetensors", some_embeddings(3));
  write_bytes(folder / "texts.txt", "a red heart\n</script><b>\nna\u00efve\n");
  const json page = shown(folder, {folder / "a.safetensors", "--texts", folder / "texts.txt"});
  EXPECT_EQ(page["overview"]["data"]["has_texts"], true);
  EXPECT_EQ(unpacked(page, "texts"), json::parse(R"([["a red heart"],["</script><b>"],["na\u00efve"]])"));
  write_bytes(folder / "two.txt", "a\nb\n");
  EXPECT_THAT(refused(folder, {folder / "a.safetensors", "--texts", folder / "two.txt"}),
              HasSubstr("expected a row for each of the 2 items"));
  write_bytes(folder / "bytes.txt", "a\n\xff\nc\n");
  EXPECT_THAT(refused(folder, {folder / "a.safetensors", "--texts", folder / "bytes.txt"}), HasSubstr("UTF-8"));
  write_bytes(folder / "gap.txt", "a\n\nc\n");
  EXPECT_THAT(refused(folder, {folder / "a.safetensors", "--texts", folder / "gap.txt"}), HasSubstr("line 2"));
  EXPECT_THAT(refused(folder, {folder / "a.safetensors", "--texts", folder / "none.txt"}), HasSubstr("none.txt"));
}

TEST(Look, CaptionsOfPicturesNameTheFeatures) {
  const TemporaryFolder folder;
  const DatasetPtr sprites = open_dataset("sprites", {.split = "test", .size = 400});
  Embeddings embeddings;
  Matrix features(400, 2);
  for (int64_t i = 0; i < 400; ++i) features(i, sprites->label(i) == 0 ? 0 : 1) = 1;
  const std::string shape = sprites->info().class_names[0];
  embeddings.features = std::move(features);
  io::write_embeddings(folder / "a.safetensors", embeddings);
  const json page =
      shown(folder, {folder / "a.safetensors", "--data", "sprites", "--texts", "captions", "--size", "400"});
  const json words = unpacked(page, "r0.features")[0]["words"];
  ASSERT_FALSE(words.empty());
  EXPECT_EQ(words[0]["word"], shape);
  EXPECT_GT(words[0]["with"], words[0]["without"]);
  EXPECT_EQ(page["atlas"]["format"], "png");
}

TEST(Look, ItemsAreCalledByTheIdsThatAreGiven) {
  const TemporaryFolder folder;
  io::write_embeddings(folder / "a.safetensors", some_embeddings(3));
  write_bytes(folder / "words.txt", "the\n</script>\n\xff of\n");
  const json page = shown(folder, {folder / "a.safetensors", "--ids", folder / "words.txt"});
  EXPECT_EQ(unpacked(page, "ids"), json({"the", "</script>", "\uFFFD of"}));
  write_bytes(folder / "two.txt", "the\nof\n");
  EXPECT_THAT(refused(folder, {folder / "a.safetensors", "--ids", folder / "two.txt"}),
              HasSubstr("two.txt] expected an id for each of the 3 rows of"));
  EXPECT_THAT(refused(folder, {folder / "a.safetensors", "--ids", folder / "none.txt"}), HasSubstr("none.txt"));
}

TEST(Look, LabelsOutOfRangeAreRefused) {
  const TemporaryFolder folder;
  io::write_embeddings(folder / "a.safetensors", some_embeddings(2));
  for (const char* labels : {"0\n10000\n", "0\n-2\n"}) {
    write_bytes(folder / "labels.txt", labels);
    EXPECT_THAT(refused(folder, {folder / "a.safetensors", "--labels", folder / "labels.txt"}),
                HasSubstr("expected classes from 0 to 9999"));
  }
}

TEST(Look, MeasuresAreKeptAndMadeAgainWhenStale) {
  const TemporaryFolder folder;
  const std::string run = make_run(folder, "ncl", "nothing", some_embeddings(12));
  const std::string file = run + "/measures.json";
  const json first = shown(folder, {run})["overview"]["runs"][0]["measures"];
  ASSERT_TRUE(std::filesystem::exists(file));
  EXPECT_EQ(json::parse(read_bytes(file)), first);
  EXPECT_EQ(first["input"]["rows"], 12);

  json edited = first;
  edited["sparsity"] = 0.125;
  write_bytes(file, edited.dump());
  const auto sparsity = [&] { return shown(folder, {run})["overview"]["runs"][0]["measures"]["sparsity"]; };
  EXPECT_EQ(sparsity(), 0.125);  // taken as it is

  edited["orthant"] = "0.0.0";
  for (const std::string& stale : {edited.dump(), std::string("{"), std::string("[]"), std::string("{\"input\":3}")}) {
    write_bytes(file, stale);
    EXPECT_EQ(sparsity(), first["sparsity"]) << stale;
    EXPECT_EQ(json::parse(read_bytes(file)), first);
  }
  edited["orthant"] = first["orthant"];
  write_bytes(file, edited.dump());
  const auto written = std::filesystem::last_write_time(file);
  std::filesystem::last_write_time(run + "/embeddings/test-projector.safetensors", written + std::chrono::seconds(5));
  EXPECT_EQ(sparsity(), first["sparsity"]);
}

TEST(Look, ADataSetThatHasMovedCostsThePicturesOnly) {
  const TemporaryFolder folder;
  const std::string run = make_run(folder, "ncl", "folder:" + (folder / "gone"), some_embeddings(5));
  const auto finished = run_orthant({"report", run, "-o", folder / "page.html"});
  EXPECT_EQ(finished.code, 0);
  EXPECT_THAT(finished.errors, HasSubstr("orthant: no pictures, as folder:"));
  const json overview = data_of(folder / "page.html")["overview"];
  EXPECT_EQ(overview["data"]["has_pictures"], false);
  EXPECT_EQ(overview["runs"][0]["method"], "ncl");
  EXPECT_EQ(overview["runs"][0]["recipe"][0],
            json::parse(R"(["data","source","folder:)" + (folder / "gone") + R"(","Data set, KIND[:PATH]"])"));
}

TEST(Look, SaysInWhatRunsDiffer) {
  const TemporaryFolder folder;
  Embeddings first = some_embeddings(4);
  first.ids = {"a", "b", "c", "d"};
  first.how["data"] = "pets";
  const auto saved = [&](const std::string& name, const Embeddings& embeddings) {
    io::write_embeddings(folder / name, embeddings);
    return folder / name;
  };
  const std::string a = saved("a.safetensors", first);
  Embeddings other = first;
  other.ids[2] = "</x>";
  EXPECT_THAT(refused(folder, {a, saved("ids.safetensors", other)}),
              HasSubstr("got the id '</x>' instead of 'c' in row 2"));
  other = first;
  other.labels[1] = 0;
  EXPECT_THAT(refused(folder, {a, saved("labels.safetensors", other)}), HasSubstr("got 0 instead of 1 in row 1"));
  other = first;
  other.how["data"] = "cars";
  EXPECT_THAT(refused(folder, {a, saved("data.safetensors", other)}),
              HasSubstr("expected the same data as " + a + ", got cars instead of pets"));
  EXPECT_THAT(refused(folder, {a, saved("rows.safetensors", some_embeddings(5))}),
              HasSubstr("got 5 rows instead of 4"));
  EXPECT_THAT(refused(folder, {a, "--data", "sprites"}), HasSubstr("got the id 'a' in row 0, which is not there"));
}

TEST(Look, AMalformedFileOfNamesIsRefusedByItsPath) {
  const TemporaryFolder folder;
  const std::string run = make_run(folder, "ncl", "nothing", some_embeddings(4));
  write_bytes(run + "/names.json", R"({"format":"orthant.names.1","features":{"4":{"name":"a"}}})");
  EXPECT_THAT(refused(folder, {run}), HasSubstr("[" + run + "/names.json] expected features from 0 to 3, got '4'"));
}

TEST(Look, AFolderThatIsNoRunIsRefused) {
  const TemporaryFolder folder;
  EXPECT_THAT(refused(folder, {folder.path().string()}), HasSubstr("expected a run with run.toml, got another folder"));
}

}  // namespace
}  // namespace orthant
