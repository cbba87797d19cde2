#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <string>
#include <vector>

namespace orthant::test {

template <class T>
void add_number(std::string& bytes, T number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// A WAV file of 32-bit floats, the channels of a frame side by side.
inline std::string wav(const std::vector<float>& samples, uint32_t rate = 16000, uint16_t channels = 1) {
  const auto size = static_cast<uint32_t>(4 * samples.size());
  std::string bytes = "RIFF";
  add_number<uint32_t>(bytes, 36 + size);
  bytes += "WAVEfmt ";
  add_number<uint32_t>(bytes, 16);
  add_number<uint16_t>(bytes, 3);
  add_number<uint16_t>(bytes, channels);
  add_number<uint32_t>(bytes, rate);
  add_number<uint32_t>(bytes, rate * channels * 4);
  add_number<uint16_t>(bytes, static_cast<uint16_t>(4 * channels));
  add_number<uint16_t>(bytes, 32);
  bytes += "data";
  add_number<uint32_t>(bytes, size);
  for (const float sample : samples) add_number(bytes, sample);
  return bytes;
}

// `seconds` of a tone.
inline std::vector<float> tone(double hz, double seconds, uint32_t rate = 16000) {
  std::vector<float> samples(static_cast<size_t>(seconds * rate));
  for (size_t i = 0; i < samples.size(); ++i) {
    samples[i] = static_cast<float>(0.5 * std::sin(2 * std::numbers::pi * hz * static_cast<double>(i) / rate));
  }
  return samples;
}

}  // namespace orthant::test
