#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>

#include "orthant/core/error.h"
#include "orthant/text/text_ids.h"
#include "orthant/text/text_view.h"
#include "orthant/text/utf8.h"
#include "orthant/text/words.h"
#include "orthant/texts/text_source.h"
#include "tests/fuzz/scratch_folder.h"

namespace {

// Every item has a text that is one, words that are valid, and ids within the table.
void read_all(const orthant::TextSource& source) {
  try {
    const auto data = orthant::open_texts(source, "all");
    const orthant::TextOptions options{.char_min = 2, .char_max = 4, .word_ngrams = 2, .buckets = 97};
    for (int64_t i = 0; i < data->size(); ++i) {
      if (data->texts(i).empty() || data->id(i).empty()) std::abort();
      if (data->label(i) >= static_cast<int64_t>(data->info().class_names.size())) std::abort();
      for (const std::string& text : data->texts(i)) {
        if (orthant::is_blank(text)) std::abort();
        for (const char* kind : {"halves", "dropout", "sentences"}) {
          const std::string view = orthant::text_view(text, {.kind = kind, .dropout = 0.2}, {.view = 1});
          if (orthant::first_invalid_utf8(view) != std::string_view::npos) std::abort();
        }
        for (const std::string& word : orthant::words_of(text)) {
          if (word.empty() || orthant::first_invalid_utf8(word) != std::string_view::npos) std::abort();
        }
        for (const int32_t id : orthant::text_ids(text, options)) {
          if (id < 0 || id >= options.buckets) std::abort();
        }
      }
    }
  } catch (const orthant::IoError&) {
  } catch (const std::invalid_argument&) {  // a column that is not there
  }
}

}  // namespace

// Any bytes as lines, as labels and ids of themselves, and as a table, with and without holes.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const orthant::fuzz::ScratchFolder folder;
  const std::string file = folder.write("text", data, size);
  read_all({.file = file});
  read_all({.file = file, .labels = file, .ids = file});
  read_all({.file = file, .skip_empty = true});
  read_all({.file = file, .column = "a", .id = "b", .label = "c", .split = "d"});
  read_all({.file = file, .column = "a", .label = "c", .skip_empty = true});
  return 0;
}
