#include "orthant/catalogue/kept_measures.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "orthant/catalogue/measure_input.h"
#include "orthant/catalogue/sample.h"
#include "orthant/catalogue/text.h"
#include "orthant/core/error.h"
#include "orthant/core/version.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/kept_files.h"

namespace orthant::catalogue {
namespace {

using Json = nlohmann::ordered_json;

std::string document_of(measure::MeasureReport report, const std::vector<int64_t>& labels, const Warn& warn) {
  // Warnings are in the document; labels that count as none empty whole views, so these are told at once.
  if (warn && !labels.empty() && report.classes == 0) {
    for (const std::string& line : report.warnings) warn("[" + report.source + "] " + line);
  }
  report.per_feature.clear();
  return measure::to_json(report);
}

}  // namespace

std::string measures_of(const Embeddings& embeddings, const std::string& source, const std::vector<int64_t>& labels,
                        const measure::EvaluationOptions& options, const Warn& warn, const Embeddings* reference) {
  const MeasureInput measured(source, embeddings, labels, reference);
  return document_of(measure::evaluate(measured.input(), options), labels, warn);
}

std::string sampled_measures(const Embeddings& embeddings, const std::string& source,
                             const std::vector<int64_t>& labels, int64_t items,
                             const measure::EvaluationOptions& options, const Warn& warn, const Embeddings* reference) {
  const std::vector<int64_t> rows = even_sample(embeddings.rows(), items);
  const Embeddings some = sampled(embeddings, rows);
  std::vector<int64_t> its_labels;
  for (const int64_t row : rows) {
    if (!labels.empty()) its_labels.push_back(labels[static_cast<size_t>(row)]);
  }
  const Embeddings its_reference = reference != nullptr ? sampled(*reference, rows) : Embeddings{};
  const MeasureInput measured(source, some, its_labels, reference != nullptr ? &its_reference : nullptr);
  measure::MeasureReport report = measure::evaluate(measured.input(), options);
  const std::string line = join("measured on ", items, " of ", embeddings.rows(), " items, evenly chosen");
  report.warnings.insert(report.warnings.begin(), line);
  if (warn) warn("[" + source + "] " + line);
  return document_of(std::move(report), its_labels, nullptr);
}

std::string known_measures(const std::string& run, const RunEmbeddings& from) {
  const std::string path = RunPaths(run).measures_file();
  if (!std::filesystem::exists(path) || io::is_newer(from.file, path)) return "";
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (json_depth(text) > kDeepestJson) return "";
  const auto json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("input") || !json["input"].is_object()) return "";
  const auto& input = json["input"];
  const bool fits = json.value("orthant", Json()) == version() && json.value("definition", Json()) == "paper" &&
                    input.value("rows", Json()) == from.embeddings.rows() &&
                    input.value("cols", Json()) == from.embeddings.cols();
  return fits ? json.dump(-1, ' ', false, Json::error_handler_t::replace) : "";
}

std::string run_measures(const std::string& run, const RunEmbeddings& from, const std::vector<int64_t>& labels,
                         const measure::EvaluationOptions& options, const Warn& warn) {
  const std::string path = RunPaths(run).measures_file();
  std::string document = known_measures(run, from);
  if (!document.empty()) return document;
  document = measures_of(from.embeddings, from.file, labels, options, warn);
  if (io::can_write_into(run)) io::write_file(path, document + "\n");
  return document;
}

}  // namespace orthant::catalogue
