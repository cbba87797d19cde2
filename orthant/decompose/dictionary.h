#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/core/features.h"
#include "orthant/core/matrix.h"

namespace orthant::decompose {

// Vectors with names, and what a code over them needs.
struct Dictionary {
  Matrix atoms;                    // [W, D]: unit rows, centred if that was asked for
  Matrix gram;                     // [W, W]: their products
  std::vector<std::string> names;  // [W]

  int64_t words() const { return atoms.rows(); }
};

// std::invalid_argument, naming `names_name`, unless there is a name for each of the `words` rows of `vectors_name`,
// none of them empty or there twice.
void check_names(const std::vector<std::string>& names, int64_t words, const std::string& names_name,
                 const std::string& vectors_name);

struct DictionaryOptions {
  bool centre = true;  // take off the mean of the vectors at unit length, as SpLiCE does
  int threads = 0;
};

// The dictionary of vectors [W, D] with these names; takes 4 W (W + D) bytes. std::invalid_argument, naming
// `vectors_name` or `names_name`, for another number of names than vectors, a name that is empty or there twice, a
// vector that is zero, not finite or the mean of all, and for more words than there is memory for.
Dictionary make_dictionary(const Features& vectors, std::vector<std::string> names, const std::string& vectors_name,
                           const std::string& names_name, const DictionaryOptions& options = {});

}  // namespace orthant::decompose
