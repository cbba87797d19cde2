#include "cli/adapt/kept_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace orthant::cli {
namespace {

using adapt::Found;
using adapt::Kept;

struct Column {
  const char* name;
  std::function<double(const Kept&)> value;
  bool of_vectors = true;  // says something of the vectors themselves
};

Column of_pairs(const char* name, double Found::*what) {
  return {name, [what](const Kept& kept) { return kept.found.rows > 0 ? kept.found.*what : NAN; }};
}

// Those that there is something to say in.
std::vector<Column> columns_of(const adapt::Watch& watch, const std::vector<Kept>& table) {
  std::vector<Column> columns;
  const bool decodes = std::isfinite(table.back().explained);
  if (decodes) columns.push_back({"explained", [](const Kept& kept) { return kept.explained; }, false});
  if (watch.labelled()) {
    columns.push_back({"1-NN", [](const Kept& kept) { return kept.one_nn; }});
    columns.push_back({"20-NN", [](const Kept& kept) { return kept.knn; }});
    columns.push_back({"P@10", [](const Kept& kept) { return kept.precision; }});
  }
  columns.push_back({"kept of 10-NN", [](const Kept& kept) { return kept.recall; }, false});
  if (watch.paired()) {
    columns.push_back(of_pairs("a>b R@1", &Found::there_at_1));
    columns.push_back(of_pairs("a>b R@10", &Found::there_at_10));
    columns.push_back(of_pairs("b>a R@1", &Found::back_at_1));
    columns.push_back(of_pairs("b>a R@10", &Found::back_at_10));
  }
  columns.push_back({"dead", [](const Kept& kept) { return kept.dead; }, false});
  return columns;
}

std::string percent(double share) { return std::isfinite(share) ? fmt::format("{:.1f} %", share * 100) : "-"; }

}  // namespace

std::string kept_table(const adapt::Watch& watch, std::vector<Kept> table) {
  const std::vector<Column> columns = columns_of(watch, table);
  table.push_back(watch.chance());
  std::string text = fmt::format("{} rows held out look for their nearest among {} learned from, by cosine",
                                 watch.queries(), watch.bank());
  if (watch.paired()) {
    text += fmt::format(";\neach of file a looks for its partner among as many of file b (--with), and back");
  }
  text += fmt::format(":\n{:10} {:>7}", "code", "on");
  for (const Column& column : columns) text += fmt::format(" {:>13}", column.name);
  text += "\n";
  for (const Kept& kept : table) {
    text += fmt::format("{:10} {:>7}", kept.code, std::isfinite(kept.on) ? fmt::format("{:.1f}", kept.on) : "-");
    for (const Column& column : columns) {
      const bool said = column.of_vectors || kept.code != "dense";
      text += fmt::format(" {:>13}", said ? percent(column.value(kept)) : "-");
    }
    text += "\n";
  }
  if (!watch.labelled()) text += "--labels FILE adds 1-NN, 20-NN and precision by class\n";
  return text;
}

}  // namespace orthant::cli
