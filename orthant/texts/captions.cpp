#include "orthant/texts/captions.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"

namespace orthant {
namespace {

constexpr uint16_t kStream = 0xff1d;

// A word in braces is told of the item; "a" becomes "an" where the next word wants it.
constexpr std::array<std::string_view, 14> kPhrasings = {
    "a {size} {texture} {colour} {shape} {place}",
    "a {colour} {shape}",
    "a {texture} {shape} {place}",
    "{place} there is a {size} {colour} {shape}",
    "the {shape} is {colour} and {texture}",
    "this {shape} is {size}, {colour} and {place}",
    "a picture of a {size} {shape}",
    "a {texture} {shape}, {size} and {colour}",
    "{colour} {shape}, {place}",
    "a {shape} {place}",
    "you can see a {texture} {colour} {shape}",
    "something {colour} and {texture}: a {shape}",
    "a {size} {colour} figure {place}",
    "here the {size} {shape} is {texture}",
};

using Words = std::vector<std::string_view>;  // that say the same
const std::array<Words, 4> kSizes = {Words{"tiny"}, Words{"small", "little"}, Words{"large", "big"},
                                     Words{"huge", "enormous"}};
const std::array<Words, 5> kTextures = {Words{"plain", "unpatterned"}, Words{"shaded"}, Words{"striped"},
                                        Words{"checked", "chequered"}, Words{"dotted", "spotted"}};
// Rows from top to bottom, in each left, middle, right.
const std::array<Words, 9> kPlaces = {
    Words{"at the top left", "in the upper left"},     Words{"at the top", "near the top"},
    Words{"at the top right", "in the upper right"},   Words{"on the left", "to the left"},
    Words{"in the middle", "in the centre"},           Words{"on the right", "to the right"},
    Words{"at the bottom left", "in the lower left"},  Words{"at the bottom", "near the bottom"},
    Words{"at the bottom right", "in the lower right"}};

class Captions final : public Dataset {
 public:
  Captions(DatasetPtr sprites, uint64_t seed) : sprites_(std::move(sprites)), info_(sprites_->info()), seed_(seed) {
    for (const char* name : {"shape", "colour", "size", "texture", "position_x", "position_y"}) place_of(name);
    info_.name = "captions";
    info_.height = info_.width = info_.channels = 0;
    info_.text = true;
  }

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return sprites_->size(); }
  int64_t label(int64_t i) const override { return sprites_->label(i); }
  void factors(int64_t i, std::span<int32_t> classes) const override { sprites_->factors(i, classes); }
  std::string id(int64_t i) const override { return sprites_->id(i); }

  std::vector<std::string> texts(int64_t i) const override {
    check_index(i);
    std::vector<int32_t> classes(info_.factors.size());
    sprites_->factors(i, classes);
    Rng rng(
        {.seed = seed_, .epoch = info_.split == "test" ? 1U : 0U, .sample = static_cast<uint64_t>(i), .view = kStream});
    auto phrasings = kPhrasings;
    rng.shuffle(std::span<std::string_view>(phrasings));
    std::vector<std::string> texts;
    const uint64_t count = 3 + rng.below(3);
    for (uint64_t k = 0; k < count; ++k) texts.push_back(told(phrasings[k], classes, rng));
    return texts;
  }

 private:
  size_t place_of(std::string_view name) const {
    const auto found = std::ranges::find(info_.factors, name, &FactorInfo::name);
    check(found != info_.factors.end(), "[captions] expected the factors of sprites, got none called ", name);
    return static_cast<size_t>(found - info_.factors.begin());
  }

  std::string word(std::string_view slot, std::span<const int32_t> classes, Rng& rng) const {
    const auto class_of = [&](std::string_view name) { return static_cast<size_t>(classes[place_of(name)]); };
    const auto one_of = [&rng](const Words& words) { return std::string(words[rng.below(words.size())]); };
    if (slot == "size") return one_of(kSizes[class_of("size")]);
    if (slot == "texture") return one_of(kTextures[class_of("texture")]);
    if (slot == "place") {
      // Five positions each way: two before the middle, the middle, two behind it.
      const auto third = [](size_t position) { return (position > 1 ? 1U : 0U) + (position > 2 ? 1U : 0U); };
      return one_of(kPlaces[3 * third(class_of("position_y")) + third(class_of("position_x"))]);
    }
    return info_.factors[place_of(slot)].names[class_of(slot)];
  }

  std::string told(std::string_view phrasing, std::span<const int32_t> classes, Rng& rng) const {
    std::string text;
    while (!phrasing.empty()) {
      const size_t open = phrasing.find('{');
      text += phrasing.substr(0, open);
      if (open == std::string_view::npos) break;
      const size_t close = phrasing.find('}', open);
      const std::string next = word(phrasing.substr(open + 1, close - open - 1), classes, rng);
      const bool article = text == "a " || text.ends_with(" a ");
      if (article && std::string_view("aeiou").find(next.front()) != std::string_view::npos) {
        text.back() = 'n';
        text += ' ';
      }
      text += next;
      phrasing.remove_prefix(close + 1);
    }
    return text;
  }

  DatasetPtr sprites_;
  DatasetInfo info_;
  uint64_t seed_;
};

}  // namespace

DatasetPtr make_captions(DatasetPtr sprites, uint64_t seed) {
  return std::make_shared<Captions>(std::move(sprites), seed);
}

}  // namespace orthant
