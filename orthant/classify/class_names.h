#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace orthant::classify {

// Classes that are known by their names alone, and the phrases that stand for them.
struct ClassNames {
  std::vector<std::string> names;      // [C], in the order in which they first come
  std::vector<std::string> phrases;    // [P]
  std::vector<int64_t> class_of = {};  // [P]: the class of each phrase
};

// A text file with a class in each line: NAME, which stands in every template where that has {}, or NAME, a tab and a
// phrase that is taken as it is. Lines of one name are phrasings of one class. Without templates the name itself is the
// phrase. IoError naming the file and the line for a file without lines, a blank name or phrase, a line that is not
// UTF-8, and a name or a phrase of it that comes twice; std::invalid_argument for a template without {}.
ClassNames read_class_names(const std::string& path, std::span<const std::string> templates = {});

// Labels [N] by `label_names` as classes of other names [C]: the class of the same name, -1 where there is none.
std::vector<int64_t> labels_by_name(std::span<const int64_t> labels, std::span<const std::string> label_names,
                                    std::span<const std::string> names);

}  // namespace orthant::classify
