#pragma once

#include <string>

#include "orthant/data/dataset.h"
#include "orthant/folders/folder_contents.h"

namespace orthant {

// Sounds of any length, rate and number of channels in a folder and all folders below: files that end in .wav, .flac,
// .ogg, .oga, .opus, .mp3, .aif, .aiff, .au, .snd, .caf or .w64. Ids, classes, splits and tables of labels are those
// of open_folder(); `folder` may also be a single file.
//
// Every file is decoded once; those that cannot be (see sound::decode()), nor be heard, are left out and listed. Its
// pictures are sound_picture()s, kSoundSide a side. IoError if there is no sound at all. `name` is that of the data
// set; empty: "audio:" and the path.
DatasetPtr open_sound_folder(const std::string& folder, const FolderOptions& options = {},
                             const std::string& name = {});

constexpr int64_t kSoundSide = 64;

}  // namespace orthant
