#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace orthant::catalogue {

// What a person calls a feature, and remarks on it. Both are plain text in valid UTF-8.
struct FeatureLabel {
  std::string name = {};  // at most 200 characters
  std::string note = {};  // at most 10,000

  bool operator==(const FeatureLabel&) const = default;
};

// The names of a run's features, kept in a file beside it:
//   {"format": "orthant.names.1", "features": {"12": {"name": "wheels", "note": ""}}}
// Every call is safe from several threads; changes happen one after the other. The file is read once, at the start:
// of two programs that name features of one run, the last to save wins.
class Names {
 public:
  // Of features 0 to `features` - 1. No file: no names yet; no path: names are kept in memory only. IoError with the
  // path for a file that is not of this format, exceeds 64 MiB, or holds a feature that is not there or text that is
  // too long. Text that is not UTF-8 is mended with U+FFFD.
  Names(std::string path, int64_t features);

  // Empty for a feature without a name. std::invalid_argument for one that is not there, likewise below.
  FeatureLabel get(int64_t feature) const;
  std::map<int64_t, FeatureLabel> all() const;

  // Gives a feature a name and a note, mended if they are not UTF-8, and saves the file atomically; returns what was
  // kept. With both empty the feature is forgotten. std::invalid_argument for text that is too long; IoError if the
  // file cannot be written: nothing has changed then.
  FeatureLabel set(int64_t feature, FeatureLabel label);

 private:
  void check_feature(int64_t feature) const;

  std::string path_;
  int64_t features_;
  mutable std::mutex mutex_;
  std::map<int64_t, FeatureLabel> labels_;
};

std::string label_document(const FeatureLabel& label);  // {"name": .., "note": ..}
// From such a text, mended if it is not UTF-8; unknown keys are ignored, missing ones empty. std::invalid_argument if
// it is anything else.
FeatureLabel parse_label(std::string_view text);
std::string names_document(const Names& names);  // as names.json

}  // namespace orthant::catalogue
