#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "orthant/heat/heat_maps.h"

namespace orthant::heat {

constexpr int64_t kMostQuestions = 64;  // features asked for at once

// What a process that has a model is asked about a picture: where these features come from, and, if `other` [K] is
// given, where the similarity to what has these features does, which then is the last map.
struct Question {
  std::vector<int64_t> features = {};
  std::vector<float> other = {};
  std::string picture = {};  // the bytes of a PNG or JPEG file; of a sound its spectrogram, as the model takes it
};

// Who answers it, such as a process that has the model. May throw.
using Answer = std::function<HeatMaps(const Question&)>;

// As it is sent, numbers as 32 bits in little endian: how many features, and which; how many numbers `other` has, and
// those; the picture. IoError if the bytes are no such question: cut off, more features than kMostQuestions, numbers
// that are not finite, nothing asked for.
std::string to_bytes(const Question& question);
Question from_bytes(std::string_view bytes);

}  // namespace orthant::heat
