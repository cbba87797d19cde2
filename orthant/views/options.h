#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "orthant/core/fields.h"
#include "orthant/views/sound_options.h"

namespace orthant {

// How a picture becomes a view, in the order in which it happens: the SimCLR recipe as the paper of non-negative
// contrastive learning uses it. The defaults are the preset `simclr` for 32 x 32 pictures with CIFAR-10's statistics.
//
// A view is float32 [channels, size, size]. Every operation means what Pillow and torchvision mean by it, including
// the rounding to whole levels 0..255 after each; docs/views.md says where the last level may differ.
struct ViewOptions {
  int64_t size = 32;
  // 3: grey pictures are repeated. 1: colour pictures become grey where the recipe would make them grey.
  int64_t channels = 3;

  // "random":  a random part of the picture, resized (torchvision's RandomResizedCrop).
  // "centre":  the largest square in the middle, of which the middle `centre_fraction` of the side is kept (Resize +
  //            CenterCrop). A picture that is size x size already is kept whole.
  // "stretch": the whole picture, resized without regard to its shape.
  std::string crop = "random";
  double scale_min = 0.08;  // share of the picture's area
  double scale_max = 1.0;
  double ratio_min = 3.0 / 4.0;  // width / height of the part
  double ratio_max = 4.0 / 3.0;
  double centre_fraction = 1.0;

  // Colour jitter: the four operations in random order. A strength s means a factor uniform in [max(0, 1-s), 1+s];
  // for hue, a rotation uniform in [-hue, hue] turns.
  double jitter_probability = 0.8;
  double brightness = 0.8;
  double contrast = 0.8;
  double saturation = 0.8;
  double hue = 0.2;

  double grey_probability = 0.2;

  double blur_probability = 0.5;
  double blur_sigma_min = 0.1;  // in pixels of the view
  double blur_sigma_max = 2.0;

  double solarise_probability = 0.0;
  double solarise_threshold = 128.0;  // levels from here on are inverted

  double flip_probability = 0.5;  // left to right

  // Normalisation of levels scaled to [0, 1], per channel: (x - mean) / std. A view of one channel uses the first.
  double mean_r = 0.4914;
  double mean_g = 0.4822;
  double mean_b = 0.4465;
  double std_r = 0.2470;
  double std_g = 0.2435;
  double std_b = 0.2616;

  // Of sounds: the view shows `size` bands by `size` columns of a spectrogram, is made as sound_views says, and of the
  // settings above uses size, channels, mean_r and std_r alone.
  SoundOptions sound = {};
  SoundViewOptions sound_views = {};

  bool of_sound() const { return sound.seconds > 0; }

  std::array<double, 3> mean() const { return {mean_r, mean_g, mean_b}; }
  std::array<double, 3> std() const { return {std_r, std_g, std_b}; }
  void set_mean(const std::array<double, 3>& mean);
  void set_std(const std::array<double, 3>& std);

  // Floats in one view: channels * size * size.
  int64_t view_size() const { return channels * size * size; }

  // Throws std::invalid_argument that names the first setting outside its range.
  void validate() const;

  bool operator==(const ViewOptions&) const = default;
};

// The presets by name, for views of `size`:
//   simclr        the whole recipe above
//   simclr-small  the same with half as much colour jitter and without blur, as its authors have it for 32 x 32
//   pictures weak          a crop of at least half the area, and the flip none          the picture stretched to size
//   where needed eval          the square in the middle; from size 64 on the middle 7/8 of it, as is usual for
//   photographs (256 -> 224)
// Of sounds simclr and simclr-small are SoundViewOptions{}, weak half as strong and without noise, none and eval
// kPlainSoundViews. All of them normalise. std::invalid_argument for another name, which lists these.
ViewOptions view_preset(const std::string& name, int64_t size = 32);

// The names that view_preset knows, in the order above.
const std::vector<std::string>& view_preset_names();

// Lists every setting but those of sounds, which list themselves; see orthant/core/fields.h.
template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, ViewOptions>
void for_each_field(Options& o, Visitor&& visit) {
  const Limits probability{.min = 0, .max = 1};
  const Limits strength{.min = 0, .max = 10};
  const Limits sigma{.min = 0, .max = 10};
  const Limits ratio{.min = 0.001, .max = 1000};
  const Limits deviation{.min = 1e-6, .max = 1e6};
  visit(Field{"size", "Height and width of a view", {.min = 1, .max = 4096}}, o.size);
  visit(Field{"channels", "Channels of a view: 3, or 1 for grey", {.min = 1, .max = 3}}, o.channels);
  visit(Field{"crop", "Part of the picture that is used", {.choices = {"random", "centre", "stretch"}}}, o.crop);
  visit(Field{"scale_min", "Least share of the area in a random crop", {.min = 0, .max = 1, .exclusive_min = true}},
        o.scale_min);
  visit(Field{"scale_max", "Largest share of the area in a random crop", {.min = 0, .max = 1, .exclusive_min = true}},
        o.scale_max);
  visit(Field{"ratio_min", "Least width / height of a random crop", ratio}, o.ratio_min);
  visit(Field{"ratio_max", "Largest width / height of a random crop", ratio}, o.ratio_max);
  visit(Field{"centre_fraction", "Share of the side that a centre crop keeps", {.min = 0.01, .max = 1}},
        o.centre_fraction);
  visit(Field{"jitter_probability", "Probability of the colour jitter", probability}, o.jitter_probability);
  visit(Field{"brightness", "Strength of the brightness jitter", strength}, o.brightness);
  visit(Field{"contrast", "Strength of the contrast jitter", strength}, o.contrast);
  visit(Field{"saturation", "Strength of the saturation jitter", strength}, o.saturation);
  visit(Field{"hue", "Strength of the hue jitter in turns", {.min = 0, .max = 0.5}}, o.hue);
  visit(Field{"grey_probability", "Probability of losing the colour", probability}, o.grey_probability);
  visit(Field{"blur_probability", "Probability of the Gaussian blur", probability}, o.blur_probability);
  visit(Field{"blur_sigma_min", "Least standard deviation of the blur in pixels", sigma}, o.blur_sigma_min);
  visit(Field{"blur_sigma_max", "Largest standard deviation of the blur in pixels", sigma}, o.blur_sigma_max);
  visit(Field{"solarise_probability", "Probability of solarising", probability}, o.solarise_probability);
  visit(Field{"solarise_threshold", "Level from which solarising inverts", {.min = 0, .max = 256}},
        o.solarise_threshold);
  visit(Field{"flip_probability", "Probability of the flip left to right", probability}, o.flip_probability);
  visit(Field{"mean_r", "Mean of the first channel in [0, 1]", {.min = -10, .max = 10}}, o.mean_r);
  visit(Field{"mean_g", "Mean of the second channel in [0, 1]", {.min = -10, .max = 10}}, o.mean_g);
  visit(Field{"mean_b", "Mean of the third channel in [0, 1]", {.min = -10, .max = 10}}, o.mean_b);
  visit(Field{"std_r", "Standard deviation of the first channel", deviation}, o.std_r);
  visit(Field{"std_g", "Standard deviation of the second channel", deviation}, o.std_g);
  visit(Field{"std_b", "Standard deviation of the third channel", deviation}, o.std_b);
}

}  // namespace orthant
