#include "orthant/core/error.h"
#include "orthant/sound/decode.h"
#include "orthant/sound/spectrogram.h"

// Whatever the bytes are, a sound comes out that has a spectrogram, or IoError.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const orthant::Sound sound = orthant::sound::decode(std::as_bytes(std::span(data, size)), "fuzz");
    if (sound.samples.size() < 4000) orthant::sound::spectrogram(sound, {}, 32);
  } catch (const orthant::IoError&) {
    return 0;
  }
  return 0;
}
