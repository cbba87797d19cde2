#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "orthant/io/image_file.h"
#include "orthant/serve/encoder_process.h"
#include "orthant/serve/message.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using serve::EncoderProcess;

// `orthant-learn encode`, as 'orthant explore' talks to it.
class Encode : public testing::Test {
 protected:
  Encode() {
    const test::Finished made =
        test::run_orthant({"pretrain", "--data", "sprites", "--train-size", "64", "--epochs", "1", "--batch", "32",
                           "--backbone", "conv-mini", "--threads", "1", "--quiet", "-o", folder_ / "run"});
    EXPECT_EQ(made.code, 0) << made.errors;
  }

  // Tells its process number in the file "process".
  EncoderProcess encoder(int64_t max_pixels) {
    const auto program = std::filesystem::path(ORTHANT_PROGRAM).parent_path() / "orthant-learn";
    return EncoderProcess({"/bin/sh", "-c", "echo $$ > \"$0\"; exec \"$@\"", folder_ / "process", program.string(),
                           "encode", "--threads", "1", "--max-pixels", std::to_string(max_pixels), folder_ / "run"});
  }

  // Megabytes that the process has now ("VmRSS") or had at most ("VmHWM").
  int64_t megabytes(const std::string& what) {
    int64_t process = 0;
    std::ifstream(folder_ / "process") >> process;
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string word; status >> word;) {
      if (word != what + ":") continue;
      int64_t kilobytes = 0;
      status >> kilobytes;
      return kilobytes / 1024;
    }
    ADD_FAILURE() << "no " << what;
    return 0;
  }

  test::TemporaryFolder folder_;
};

std::string picture(int64_t height, int64_t width) { return io::encode_png(Image(height, width, 3, 100)); }

std::string refusal(EncoderProcess& encoder, const std::string& bytes) {
  try {
    encoder.encode(EncoderProcess::kPicture, bytes);
  } catch (const serve::StatusError& error) {
    return std::to_string(error.status) + " " + error.what();
  }
  return "none";
}

TEST_F(Encode, RefusesPicturesOfMorePixelsAndGoesOn) {
  auto encoder = this->encoder(1000);
  const auto features = encoder.encode(EncoderProcess::kPicture, picture(40, 25));
  EXPECT_EQ(refusal(encoder, picture(41, 25)),
            "415 [picture] expected at most 1000 pixels and 65500 a side, got 25 x 41");
  EXPECT_EQ(refusal(encoder, picture(1, 1001)),
            "415 [picture] expected at most 1000 pixels and 65500 a side, got 1001 x 1");
  EXPECT_EQ(encoder.encode(EncoderProcess::kPicture, picture(40, 25)), features);
}

TEST_F(Encode, ARunOfPicturesReadsNoTexts) {
  auto encoder = this->encoder(1000);
  try {
    encoder.encode(EncoderProcess::kText, "a red heart");
    FAIL() << "nothing was thrown";
  } catch (const serve::StatusError& error) {
    EXPECT_EQ(error.status, 400);
    EXPECT_STREQ(error.what(), "[text] expected a run with a model of texts, got none");
  }
  EXPECT_FALSE(encoder.encode(EncoderProcess::kPicture, picture(20, 20)).empty());
}

TEST_F(Encode, GivesTheMemoryOfLargePicturesBack) {
  auto encoder = this->encoder(16'000'000);
  encoder.encode(EncoderProcess::kPicture, picture(32, 32));
  encoder.encode(EncoderProcess::kPicture, picture(32, 32));
  const int64_t before = megabytes("VmRSS");
  for (const int64_t side : {4000, 3000, 2500, 3000}) encoder.encode(EncoderProcess::kPicture, picture(side, side));
  encoder.encode(EncoderProcess::kPicture, picture(32, 32));
  EXPECT_GT(megabytes("VmHWM"), before + 50);
  EXPECT_LT(megabytes("VmRSS"), before + 10);
}

}  // namespace
}  // namespace orthant
