// Every operation against what Pillow and torchvision give for the same parameters (tests/golden/views).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "orthant/views/blur.h"
#include "orthant/views/colour.h"
#include "orthant/views/resize.h"
#include "orthant/views/view.h"
#include "tests/support/temporary_folder.h"
#include "tests/views/pictures.h"

namespace orthant {
namespace {

using test::PlanarImage;

struct Record {
  std::string operation;
  std::string parameters;
  Image image;
};

std::vector<Record> read_records() {
  const std::string bytes = test::read_bytes(ORTHANT_GOLDEN_DIR "/views/views.golden");
  std::vector<Record> records;
  for (size_t at = 0; at < bytes.size();) {
    const size_t end = bytes.find('\n', at);
    const std::string line = bytes.substr(at, end - at);
    Record record;
    int64_t height = 0, width = 0, channels = 0;
    std::istringstream(line) >> record.operation;
    const size_t bar = line.find('|');
    record.parameters = line.substr(record.operation.size(), bar - record.operation.size());
    std::istringstream(line.substr(bar + 1)) >> height >> width >> channels;
    record.image = Image(height, width, channels);
    bytes.copy(reinterpret_cast<char*>(record.image.pixels.data()), record.image.pixels.size(), end + 1);
    at = end + 1 + record.image.pixels.size();
    records.push_back(record);
  }
  return records;
}

class Golden : public testing::Test {
 protected:
  // Runs `make` on the parameters of every record of the operation and compares with the record's picture, which may
  // differ by `mean` levels per pixel on average and by `most` at worst. Both in levels of 255.
  void expect(const std::string& operation, double mean, double most,
              const std::function<PlanarImage(std::istringstream&)>& make) {
    int found = 0;
    for (const Record& record : records_) {
      if (record.operation != operation) continue;
      ++found;
      std::istringstream parameters(record.parameters);
      const PlanarImage got = make(parameters);
      const PlanarImage want(record.image);
      ASSERT_EQ(got.values.size(), want.values.size()) << record.operation << record.parameters;
      double sum = 0, largest = 0;
      for (size_t i = 0; i < got.values.size(); ++i) {
        const double difference = std::abs(static_cast<double>(got.values[i] - want.values[i]));
        sum += difference;
        largest = std::max(largest, difference);
      }
      const double average = sum / static_cast<double>(got.values.size());
      RecordProperty(record.operation + record.parameters, std::to_string(average) + " " + std::to_string(largest));
      EXPECT_LE(average, mean) << record.operation << record.parameters;
      EXPECT_LE(largest, most) << record.operation << record.parameters;
    }
    EXPECT_GT(found, 0) << operation;
  }

  const Image& input(const std::string& name) const {
    for (const Record& record : records_) {
      if (record.operation == name) return record.image;
    }
    throw std::invalid_argument("no input " + name);
  }

  PlanarImage small() const { return PlanarImage(input("small")); }

  static double number(std::istringstream& in) {
    double value = NAN;
    in >> value;
    return value;
  }

  // A view without normalisation, in levels.
  static PlanarImage view(const Image& image, ViewOptions options, const ViewParameters& parameters) {
    options.set_mean({0, 0, 0});
    options.set_std({1, 1, 1});
    ViewScratch scratch;
    PlanarImage out(options.size, options.size, options.channels);
    make_view(image, options, parameters, scratch, out.values);
    for (auto& value : out.values) value = std::round(value * 255);
    return out;
  }

  const std::vector<Record> records_ = read_records();
};

ViewParameters crop_of(std::istringstream& in, int64_t& size) {
  ViewParameters p;
  in >> p.rows.begin >> p.columns.begin >> p.rows.length >> p.columns.length >> size;
  p.rows.resized = p.columns.resized = size;
  return p;
}

TEST_F(Golden, ResizedCrop) {
  expect("crop", 0.05, 1, [&](auto& in) {
    ViewOptions options;
    const ViewParameters p = crop_of(in, options.size);
    return view(input("picture"), options, p);
  });
}

TEST_F(Golden, CentreCrop) {
  expect("centre", 0.05, 1, [&](auto& in) {
    ViewOptions options = view_preset("eval");
    in >> options.size >> options.centre_fraction;
    Rng rng(1);
    const Image& picture = input("picture");
    return view(picture, options, sample_parameters(options, picture.height, picture.width, rng));
  });
}

TEST_F(Golden, Resize) {
  const auto resized = [](const Image& image, auto& in) {
    int64_t height = 0, width = 0;
    in >> height >> width;
    return PlanarImage(views::resize(image, height, width));
  };
  expect("resize", 0.05, 1, [&](auto& in) { return resized(input("picture"), in); });
  expect("resize_grey", 0.05, 1, [&](auto& in) { return resized(input("grey_picture"), in); });
}

TEST_F(Golden, BrightnessIsExact) {
  expect("brightness", 0, 0, [&](auto& in) {
    PlanarImage image = small();
    views::adjust_brightness(image.planes(), static_cast<float>(number(in)));
    return image;
  });
}

TEST_F(Golden, ContrastIsExact) {
  const auto contrast = [](PlanarImage image, auto& in) {
    const auto level = views::contrast_level(views::grey_sum(image.planes()), image.height * image.width);
    views::adjust_contrast(image.planes(), static_cast<float>(number(in)), level);
    return image;
  };
  expect("contrast", 0, 0, [&](auto& in) { return contrast(small(), in); });
  expect("contrast_grey", 0, 0, [&](auto& in) { return contrast(PlanarImage(input("grey_picture")), in); });
}

TEST_F(Golden, SaturationIsExact) {
  expect("saturation", 0, 0, [&](auto& in) {
    PlanarImage image = small();
    views::adjust_saturation(image.planes(), static_cast<float>(number(in)));
    return image;
  });
}

TEST_F(Golden, Hue) {
  expect("hue", 0.05, 4, [&](auto& in) {
    PlanarImage image = small();
    views::rotate_hue(image.planes(), number(in));
    return image;
  });
}

TEST_F(Golden, GreyIsExact) {
  expect("grey", 0, 0, [&](auto&) {
    PlanarImage image = small();
    views::to_grey(image.planes());
    image.values.resize(image.values.size() / 3);
    return image;
  });
}

// Pillow approximates the Gaussian by three box filters each way and rounds after each. The largest differences are in
// the corners, since it also repeats the edge anew for each filter.
TEST_F(Golden, Blur) {
  expect("blur", 0.7, 16, [&](auto& in) {
    PlanarImage image = small();
    const auto kernel = views::blur_kernel(number(in));
    AlignedBuffer scratch;
    for (int64_t c = 0; c < 3; ++c) views::blur(&image.at(c, 0, 0), image.height, image.width, kernel, scratch);
    return image;
  });
}

TEST_F(Golden, SolariseIsExact) {
  expect("solarise", 0, 0, [&](auto& in) {
    PlanarImage image = small();
    views::solarise(image.planes(), static_cast<float>(number(in)));
    return image;
  });
}

TEST_F(Golden, FlipIsExact) {
  expect("flip", 0, 0, [&](auto&) {
    ViewOptions options = view_preset("none", 24);
    Rng rng(1);
    ViewParameters p = sample_parameters(options, 24, 24, rng);
    p.flip = true;
    return view(input("small"), options, p);
  });
}

TEST_F(Golden, WholeChains) {
  expect("chain", 0.6, 6, [&](auto& in) {
    ViewOptions options;
    ViewParameters p = crop_of(in, options.size);
    std::string order;
    in >> order >> p.brightness >> p.contrast >> p.saturation >> p.hue >> p.grey >> p.blur_sigma >> p.solarise >>
        p.flip;
    for (size_t i = 0; i < 4; ++i) p.order[i] = static_cast<ColourOp>(order[i] - '0');
    return view(input("picture"), options, p);
  });
}

}  // namespace
}  // namespace orthant
