#include "orthant/sound/encode.h"

#include <sndfile.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "orthant/core/error.h"
#include "orthant/sound/resample.h"

namespace orthant::sound {
namespace {

constexpr std::array<int64_t, 9> kMp3Rates = {8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000};

// A file in memory that libsndfile writes.
struct Memory {
  std::vector<std::byte> bytes = {};
  size_t at = 0;
};

Memory& memory_of(void* user) { return *static_cast<Memory*>(user); }

sf_count_t length(void* user) { return std::ssize(memory_of(user).bytes); }

sf_count_t seek(sf_count_t offset, int whence, void* user) {
  Memory& memory = memory_of(user);
  const auto from = static_cast<int64_t>(whence == SEEK_SET ? 0 : whence == SEEK_CUR ? memory.at : memory.bytes.size());
  memory.at = static_cast<size_t>(std::max<int64_t>(0, from + offset));
  return static_cast<sf_count_t>(memory.at);
}

sf_count_t read_bytes(void* to, sf_count_t count, void* user) {
  Memory& memory = memory_of(user);
  const size_t left = memory.at < memory.bytes.size() ? memory.bytes.size() - memory.at : 0;
  const size_t given = std::min(left, static_cast<size_t>(std::max<sf_count_t>(count, 0)));
  std::memcpy(to, memory.bytes.data() + memory.at, given);
  memory.at += given;
  return static_cast<sf_count_t>(given);
}

sf_count_t write_bytes(const void* from, sf_count_t count, void* user) {
  Memory& memory = memory_of(user);
  const auto size = static_cast<size_t>(std::max<sf_count_t>(count, 0));
  if (memory.bytes.size() < memory.at + size) memory.bytes.resize(memory.at + size);
  std::memcpy(memory.bytes.data() + memory.at, from, size);
  memory.at += size;
  return count;
}

sf_count_t tell(void* user) { return static_cast<sf_count_t>(memory_of(user).at); }

std::vector<std::byte> encoded(const Sound& sound, int format, double compression, const char* kind) {
  Memory memory;
  SF_VIRTUAL_IO calls = {length, seek, read_bytes, write_bytes, tell};
  SF_INFO info = {};
  info.samplerate = static_cast<int>(sound.rate);
  info.channels = 1;
  info.format = format;
  SNDFILE* file = sf_open_virtual(&calls, SFM_WRITE, &info, &memory);
  check_io(file != nullptr, "[sound] expected to write ", kind, ", got: ", sf_strerror(nullptr));
  sf_command(file, SFC_SET_COMPRESSION_LEVEL, &compression, sizeof compression);
  sf_command(file, SFC_SET_CLIPPING, nullptr, SF_TRUE);
  const auto count = static_cast<sf_count_t>(sound.samples.size());
  const bool written = sf_writef_float(file, sound.samples.data(), count) == count;
  const bool closed = sf_close(file) == 0;
  check_io(written && closed, "[sound] expected to write ", count, " samples as ", kind, ", got a failure");
  return std::move(memory.bytes);
}

}  // namespace

std::vector<std::byte> encode_mp3(const Sound& given) {
  const auto above = std::ranges::upper_bound(kMp3Rates, given.rate);
  Sound sound = resampled(given, above == kMp3Rates.begin() ? kMp3Rates.front() : *(above - 1));
  float peak = 1;
  for (const float x : sound.samples) peak = std::max(peak, std::abs(x));
  for (float& x : sound.samples) x /= peak;
  constexpr double kSmall = 0.9;
  return encoded(sound, SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, kSmall, "MP3");
}

std::vector<std::byte> encode_flac(const Sound& sound) {
  constexpr double kUsual = 0.5;
  return encoded(sound, SF_FORMAT_FLAC | SF_FORMAT_PCM_16, kUsual, "FLAC");
}

}  // namespace orthant::sound
