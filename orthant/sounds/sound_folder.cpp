#include "orthant/sounds/sound_folder.h"

#include <algorithm>
#include <array>

#include "orthant/core/error.h"
#include "orthant/data/split.h"
#include "orthant/sound/decode.h"
#include "orthant/sound/spectrogram.h"

namespace orthant {
namespace {

bool is_sound_ending(const std::string& ending) {
  static constexpr std::array kRead = {".wav", ".flac", ".ogg", ".oga", ".opus", ".mp3",
                                       ".aif", ".aiff", ".au",  ".snd", ".caf",  ".w64"};
  return std::ranges::find(kRead, ending) != kRead.end();
}

bool is_other_sound_ending(const std::string& ending) {
  static constexpr std::array kOthers = {".m4a", ".aac", ".wma",  ".ape", ".mka", ".webm",
                                         ".amr", ".mid", ".midi", ".mp4", ".ac3", ".wv"};
  return std::ranges::find(kOthers, ending) != kOthers.end();
}

std::string why_unreadable(const std::string& path) {
  try {
    sound::read(path);
    return {};
  } catch (const IoError& error) {
    return without_place(error.what(), path);
  }
}

const FileKind& sound_files() {
  static const FileKind kind = {"sound", ".wav, .flac, .ogg, .opus, .mp3, .aiff or .au", is_sound_ending,
                                is_other_sound_ending, why_unreadable};
  return kind;
}

class SoundFolder final : public FolderDataset {
 public:
  using FolderDataset::FolderDataset;

  Image image(int64_t i) const override { return sound::sound_picture(sound(i), kSoundSide); }
  Sound sound(int64_t i) const override { return sound::read(path(i)); }
};

}  // namespace

DatasetPtr open_sound_folder(const std::string& folder, const FolderOptions& options, const std::string& name) {
  OpenedFolder opened = read_folder(folder, options, sound_files(), name.empty() ? "audio:" + folder : name);
  opened.info.sound = true;
  opened.info.height = opened.info.width = kSoundSide;
  opened.info.channels = 1;
  const bool splits_given = opened.splits_given;
  const auto dataset = std::make_shared<SoundFolder>(std::move(opened));
  return splits_given ? dataset : standard_split(dataset, options.split);
}

}  // namespace orthant
