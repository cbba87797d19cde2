// Corruptions without chance, against SciPy, colorsys and Pillow, and with it, against ImageMagick, SciPy and the
// published rules in NumPy (tests/golden/corrupt).

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>
#include <string>

#include "tests/corrupt/pictures.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

std::map<std::string, Image> read_records(const std::string& file) {
  const std::string bytes = test::read_bytes(std::string(ORTHANT_GOLDEN_DIR "/corrupt/").append(file));
  std::map<std::string, Image> records;
  for (size_t at = 0; at < bytes.size();) {
    const size_t end = bytes.find('\n', at);
    std::istringstream line(bytes.substr(at, end - at));
    std::string name, bar;
    int64_t height = 0, width = 0, channels = 0;
    line >> name >> bar >> height >> width >> channels;
    Image image(height, width, channels);
    bytes.copy(reinterpret_cast<char*>(image.pixels.data()), image.pixels.size(), end + 1);
    at = end + 1 + image.pixels.size();
    records[name] = std::move(image);
  }
  return records;
}

// Mean and largest difference of a corrupted picture from its record.
void expect_close(const Image& got, const Image& want, double mean, int most, const std::string& name) {
  ASSERT_EQ(got.pixels.size(), want.pixels.size()) << name;
  double sum = 0;
  int largest = 0;
  for (size_t i = 0; i < got.pixels.size(); ++i) {
    const int difference = std::abs(got.pixels[i] - want.pixels[i]);
    sum += difference;
    largest = std::max(largest, difference);
  }
  EXPECT_LT(sum / static_cast<double>(got.pixels.size()), mean) << name;
  EXPECT_LE(largest, most) << name;
}

TEST(CorruptGolden, DeterministicCorruptionsAreThoseOfTheTable) {
  const auto records = read_records("corrupt.golden");
  const Image& picture = records.at("picture");
  ASSERT_EQ(records.size(), 1U + 8 * 5);
  for (const auto& [name, want] : records) {
    if (name == "picture") continue;
    // A level where rounding decides, which means of five pixels leave to to_image(); Pillow's JPEG library may be
    // another one than ours.
    const bool jpeg = name.starts_with("jpeg");
    const double mean = jpeg ? 0.9 : name == "defocus_blur:4" ? 0.15 : 0.01;
    expect_close(test::corrupted(picture, name), want, mean, jpeg ? 8 : 1, name);
  }
}

TEST(CorruptGolden, TheSameDrawsGiveTheSamePictures) {
  const auto records = read_records("chance.golden");
  const Image& picture = records.at("picture");
  ASSERT_EQ(records.size(), 1U + 5 * 5);
  for (const auto& [name, want] : records) {
    if (name != "picture") expect_close(test::corrupted(picture, name), want, 0.01, 1, name);
  }
}

}  // namespace
}  // namespace orthant
