#pragma once

#include <cstdint>

#include "orthant/core/image.h"
#include "orthant/core/sound.h"
#include "orthant/views/sound_axes.h"
#include "orthant/views/sound_options.h"

namespace orthant::sound {

// The log-mel spectrogram of a sound as a grey picture [bands, frames]: the highest band is the first row, level 255
// its loudest spot, and level 0 is options.range dB below that.
//
// The sound is brought to options.rate. Frame t is the power spectrum of what a Hann window of options.window seconds
// shows around the middle of the t-th hop, with zeros beyond both ends; there are as many as hops begin within the
// sound. A band is the sum of the powers under a triangle whose corners are equally spaced in mels between
// options.low and options.high. Safe from several threads; the result does not depend on them.
//
// std::invalid_argument if the sound is empty, an option is out of range, or there are so many bands that one of them
// would have no frequency of its own.
Image spectrogram(const Sound& sound, const SoundOptions& options, int64_t bands);

// A spectrogram to look at, [side, side]: all of the sound, squeezed or stretched to the width.
Image sound_picture(const Sound& sound, int64_t side);

// What the sides of both stand for, of a spectrogram() by these options, and of the sound_picture() of a sound.
views::SoundAxes spectrogram_axes(const Image& spectrogram, const SoundOptions& options);
views::SoundAxes picture_axes(double seconds, int64_t side);

}  // namespace orthant::sound
