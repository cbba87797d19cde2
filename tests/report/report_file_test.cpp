#include "orthant/report/report_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "orthant/catalogue/sample.h"
#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/io/gzip.h"
#include "orthant/io/image_file.h"
#include "orthant/report/documents.h"
#include "orthant/report/page_html.h"
#include "tests/catalogue/pictures.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::report {
namespace {

using nlohmann::json;
using test::message_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;

// Some zeros, both signs.
Embeddings some_features(int64_t items, int64_t features, float scale = 1, uint64_t seed = 1) {
  Rng rng(seed);
  Matrix matrix(items, features);
  for (float& value : matrix.mutable_values())
    value = rng.bernoulli(0.3) ? scale * static_cast<float>(rng.normal()) : 0;
  Embeddings embeddings;
  embeddings.features = std::move(matrix);
  return embeddings;
}

std::shared_ptr<catalogue::Items> some_items(int64_t count, DatasetPtr pictures = nullptr) {
  auto items = std::make_shared<catalogue::Items>();
  items->pictures = std::move(pictures);
  for (int64_t i = 0; i < count; ++i) {
    items->ids.push_back("item/" + std::to_string(i));
    items->labels.push_back(i % 4 == 3 ? -1 : i % 4);
    if (items->pictures) items->rows.push_back(count - 1 - i);
  }
  items->classes = {"one", "two", "three"};
  items->spec = "made up";
  return items;
}

std::unique_ptr<catalogue::Catalogue> some_run(std::shared_ptr<const catalogue::Items> items, int64_t features = 6,
                                               float scale = 1, uint64_t seed = 1) {
  const int64_t count = items->size();
  catalogue::RunRecord record;
  record.name = "run";
  record.path = "runs/run";
  return std::make_unique<catalogue::Catalogue>(record, some_features(count, features, scale, seed), std::move(items));
}

// What a browser finds in the file.
json data_of(const std::string& html) {
  const std::string before = R"(<script id="orthant-data" type="application/json">)";
  const size_t begin = html.find(before) + before.size();
  EXPECT_EQ(html.find(before, begin), std::string::npos);
  return json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

std::vector<std::byte> from_base64(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::byte> bytes;
  uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<uint32_t>(letters.find(c));
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push_back(static_cast<std::byte>(bits >> held & 0xff));
  }
  return bytes;
}

template <class T>
std::vector<T> array(const json& data, const std::string& name) {
  const auto bytes = io::gunzip(from_base64(data["blobs"][name]), name, 1 << 28);
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

json document(const json& data, const std::string& name) {
  const auto bytes = array<char>(data, name);
  return json::parse(bytes.begin(), bytes.end());
}

float from_half(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return static_cast<float>((bits & 0x8000) != 0 ? -magnitude : magnitude);
}

struct Written {
  std::string html;
  json data;
  ReportSummary summary;
};

Written write(const std::vector<const catalogue::Catalogue*>& runs, ReportOptions options = {}) {
  const TemporaryFolder folder;
  const ReportSummary summary = write_report(folder / "report.html", runs, options);
  const std::string html = test::read_bytes(folder / "report.html");
  EXPECT_EQ(summary.bytes, static_cast<int64_t>(html.size()));
  EXPECT_LE(summary.bytes, options.max_bytes);
  return {html, data_of(html), summary};
}

TEST(ReportFile, HoldsTheItemsOfTheCatalogue) {
  const auto run = some_run(some_items(50));
  const json data = write({run.get()}).data;
  std::vector<int32_t> labels;
  for (const int64_t label : run->items().labels) labels.push_back(static_cast<int32_t>(label));
  EXPECT_EQ(array<int32_t>(data, "labels"), labels);
  EXPECT_EQ(document(data, "ids"), json(run->items().ids));
  EXPECT_EQ(data["overview"]["data"]["items"], 50);
  EXPECT_FALSE(data["overview"]["data"].contains("items_shown"));
  EXPECT_TRUE(data["atlas"].is_null());
  const auto near = run->neighbours().values();
  EXPECT_EQ(array<int32_t>(data, "r0.neighbours"), std::vector<int32_t>(near.begin(), near.end()));
  EXPECT_EQ(document(data, "r0.clean")["items"], 50);
}

TEST(ReportFile, FeaturesAreThoseOfTheCatalogueToSixteenBits) {
  for (const float scale : {1.0F, 1e-7F, 1e8F}) {
    const auto run = some_run(some_items(50), 6, scale);
    const json data = write({run.get()}).data;
    const auto indptr = array<uint32_t>(data, "r0.indptr");
    const auto indices = array<uint16_t>(data, "r0.indices");
    const auto values = array<uint16_t>(data, "r0.values");
    ASSERT_EQ(indptr.size(), 51U);
    for (int64_t i = 0; i < 50; ++i) {
      std::map<int64_t, float> found;
      for (size_t at = indptr[static_cast<size_t>(i)]; at < indptr[static_cast<size_t>(i) + 1]; ++at) {
        found[indices[at]] = from_half(values[at]) * data["scales"][0].get<float>();
      }
      run->matrix().visit_row(i, [&](int64_t feature, float value) {
        if (value != 0) {
          EXPECT_NEAR(found[feature] / value, 1, 1.0 / 1024) << scale;
        }
        if (value == 0) {
          EXPECT_FALSE(found.contains(feature));
        }
      });
    }
  }
}

TEST(ReportFile, FeaturePagesAndMapsAreThoseOfTheServer) {
  const auto run = some_run(some_items(40));
  const json data = write({run.get()}).data;
  const json pages = document(data, "r0.features");
  ASSERT_EQ(pages.size(), 6U);
  for (int64_t f = 0; f < 6; ++f) EXPECT_EQ(pages[static_cast<size_t>(f)], json::parse(feature_document(*run, f)));
  for (const std::string& name : run->map_names()) {
    const auto points = array<int16_t>(data, "r0.map." + name);
    const auto expected = run->map(name).values();
    ASSERT_EQ(points.size(), expected.size());
    for (size_t i = 0; i < points.size(); ++i) EXPECT_NEAR(points[i] / 32767.0, expected[i], 0.51 / 32767);
  }
}

TEST(ReportFile, TellsWhereFeaturesFireInTheirStrongestItems) {
  const auto run = some_run(some_items(40, std::make_shared<const test::Pictures>(test::noise(40, 8, 8, 3))));
  ReportOptions options;
  std::vector<heat::Question> asked;
  options.where = {[&](const heat::Question& question) {
    asked.push_back(question);
    heat::HeatMaps maps{.method = heat::Method::kOcclusion, .rows = 1, .cols = 2};
    maps.maps = Matrix(std::ssize(question.features), 2);
    for (int64_t m = 0; m < maps.count(); ++m) {
      maps.maps(m, 0) = -1;
      maps.maps(m, 1) = static_cast<float>(question.features[static_cast<size_t>(m)] + 2);
    }
    maps.values.assign(question.features.size(), 7);
    maps.rests.assign(question.features.size(), 0);
    return maps;
  }};
  const json where = document(write({run.get()}, options).data, "r0.where");
  EXPECT_EQ(where["method"], "occlusion");
  EXPECT_EQ(where["grid"], json({1, 2}));
  for (int64_t f = 0; f < 6; ++f) {
    const auto& maps = where["features"][std::to_string(f)];
    const auto top = run->feature(f).top;
    EXPECT_GE(maps.size(), std::min<size_t>(top.size(), 12)) << f;
    const auto of_best = std::ranges::find_if(maps, [&](const json& map) { return map["item"] == top[0].item; });
    ASSERT_NE(of_best, maps.end()) << f;
    EXPECT_EQ((*of_best)["largest"], f + 2);
    const auto steps = from_base64((*of_best)["parts"]);
    EXPECT_EQ(static_cast<int8_t>(steps[0]), -static_cast<int8_t>(std::lround(127.0 / static_cast<double>(f + 2))));
    EXPECT_EQ(static_cast<int8_t>(steps[1]), 127);
  }
  for (const heat::Question& question : asked) EXPECT_FALSE(question.picture.empty());
  EXPECT_FALSE(write({run.get()}).data["blobs"].contains("r0.where"));
}

TEST(ReportFile, RunsAreComparedTwoByTwo) {
  const auto items = some_items(60);
  const auto a = some_run(items, 5);
  const auto b = some_run(items, 5, 3);
  const auto c = some_run(items, 7, 1, 9);
  const json data = write({a.get(), b.get(), c.get()}).data;
  const json same = document(data, "r0.compare.r1");
  ASSERT_EQ(same["pairs"].size(), 5U);
  for (const json& pair : same["pairs"]) {
    EXPECT_EQ(pair["a"], pair["b"]);
    EXPECT_NEAR(pair["similarity"].get<double>(), 1, 1e-5);
  }
  EXPECT_EQ(document(data, "r1.compare.r2")["b"], 2);
  EXPECT_TRUE(data["blobs"].contains("r0.compare.r2"));
  EXPECT_EQ(data["overview"]["runs"].size(), 3U);
}

TEST(ReportFile, PicturesAreExactWhereThereIsRoom) {
  const auto pictures = std::make_shared<const test::Pictures>(test::noise(45, 10, 20, 3));
  const auto run = some_run(some_items(45, pictures));
  const Written report = write({run.get()});
  EXPECT_EQ(report.summary.pictures, "png");
  EXPECT_FALSE(report.summary.pictures_scaled);
  const json& atlas = report.data["atlas"];
  EXPECT_EQ(atlas["format"], "png");
  const Image sheet = io::decode_image(from_base64(report.data["blobs"]["atlas.0"]), "atlas");
  for (int64_t i = 0; i < 45; ++i) {
    const Image expected = pictures->image(44 - i);
    const int64_t top = i / atlas["per_row"].get<int64_t>() * atlas["tile_h"].get<int64_t>();
    const int64_t left = i % atlas["per_row"].get<int64_t>() * atlas["tile_w"].get<int64_t>();
    for (int64_t y = 0; y < atlas["height"]; ++y) {
      for (int64_t x = 0; x < atlas["width"]; ++x) {
        ASSERT_TRUE(std::ranges::equal(sheet.at(top + y, left + x), expected.at(y, x))) << i;
      }
    }
  }
}

TEST(ReportFile, HostileTextStaysText) {
  const TemporaryFolder folder;
  const std::string evil = "</script><script>alert(1)</script><!--\u2028\"'\\ \U0001F600" + std::string(9000, '<');
  auto items = some_items(20);
  items->classes[0] = evil;
  items->ids[3] = evil;
  items->spec = evil;
  catalogue::RunRecord record;
  record.name = evil;
  record.path = evil;
  record.method = evil;
  record.recipe = {{evil, evil, evil, evil}};
  record.names_path = folder / "names.json";
  catalogue::Catalogue run(record, some_features(20, 4), items);
  run.names().set(2, {.name = "</script>", .note = evil.substr(0, 9000)});
  const Written report = write({&run});
  EXPECT_EQ(report.data["overview"]["runs"][0]["name"], evil);
  EXPECT_EQ(report.data["overview"]["data"]["classes"][0], evil);
  EXPECT_EQ(document(report.data, "ids")[3], evil);
  EXPECT_EQ(report.data["names"]["0"]["features"]["2"]["name"], "</script>");
  const auto count = [](const std::string& text, const std::string& word) {
    size_t found = 0;
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
  };
  const std::string page(kPageHtml, kPageHtmlSize);
  EXPECT_EQ(count(report.html, "<script"), count(page, "<script") + 1);
  EXPECT_EQ(count(report.html, "</script"), count(page, "</script") + 1);
}

TEST(ReportFile, IsTheSameForAnyNumberOfThreads) {
  const auto run = some_run(some_items(100, std::make_shared<const test::Pictures>(test::noise(100, 8, 8, 1))));
  EXPECT_EQ(write({run.get()}, {.threads = 1}).data["blobs"], write({run.get()}, {.threads = 3}).data["blobs"]);
}

TEST(ReportFile, EachWayOfSavingSpaceIsTakenInTurn) {
  const auto pictures = std::make_shared<const test::Pictures>(test::noise(300, 48, 48, 3));
  const auto run = some_run(some_items(300, pictures));
  const ReportSummary exact = write({run.get()}, {.max_bytes = 30'000'000}).summary;
  EXPECT_EQ(exact.pictures, "png");
  // Below three times its size the exact pictures are given up; every later size is just too small for the one before.
  std::vector<int> qualities;
  std::vector<int64_t> sides;
  int64_t limit = exact.bytes * 3 - 3;
  ReportSummary last;
  for (int step = 0; step < 4; ++step) {
    last = write({run.get()}, {.max_bytes = limit}).summary;
    EXPECT_EQ(last.pictures, "jpeg");
    EXPECT_EQ(last.items_shown, 300);
    qualities.push_back(last.quality);
    sides.push_back(last.picture_width);
    limit = last.bytes - 1;
  }
  EXPECT_EQ(qualities, (std::vector<int>{90, 75, 60, 60}));
  EXPECT_EQ(sides, (std::vector<int64_t>{48, 48, 48, 32}));
  EXPECT_TRUE(last.pictures_scaled);
  const Written fewer = write({run.get()}, {.max_bytes = limit});
  EXPECT_LT(fewer.summary.items_shown, 300);
  EXPECT_GE(fewer.summary.items_shown, 200);
  EXPECT_EQ(fewer.data["overview"]["data"]["items"], 300);
  EXPECT_EQ(fewer.data["overview"]["data"]["items_shown"], fewer.summary.items_shown);
  const auto shown = static_cast<size_t>(fewer.summary.items_shown);
  EXPECT_EQ(document(fewer.data, "ids").size(), shown);
  EXPECT_EQ(array<uint32_t>(fewer.data, "r0.indptr").size(), shown + 1);
  for (const int32_t item : array<int32_t>(fewer.data, "r0.neighbours")) EXPECT_LT(item, fewer.summary.items_shown);
}

TEST(ReportFile, SmallPicturesAreNotTriedTwice) {
  const auto pictures = std::make_shared<const test::Pictures>(test::noise(150, 8, 8, 3));
  const auto run = some_run(some_items(150, pictures));
  const int64_t limit = write({run.get()}, {.max_bytes = 30'000'000}).summary.bytes;
  int64_t told = 0;
  ReportOptions options{.max_bytes = limit};
  options.progress = [&](const std::string& what, int64_t, int64_t) { told += what == "pictures"; };
  write({run.get()}, options);
  EXPECT_LE(told, 3);
}

TEST(ReportFile, SaysWhatToDoIfNothingHelps) {
  const TemporaryFolder folder;
  const auto run = some_run(some_items(120));
  const std::vector<const catalogue::Catalogue*> runs = {run.get()};
  const std::string path = folder / "report.html";
  EXPECT_THAT(message_of([&] { write_report(path, runs, {.max_bytes = 100'000}); }),
              HasSubstr("expected a report of at most 100000 bytes, got more even with 100 items and small pictures; "
                        "allow a larger file, or show fewer runs or features"));
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_THROW(write_report(path, runs, {.max_bytes = 0}), std::invalid_argument);
  EXPECT_THROW(write_report(path, std::vector<const catalogue::Catalogue*>{}), std::invalid_argument);
}

TEST(ReportFile, ReplacesAFileOnlyIfItMay) {
  const TemporaryFolder folder;
  const std::string path = folder / "report.html";
  test::write_bytes(path, "mine");
  const auto run = some_run(some_items(5));
  const std::vector<const catalogue::Catalogue*> runs = {run.get()};
  EXPECT_THROW(write_report(path, runs), std::invalid_argument);
  EXPECT_EQ(test::read_bytes(path), "mine");
  EXPECT_NO_THROW(write_report(path, runs, {.overwrite = true}));
  EXPECT_THROW(write_report(folder / "no/report.html", runs), IoError);
}

TEST(ReportFile, OneItemAndOneFeatureAreEnough) {
  const auto run = some_run(some_items(1), 1);
  const json data = write({run.get()}).data;
  EXPECT_EQ(array<uint32_t>(data, "r0.indptr").size(), 2U);
  EXPECT_TRUE(array<int32_t>(data, "r0.neighbours").empty());
}

TEST(Sample, IsEvenRisingAndWithoutAPeriod) {
  const auto rows = catalogue::even_sample(10'000, 1000);
  std::vector<int> classes(10);
  for (size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(rows[k] / 10, static_cast<int64_t>(k));
    ++classes[static_cast<size_t>(rows[k] % 10)];
  }
  for (const int count : classes) EXPECT_NEAR(count, 100, 45);
  EXPECT_EQ(catalogue::even_sample(7, 7), (std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_THROW(catalogue::even_sample(7, 8), std::invalid_argument);
  EXPECT_THROW(catalogue::even_sample(7, 0), std::invalid_argument);
}

TEST(Sample, FeaturesAndPicturesStayWithTheirItems) {
  const auto pictures = std::make_shared<const test::Pictures>(test::noise(30, 4, 4, 1));
  const auto run = some_run(some_items(30, pictures));
  const std::vector<const catalogue::Catalogue*> runs = {run.get()};
  const std::vector<int64_t> rows = {2, 3, 17, 29};
  const auto fewer = catalogue::sampled(runs, rows);
  for (size_t k = 0; k < rows.size(); ++k) {
    const auto at = static_cast<size_t>(rows[k]);
    EXPECT_EQ(fewer[0]->items().ids[k], run->items().ids[at]);
    EXPECT_EQ(fewer[0]->items().labels[k], run->items().labels[at]);
    EXPECT_EQ(fewer[0]->items().rows[k], run->items().rows[at]);
    for (int64_t f = 0; f < 6; ++f) {
      EXPECT_EQ(fewer[0]->activations(f)[k], run->activations(f)[at]);
    }
  }
}

}  // namespace
}  // namespace orthant::report
