#pragma once

#include <cstddef>
#include <vector>

#include "orthant/core/sound.h"

namespace orthant::sound {

// The sound as an MP3 file, which every browser plays: about 4 kB a second at 16,000 samples a second. Of a sound that
// exceeds -1 to 1, quieter. The rate is one that MP3 knows, the nearest below it or 8,000. IoError where libsndfile was
// built without MP3.
std::vector<std::byte> encode_mp3(const Sound& sound);

// The sound as a FLAC file of 16 bits; samples beyond -1 to 1 are cut off.
std::vector<std::byte> encode_flac(const Sound& sound);

}  // namespace orthant::sound
