#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orthant::words {

// What one word, in all its places, adds to a feature of a text.
struct WordShare {
  std::string word;  // as words_of() gives it
  double share = 0;
};

// A feature of a text, taken apart: before sigma+, value = rest + the sum of all shares, exactly but for rounding.
struct FeatureParts {
  int64_t feature = 0;
  double value = 0;                   // before sigma+
  double rest = 0;                    // what biases add
  std::vector<WordShare> words = {};  // every different word of the text, largest share first, then by the alphabet
};

// A model of texts as bags (text-bag), read without LibTorch, to tell which words make its features.
//
// The network is a mean of vectors, a layer norm, and layers of ReLU. For a given text each ReLU either passes or not,
// and the norm divides by one number, so that the features are an affine function of the mean: a word's share is what
// that function makes of the word's own part of the mean. Fragments of a word count as the word, n-grams of words by
// equal parts as each of them.
class BagReader {
 public:
  // The model of model.safetensors; null if it is another network than text-bag. IoError if the file is malformed.
  static std::shared_ptr<const BagReader> open(const std::string& path);
  ~BagReader();
  BagReader(const BagReader&) = delete;
  BagReader& operator=(const BagReader&) = delete;

  int64_t features() const;

  // std::invalid_argument for a feature that is not there, or what is not UTF-8. Safe from several threads.
  std::vector<FeatureParts> take_apart(std::string_view text, std::span<const int64_t> features) const;

 private:
  BagReader();
  struct Network;
  std::unique_ptr<Network> network_;
};

}  // namespace orthant::words
