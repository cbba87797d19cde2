#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "orthant/io/embeddings_file.h"
#include "orthant/io/safetensors.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/wav.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::Finished;
using test::read_bytes;
using test::run_orthant;
using test::tone;
using test::wav;
using ::testing::HasSubstr;

// A folder of low and high tones, and runs of a small network on it.
class SoundCommands : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int k = 0; k < 12; ++k) {
      add("low/" + std::to_string(k) + ".wav", wav(tone(150 + 10 * k, 0.4 + 0.02 * k)));
      add("high/" + std::to_string(k) + ".wav", wav(tone(2000 + 200 * k, 0.4, 44100), 44100));
    }
  }

  void add(const std::string& name, const std::string& bytes) {
    const std::string path = folder_ / ("sounds/" + name);
    fs::create_directories(fs::path(path).parent_path());
    test::write_bytes(path, bytes);
  }

  std::string data() const { return "audio:" + (folder_ / "sounds"); }

  Finished pretrain(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"pretrain",
                                      "--data",
                                      data(),
                                      "-o",
                                      folder_ / "run",
                                      "--epochs",
                                      "2",
                                      "--threads",
                                      "1",
                                      "--set",
                                      "backbone.width=8",
                                      "--set",
                                      "projector.hidden=16",
                                      "--set",
                                      "projector.out=16"};
    words.insert(words.end(), more.begin(), more.end());
    return run_orthant(words);
  }

  test::TemporaryFolder folder_;
};

TEST_F(SoundCommands, OnePathLeadsFromAFolderToThePage) {
  const Finished trained = pretrain();
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_THAT(trained.errors, HasSubstr("views of 0.6 seconds, since nine of ten sounds are of at most 0.5"));
  const auto metadata = io::SafeTensors::open(folder_ / "run/model.safetensors").metadata();
  EXPECT_EQ(metadata.at("sound.rate"), "16000");
  EXPECT_EQ(metadata.at("sound.seconds"), "0.6");
  EXPECT_EQ(metadata.at("sound.hop"), "0.01");
  EXPECT_EQ(metadata.at("preprocessing.size"), "48");
  EXPECT_EQ(metadata.at("preprocessing.channels"), "1");

  ASSERT_EQ(run_orthant({"embed", folder_ / "run", "--split", "all", "-o", folder_ / "e.safetensors"}).code, 0);
  EXPECT_EQ(io::read_embeddings(folder_ / "e.safetensors").rows(), 24);
  const Finished measured = run_orthant({"measure", folder_ / "e.safetensors", "--json", "--quiet"});
  EXPECT_TRUE(json::parse(measured.output).contains("knn_accuracy")) << measured.errors;

  const Finished reported =
      run_orthant({"report", folder_ / "run", "--split", "all", "-o", folder_ / "r.html", "--threads", "1"});
  ASSERT_EQ(reported.code, 0) << reported.errors;
  EXPECT_THAT(reported.output, HasSubstr("24 sounds to hear"));
  const std::string page = read_bytes(folder_ / "r.html");
  EXPECT_THAT(page, HasSubstr("\"has_sounds\":true"));
  EXPECT_THAT(page, HasSubstr("\"sound.23\":\""));
}

TEST_F(SoundCommands, DataInfoTellsLengthsAndWhatIsLeftOut) {
  add("low/text.wav", "no sound at all");
  const Finished info = run_orthant({"data", "info", data(), "--split", "all"});
  EXPECT_EQ(info.code, 0) << info.errors;
  EXPECT_THAT(info.output, HasSubstr("24 items, sounds of 0.40 to 0.62 seconds"));
  EXPECT_THAT(info.output, HasSubstr("1 unreadable:\n  low/text.wav: expected a sound (WAV, FLAC, OGG, MP3)"));
  EXPECT_EQ(run_orthant({"data", "info", data(), "--strict"}).code, 1);
  EXPECT_EQ(run_orthant({"data", "preview", data(), "-o", folder_ / "sheet.png", "--rows", "2"}).code, 0);
}

TEST_F(SoundCommands, SoundsAndPicturesAreNotMistakenForEachOther) {
  ASSERT_EQ(pretrain({"--quiet"}).code, 0);
  const Finished pictures = run_orthant({"embed", folder_ / "run", "--data", "sprites", "-o", folder_ / "x.npz"});
  EXPECT_EQ(pictures.code, 1);
  EXPECT_THAT(pictures.errors, HasSubstr("expected sounds for this model, got pictures"));
  const Finished longer =
      run_orthant({"pretrain", "--data", "sprites", "-o", folder_ / "other", "--set", "sound.seconds=1"});
  EXPECT_EQ(longer.code, 1);
  EXPECT_THAT(longer.errors, HasSubstr("expected sounds for views of 1 seconds (sound.seconds), got pictures"));
}

TEST_F(SoundCommands, ItsRecipeRepeatsARunBitForBit) {
  ASSERT_EQ(pretrain({"--quiet"}).code, 0);
  const std::string model = read_bytes(folder_ / "run/model.safetensors");
  fs::rename(folder_ / "run/run.toml", folder_ / "run.toml");
  ASSERT_EQ(run_orthant({"pretrain", "--recipe", folder_ / "run.toml", "-o", folder_ / "again", "--quiet"}).code, 0);
  EXPECT_EQ(read_bytes(folder_ / "again/model.safetensors"), model);
}

}  // namespace
}  // namespace orthant
