#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orthant::catalogue {

// What a person calls a feature, and remarks on it. Both are plain text in valid UTF-8.
struct FeatureLabel {
  std::string name = {};  // at most 200 characters
  std::string note = {};  // at most 10,000

  bool operator==(const FeatureLabel&) const = default;
};

// What `orthant name` takes a feature for, until a person gives it a name.
struct ProposedName {
  std::string name = {};  // at most 200 characters
  double score = 0;       // how much speaks for it; finite, as is
  double chance = 0;      // what random items would give
  std::string from = {};  // what it was taken from: "labels"; at most 200 characters

  bool operator==(const ProposedName&) const = default;
};

// What became of a wish to rename a feature.
struct NameChange {
  bool made = false;   // false: another name was there, and still is
  FeatureLabel label;  // what the feature is called now
};

// The names of a run's features, kept in a file beside it:
//   {"format": "orthant.names.1", "features": {"12": {"name": "wheels", "note": "",
//     "proposed": {"name": "wheel", "score": 2.1, "chance": 0.8, "from": "captions"}}}}
// "proposed" may be missing; a feature with that alone has no name yet.
// Every call is safe from several threads and several programs: the file is read again whenever another has written
// it, and a change is made to what the file holds then, one feature at a time, while the folder is locked (flock). So
// two servers of one run, or two windows of a page, lose nothing of each other unless both name the same feature; and
// replace() tells that.
class Names {
 public:
  // Of features 0 to `features` - 1. No file: no names yet; no path: names are kept in memory only. IoError with the
  // path for a file that is not of this format, exceeds 64 MiB, or holds a feature that is not there or text that is
  // too long. Text that is not UTF-8 is mended with U+FFFD.
  // `columns` are the names that the features came with, one for each or none at all: a feature is called so until a
  // person gives it another name, and again when that is taken away. They are not written to the file.
  Names(std::string path, int64_t features, std::vector<std::string> columns = {});

  // Empty for a feature without a name. std::invalid_argument for one that is not there, likewise below. A file that
  // another program has made unreadable since counts as it was when last read.
  FeatureLabel get(int64_t feature) const;
  std::map<int64_t, FeatureLabel> all() const;

  // Gives a feature a name and a note, mended if they are not UTF-8, and saves the file atomically; returns what was
  // kept. With both empty the feature is forgotten. std::invalid_argument for text that is too long; IoError if the
  // file cannot be read or written: nothing has changed then.
  FeatureLabel set(int64_t feature, FeatureLabel label);

  // Proposals by feature, and all of them anew: saved atomically, names and notes stay. Errors as of set().
  std::map<int64_t, ProposedName> proposed() const;
  void propose(std::map<int64_t, ProposedName> proposals);

  // As set() if the feature is still called `expected`; otherwise nothing changes. Giving it the name that it has got
  // meanwhile is no conflict.
  NameChange replace(int64_t feature, FeatureLabel label, const FeatureLabel& expected);

 private:
  // What the file was like when it was last read or written: nothing for none.
  struct Stamp {
    uint64_t inode = 0;
    int64_t size = 0;
    int64_t seconds = 0;
    int64_t nanoseconds = 0;
    bool operator==(const Stamp&) const = default;
  };

  // What the file holds.
  struct Content {
    std::map<int64_t, FeatureLabel> labels = {};
    std::map<int64_t, ProposedName> proposed = {};
  };
  static Content parse(std::string_view text, int64_t features);
  static std::string text_of(const Content& content, int indent);
  friend std::string names_document(const Names& names);

  FeatureLabel own_label(int64_t feature) const;
  void save(Content content);
  void check_feature(int64_t feature) const;
  Stamp stamp_of_file() const;
  Content read_file() const;
  void read_if_newer() const;
  NameChange change(int64_t feature, FeatureLabel label, const FeatureLabel* expected);

  std::string path_;
  int64_t features_;
  mutable std::mutex mutex_;
  std::vector<std::string> columns_;
  mutable Content content_;
  mutable Stamp stamp_;
};

std::string label_document(const FeatureLabel& label);  // {"name": .., "note": ..}
// What a client wants a feature to be called, and what it took it to be called until then, if it says so.
struct LabelWish {
  FeatureLabel label = {};
  std::optional<FeatureLabel> expected = {};
};
// From such a text, with another such object as `expected` or without, mended if it is not UTF-8; unknown keys are
// ignored, missing ones empty. std::invalid_argument if it is anything else.
LabelWish parse_label(std::string_view text);
std::string names_document(const Names& names);  // as names.json

}  // namespace orthant::catalogue
