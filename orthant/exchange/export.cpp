#include "orthant/exchange/export.h"

#include <algorithm>
#include <array>
#include <limits>

#include "orthant/core/error.h"
#include "orthant/exchange/records.h"
#include "orthant/exchange/shipment.h"

namespace orthant::exchange {
namespace {

constexpr std::array kTargets = {&kBigann,        &kSeismic,    &kQdrant, &kMilvus, &kPgvector,
                                 &kElasticsearch, &kOpensearch, &kVespa,  &kJsonl,  &kCsv};

const Target& target_named(const std::string& name) {
  std::string known;
  for (const Target* target : kTargets) {
    if (target->name == name) return *target;
    known += (known.empty() ? "" : ", ") + std::string(target->name);
  }
  fail("[export] expected one of ", known, ", got ", name);
}

void check_name(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  const bool fits = !name.empty() && name.size() <= 63 && name.front() != '_' && letter(name.front()) &&
                    std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
  check(fits, "[export] expected a name of small letters, digits and _, beginning with a letter, got ", name);
}

void check_demands(const Survey& survey, const Embeddings& embeddings, const Target& target,
                   const std::string& source) {
  constexpr int64_t kMostColumns = 1 << 24;  // each has a key and a line in features.csv
  const Demands& demands = target.demands;
  check(embeddings.cols() <= kMostColumns, "[", source, "] expected at most ", kMostColumns,
        " features to export, got ", embeddings.cols(), "; orthant select keeps those that matter");
  check(embeddings.rows() <= demands.max_rows, "[", source, "] expected at most ", demands.max_rows, " items for ",
        target.name, ", got ", embeddings.rows());
  check(embeddings.cols() <= demands.max_cols, "[", source, "] expected at most ", demands.max_cols, " features for ",
        target.name, ", got ", embeddings.cols(), "; orthant select keeps those that matter");
  check(survey.longest <= demands.max_row, "[", source, "] expected at most ", demands.max_row,
        " features that are not 0 in an item for ", target.name, ", got ", survey.longest, " in row ",
        survey.longest_row, "; orthant select keeps those that matter");
  check(!demands.positive || survey.smallest >= 0, "[", source, "] expected features of 0 and more for ", target.name,
        ", which refuses others, got ", survey.smallest, " in row ", survey.smallest_row, ", column ",
        survey.smallest_column, "; qdrant, milvus and pgvector take them");
}

}  // namespace

std::vector<ExportTarget> export_targets() {
  std::vector<ExportTarget> all;
  for (const Target* target : kTargets) all.push_back({target->name, target->what});
  return all;
}

ExportSummary export_embeddings(const Embeddings& embeddings, const std::string& folder, const ExportOptions& options) {
  const Target& target = target_named(options.to);
  check_name(options.name);
  AtomicFolder output(folder, kExportMark, options.overwrite);
  embeddings.validate();
  check_finite(embeddings, options.source);
  const Survey survey = survey_rows(embeddings);
  check_demands(survey, embeddings, target, options.source);
  const Shipment shipment{
      .embeddings = embeddings,
      .features = embeddings,
      .source = options.source,
      .name = options.name,
      .survey = survey,
      .items = ItemKeys(embeddings, options.source, options.row_ids || target.demands.whole_numbers,
                        target.demands.max_id_bytes),
      .feature_keys = target.feature_keys(embeddings),
      .questions = ask(embeddings, options.threads),
      .least = target.demands.positive ? std::numeric_limits<float>::min() : 0,
      .progress =
          [&](int64_t done) {
            if (options.progress) options.progress(done, embeddings.rows());
          },
  };
  ExportSummary summary{
      .rows = embeddings.rows(), .entries = survey.entries, .remarks = target.write(shipment, output)};
  if (target.demands.positive && survey.tiny > 0) {
    summary.remarks.push_back(join(survey.tiny, " values below 1.2e-38 are left out, which ", target.name, " refuses"));
  }
  write_tables(shipment, target, output);
  output.commit();
  return summary;
}

}  // namespace orthant::exchange
