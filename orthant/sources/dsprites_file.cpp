#include <algorithm>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/core/error.h"
#include "orthant/data/split.h"
#include "orthant/io/npz.h"
#include "orthant/sources/dsprites.h"

namespace orthant {
namespace {

constexpr int64_t kSide = 64;
constexpr int64_t kLatents = 6;  // color comes first and is left out
constexpr int64_t kMaxClasses = 4096;
constexpr size_t kFactors = 5;
constexpr std::array kFactorNames = {"shape", "scale", "orientation", "posX", "posY"};

class DspritesFile final : public Dataset {
 public:
  DspritesFile(DatasetInfo info, io::Array images, std::vector<int32_t> classes)
      : info_(std::move(info)), images_(std::move(images)), classes_(std::move(classes)) {}

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return images_.shape[0]; }

  Image image(int64_t i) const override {
    check_index(i);
    Image image(kSide, kSide, 1);
    const size_t length = image.pixels.size();
    const auto source = images_.as<uint8_t>().subspan(static_cast<size_t>(i) * length, length);
    std::ranges::transform(source, image.pixels.begin(),
                           [](uint8_t on) { return on == 0 ? uint8_t{0} : uint8_t{255}; });
    return image;
  }

  int64_t label(int64_t i) const override { return row(i)[0]; }

  void factors(int64_t i, std::span<int32_t> classes) const override {
    check_factors(classes);
    std::ranges::copy(row(i), classes.begin());
  }

 private:
  std::span<const int32_t> row(int64_t i) const {
    check_index(i);
    return std::span(classes_).subspan(static_cast<size_t>(i) * kFactors, kFactors);
  }

  DatasetInfo info_;
  io::Array images_;
  std::vector<int32_t> classes_;  // [N, 5]
};

io::Array read_latents(const io::Npz& npz, const char* name, io::DType dtype, int64_t count) {
  io::Array array = npz.read(name);
  check_io(array.dtype == dtype && array.shape == std::vector<int64_t>({count, kLatents}), "[", npz.path(),
           "] expected ", name, " of type ", io::dtype_name(dtype), " and shape (", count, ", ", kLatents, "), got ",
           io::dtype_name(array.dtype), " ", io::shape_text(array.shape));
  return array;
}

std::vector<int32_t> without_color(std::span<const int64_t> latents, const std::string& path) {
  std::vector<int32_t> classes;
  classes.reserve(latents.size() / kLatents * kFactors);
  for (size_t k = 0; k < latents.size(); ++k) {
    if (k % kLatents == 0) continue;
    check_io(latents[k] >= 0 && latents[k] < kMaxClasses, "[", path, "] expected latents_classes from 0 to ",
             kMaxClasses - 1, ", got ", latents[k]);
    classes.push_back(static_cast<int32_t>(latents[k]));
  }
  return classes;
}

// Each class gets the value of the last item that has it, or its own number without `values`.
std::vector<FactorInfo> describe_factors(const std::vector<int32_t>& classes, const std::optional<io::Array>& values) {
  std::vector<FactorInfo> factors;
  for (const char* name : kFactorNames) factors.push_back({.name = name, .values = {}});
  for (size_t k = 0; k < classes.size(); ++k) {
    std::vector<float>& known = factors[k % kFactors].values;
    const auto label = static_cast<size_t>(classes[k]);
    while (known.size() <= label) known.push_back(static_cast<float>(known.size()));
    if (values) known[label] = static_cast<float>(values->as<double>()[k / kFactors * kLatents + k % kFactors + 1]);
  }
  for (const size_t k : {size_t{1}, size_t{3}, size_t{4}}) factors[k].period = kLinePeriod;
  FactorInfo& orientation = factors[2];  // its first and last class are the same picture
  const size_t steps = std::max<size_t>(orientation.values.size(), 2) - 1;
  orientation.period = values ? static_cast<float>(2 * std::numbers::pi) : static_cast<float>(steps);
  return factors;
}

}  // namespace

DatasetPtr open_dsprites(const std::string& path, const std::string& split) {
  check_split(split, "dsprites:" + path);
  const io::Npz npz = io::Npz::open(path);
  io::Array images = npz.read("imgs");
  check_io(images.dtype == io::DType::u1 && images.shape.size() == 3 && images.shape[0] > 0 &&
               images.shape[1] == kSide && images.shape[2] == kSide,
           "[", path, "] expected imgs of type uint8 and shape (N, 64, 64), got ", io::dtype_name(images.dtype), " ",
           io::shape_text(images.shape));
  const int64_t count = images.shape[0];
  std::vector<int32_t> classes =
      without_color(read_latents(npz, "latents_classes", io::DType::i8, count).as<int64_t>(), path);
  std::optional<io::Array> values;
  if (npz.contains("latents_values")) values = read_latents(npz, "latents_values", io::DType::f8, count);

  DatasetInfo info;
  info.name = "dsprites:" + path;
  info.split = "all";
  info.factors = describe_factors(classes, values);
  info.class_names = {"square", "ellipse", "heart"};
  check_io(info.factors[0].values.size() <= info.class_names.size(), "[", path, "] expected 3 shapes, got ",
           info.factors[0].values.size());
  info.height = info.width = kSide;
  info.channels = 1;
  return standard_split(std::make_shared<DspritesFile>(std::move(info), std::move(images), std::move(classes)), split);
}

}  // namespace orthant
