#include "cli/find/index_report.h"

#include <fmt/format.h>

#include "orthant/index/recall.h"

namespace orthant::cli {

const std::vector<std::string> kMetrics = {"cosine", "dot"};
const std::vector<std::string> kValues = {"f32", "u16", "u8"};

nlohmann::ordered_json index_report(const index::Index& index) {
  const index::Directory& directory = index.directory();
  int64_t rows = 0;
  int64_t removed = 0;
  for (const index::Segment& segment : index.segments()) {
    rows += segment.items();
    removed += segment.entry().removed;
  }
  nlohmann::ordered_json report = {{"index", index.name()},
                                   {"bytes", index.file_bytes()},
                                   {"items", index.size()},
                                   {"removed", removed},
                                   {"features", index.features()},
                                   {"feature_names", !directory.feature_names.empty()},
                                   {"classes", directory.class_names.size()},
                                   {"entries", index.entries()},
                                   {"filled", static_cast<double>(index.entries()) / static_cast<double>(rows) /
                                                  static_cast<double>(index.features())},
                                   {"segments", directory.segments.size()},
                                   {"metric", kMetrics[static_cast<size_t>(directory.metric)]},
                                   {"values", kValues[static_cast<size_t>(directory.values)]},
                                   {"largest_loss", directory.largest_loss},
                                   {"blocks", index.blocks()},
                                   {"recall", {{"items", directory.curve.queries}, {"k", directory.curve.k}}}};
  for (const double wanted : {0.8, 0.9, 0.95, 0.99}) {
    const index::RecallPlan plan = index::plan_for(index, wanted);
    auto& row = report["recall"][fmt::format("{}", wanted)];
    row = {{"exact", plan.blocks == 0}};
    if (plan.blocks > 0) row = {{"blocks", plan.blocks}, {"measured", plan.measured}, {"error", plan.error}};
  }
  return report;
}

}  // namespace orthant::cli
