#include "orthant/exchange/import.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/frame/progress.h"
#include "orthant/core/error.h"
#include "orthant/core/features.h"
#include "orthant/io/embeddings_file.h"

namespace orthant::cli {
namespace {

struct ImportFlags {
  Common common;
  std::string input;
  std::string output;
  int64_t dims = 0;
  bool json = false;
  bool overwrite = false;
};

void run(const ImportFlags& flags) {
  refuse_existing(flags.output, flags.overwrite);
  const std::string extension = std::filesystem::path(flags.output).extension();
  check(io::is_embeddings_ending(extension), "[", flags.output, "] expected a name that ends with ",
        io::kEmbeddingsEndings, ", got ", extension.empty() ? "none" : extension);
  Progress progress(flags.common.quiet);
  const Embeddings embeddings =
      exchange::import_file(flags.input, {.dims = flags.dims, .progress = [&](int64_t done, int64_t total) {
                                            progress.update({"import", done, total, "bytes"});
                                          }});
  progress.clear();
  check_finite(embeddings, flags.input);
  io::write_embeddings(flags.output, embeddings);
  if (flags.json) {
    const nlohmann::ordered_json report = {{"source", flags.input},
                                           {"output", flags.output},
                                           {"rows", embeddings.rows()},
                                           {"columns", embeddings.cols()},
                                           {"labels", !embeddings.labels.empty()},
                                           {"ids", !embeddings.ids.empty()},
                                           {"feature_names", !embeddings.feature_names.empty()}};
    fmt::print("{}\n", report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else if (!flags.common.quiet) {
    fmt::print(stderr, "{}: {} items, {} features\n", flags.output, embeddings.rows(), embeddings.cols());
  }
}

}  // namespace

void add_import(App& app) {
  auto flags = std::make_shared<ImportFlags>();
  App* command = add_command(app, "import", "Sparse vectors of other programs as embeddings", flags->common);
  command
      ->add_option(
          "input", flags->input,
          "BigANN's .csr (also gzipped), SciPy CSR .npz, or JSON lines with indices and values or weights by name")
      ->required()
      ->type_name("FILE");
  command->add_option("-o,--output", flags->output, "Embeddings: .safetensors, .npz, .npy or .csv")
      ->required()
      ->type_name("FILE");
  command->add_option("--dims", flags->dims, "Features there are (default: as the file says, or as many as it uses)")
      ->check(between(1, INT32_MAX))
      ->type_name("N");
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->add_flag("--overwrite", flags->overwrite, "Replace the file if it exists");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
