#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/classify/class_source.h"
#include "cli/classify/read_out_table.h"
#include "cli/commands.h"
#include "orthant/core/error.h"
#include "orthant/io/atomic_file.h"

namespace orthant::cli {
namespace {

struct ClassifyFlags {
  Common common;
  ClassifyInputs inputs;
  std::vector<std::string> items;
  int64_t top = 5;
  bool json = false;
  std::string output;
  bool overwrite = false;
};

int64_t row_of(const std::string& id, const Embeddings& items) {
  const auto found = std::ranges::find(items.ids, id);
  check(found != items.ids.end(), "[--item] expected the id of an item, such as ",
        items.ids.empty() ? "none" : items.ids.front(), ", got ", id);
  return found - items.ids.begin();
}

void run(const ClassifyFlags& flags) {
  if (!flags.output.empty()) refuse_existing(flags.output, flags.overwrite);
  ClassSource source = open_class_source(flags.inputs, flags.common);
  classify::ReadOut result =
      classify::read_out(std::move(source.classifier), source.items, source.labels, flags.common.threads);
  if (result.confusion.judged == 0) {
    result.carried = classify::class_contributions(result.classifier, source.items, result.predicted);
  }
  classify::ReadOutDocument document{.source = flags.inputs.run,
                                     .result = result,
                                     .labels = source.labels,
                                     .ids = source.items.ids,
                                     .notes = source.notes,
                                     .top = flags.top};
  if (source.phrases > 0) document.source += join(" by ", source.phrases, " phrases of ", flags.inputs.names);
  for (const std::string& id : flags.items) {
    document.explained.push_back({id, classify::predict(result.classifier, source.items, row_of(id, source.items))});
  }
  const std::string text = classify::to_json(document) + "\n";
  if (!flags.output.empty()) io::write_file(flags.output, text);
  fmt::print("{}", flags.json ? text : read_out_table(document));
}

}  // namespace

void add_classify(App& app) {
  auto flags = std::make_shared<ClassifyFlags>();
  App* command =
      add_command(app, "classify", "Classes of items, from names alone or as learned, and what decided", flags->common);
  command->add_option("run", flags->inputs.run, "Run with a tower of texts, or one that has learned classes")
      ->required()
      ->type_name("RUN");
  command
      ->add_option("--names", flags->inputs.names,
                   "Classes by name: one in each line, or NAME, a tab and a phrase (several lines: several phrasings)")
      ->type_name("FILE");
  command->add_option("--template", flags->inputs.templates, "Phrase for each name, with {} for it; repeatable")
      ->allow_extra_args(false)
      ->type_name("TEXT");
  command->add_option("--data", flags->inputs.data, "Data set, KIND[:PATH]; default: what the run was trained on");
  command->add_option("--split", flags->inputs.split, "train, test or all")
      ->check(one_of({"train", "test", "all"}))
      ->capture_default_str();
  command->add_option("--factor", flags->inputs.factor, "Judge by this factor of the data instead of its classes")
      ->type_name("NAME");
  command->add_option("--item", flags->items, "Explain this item; repeatable")
      ->allow_extra_args(false)
      ->type_name("ID");
  command->add_option("--top", flags->top, "Features to show of a class or an item")
      ->check(between(1, 1 << 20))
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->add_option("-o,--output", flags->output, "Write the JSON document here")->type_name("FILE");
  command->add_flag("--overwrite", flags->overwrite, "Replace the file if it exists");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
