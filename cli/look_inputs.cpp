#include "cli/look_inputs.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/embed_process.h"
#include "cli/frame/progress.h"
#include "cli/frame/terminal_text.h"
#include "orthant/adapt/recipe.h"
#include "orthant/catalogue/open.h"
#include "orthant/core/error.h"
#include "orthant/run/run_paths.h"
#include "orthant/sources/open.h"

namespace orthant::cli {

void add_texts(App& command, std::string& texts) {
  command
      .add_option("--texts", texts,
                  "Texts of the items, such as captions: a file with a line for each item of all splits, or a data set "
                  "(default: the data's)")
      ->type_name("FILE|DATA");
}

void add_look_inputs(App& command, LookInputs& inputs) {
  command.add_option("inputs", inputs.inputs, "Runs, or embeddings (.safetensors, .npy, .npz) of the same items")
      ->type_name("RUN|FILE")
      ->required();
  command
      .add_option("--labels", inputs.labels, "Classes: integer .npy, or text with one per line (default: the file's)")
      ->type_name("FILE");
  command
      .add_option("--ids", inputs.ids, "Ids of the items: text with one per line (default: the file's, or the data's)")
      ->type_name("FILE");
  add_texts(command, inputs.texts);
  command
      .add_option("--reference", inputs.reference,
                  "Vectors of the same items by something else (pixels, another encoder): how alike the items of each "
                  "feature are (monosemanticity)")
      ->type_name("FILE|RUN");
  command.add_option("--data", inputs.data,
                     "Data set of the pictures, KIND[:PATH]; default: what a run was trained on, none for a file");
  command.add_option("--split", inputs.split, "train, test or all (test; all of a graph)")
      ->check(one_of({"train", "test", "all"}))
      ->type_name("SPLIT");
  command.add_option("--size", inputs.size, "Items of the data set; 0: all")
      ->check(between(0, INT64_MAX))
      ->type_name("N");
}

std::vector<std::unique_ptr<catalogue::Catalogue>> open_inputs(const LookInputs& inputs, const Common& common) {
  const auto progress = std::make_shared<Progress>(common.quiet);
  const std::string split = inputs.split.empty() ? usual_split(inputs.inputs.front()) : inputs.split;
  return catalogue::open_catalogues(
      inputs.inputs, {.labels = inputs.labels,
                      .ids = inputs.ids,
                      .texts = inputs.texts,
                      .reference = inputs.reference.empty() ? "" : embeddings_path(inputs.reference, split),
                      .data = inputs.data,
                      .split = split,
                      .size = inputs.size,
                      .threads = common.threads,
                      .seed = common.seed,
                      .embed = embed_process(common),
                      .warn =
                          [progress](const std::string& line) {
                            progress->clear();
                            fmt::print(stderr, "orthant: {}\n", terminal_text(line));
                          },
                      .progress =
                          [progress](const std::string& what, int64_t done, int64_t total) {
                            (*progress)(what, done, total);
                            if (done == total) progress->clear();
                          }});
}

std::string usual_split(const std::string& path) {
  if (!is_run(path)) return "test";
  return adapt::is_adapted_run(path) || is_graph(trained_on(RunPaths(path))) ? "all" : "test";
}

std::string embeddings_path(const std::string& path, const std::string& said) {
  check(std::filesystem::exists(path), "[", path, "] expected a run or a file, got: no such run or file");
  if (!std::filesystem::is_directory(path)) return path;
  const RunPaths run(path);
  const std::string split = said.empty() ? usual_split(path) : said;
  std::string file = run.embeddings_file({.split = split});
  check(std::filesystem::exists(file), "[", path, "] expected embeddings in ", file,
        ", got none; make them with: orthant embed ", run.path(), " --split ", split);
  return file;
}

}  // namespace orthant::cli
