#include "orthant/sound/decode.h"

#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/io/mapped_file.h"

namespace orthant::sound {
namespace {

constexpr int64_t kLeastRate = 1000;
constexpr int64_t kLargestRate = 768'000;
constexpr int64_t kUsualRate = 48'000;  // an hour of higher ones would take too much memory
constexpr int64_t kMostChannels = 64;
constexpr int64_t kBlock = 16'384;  // frames that are read at once

// Bytes in memory as the file that libsndfile reads.
struct Memory {
  std::span<const std::byte> bytes;
  int64_t at = 0;

  int64_t size() const { return std::ssize(bytes); }
};

Memory& memory_of(void* user) { return *static_cast<Memory*>(user); }

sf_count_t length(void* user) { return memory_of(user).size(); }

sf_count_t seek(sf_count_t offset, int whence, void* user) {
  Memory& memory = memory_of(user);
  const int64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? memory.at : memory.size();
  // Whatever a damaged file asks for, sums of two such numbers stay within 64 bits.
  memory.at = std::clamp<int64_t>(from + std::clamp<int64_t>(offset, -memory.size(), memory.size()), 0, memory.size());
  return memory.at;
}

sf_count_t read_bytes(void* to, sf_count_t count, void* user) {
  Memory& memory = memory_of(user);
  const int64_t given = std::clamp<int64_t>(count, 0, memory.size() - memory.at);
  if (given > 0) std::memcpy(to, memory.bytes.data() + memory.at, static_cast<size_t>(given));
  memory.at += given;
  return given;
}

sf_count_t tell(void* user) { return memory_of(user).at; }

struct Close {
  void operator()(SNDFILE* file) const { sf_close(file); }
};
using File = std::unique_ptr<SNDFILE, Close>;

bool begins(std::span<const std::byte> bytes, std::string_view with, size_t at = 0) {
  return bytes.size() >= at + with.size() && std::memcmp(bytes.data() + at, with.data(), with.size()) == 0;
}

uint32_t number_at(std::span<const std::byte> bytes, size_t at) {
  uint32_t number = 0;
  for (size_t k = 4; k-- > 0;) number = number << 8 | std::to_integer<uint32_t>(bytes[at + k]);
  return number;
}

// Of a WAV file, whose end libsndfile does not miss: its samples' bytes that are not there. What was written to a pipe
// promises nothing.
int64_t missing_bytes(std::span<const std::byte> bytes) {
  if (!begins(bytes, "RIFF") || !begins(bytes, "WAVE", 8)) return 0;
  for (size_t at = 12; at + 8 <= bytes.size();) {
    const uint32_t size = number_at(bytes, at + 4);
    const size_t left = bytes.size() - at - 8;
    const bool data = begins(bytes, "data", at);
    if (data && size >= 0x7fff'ff00U) return 0;
    if (data) return size > left ? static_cast<int64_t>(size - left) : 0;
    if (size > left) return 0;
    at += 8 + size + (size & 1);
  }
  return 0;
}

// Appends the means of the channels; false if one is not finite.
bool add_frames(std::span<const float> block, int64_t channels, std::vector<float>& samples) {
  bool finite = true;
  for (size_t i = 0; i < block.size(); i += static_cast<size_t>(channels)) {
    float sum = 0;
    for (int64_t c = 0; c < channels; ++c) sum += block[i + static_cast<size_t>(c)];
    finite = finite && std::isfinite(sum);
    samples.push_back(sum / static_cast<float>(channels));
  }
  return finite;
}

void check_header(const SF_INFO& info, const std::string& name) {
  check_io(info.samplerate >= kLeastRate && info.samplerate <= kLargestRate, "[", name, "] expected ", kLeastRate,
           " to ", kLargestRate, " samples a second, got ", info.samplerate);
  check_io(info.channels >= 1 && info.channels <= kMostChannels, "[", name, "] expected 1 to ", kMostChannels,
           " channels, got ", info.channels);
}

}  // namespace

Sound decode(std::span<const std::byte> bytes, const std::string& name) {
  check_io(!bytes.empty(), "[", name, "] expected a sound, got an empty file");
  Memory memory{bytes};
  SF_VIRTUAL_IO calls = {length, seek, read_bytes, nullptr, tell};
  SF_INFO info = {};
  const File file(sf_open_virtual(&calls, SFM_READ, &info, &memory));
  check_io(file != nullptr, "[", name,
           "] expected a sound (WAV, FLAC, OGG, MP3), got something else: ", sf_strerror(nullptr));
  check_header(info, name);
  const int64_t missing = missing_bytes(bytes);
  check_io(missing == 0, "[", name, "] expected a whole sound, got one that is cut off: ", missing,
           " bytes are missing at its end");

  Sound sound{info.samplerate, {}};
  const int64_t most = kLongestSeconds * std::min(sound.rate, kUsualRate);
  std::vector<float> block(static_cast<size_t>(kBlock * info.channels));
  for (;;) {
    const int64_t got = sf_readf_float(file.get(), block.data(), kBlock);
    if (got <= 0) break;
    const bool finite =
        add_frames(std::span(block).first(static_cast<size_t>(got * info.channels)), info.channels, sound.samples);
    check_io(finite, "[", name, "] expected finite samples, got others in the first ", sound.seconds(), " seconds");
    check_io(std::ssize(sound.samples) <= most, "[", name, "] expected at most ", kLongestSeconds,
             " seconds of sound at ", kUsualRate, " samples a second, got more; cut it into parts");
  }
  const bool exact = (info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC &&
                     info.frames != SF_COUNT_MAX;  // written to a pipe: its length was not known
  check_io(!exact || std::ssize(sound.samples) >= info.frames, "[", name,
           "] expected a whole sound, got one that is cut off: ", sound.samples.size(), " of ", info.frames,
           " samples");
  check_io(sf_error(file.get()) == SF_ERR_NO_ERROR, "[", name,
           "] expected a whole sound, got a damaged one: ", sf_strerror(file.get()));
  check_io(!sound.samples.empty(), "[", name, "] expected a sound, got one of 0 seconds");
  check_io(std::ranges::any_of(sound.samples, [](float x) { return x != 0; }), "[", name,
           "] expected a sound, got silence throughout");
  return sound;
}

Sound read(const std::string& path) { return decode(io::MappedFile::open(path)->bytes(), path); }

bool looks_like_sound(std::span<const std::byte> bytes) {
  const bool mpeg = bytes.size() > 1 && bytes[0] == std::byte{0xff} &&
                    (bytes[1] & std::byte{0xe0}) == std::byte{0xe0} &&
                    (bytes[1] & std::byte{0x06}) == std::byte{0x02};  // layer III
  return (begins(bytes, "RIFF") && begins(bytes, "WAVE", 8)) || begins(bytes, "fLaC") || begins(bytes, "OggS") ||
         begins(bytes, "ID3") || (begins(bytes, "FORM") && begins(bytes, "AIF", 8)) || begins(bytes, ".snd") ||
         begins(bytes, "caff") || mpeg;
}

}  // namespace orthant::sound
