#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "orthant/core/sound.h"

namespace orthant::sound {

// The longest sound that is read: beyond, an item should be a part of it.
constexpr int64_t kLongestSeconds = 3600;

// Decodes a sound in a file of any format that libsndfile reads: WAV, FLAC, OGG (Vorbis and Opus), MP3, AIFF, AU, CAF
// and others, told apart by content; `name` is for messages. Channels are averaged; the rate stays.
//
// Throws IoError for anything else, and for a sound that is empty, longer than kLongestSeconds, cut off (as far as the
// format tells: WAV and FLAC do), silent throughout, or has a sample that is no finite number. Safe from several
// threads.
Sound decode(std::span<const std::byte> bytes, const std::string& name);

// decode() of a file.
Sound read(const std::string& path);

// True if `bytes` begin as a sound does in one of the usual formats.
bool looks_like_sound(std::span<const std::byte> bytes);

}  // namespace orthant::sound
