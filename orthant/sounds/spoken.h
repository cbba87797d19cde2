#pragma once

#include <string>

#include "orthant/data/dataset.h"

namespace orthant {

struct SpokenOptions {
  std::string split = "train";
  std::string folder;  // that keeps them: made if it is not there
  std::string program = "espeak-ng";
  int threads = 0;  // 0: as many as the machine offers
};

// Twenty words, the classes, each said by twenty voices at three speeds and three pitches: 3,600 short sounds of 16,000
// samples a second, with the factors word, voice, speed (words a minute) and pitch (0 to 100). Four voices are heard in
// "test" alone, 720 sounds.
//
// They are said once, by espeak-ng, into `folder`: FLAC files in train/WORD and test/WORD, and labels.csv, which any
// program reads; other calls open them. Nothing is left behind where that fails. IoError that names the package where
// the program is missing, and for what goes wrong with files. std::invalid_argument for another split than train,
// test and all.
DatasetPtr open_spoken(const SpokenOptions& options);

// Whether `folder` has them already.
bool spoken_is_there(const std::string& folder);

// The words of a sound that silences of 0.3 seconds and more part, with 20 milliseconds of it around each.
// Public for its test.
std::vector<Sound> parted_by_silence(const Sound& sound);

}  // namespace orthant
