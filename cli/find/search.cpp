#include <fmt/format.h>

#include <optional>

#include "cli/commands.h"
#include "cli/find/hits.h"
#include "cli/find/search_queries.h"
#include "orthant/core/error.h"

namespace orthant::cli {
namespace {

void run(const SearchFlags& flags) {
  if (!(flags.recall > 0 && flags.recall <= 1)) throw Misuse("search: expected --recall above 0 and up to 1");
  if (!flags.output.empty()) {
    check_hits_file(flags.output);
    refuse_existing(flags.output, flags.overwrite);
  }
  const index::Index index = index::Index::open(flags.index);
  std::optional<query::Filter> filter;
  if (!flags.filter.empty()) filter = query::Filter::parse(flags.filter, index.vocabulary());
  const std::vector<NamedQuery> named = read_queries(index, flags);
  const index::Mask mask = filter ? index::Mask(index, *filter) : index::Mask(index);
  const bool exact = filter || flags.k > index.directory().curve.k;  // of what recall was not measured
  const index::RecallPlan plan = exact ? index::RecallPlan{} : plan_for(index, flags.recall);
  std::vector<index::Query> queries;
  for (const NamedQuery& one : named) queries.push_back(one.query);
  const auto found =
      search(index, queries, mask, {.k = flags.k, .blocks = plan.blocks, .threads = flags.common.threads});
  const Hits hits{index, named, found, plan, mask.count()};
  if (!flags.output.empty()) write_hits(hits, flags);
  if (flags.json) {
    fmt::print("{}", hits_json(hits, flags));
  } else if (flags.output.empty()) {
    print_hits(hits, flags);
  } else if (!flags.common.quiet) {
    fmt::print(stderr, "{}: {} queries; {}\n", flags.output, queries.size(), how_found(hits, flags));
  }
}

}  // namespace

void add_search(App& app) {
  auto flags = std::make_shared<SearchFlags>();
  App* command =
      add_command(app, "search", "Find items in an index, and say which features made each match", flags->common);
  command->add_option("index", flags->index, "An index that orthant index wrote")->required()->type_name("FILE.oix");
  const char* what = "What to look for (one of them)";
  command->add_option("--item", flags->items, "Items like this one of the index; several are several queries")
      ->allow_extra_args(false)
      ->type_name("ID")
      ->group(what);
  command->add_option("--features", flags->features, "Weights of features: 'wheel:1, -fur:0.5, f12:0.8'")
      ->type_name("WEIGHTS")
      ->group(what);
  command->add_option("--query", flags->query, "Rows of a file of embeddings, or of a run, each a query")
      ->type_name("FILE|RUN")
      ->group(what);
  command->add_option("--image", flags->image, "A picture, embedded by --model")->type_name("FILE")->group(what);
  command->add_option("--text", flags->text, "Words, embedded by --model")->type_name("WORDS")->group(what);
  command->add_option("--model", flags->model, "The run whose model made the index's features")
      ->type_name("RUN")
      ->group(what);
  command->add_option("-k", flags->k, "Hits of each query")
      ->check(between(1, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--filter", flags->filter, "Only items for which this holds: 'f12>0.3 and class=cat'")
      ->type_name("FILTER");
  command
      ->add_option(
          "--recall", flags->recall,
          "Share of the true hits that is enough, such as 0.95; how much must be read for it was measured when "
          "the index was written")
      ->type_name("X")
      ->capture_default_str();
  command->add_flag("--explain", flags->explain, "The features that made each hit; they add up to its score");
  command->add_option("--top", flags->explained, "Features shown of each hit with --explain")
      ->check(between(1, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("-o,--output", flags->output, "Write the hits: .tsv or .json")->type_name("FILE");
  command->add_flag("--overwrite", flags->overwrite, "Replace the file if it exists");
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
