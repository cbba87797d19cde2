#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orthant/core/image.h"
#include "orthant/core/sound.h"
#include "orthant/data/positives.h"

namespace orthant {

// One ground-truth property that a data set knows of its items, with the number that belongs to each class.
struct FactorInfo {
  std::string name;
  std::vector<float> values;            // values.size() classes
  std::vector<std::string> names = {};  // of the classes, where words say more than the values; or empty
  float period = 0;  // as in Factor: 0 without an order, kLinePeriod on a line, otherwise of a circle
};

// How many there are of something.
struct NamedCount {
  std::string name;
  int64_t count = 0;

  bool operator==(const NamedCount&) const = default;
};

// What is true of a data set as a whole.
struct DatasetInfo {
  std::string name;                      // as the user would name it: "sprites", "cifar10"
  std::string split;                     // "train", "test" or "all"
  std::vector<std::string> class_names;  // by label; empty: no labels
  std::vector<FactorInfo> factors;       // empty: none known
  int64_t height = 0;                    // of every image; 0: it varies, or these are vectors
  int64_t width = 0;
  int64_t channels = 0;
  int64_t dims = 0;  // of every vector; 0: these are images, texts or sounds
  // Vectors of one element, the number of a row in a table of so many, of which each item has one of its own; 0:
  // others.
  int64_t nodes = 0;
  bool graph = false;                   // the items are nodes that edges link
  bool text = false;                    // the items are texts
  bool sound = false;                   // the items are sounds, and their pictures show them to people
  bool text_ids = false;                // their ids were given with them, and are not just their numbers
  std::vector<std::string> unreadable;  // files that were skipped, each with the reason: "path: reason"
  std::vector<NamedCount> other_kinds;  // files that are pictures of kinds that are not read, by ending: ".gif"
  // Items of "train", "test" and "all", where these are known without opening more files; else empty.
  std::vector<NamedCount> splits;
  bool split_made_here = false;        // the data came unsplit, and `splits` are those of standard_split()
  int64_t asked_for = 0;               // items the caller wanted, where there were fewer; else 0
  std::vector<NamedCount> facts = {};  // what else there is to count, such as edges
};

// An item that an edge leads to.
struct Linked {
  int64_t item = 0;
  double weight = 1;

  bool operator==(const Linked&) const = default;
};

// A view of `side` pixels may be cut from a twelfth of a picture's area, so the picture must be this large for every
// pixel of the view to have one of its own.
constexpr int64_t view_source_side(int64_t side) { return 4 * side; }

// A sequence of items, all of them images, vectors, texts or sounds, in a fixed order. Every call is safe from several
// threads and gives the same answer every time. An index outside [0, size()) is std::invalid_argument; a file that
// fails to decode although it could be opened before is IoError.
class Dataset {
 public:
  virtual ~Dataset() = default;

  virtual const DatasetInfo& info() const = 0;
  virtual int64_t size() const = 0;

  // The picture of item i, decoded anew. std::invalid_argument for a data set of vectors or texts.
  virtual Image image(int64_t i) const;
  // The same for views of `side` pixels: perhaps smaller than the original, where that takes less time to decode, but
  // with sides of at least view_source_side(side). By default image(i).
  virtual Image image_for(int64_t i, int64_t side) const;
  // The vector of item i, info().dims long, valid as long as the data set. std::invalid_argument for images and
  // texts.
  virtual std::span<const float> vector(int64_t i) const;
  // The texts of item i, such as the captions of one picture: at least one, each valid UTF-8 with a character that is
  // no space. std::invalid_argument for images and vectors.
  virtual std::vector<std::string> texts(int64_t i) const;
  // The sound of item i, decoded anew. std::invalid_argument for all other data sets.
  virtual Sound sound(int64_t i) const;
  // The class of item i, or -1 where it has none. Never decodes the image.
  virtual int64_t label(int64_t i) const;
  // The class of item i in each of info().factors; `classes` has room for exactly that many.
  virtual void factors(int64_t i, std::span<int32_t> classes) const;
  // The other items of the data set that edges link item i to, rising; none unless info().graph.
  virtual std::vector<Linked> links(int64_t i) const;
  // Which items belong together, if the data itself says so, as the edges of a whole graph do; else null.
  virtual PositivesPtr positives() const { return nullptr; }
  // A name for item i that is unique in the data set: a relative path, or a number.
  virtual std::string id(int64_t i) const;

 protected:
  // For implementations: throws the std::invalid_argument that is promised above.
  void check_index(int64_t i) const;
  void check_factors(std::span<const int32_t> classes) const;
};

using DatasetPtr = std::shared_ptr<const Dataset>;

}  // namespace orthant
