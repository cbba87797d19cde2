#include "orthant/views/options.h"

#include <algorithm>
#include <concepts>

#include "orthant/core/error.h"

namespace orthant {
namespace {

struct CheckField {
  void operator()(const Field& field, const std::string& value) const {
    const auto& choices = field.limits.choices;
    if (choices.empty() || std::ranges::find(choices, value) != choices.end()) return;
    std::string list;
    for (const auto& choice : choices) list += (list.empty() ? "" : ", ") + choice;
    check(false, "[views] expected ", field.name, " to be one of ", list, ", got ", value);
  }

  template <class Number>
  requires std::same_as<Number, int64_t> || std::same_as<Number, double>
  void operator()(const Field& field, Number value) const {
    const Limits& limits = field.limits;
    const auto number = static_cast<double>(value);
    const bool above = limits.exclusive_min ? number > limits.min : number >= limits.min;
    check(above && number <= limits.max, "[views] expected ", field.name, limits.exclusive_min ? " above " : " from ",
          limits.min, limits.exclusive_min ? " up to " : " to ", limits.max, ", got ", value);
  }
};

void check_order(const char* name, double min, double max) {
  check(min <= max, "[views] expected ", name, "_min <= ", name, "_max, got ", min, " and ", max);
}

}  // namespace

void ViewOptions::set_mean(const std::array<double, 3>& mean) {
  mean_r = mean[0];
  mean_g = mean[1];
  mean_b = mean[2];
}

void ViewOptions::set_std(const std::array<double, 3>& std) {
  std_r = std[0];
  std_g = std[1];
  std_b = std[2];
}

void ViewOptions::validate() const {
  for_each_field(*this, CheckField{});
  for_each_field(sound, CheckField{});
  for_each_field(sound_views, CheckField{});
  check(channels != 2, "[views] expected channels to be 1 or 3, got 2");
  check_order("scale", scale_min, scale_max);
  check_order("ratio", ratio_min, ratio_max);
  check_order("blur_sigma", blur_sigma_min, blur_sigma_max);
  check(sound.low < sound.high && 2 * sound.high <= static_cast<double>(sound.rate),
        "[sound] expected low < high <= half of rate, got ", sound.low, ", ", sound.high, " and ", sound.rate);
  check(sound_views.noise_loud <= sound_views.noise_quiet, "[sound_views] expected noise_loud <= noise_quiet, got ",
        sound_views.noise_loud, " and ", sound_views.noise_quiet);
}

const std::vector<std::string>& view_preset_names() {
  static const std::vector<std::string> names{"simclr", "simclr-small", "weak", "none", "eval"};
  return names;
}

ViewOptions view_preset(const std::string& name, int64_t size) {
  ViewOptions options{.size = size};
  if (name == "simclr-small") {
    options.brightness = options.contrast = options.saturation = 0.4;
    options.hue = 0.1;
    options.blur_probability = 0;
    options.validate();
    return options;
  }
  if (name != "simclr") {
    options.jitter_probability = 0;
    options.grey_probability = 0;
    options.blur_probability = 0;
    options.flip_probability = 0;
    options.sound_views = kPlainSoundViews;
  }
  if (name == "weak") {
    options.scale_min = 0.5;
    options.flip_probability = 0.5;
    const SoundViewOptions strong;
    options.sound_views.shift = strong.shift / 2;
    options.sound_views.speed = strong.speed / 2;
    options.sound_views.pitch = strong.pitch / 2;
    options.sound_views.gain = strong.gain / 2;
  } else if (name == "none") {
    options.crop = "stretch";
  } else if (name == "eval") {
    options.crop = "centre";
    options.centre_fraction = size >= 64 ? 7.0 / 8.0 : 1.0;
  } else {
    check(name == "simclr", "[views] expected a preset of simclr, simclr-small, weak, none, eval, got ", name);
  }
  options.validate();
  return options;
}

}  // namespace orthant
