#include <array>
#include <ctime>
#include <nlohmann/json.hpp>

#include "orthant/catalogue/text.h"
#include "orthant/core/error.h"
#include "orthant/core/version.h"
#include "orthant/report/documents.h"
#include "orthant/report/read_out_documents.h"

namespace orthant::report {
namespace {

using Json = nlohmann::ordered_json;

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

// Without a size where pictures differ in theirs.
Json picture_json(const DatasetPtr& pictures) {
  if (!pictures || pictures->info().width == 0) return nullptr;
  const DatasetInfo& info = pictures->info();
  return {{"width", info.width}, {"height", info.height}, {"channels", info.channels}};
}

Json data_json(const catalogue::Items& items) {
  return {{"spec", items.spec},
          {"split", items.split},
          {"items", items.size()},
          {"classes", items.classes},
          {"has_pictures", items.pictures != nullptr},
          {"has_texts", !items.texts.empty()},
          {"has_sounds", items.has_sounds()},
          {"picture", picture_json(items.pictures)}};
}

Json histogram_json(const catalogue::Histogram& histogram) {
  return {{"edges", histogram.edges}, {"counts", histogram.counts}};
}

Json run_json(const catalogue::Catalogue& run, size_t number) {
  const catalogue::RunRecord& record = run.record();
  const catalogue::CorrelationMap& correlation = run.correlation();
  Json measures = Json::parse(record.measures);
  if (measures.is_null()) measures = Json::object();
  return {{"run", number},
          {"name", record.name},
          {"path", record.path},
          {"method", record.method},
          {"features", run.features()},
          {"sparse", run.sparse()},
          {"recipe", record.recipe},
          {"curves", Json::parse(record.curves)},
          {"measures", std::move(measures)},
          {"adapter", Json::parse(record.adapter)},
          {"selection", Json::parse(record.selection)},
          {"histograms",
           {{"sparsity", histogram_json(run.active_histogram())},
            {"consistency", histogram_json(run.consistency_histogram())}}},
          {"correlation",
           {{"order", correlation.order},
            {"size", correlation.order.size()},
            {"values", catalogue::base64(std::as_bytes(std::span<const uint8_t>(correlation.values)))}}},
          {"classifier", Json::parse(read_out_document(run))},
          {"queries", record.queries},
          {"maps", run.map_names()}};
}

}  // namespace

std::string overview_document(std::span<const catalogue::Catalogue* const> runs) {
  check(!runs.empty(), "[overview] expected at least one run, got none");
  Json list = Json::array();
  for (size_t r = 0; r < runs.size(); ++r) {
    check(&runs[r]->items() == &runs.front()->items(), "[overview] expected runs over the same items, got others in ",
          runs[r]->record().name);
    list.push_back(run_json(*runs[r], r));
  }
  const Json json = {{"api", 1},
                     {"orthant", version()},
                     {"generated", now_utc()},
                     {"data", data_json(runs.front()->items())},
                     {"runs", std::move(list)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace orthant::report
