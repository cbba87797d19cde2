#include "cli/data_flags.h"

#include <fmt/format.h>

#include "cli/frame/terminal_text.h"
#include "orthant/data/notes.h"
#include "orthant/sounds/spoken.h"
#include "orthant/sources/open.h"

namespace orthant::cli {

void add_data_flags(App* command, DataFlags& flags) {
  command->add_option("DATA", flags.spec, "Data set, such as sprites or cifar10:DIR; see 'orthant data list'")
      ->required()
      ->type_name("");
  command->add_option("--split", flags.split, "train, test or all")
      ->check(one_of({"train", "test", "all"}))
      ->type_name("SPLIT")
      ->capture_default_str();
  command->add_option("--size", flags.size, "Number of items, or all if there are fewer; 0: all")
      ->check(between(0, INT64_MAX))
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--strict", flags.strict, "Refuse a folder with unreadable files instead of skipping them");
  command
      ->add_option("--corrupt", flags.corrupt,
                   "Corrupt the pictures: NAME or NAME:SEVERITY (1 to 5), such as fog:3; see docs/corruptions.md")
      ->type_name("NAME");
}

void tell_first_time(const std::string& spec, const Common& common) {
  if (common.quiet || spec != "spoken" || spoken_is_there(spoken_folder())) return;
  fmt::print(stderr, "orthant: espeak-ng says the words of spoken, once, into {}\n", terminal_text(spoken_folder()));
}

DatasetPtr open_data(const DataFlags& flags, const Common& common) {
  tell_first_time(flags.spec, common);
  return open_dataset(flags.spec, {.split = flags.split,
                                   .size = flags.size,
                                   .seed = common.seed,
                                   .strict = flags.strict,
                                   .threads = common.threads,
                                   .corrupt = flags.corrupt});
}

void tell_notes(const DatasetInfo& info, const Common& common) {
  if (common.quiet) return;
  for (const std::string& line : notes(info)) fmt::print(stderr, "orthant: note: {}\n", terminal_text(line));
  if (!info.unreadable.empty()) {
    fmt::print(stderr, "orthant: note: 'orthant data info' lists what is left out, --strict refuses it\n");
  }
}

}  // namespace orthant::cli
