#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orthant/catalogue/catalogue.h"
#include "orthant/report/run_blobs.h"

namespace orthant::report {

// What is heard of an item in a report, at most.
constexpr double kSecondsInReport = 5;

// The first `seconds` of an item as MP3, of at most 16,000 samples a second; 0: all of it. Throws what its data set
// throws.
std::vector<std::byte> item_mp3(const catalogue::Items& items, int64_t i, double seconds);

// "sound.I": base64 of the first kSecondsInReport of item I as MP3. First the strongest items of the features, then the
// others in order, until there are `max_bytes` of text. The items are sounds.
std::vector<Blob> sound_blobs(std::span<const catalogue::Catalogue* const> runs, int64_t max_bytes, int threads = 0);

}  // namespace orthant::report
