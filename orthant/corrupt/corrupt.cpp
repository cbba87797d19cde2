#include "orthant/corrupt/corrupt.h"

#include <array>

#include "orthant/core/checked.h"
#include "orthant/core/error.h"
#include "orthant/corrupt/blur.h"
#include "orthant/corrupt/canvas.h"
#include "orthant/corrupt/colour.h"
#include "orthant/corrupt/digital.h"
#include "orthant/corrupt/drawing.h"
#include "orthant/corrupt/noise.h"
#include "orthant/corrupt/style.h"
#include "orthant/corrupt/weather.h"

namespace orthant::corrupt {
namespace {

struct Entry {
  Kind kind;
  void (*change)(Canvas& picture, int severity, Rng& rng);
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {{"gaussian_noise", "Noise of a sensor in poor light", Group::common}, gaussian_noise},
      {{"shot_noise", "Noise of few photons: Poisson", Group::common}, shot_noise},
      {{"impulse_noise", "Salt and pepper in each channel", Group::common}, impulse_noise},
      {{"defocus_blur", "Out of focus: a disk", Group::common}, defocus_blur},
      {{"glass_blur", "Seen through frosted glass: pixels shuffled nearby", Group::common}, glass_blur},
      {{"motion_blur", "A camera that moved sideways", Group::common}, motion_blur},
      {{"zoom_blur", "A camera that moved forwards", Group::common}, zoom_blur},
      {{"snow", "Falling snow", Group::common}, snow},
      {{"frost", "Ice on the lens", Group::common}, frost},
      {{"fog", "Fog: clouds of white", Group::common}, fog},
      {{"brightness", "Too bright: V of HSV raised", Group::common}, brightness},
      {{"contrast", "Too little contrast", Group::common}, contrast},
      {{"elastic", "Stretched and wobbled", Group::common}, elastic},
      {{"pixelate", "Shrunk and enlarged again in blocks", Group::common}, pixelate},
      {{"jpeg", "JPEG at a low quality", Group::common}, jpeg},
      {{"speckle_noise", "Noise in proportion to brightness", Group::extra}, speckle_noise},
      {{"gaussian_blur", "A plain blur", Group::extra}, gaussian_blur},
      {{"spatter", "Drops of water, or of mud, on the lens", Group::extra}, spatter},
      {{"saturate", "Colours paler (1, 2) or stronger (3 to 5)", Group::extra}, saturate},
      {{"sketch", "Outlines on white paper", Group::stand_in}, sketch},
      {{"stylised", "Painted: texture and colours replaced, shape kept", Group::stand_in}, stylised},
  };
  return all;
}

std::string known() {
  std::string list;
  for (const Kind& kind : names()) list += (list.empty() ? "" : ", ") + kind.name;
  return list;
}

const Entry& find(const Corruption& corruption, std::string_view text) {
  const Entry* found = nullptr;
  for (const Entry& entry : entries()) {
    if (entry.kind.name == corruption.name) found = &entry;
  }
  check(found != nullptr && corruption.severity >= 1 && corruption.severity <= kSeverities,
        "[corrupt] expected NAME or NAME:SEVERITY with a severity from 1 to ", kSeverities, " and a name of ", known(),
        "; got ", text.empty() ? "nothing" : text);
  return *found;
}

}  // namespace

const std::vector<Kind>& names() {
  static const std::vector<Kind> kinds = [] {
    std::vector<Kind> all;
    for (const Entry& entry : entries()) all.push_back(entry.kind);
    return all;
  }();
  return kinds;
}

Corruption parse(std::string_view text) {
  const size_t colon = text.find(':');
  Corruption corruption{std::string(text.substr(0, colon))};
  if (colon != std::string_view::npos) {
    const std::string_view digits = text.substr(colon + 1);
    corruption.severity = digits.size() == 1 ? digits[0] - '0' : 0;
  }
  find(corruption, text);
  return corruption;
}

std::string to_string(const Corruption& corruption) {
  return corruption.name + ":" + std::to_string(corruption.severity);
}

Rng stream(const Corruption& corruption, uint64_t seed, int64_t item) {
  // The name itself (FNV-1a) rather than a number in the list, so that a longer list changes no picture.
  uint32_t hash = 2166136261U;
  for (const char letter : to_string(corruption)) hash = (hash ^ static_cast<uint8_t>(letter)) * 16777619U;
  return Rng({.seed = seed, .epoch = hash, .sample = static_cast<uint64_t>(item), .view = 0xff1c});
}

Image apply(const Image& image, const Corruption& corruption, Rng rng) {
  const Entry& entry = find(corruption, to_string(corruption));
  check((image.channels == 1 || image.channels == 3) && !image.pixels.empty() &&
            checked_product(std::array{image.height, image.width, image.channels}) ==
                static_cast<int64_t>(image.pixels.size()),
        "[corrupt] expected a whole picture of 1 or 3 channels, got ", image.height, " x ", image.width, " x ",
        image.channels, " with ", image.pixels.size(), " values");
  Canvas picture(image);
  entry.change(picture, corruption.severity, rng);
  return to_image(picture);
}

}  // namespace orthant::corrupt
