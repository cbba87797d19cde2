#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orthant/core/rng.h"
#include "orthant/text/text_options.h"

namespace orthant {

// How random views of a text are made; a view of a text is a text.
//
//   none       the text itself
//   dropout    its words, each left out with the probability `dropout`
//   halves     the words are dealt at random into two halves of equal size: view 0 is one and view 1 the other, so that
//              they have no word in common but those that occur twice; views 2 and 3 are halves of another deal, ...
//   sentences  two neighbouring sentences: view 0 is one and view 1 the next; views 2 and 3 are another two, ... Texts
//              of a single sentence give halves.
//
// Words keep their order. Of halves and sentences, too, words are left out with the probability `dropout`; one word at
// least is kept of what has any.
struct TextViewOptions {
  std::string kind = "none";
  double dropout = 0;
  bool draw = false;  // of an item with several texts: each view is of one drawn at random, not of the first
  TextOptions words = {};

  bool operator==(const TextViewOptions&) const = default;
};

// View key.view of `text`, a function of its arguments alone. Of halves and dropout only the first words.max_words
// words are dealt, which are those that a network reads. Words are normalised, and words_of() gives them back.
// std::invalid_argument unless the text is valid UTF-8 and the kind is known. Safe from several threads.
std::string text_view(std::string_view text, const TextViewOptions& options, const StreamKey& key);

// Which of `texts` texts a view is of, where one is drawn: a stream of its own.
size_t drawn_text(size_t texts, const StreamKey& key);

// The sentences of a text, without the blanks around them: they end with ., !, ?, an ellipsis or their ideographic
// forms before a blank or the end (ideographic ones anywhere). Those of fewer than about four words go with what
// follows them, or at the end with what precedes. The views refer to `text`.
std::vector<std::string_view> sentences_of(std::string_view text);

}  // namespace orthant
