// Where in a sound: tones that are planted at a time and in a band are found there, by the library and the program.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "learn/explain/picture_input.h"
#include "learn/explain/picture_maps.h"
#include "learn/nn/model.h"
#include "orthant/heat/sound_place.h"
#include "orthant/io/image_file.h"
#include "orthant/io/npz.h"
#include "orthant/sound/encode.h"
#include "orthant/sound/spectrogram.h"
#include "orthant/views/mel.h"
#include "tests/support/message_of.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::message_of;
using test::run_orthant;
using testing::HasSubstr;

struct Tone {
  double hz;
  double begin;
  double end;
};

// A tone that swells and fades, in silence.
Sound planted(const Tone& tone, double seconds) {
  Sound sound{16000, std::vector<float>(static_cast<size_t>(seconds * 16000))};
  for (size_t i = 0; i < sound.samples.size(); ++i) {
    const double t = static_cast<double>(i) / 16000;
    if (t < tone.begin || t > tone.end) continue;
    const double swell = std::sin(std::numbers::pi * (t - tone.begin) / (tone.end - tone.begin));
    sound.samples[i] = static_cast<float>(0.5 * swell * swell * std::sin(2 * std::numbers::pi * tone.hz * t));
  }
  return sound;
}

ModelOptions options_of() {
  ModelOptions options;
  options.backbone.width = 16;
  options.backbone.channels = 1;
  options.backbone.image_size = 48;
  options.projector = {.hidden = 8, .out = 4, .depth = 1};
  options.preprocessing.size = 48;
  options.preprocessing.channels = 1;
  options.preprocessing.mean = {0.3, 0.3, 0.3};
  options.preprocessing.std = {0.2, 0.2, 0.2};
  options.preprocessing.sound.seconds = 1.2;
  return options;
}

Image spectrogram_of(const Sound& sound, const Preprocessing& p) { return sound::spectrogram(sound, p.sound, p.size); }

// A network as it comes, whose feature 0 is how far the last layer is, in the mean, from where a plain picture has it
// in the direction of a picture with the tone: linear in the places, so it answers to the tone where that is.
Model model_for(const Tone& tone) {
  Model model(options_of(), 3);
  const Preprocessing& p = model.options().preprocessing;
  {
    const at::NoGradGuard off;
    at::manual_seed(7);
    for (int i = 0; i < 3; ++i) model.forward(at::randn({8, 1, 48, 48}));
  }
  model.train(false);
  const EvalScope eval(model);
  const at::Tensor with = picture_input(spectrogram_of(planted(tone, 1.2), p), p).tensor;
  const at::Tensor without = model.backbone(at::full_like(with, with.mean().item<float>()))[0];
  const at::Tensor apart = model.backbone(with)[0] - without;
  model.projector().visit_parameters([&](const std::string&, at::Tensor& t) {
    t.zero_();
    if (t.dim() == 2) t[0].copy_(apart);
    if (t.dim() == 1) t[0] = -at::dot(apart, without);
  });
  return model;
}

void expect_found(const heat::SoundPlace& place, const Tone& tone) {
  EXPECT_LE(place.low, tone.hz) << heat::place_text(place);
  EXPECT_GE(place.high, tone.hz) << heat::place_text(place);
  EXPECT_LT(place.begin, tone.end) << heat::place_text(place);
  EXPECT_GT(place.end, tone.begin) << heat::place_text(place);
  EXPECT_LT(place.end - place.begin, 0.7) << heat::place_text(place);
  EXPECT_LT(views::hz_to_mel(place.high) - views::hz_to_mel(place.low), 1500) << heat::place_text(place);
}

TEST(WhereSound, APlantedToneIsFoundInItsTimeAndBand) {
  for (const auto method : {heat::Method::kAdditive, heat::Method::kOcclusion}) {
    for (const Tone& tone : {Tone{400, 0.15, 0.35}, Tone{2000, 0.75, 0.95}, Tone{5000, 0.35, 0.55}}) {
      Model model = model_for(tone);
      const Preprocessing& p = model.options().preprocessing;
      const Image picture = spectrogram_of(planted(tone, 1.2), p);
      const std::vector<int64_t> feature = {0};
      const PictureMaps found = picture_maps(model, picture, {.features = feature}, {.method = method});
      const auto place = heat::strongest_place(found.maps, 0, sound::spectrogram_axes(picture, p.sound));
      ASSERT_TRUE(place);
      expect_found(*place, tone);
    }
  }
}

TEST(WhereSound, TellsWhichPartOfALongSoundWasHeard) {
  const Tone tone{2000, 3.0, 3.3};
  const Preprocessing p = options_of().preprocessing;
  const Image picture = spectrogram_of(planted(tone, 6), p);
  const PictureInput input = picture_input(picture, p);
  const heat::HeatMaps maps{.rows = 1, .cols = 1, .box = input.box, .maps = Matrix(1, 1), .values = {0}, .rests = {0}};
  const heat::SoundPlace seen = heat::seen_place(maps, sound::spectrogram_axes(picture, p.sound));
  EXPECT_NEAR(seen.end - seen.begin, 1.2, 1e-4);
  EXPECT_LE(seen.begin, 3.0);
  EXPECT_GE(seen.end, 3.3);
  const PictureInput brief = picture_input(spectrogram_of(planted(tone, 0.6), p), p);
  EXPECT_FLOAT_EQ(brief.box.left, -0.5F);
  EXPECT_FLOAT_EQ(brief.box.width, 2);
  EXPECT_THAT(message_of([&] { picture_input(Image(32, 20, 1), p); }),
              HasSubstr("expected the spectrogram of a sound in 48 bands, got a picture of 32 x 20 x 1"));
}

class WhereSoundProgram : public testing::Test {
 protected:
  WhereSoundProgram() {
    Model model = model_for(tone_);
    model.save(model_);
    write("tone.flac", planted(tone_, 1.2));
    write("long.flac", planted({tone_.hz, 4.0, 4.2}, 6));
  }
  void write(const std::string& name, const Sound& sound) {
    const auto bytes = sound::encode_flac(sound);
    test::write_bytes(folder_ / name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  Tone tone_{2000, 0.75, 0.95};
  test::TemporaryFolder folder_;
  std::string model_ = folder_ / "model.safetensors";
};

TEST_F(WhereSoundProgram, NamesTimeAndBandOfSoundsOfOnesOwn) {
  const auto lines = run_orthant({"where", model_, "--sound", folder_ / "tone.flac", "--sound", folder_ / "long.flac",
                                  "--feature", "0", "-o", folder_ / "sheet.png", "--maps", folder_ / "maps.npz"});
  ASSERT_EQ(lines.code, 0) << lines.errors;
  EXPECT_THAT(lines.output, testing::ContainsRegex("tone.flac  f0 [0-9.]+: 0\\.[0-9]+-[01]\\.[0-9]+ s, .*kHz \\("));
  EXPECT_THAT(lines.output, testing::ContainsRegex("long.flac .*; looked at [34]\\.[0-9]+-[45]\\.[0-9]+ s of 6.00 s"));
  EXPECT_EQ(io::read_image(folder_ / "sheet.png").channels, 3);
  const auto file = io::Npz::open(folder_ / "maps.npz");
  EXPECT_EQ(file.read("seen").shape, (std::vector<int64_t>{2, 4}));

  const auto done = run_orthant({"where", model_, "--sound", folder_ / "tone.flac", "--feature", "0", "--json"});
  ASSERT_EQ(done.code, 0) << done.errors;
  const auto document = nlohmann::json::parse(done.output);
  const auto& map = document["maps"][0];
  EXPECT_EQ(map["sound"], folder_ / "tone.flac");
  EXPECT_NEAR(map["length"].get<double>(), 1.2, 1e-6);
  EXPECT_NEAR(map["seen"]["seconds"][1].get<double>(), 1.2, 1e-3);
  EXPECT_LT(map["seen"]["hz"][0].get<double>(), 100);
  const auto& place = map["strongest"];
  expect_found({.begin = place["seconds"][0],
                .end = place["seconds"][1],
                .low = place["hz"][0],
                .high = place["hz"][1],
                .share = place["share"]},
               tone_);
  EXPECT_NEAR(map["sum"].get<double>() + map["rest"].get<double>(), map["value"].get<double>(), 1e-4);
}

TEST_F(WhereSoundProgram, TakesItemsOfAFolder) {
  const std::string data = "audio:" + (folder_ / "");
  const auto done = run_orthant(
      {"where", model_, "--data", data, "--split", "all", "--item", "tone.flac", "--with", "long.flac", "--json"});
  ASSERT_EQ(done.code, 0) << done.errors;
  const auto document = nlohmann::json::parse(done.output);
  EXPECT_EQ(document["maps"].back()["with"], "long.flac");
}

TEST_F(WhereSoundProgram, RefusesWhatTheModelDoesNotTake) {
  const auto errors = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"where", model_});
    const auto done = run_orthant(words);
    EXPECT_EQ(done.code, 1) << done.errors;
    return done.errors;
  };
  io::write_png(folder_ / "own.png", Image(8, 8, 3));
  EXPECT_THAT(errors({"--image", folder_ / "own.png"}), HasSubstr("expected --sound FILE for a model of sounds"));
  EXPECT_THAT(errors({"--sound", folder_ / "own.png"}), HasSubstr("own.png] expected a sound"));
  EXPECT_THAT(errors({"--data", "sprites", "--item", "1"}),
              HasSubstr("[sprites] expected sounds, which the model takes, got pictures"));
}

}  // namespace
}  // namespace orthant
