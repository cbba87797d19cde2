#include "orthant/report/where_item.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "orthant/io/image_file.h"
#include "orthant/report/where_document.h"
#include "orthant/sound/spectrogram.h"
#include "tests/catalogue/pictures.h"
#include "tests/support/message_of.h"
#include "tests/support/wav.h"

namespace orthant::report {
namespace {

using nlohmann::json;
using test::message_of;
using ::testing::HasSubstr;

// Tones of 2 seconds.
class Tones : public Dataset {
 public:
  Tones() { info_.sound = true; }
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return 4; }
  Sound sound(int64_t i) const override { return {16000, test::tone(300.0 * static_cast<double>(i + 1), 2)}; }
  Image image(int64_t i) const override { return sound::sound_picture(sound(i), 64); }

 private:
  DatasetInfo info_;
};

std::unique_ptr<catalogue::Catalogue> run_of(DatasetPtr data, std::optional<Preprocessing> sound) {
  auto items = std::make_shared<catalogue::Items>();
  items->pictures = std::move(data);
  items->ids = {"a", "b", "c", "d"};
  items->rows = {3, 2, 1, 0};
  catalogue::RunRecord record;
  record.name = "run";
  record.sound = sound;
  Embeddings embeddings;
  embeddings.features = Matrix(4, 2, {1, 0, 0, 1, 1, 1, 2, 1});
  return std::make_unique<catalogue::Catalogue>(record, std::move(embeddings), std::move(items));
}

Preprocessing of_sounds() {
  Preprocessing preprocessing;
  preprocessing.size = 32;
  preprocessing.sound.seconds = 1;
  preprocessing.sound.high = 4000;
  return preprocessing;
}

TEST(WhereItem, AsksAboutTheSpectrogramThatTheModelTakes) {
  const auto run = run_of(std::make_shared<Tones>(), of_sounds());
  const WhereItem item = where_item(*run, 1);
  const Image asked = io::decode_image(std::as_bytes(std::span(item.question)), "asked");
  EXPECT_EQ(asked, sound::spectrogram(Tones().sound(2), of_sounds().sound, 32));
  EXPECT_EQ(item.picture.width, 64);
  ASSERT_TRUE(item.shown);
  EXPECT_NEAR(item.shown->end, 2, 1e-9);
  EXPECT_GT(item.shown->high, 7000);
}

TEST(WhereItem, PutsTheMapOnThePictureThatIsShown) {
  const auto run = run_of(std::make_shared<Tones>(), of_sounds());
  const WhereItem item = where_item(*run, 0);
  heat::HeatMaps maps{.rows = 1, .cols = 2, .box = {.left = 0.25F, .top = 0, .width = 0.5F, .height = 1}};
  maps.maps = Matrix(1, 2, {0, 3});
  maps.values = {3};
  maps.rests = {0};
  const heat::HeatMaps moved = on_picture(maps, item);
  EXPECT_FLOAT_EQ(moved.box.left, 0.25F);
  EXPECT_GT(moved.box.top, 0.2F);  // above 4 kHz the model hears nothing
  const auto feature = std::vector<int64_t>{1};
  const json document = json::parse(where_document(moved, feature, {}, &item));
  EXPECT_EQ(document["sound"]["seconds"], json({0.0, 2.0}));
  EXPECT_EQ(document["sound"]["seen"], json({0.5, 1.5}));
  EXPECT_EQ(document["maps"][0]["place"]["seconds"], json({1.0, 1.5}));
  EXPECT_EQ(document["maps"][0]["place"]["share"], 1.0);
  EXPECT_THAT(document["maps"][0]["place"]["words"].get<std::string>(), testing::StartsWith("1.00-1.50 s, "));
  EXPECT_NEAR(document["maps"][0]["place"]["hz"][1].get<double>(), 4000, 200);
}

TEST(WhereItem, OfPicturesIsThePictureItself) {
  const auto run = run_of(std::make_shared<test::Pictures>(test::noise(4, 5, 6, 3)), {});
  const WhereItem item = where_item(*run, 0);
  EXPECT_EQ(io::decode_image(std::as_bytes(std::span(item.question)), "asked"), test::noise(4, 5, 6, 3)[3]);
  EXPECT_FALSE(item.shown);
  EXPECT_EQ(on_picture({.box = {0.5F, 0, 0.5F, 1}}, item).box, (heat::Box{0.5F, 0, 0.5F, 1}));
}

TEST(WhereItem, RefusesItemsThatTheModelDoesNotTake) {
  const auto pictures = run_of(std::make_shared<test::Pictures>(test::noise(4, 5, 6, 3)), of_sounds());
  EXPECT_FALSE(can_ask_where(*pictures));
  EXPECT_THAT(message_of([&] { where_item(*pictures, 0); }),
              HasSubstr("[run] expected items that its model takes, sounds, got others"));
  EXPECT_FALSE(can_ask_where(*run_of(std::make_shared<Tones>(), {})));
}

}  // namespace
}  // namespace orthant::report
