#include "orthant/catalogue/kept_measures.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "orthant/catalogue/measure_input.h"
#include "orthant/catalogue/text.h"
#include "orthant/core/version.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/kept_files.h"

namespace orthant::catalogue {
namespace {

using Json = nlohmann::ordered_json;

// A measures.json that still says what is true, or nothing.
std::string kept_measures(const std::string& path, const RunEmbeddings& from) {
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

}  // namespace

std::string measures_of(const Embeddings& embeddings, const std::string& source, const std::vector<int64_t>& labels,
                        const measure::EvaluationOptions& options, const Warn& warn) {
  const MeasureInput measured(source, embeddings, labels);
  const measure::MeasureReport report = measure::evaluate(measured.input(), options);
  // Warnings are in the document; labels that count as none empty whole views, so these are told at once.
  if (warn && !labels.empty() && report.classes == 0) {
    for (const std::string& line : report.warnings) warn("[" + source + "] " + line);
  }
  return measure::to_json(report);
}

std::string run_measures(const std::string& run, const RunEmbeddings& from, const std::vector<int64_t>& labels,
                         const measure::EvaluationOptions& options, const Warn& warn) {
  const std::string path = RunPaths(run).measures_file();
  std::string document = kept_measures(path, from);
  if (!document.empty()) return document;
  document = measures_of(from.embeddings, from.file, labels, options, warn);
  if (io::can_write_into(run)) io::write_file(path, document + "\n");
  return document;
}

}  // namespace orthant::catalogue
