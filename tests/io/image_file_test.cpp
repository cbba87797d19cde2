#include "orthant/io/image_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "orthant/codec/exif.h"
#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/io/npz.h"
#include "tests/io/golden.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::io {
namespace {

using namespace std::string_literals;
using test::golden;
using test::message_of;
using test::read_bytes;
using test::TemporaryFolder;
using ::testing::HasSubstr;

Image decode(const std::string& text) { return decode_image(std::as_bytes(std::span(text)), "test.img"); }

Image expected(const std::string& name) {
  static const Npz archive = Npz::open(golden("expected.npz"));
  const Array array = archive.read(name);
  Image image(array.shape[0], array.shape[1], array.shape.size() == 3 ? array.shape[2] : 1);
  std::ranges::copy(array.as<uint8_t>(), image.pixels.begin());
  return image;
}

// The largest difference of two pictures of one size; 999 if the size differs.
int difference(const Image& a, const Image& b) {
  if (a.height != b.height || a.width != b.width || a.channels != b.channels) return 999;
  int largest = 0;
  for (size_t i = 0; i < a.pixels.size(); ++i) largest = std::max(largest, std::abs(a.pixels[i] - b.pixels[i]));
  return largest;
}

Image random_image(Rng& rng, int64_t height, int64_t width, int64_t channels) {
  Image image(height, width, channels);
  for (uint8_t& value : image.pixels) value = static_cast<uint8_t>(rng.below(256));
  return image;
}

TEST(ImageFile, DecodesEveryKindOfPngAsPillowDoes) {
  for (const std::string name : {"rgb", "grey", "palette", "1bit", "grey16", "rgb16", "interlaced"}) {
    EXPECT_EQ(difference(read_image(golden("png_" + name + ".png")), expected("png_" + name)), 0) << name;
  }
  for (const std::string name : {"rgba", "grey_alpha", "palette_transparent", "key_transparent"}) {
    EXPECT_LE(difference(read_image(golden("png_" + name + ".png")), expected("png_" + name)), 1) << name;
  }
}

TEST(ImageFile, DecodesEveryKindOfJpegAsPillowDoes) {
  for (const std::string name : {"420", "422", "444", "grey", "progressive"}) {
    EXPECT_EQ(difference(read_image(golden("jpeg_" + name + ".jpg")), expected("jpeg_" + name)), 0) << name;
  }
  EXPECT_LE(difference(read_image(golden("jpeg_cmyk.jpg")), expected("jpeg_cmyk")), 1);
}

const std::vector<std::string> kOtherFormats = {"lossy.webp",   "lossless.webp", "alpha.webp", "rgb.bmp",
                                                "grey.bmp",     "palette.bmp",   "1bit.bmp",   "rgbx.bmp",
                                                "top_down.bmp", "rgb.ppm",       "grey.pgm",   "plain.ppm"};

TEST(ImageFile, DecodesWebpBmpAndNetpbmAsPillowDoes) {
  for (const std::string& name : kOtherFormats) {
    EXPECT_LE(difference(read_image(golden(name)), expected(name)), name == "alpha.webp" ? 1 : 0) << name;
  }
  EXPECT_THAT(message_of([] { read_image(golden("refused_animation.webp")); }), HasSubstr("got an animation"));
}

TEST(ImageFile, RefusesEveryTruncationOfOtherFormats) {
  for (const std::string& name : kOtherFormats) {
    const std::string whole = read_bytes(golden(name));
    // The last number of plain text may lose digits, and a chunk of odd length the byte behind it.
    const size_t needed = name == "plain.ppm" ? whole.rfind(' ') + 2 : whole.size() - (name.ends_with(".webp") ? 1 : 0);
    for (size_t length = 0; length < needed; ++length) {
      EXPECT_THROW(decode(whole.substr(0, length)), IoError) << name << " " << length << " of " << whole.size();
    }
  }
}

TEST(ImageFile, SurvivesEveryBitFlipOfOtherFormats) {
  for (const std::string& name : kOtherFormats) {
    const std::string whole = read_bytes(golden(name));
    for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
      std::string flipped = whole;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
      try {
        const Image image = decode(flipped);
        EXPECT_EQ(static_cast<int64_t>(image.pixels.size()), image.height * image.width * image.channels);
      } catch (const IoError& error) {
        EXPECT_THAT(error.what(), HasSubstr("[test.img] expected"));
      }
    }
  }
}

TEST(ImageFile, ScalesTheLevelsOfNetpbm) {
  EXPECT_THAT(decode("P5 3 1 3\n\0\1\3"s).pixels, ::testing::ElementsAre(0, 85, 255));
  EXPECT_THAT(decode("P5\n#two bytes\n2 1\n1000\r\3\xe8\1\xf4"s).pixels, ::testing::ElementsAre(255, 128));
  EXPECT_THAT(decode("P2 2 2 9 0 9\n#middle\n9 0").pixels, ::testing::ElementsAre(0, 255, 255, 0));
  EXPECT_THAT(message_of([] { decode("P5 1 1 3\n\4"); }), HasSubstr("expected values up to 3, got 4"));
  EXPECT_THAT(message_of([] { decode("P5 0 1 3\n"); }), HasSubstr("got 0 x 1 pixels"));
  EXPECT_THAT(message_of([] { decode("P6 99999 99999 255\n"); }), HasSubstr("expected at most 100000000 pixels"));
  EXPECT_THAT(message_of([] { decode("P6 9999 9999 255\nabc"); }), HasSubstr("bytes or more for 9999 x 9999"));
  EXPECT_THAT(message_of([] { decode("P5 1 1 70000\nab"); }), HasSubstr("from 1 to 65535, got 70000"));
}

TEST(ImageFile, RefusesBmpsItCannotRead) {
  const std::string whole = read_bytes(golden("rgb.bmp"));
  const auto with = [&](size_t at, const std::string& bytes) {
    std::string changed = whole;
    return message_of([&] { decode(changed.replace(at, bytes.size(), bytes)); });
  };
  EXPECT_THAT(with(28, "\x10"s), HasSubstr("expected 1, 4, 8, 24 or 32 bits a pixel, got 16"));
  EXPECT_THAT(with(30, "\1"s), HasSubstr("expected an uncompressed BMP, got compression 1"));
  EXPECT_THAT(with(18, "\0\0\0\0"s), HasSubstr("got 0 x 11 pixels"));
  EXPECT_THAT(with(18, "\xff\xff\xff\x7f"s), HasSubstr("expected at most 100000000 pixels"));
  EXPECT_THAT(with(22, "\0\0\0\x80"s), HasSubstr("expected at most 100000000 pixels"));
  EXPECT_THAT(with(10, "\xff\xff\xff\xff"s), HasSubstr("got one that is cut off"));
  EXPECT_THAT(with(14, "\x0d"s), HasSubstr("expected a BMP header of 12 or 40 to 124 bytes, got 13"));
}

// Verification may take less time than decoding, but must come to the same result.
TEST(ImageFile, VerifiesExactlyWhatItDecodes) {
  const auto refused = [](auto&& action) {
    try {
      action();
    } catch (const IoError&) {
      return true;
    }
    return false;
  };
  for (const std::string name : {"jpeg_420.jpg", "jpeg_progressive.jpg", "jpeg_cmyk.jpg", "png_rgb.png", "rgb.bmp"}) {
    const std::string whole = read_bytes(golden(name));
    int damaged = 0;
    for (size_t bit = 0; bit < 8 * whole.size(); bit += 3) {
      std::string flipped = whole;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
      const auto bytes = std::as_bytes(std::span(flipped));
      const bool bad = refused([&] { decode(flipped); });
      damaged += bad ? 1 : 0;
      EXPECT_EQ(refused([&] { verify_image(bytes, "test.img"); }), bad) << name << " " << bit;
    }
    EXPECT_GT(damaged, 10) << name;
  }
}

// A smooth picture at a part of its size is the mean of what it shows there.
TEST(ImageFile, DecodesJpegSmallerAsFarAsItMay) {
  Image ramp(160, 320, 3);
  for (int64_t y = 0; y < ramp.height; ++y) {
    for (int64_t x = 0; x < ramp.width; ++x) {
      ramp.at(y, x)[0] = static_cast<uint8_t>(x * 255 / 319);
      ramp.at(y, x)[1] = static_cast<uint8_t>(y * 255 / 159);
      ramp.at(y, x)[2] = 128;
    }
  }
  const auto bytes = encode_jpeg(ramp, 95);
  for (const auto& [least_side, factor] :
       {std::pair<int64_t, int64_t>{0, 1}, {161, 1}, {81, 1}, {80, 2}, {41, 2}, {40, 4}, {20, 8}, {1, 8}}) {
    const Image small = decode_image(bytes, "test.jpg", kMaxImagePixels, least_side);
    ASSERT_EQ(small.height, 160 / factor) << least_side;
    ASSERT_EQ(small.width, 320 / factor) << least_side;
    for (int64_t y = 0; y < small.height; ++y) {
      for (int64_t x = 0; x < small.width; ++x) {
        const double red = (static_cast<double>(x * factor) + 0.5 * static_cast<double>(factor - 1)) * 255 / 319;
        const double green = (static_cast<double>(y * factor) + 0.5 * static_cast<double>(factor - 1)) * 255 / 159;
        ASSERT_NEAR(small.at(y, x)[0], red, 6) << least_side << " " << y << " " << x;
        ASSERT_NEAR(small.at(y, x)[1], green, 6) << least_side << " " << y << " " << x;
      }
    }
  }
  const std::string png = encode_png(ramp);
  EXPECT_EQ(decode_image(std::as_bytes(std::span(png)), "test.png", kMaxImagePixels, 10), ramp);
}

TEST(ImageFile, AppliesEveryExifOrientation) {
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const std::string name = "jpeg_orientation" + std::to_string(orientation);
    EXPECT_EQ(difference(read_image(golden(name + ".jpg")), expected(name)), 0) << orientation;
  }
}

TEST(ImageFile, EncodesJpegAsPillowDoes) {
  for (const int quality : {1, 40, 80, 100}) {
    const auto bytes = encode_jpeg(expected("picture"), quality);
    const Image decoded = decode_image(bytes, "test.jpg");
    EXPECT_EQ(difference(decoded, expected("encoded_" + std::to_string(quality))), 0) << quality;
  }
  EXPECT_THROW(encode_jpeg(expected("picture"), 0), std::invalid_argument);
  EXPECT_THROW(encode_jpeg(Image(), 50), std::invalid_argument);
}

TEST(ImageFile, RoundTripsPngExactly) {
  const TemporaryFolder folder;
  Rng rng(1);
  for (int trial = 0; trial < 20; ++trial) {
    const Image image = random_image(rng, 1 + static_cast<int64_t>(rng.below(40)),
                                     1 + static_cast<int64_t>(rng.below(40)), trial % 2 == 0 ? 1 : 3);
    write_png(folder / "a.png", image);
    EXPECT_EQ(read_image(folder / "a.png"), image);
  }
  EXPECT_THROW(encode_png(Image(2, 2, 4)), std::invalid_argument);
  EXPECT_THROW(encode_png(Image(0, 2, 3)), std::invalid_argument);
  Image wrong(2, 2, 3);
  wrong.pixels.pop_back();
  EXPECT_THROW(encode_png(wrong), std::invalid_argument);
}

TEST(ImageFile, KeepsGreyJpegGrey) {
  Rng rng(4);
  const auto bytes = encode_jpeg(random_image(rng, 9, 5, 1), 90);
  EXPECT_EQ(decode_image(bytes, "a").channels, 1);
}

TEST(ImageFile, RefusesEveryTruncation) {
  for (const std::string name : {"png_rgb.png", "png_palette_transparent.png", "png_interlaced.png", "jpeg_420.jpg",
                                 "jpeg_progressive.jpg", "jpeg_cmyk.jpg"}) {
    const std::string whole = read_bytes(golden(name));
    EXPECT_NO_THROW(decode(whole));
    // The last four bytes of a PNG are the checksum of a chunk without content.
    const size_t needed = whole.size() - (name.starts_with("png") ? 4 : 0);
    for (size_t length = 0; length < needed; ++length) {
      EXPECT_THROW(decode(whole.substr(0, length)), IoError) << name << " " << length << " of " << whole.size();
    }
  }
}

TEST(ImageFile, SurvivesEveryBitFlipAndNoticesThoseOfPng) {
  for (const std::string name : {"png_rgb.png", "jpeg_420.jpg", "jpeg_progressive.jpg", "jpeg_orientation6.jpg"}) {
    const std::string whole = read_bytes(golden(name));
    const Image intact = decode(whole);
    for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
      std::string flipped = whole;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
      try {
        const Image image = decode(flipped);
        EXPECT_TRUE(name != "png_rgb.png" || image == intact) << bit;
      } catch (const IoError& error) {
        EXPECT_THAT(error.what(), HasSubstr("[test.img] expected"));
      }
    }
  }
}

TEST(ImageFile, RefusesOtherContent) {
  EXPECT_THAT(message_of([] { decode(""); }), HasSubstr("got an empty file"));
  EXPECT_THAT(message_of([] { decode("GIF89a"); }),
              HasSubstr("[test.img] expected a JPEG, PNG, WebP, BMP, PGM or PPM picture"));
  EXPECT_FALSE(looks_like_image(std::as_bytes(std::span("GIF89a"))));
}

std::string png_claiming(uint32_t width, uint32_t height) {
  std::string text = read_bytes(golden("png_rgb.png"));
  for (size_t i = 0; i < 4; ++i) {
    text[16 + i] = static_cast<char>(width >> (24 - 8 * i));
    text[20 + i] = static_cast<char>(height >> (24 - 8 * i));
  }
  uint32_t crc = ~0U;  // of "IHDR" and its content
  for (size_t i = 12; i < 29; ++i) {
    crc ^= static_cast<unsigned char>(text[i]);
    for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (0xedb88320U & (0U - (crc & 1)));
  }
  for (size_t i = 0; i < 4; ++i) text[29 + i] = static_cast<char>(~crc >> (24 - 8 * i));
  return text;
}

TEST(ImageFile, RefusesSizesBeforeTakingMemory) {
  EXPECT_NO_THROW(decode(png_claiming(17, 11)));
  EXPECT_THAT(message_of([] { decode(png_claiming(60'000, 60'000)); }), HasSubstr("expected at most 100000000 pixels"));
  EXPECT_THROW(decode(png_claiming(70'000, 1)), IoError);
  EXPECT_THAT(message_of([] { decode(png_claiming(10'000, 10'000)); }), HasSubstr("expected data for 10000 x 10000"));

  std::string jpeg = read_bytes(golden("jpeg_420.jpg"));
  const size_t frame = jpeg.find("\xff\xc0");
  jpeg.replace(frame + 5, 4, "\x27\x10\x27\x10"s);
  EXPECT_THAT(message_of([&] { decode(jpeg); }), HasSubstr("expected data for 10000 x 10000 pixels"));
  jpeg.replace(frame + 5, 4, "\xf0\x10\xf0\x10"s);
  EXPECT_THAT(message_of([&] { decode(jpeg); }), HasSubstr("expected at most 100000000 pixels"));
}

TEST(ImageFile, RefusesMorePixelsThanTheCallerWantsByTheHeader) {
  const auto limited = [](const std::string& text, int64_t max_pixels) {
    return decode_image(std::as_bytes(std::span(text)), "test.img", max_pixels);
  };
  const std::string png = read_bytes(golden("png_rgb.png"));
  EXPECT_EQ(limited(png, 17 * 11), decode(png));
  EXPECT_EQ(message_of([&] { limited(png, 17 * 11 - 1); }),
            "[test.img] expected at most 186 pixels and 65500 a side, got 17 x 11");
  const std::string jpeg = read_bytes(golden("jpeg_420.jpg"));
  const Image whole = decode(jpeg);
  EXPECT_EQ(limited(jpeg, whole.height * whole.width), whole);
  EXPECT_THAT(message_of([&] { limited(jpeg, whole.height * whole.width - 1); }), HasSubstr("expected at most "));
  EXPECT_THAT(message_of([&] { limited(png_claiming(5000, 5000), 16'000'000); }),
              HasSubstr("expected at most 16000000 pixels and 65500 a side, got 5000 x 5000"));
  EXPECT_THAT(message_of([&] { limited(png_claiming(60'000, 60'000), INT64_MAX); }), HasSubstr("at most 100000000 "));
}

TEST(ImageFile, ToleratesPaddingButNotDamage) {
  const std::string whole = read_bytes(golden("jpeg_420.jpg"));
  const std::string end = whole.substr(0, whole.size() - 2) + std::string(5, '\0') + whole.substr(whole.size() - 2);
  EXPECT_EQ(decode(end), decode(whole));
  EXPECT_EQ(decode(whole + "trailing"), decode(whole));
  const size_t table = whole.find("\xff\xdb");
  EXPECT_EQ(decode(whole.substr(0, table) + std::string(3, '\0') + whole.substr(table)), decode(whole));
}

std::string exif(const std::string& tiff) { return "Exif\0\0"s + tiff; }
int orientation(const std::string& segment) { return codec::exif_orientation(std::as_bytes(std::span(segment))); }

TEST(Exif, ReadsBothByteOrders) {
  EXPECT_EQ(orientation(exif("II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0"s)), 6);
  EXPECT_EQ(orientation(exif("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0"s)), 8);
}

TEST(Exif, IsUprightWhereTheStructureIsBroken) {
  const std::string good = exif("II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0"s);
  for (size_t length = 0; length < good.size() - 2; ++length) EXPECT_EQ(orientation(good.substr(0, length)), 1);
  EXPECT_EQ(orientation(exif("II*\0\xff\xff\xff\xff\x01\0"s)), 1);
  EXPECT_EQ(orientation(exif("II*\0\x08\0\0\0\xff\xff\x12\x00"s)), 1);
  EXPECT_EQ(orientation(exif("II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x09\0\0\0"s)), 1);
  EXPECT_EQ(orientation("http://ns.adobe.com/xap/1.0/"), 1);
}

}  // namespace
}  // namespace orthant::io
