#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/data.h"
#include "orthant/sources/open.h"

namespace orthant::cli {
namespace {

void print_kinds() {
  for (const DatasetKind& kind : dataset_kinds()) {
    fmt::print("{:<25} {}\n", kind.usage, kind.description);
  }
}

}  // namespace

void add_data(App& app) {
  App* data = app.add_subcommand("data", "List, inspect, preview, export and pack data sets");
  data->require_subcommand();
  data->add_subcommand("list", "List the kinds of data sets and how to name them")->callback(print_kinds);
  add_data_info(*data);
  add_data_preview(*data);
  add_data_export(*data);
  add_data_pack(*data);
}

}  // namespace orthant::cli
