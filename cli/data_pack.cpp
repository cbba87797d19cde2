#include <fmt/format.h>

#include "cli/data.h"
#include "cli/data_flags.h"
#include "cli/frame/command.h"
#include "cli/frame/interrupt.h"
#include "cli/frame/program.h"
#include "cli/frame/progress.h"
#include "cli/frame/terminal_text.h"
#include "orthant/core/error.h"
#include "orthant/sources/pack_folder.h"

namespace orthant::cli {
namespace {

struct PackFlags {
  Common common;
  std::string spec;
  std::string output;
  bool strict = false;
  bool overwrite = false;
};

PackedFolder pack(const PackFlags& flags) {
  Progress progress(flags.common.quiet);
  try {
    return pack_folder(
        flags.spec, flags.output,
        {.strict = flags.strict, .threads = flags.common.threads, .progress = [&](int64_t done, int64_t total) {
           progress.update({"pack", done, total, "files"});
         }});
  } catch (const Interrupted& interrupted) {
    progress.clear();
    fmt::print(stderr, "orthant: stopped; the same command goes on where it was\n");
    throw Ended{128 + interrupted.signal_number};
  }
}

void run(const PackFlags& flags) {
  refuse_existing(flags.output, flags.overwrite);
  const PackedFolder packed = pack(flags);
  tell_notes(packed.info, flags.common);
  if (flags.common.quiet) return;
  if (packed.resumed > 0) fmt::print(stderr, "orthant: note: {} files were there already\n", packed.resumed);
  fmt::print(stderr, "{}: {} pictures, {:.1f} MB; its name as a data set is pack:{}\n", terminal_text(flags.output),
             packed.items, static_cast<double>(packed.bytes) / 1e6, terminal_text(flags.output));
}

}  // namespace

void add_data_pack(App& data) {
  auto flags = std::make_shared<PackFlags>();
  App* command = add_command(
      data, "pack", "Put the pictures of a folder into one file, which is read many times as fast from a cold disk",
      flags->common);
  command->add_option("DATA", flags->spec, "folder:DIR[,labels=FILE]")->required()->type_name("");
  command->add_option("-o,--output", flags->output, "File to write, such as DIR.pack")->required()->type_name("FILE");
  command->add_flag("--strict", flags->strict, "Refuse a folder with unreadable pictures instead of skipping them");
  command->add_flag("--overwrite", flags->overwrite, "Replace the file if it exists");
  command->footer(
      "Pictures are kept byte for byte. If it is stopped or killed, the same command goes on where it was.");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
