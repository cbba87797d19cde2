#include "orthant/sound/resample.h"

#include <samplerate.h>

#include <algorithm>
#include <cmath>

#include "orthant/core/error.h"

namespace orthant::sound {

Sound resampled(Sound sound, int64_t rate) {
  check(sound.rate > 0 && rate > 0, "[resample] expected positive rates, got ", sound.rate, " and ", rate);
  if (sound.rate == rate || sound.samples.empty()) return {rate, std::move(sound.samples)};
  const double ratio = static_cast<double>(rate) / static_cast<double>(sound.rate);
  check(src_is_valid_ratio(ratio) != 0, "[resample] expected rates of at most 256 to 1, got ", sound.rate, " and ",
        rate);
  const auto length = std::max<int64_t>(1, std::llround(ratio * static_cast<double>(sound.samples.size())));
  Sound out{rate, std::vector<float>(static_cast<size_t>(length))};
  SRC_DATA data = {};
  data.data_in = sound.samples.data();
  data.input_frames = static_cast<long>(sound.samples.size());
  data.data_out = out.samples.data();
  data.output_frames = static_cast<long>(length);
  data.src_ratio = ratio;
  const int error = src_simple(&data, SRC_SINC_FASTEST, 1);
  check(error == 0, "[resample] expected a sound that can be brought to ", rate, " samples a second, got ",
        error == 0 ? "" : src_strerror(error));
  return out;
}

}  // namespace orthant::sound
