#include "orthant/clean/clean.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "orthant/clean/distance_suspects.h"
#include "orthant/clean/judge.h"
#include "orthant/clean/label_suspects.h"
#include "orthant/core/error.h"
#include "orthant/search/neighbours.h"

namespace orthant::clean {
namespace {

constexpr float kFires = 1e-5F;
constexpr int64_t kFewestLabelled = 20;
constexpr int64_t kFewest = 3;

std::vector<bool> empty_rows(const Features& features) {
  std::vector<bool> empty(static_cast<size_t>(features.rows()), true);
  for (int64_t i = 0; i < features.rows(); ++i) {
    features.visit_row(i, [&](int64_t, float value) {
      if (std::abs(value) > kFires) empty[static_cast<size_t>(i)] = false;
    });
  }
  return empty;
}

std::string why_no_labels(std::span<const int64_t> labels) {
  std::set<int64_t> classes;
  int64_t labelled = 0;
  for (const int64_t label : labels) {
    check(label >= -1, "[clean] expected labels from -1 on, got ", label);
    if (label < 0) continue;
    classes.insert(label);
    ++labelled;
  }
  if (labelled == 0) return "no labels";
  if (classes.size() < 2) return "one class alone";
  return labelled < kFewestLabelled ? "fewer than 20 labelled items" : "";
}

search::Neighbours nearest(const Features& bank, const Features& queries, bool self, const CleanOptions& options,
                           const char* what) {
  search::NeighbourOptions how{
      .k = std::max<int64_t>(options.neighbours, 10), .exclude_self = self, .threads = options.threads};
  if (options.progress) how.progress = [&, what](int64_t done, int64_t total) { options.progress(what, done, total); };
  return search::neighbours(bank, queries, how);
}

void add(CleanReport& report, std::vector<Suspect> more, std::span<const int64_t> labels) {
  for (Suspect& suspect : more) {
    if (!labels.empty()) suspect.label = labels[static_cast<size_t>(suspect.item)];
  }
  std::ranges::move(more, std::back_inserter(report.suspects));
}

}  // namespace

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::label:
      return "label";
    case Kind::duplicate:
      return "duplicate";
    case Kind::leak:
      return "leak";
    case Kind::outlier:
      return "outlier";
    case Kind::empty:
      break;
  }
  return "empty";
}

int64_t CleanReport::count(Kind kind) const { return std::ranges::count(suspects, kind, &Suspect::kind); }

CleanReport find_suspects(const Features& features, std::span<const int64_t> labels, std::optional<Features> bank,
                          const CleanOptions& options) {
  check(features.rows() >= kFewest, "[clean] expected at least ", kFewest, " items, got ", features.rows());
  check_finite(features, "clean");
  return find_suspects(features, labels, nearest(features, features, true, options, "neighbours"), bank, options);
}

CleanReport find_suspects(const Features& features, std::span<const int64_t> labels, const search::Neighbours& found,
                          std::optional<Features> bank, const CleanOptions& options) {
  check(features.rows() >= kFewest && found.queries() == features.rows(), "[clean] expected neighbours of each of ",
        features.rows(), " items, ", kFewest, " at least, got ", found.queries());
  check(labels.empty() || std::ssize(labels) == features.rows(), "[clean] expected a label for each of ",
        features.rows(), " items, got ", labels.size());
  check(!bank || bank->cols() == features.cols(), "[clean] expected ", features.cols(), " features in the bank, got ",
        bank ? bank->cols() : 0);
  CleanReport report;
  report.items = features.rows();
  const std::vector<bool> empty = empty_rows(features);
  report.labels.left_out = why_no_labels(labels);
  if (report.labels.left_out.empty()) {
    const Judgement judgement = judge_labels(features, labels, found, options);
    add(report, label_suspects(features, labels, judgement, empty, options, report.labels), labels);
  }
  add(report, duplicate_suspects(found, empty, options, report.distances), labels);
  if (bank) {
    check(bank->rows() > 0, "[clean] expected items in the bank, got none");
    check_finite(*bank, "bank");
    add(report, leak_suspects(nearest(*bank, features, false, options, "bank"), empty, options), labels);
  }
  add(report, outlier_suspects(found, empty, options, report.distances), labels);
  std::vector<Suspect> silent;
  for (int64_t i = 0; i < features.rows(); ++i) {
    if (empty[static_cast<size_t>(i)]) silent.push_back({.kind = Kind::empty, .item = i, .score = 1});
  }
  add(report, std::move(silent), labels);
  return report;
}

}  // namespace orthant::clean
