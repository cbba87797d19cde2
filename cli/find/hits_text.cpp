#include <fmt/format.h>

#include <algorithm>

#include "cli/find/hits.h"
#include "cli/frame/terminal_text.h"

namespace orthant::cli {
namespace {

void print_parts(const Hits& hits, const index::Query& query, const index::Hit& hit, int64_t most) {
  const auto parts = contributions(hits.index, query, hit.item);
  const auto shown = std::min(static_cast<size_t>(most), parts.size());
  double rest = 0;
  for (size_t n = 0; n < parts.size(); ++n) {
    if (n >= shown) {
      rest += parts[n].share;
      continue;
    }
    const std::string name = terminal_text(feature_name(hits.index, parts[n].feature));
    fmt::print("      {:>9.4f}  {}  (asked {:.3g}, has {:.3g})\n", parts[n].share, name, parts[n].weight,
               parts[n].value);
  }
  if (parts.size() > shown) fmt::print("      {:>9.4f}  {} other features\n", rest, parts.size() - shown);
}

}  // namespace

std::string feature_name(const index::Index& index, int64_t feature) {
  const auto& names = index.directory().feature_names;
  const std::string number = fmt::format("f{}", feature);
  if (names.empty() || names[static_cast<size_t>(feature)].empty()) return number;
  return names[static_cast<size_t>(feature)] + " (" + number + ")";
}

std::string class_name(const index::Index& index, const index::Item& item) {
  const int64_t label = index.label(item);
  return label < 0 ? "" : index.directory().class_names[static_cast<size_t>(label)];
}

std::string how_found(const Hits& hits, const SearchFlags& flags) {
  const std::string metric = hits.index.metric() == index::Metric::cosine ? "cosine" : "dot product";
  const std::string among = flags.filter.empty() ? fmt::format("{} items", hits.index.size())
                                                 : fmt::format("{} of {} items", hits.allowed, hits.index.size());
  index::Work work;
  for (const index::Found& found : hits.found) work += found.work;
  const auto queries = static_cast<double>(std::max<size_t>(1, hits.found.size()));
  const auto each = [&](int64_t number) { return static_cast<double>(number) / queries; };
  if (hits.plan.blocks > 0) {
    return fmt::format(
        "approximate, {}, {}: recall {:g} promised ({:.3f} +- {:.3f} measured for items of the index); "
        "{} of {} blocks read",
        metric, among, hits.plan.promised, hits.plan.measured, hits.plan.error, hits.plan.blocks, hits.index.blocks());
  }
  std::string why = fmt::format("{:.0f} of {} blocks ruled out by their largest values, {:.0f} list entries added up",
                                each(work.passed_by), hits.index.blocks(), each(work.postings));
  const int64_t measured = hits.index.directory().curve.k;
  if (flags.recall < 1) {
    why += !flags.filter.empty() ? "; filters are always exact"
           : flags.k > measured  ? fmt::format("; recall was measured for {} hits alone", measured)
                                 : "; an approximate search would be more work";
  }
  return fmt::format("exact, {}, {}: {}", metric, among, why);
}

void print_hits(const Hits& hits, const SearchFlags& flags) {
  fmt::print("{}\n", how_found(hits, flags));
  for (size_t q = 0; q < hits.queries.size(); ++q) {
    if (hits.queries.size() > 1) fmt::print("\n{}\n", terminal_text(hits.queries[q].name));
    const auto& found = hits.found[q].hits;
    for (size_t n = 0; n < found.size(); ++n) {
      const std::string kind = class_name(hits.index, found[n].item);
      fmt::print("{:>3}  {:>9.4f}  {}{}\n", n + 1, found[n].score, terminal_text(hits.index.id(found[n].item)),
                 kind.empty() ? "" : "  [" + terminal_text(kind) + "]");
      if (flags.explain) print_parts(hits, hits.queries[q].query, found[n], flags.explained);
    }
    if (found.empty()) fmt::print("nothing found\n");
  }
}

}  // namespace orthant::cli
