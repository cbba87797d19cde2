#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/find/index_report.h"
#include "cli/frame/terminal_text.h"
#include "orthant/core/error.h"
#include "orthant/core/importance.h"
#include "orthant/core/settings.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/mapped_file.h"
#include "orthant/io/safetensors.h"
#include "orthant/io/settings_file.h"
#include "orthant/run/run_paths.h"

namespace orthant::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct InfoFlags {
  Common common;
  std::vector<std::string> paths;
  bool json = false;
};

// The measures of the last epoch; a last line that a killed program left unfinished is passed over.
Json last_epoch(const std::string& folder) {
  Json last = Json::object();
  std::ifstream in(RunPaths(folder).metrics_file(), std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    Json json = Json::parse(line, nullptr, false);
    if (json.is_object() && json.contains("kind") && json["kind"] == "epoch") last = std::move(json);
  }
  last.erase("kind");
  return last;
}

Json describe_run(const std::string& path) {
  const Settings settings = io::read_settings(RunPaths(path).recipe_file());
  Json report = {{"kind", "run"}, {"path", path}};
  for (const char* key : {"data.source", "data.with", "train.method", "loss.name", "loss.importance", "activation.name",
                          "backbone.name", "backbone_a.name", "backbone_b.name", "projector_a.out", "projector.out",
                          "train.batch", "train.epochs", "train.seed"}) {
    const auto found = settings.find(key);
    if (found != settings.end()) report[key] = to_string(found->second);
  }
  report["model"] = fs::exists(RunPaths(path).model_file());
  report["last_epoch"] = last_epoch(path);
  return report;
}

Json describe_model(const std::string& path, const io::SafeTensors& file) {
  Json report = {{"kind", "model"}, {"path", path}};
  int64_t elements = 0;
  for (const std::string& name : file.names()) {
    int64_t size = 1;
    for (const int64_t dim : file.tensor(name).shape) size *= dim;
    elements += size;
  }
  report["tensors"] = file.names().size();
  report["elements"] = elements;
  for (const auto& [key, value] : file.metadata()) report["metadata"][key] = value;
  return report;
}

Json describe_embeddings(const std::string& path) {
  const Embeddings embeddings = io::read_embeddings(path);
  Json report = {{"kind", "embeddings"},
                 {"path", path},
                 {"rows", embeddings.rows()},
                 {"features", embeddings.cols()},
                 {"sparse", embeddings.sparse()},
                 {"labels", !embeddings.labels.empty()},
                 {"classes", embeddings.class_names.size()}};
  if (embeddings.sparse()) report["entries"] = std::get<SparseMatrix>(embeddings.features).nnz();
  if (!embeddings.feature_names.empty()) report["feature_names"] = embeddings.feature_names;
  if (const std::vector<float> learned = importance_of(embeddings); !learned.empty()) report["importance"] = "learned";
  for (const Factor& factor : embeddings.factors) report["factors"].push_back(factor.name);
  for (const auto& [key, value] : embeddings.how) {
    if (key != kLearnedImportance) report["how"][key] = value;
  }
  return report;
}

// Opening compares the header and the directory with their checksums, and no more.
Json describe_index(const std::string& path) {
  Json report = {{"kind", "index"}, {"path", path}};
  report.update(index_report(index::Index::open(path)));
  report.erase("index");
  report["checksums"] = "header and directory are intact; orthant index verify compares all";
  return report;
}

Json describe(const std::string& path) {
  if (fs::is_directory(path)) {
    check(is_run(path), "[", path, "] expected a run with run.toml, got another folder");
    return describe_run(path);
  }
  const auto file = io::MappedFile::open(path);
  if (index::looks_like_index(file->bytes())) return describe_index(path);
  if (io::looks_like_safetensors(file->bytes())) {
    const auto tensors = io::SafeTensors::open(path);
    if (tensors.metadata().contains("backbone.name")) return describe_model(path, tensors);
  }
  return describe_embeddings(path);
}

std::string text_of(const Json& value) {
  if (value.is_string()) return terminal_text(value.get<std::string>());
  if (value.is_number_float()) return fmt::format("{:.4g}", value.get<double>());
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// One line per fact, one column per thing; nested facts follow their name.
void print_rows(const std::vector<Json>& reports, const std::string& indent) {
  std::vector<std::string> keys;
  for (const Json& report : reports) {
    for (const auto& [key, value] : report.items()) {
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    }
  }
  for (const std::string& key : keys) {
    std::vector<Json> values;
    bool nested = false;
    for (const Json& report : reports) {
      values.push_back(report.is_object() && report.contains(key) ? report[key] : Json());
      nested = nested || values.back().is_object();
    }
    fmt::print("{:<24}", indent + terminal_text(key));
    if (!nested) {
      for (const Json& value : values) fmt::print("  {:>20}", value.is_null() ? "-" : text_of(value));
    }
    fmt::print("\n");
    if (nested) print_rows(values, indent + "  ");
  }
}

void run(const InfoFlags& flags) {
  std::vector<Json> reports;
  for (const std::string& path : flags.paths) reports.push_back(describe(path));
  if (flags.json) {
    const Json document = reports.size() == 1 ? reports.front() : Json(reports);
    fmt::print("{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    print_rows(reports, "");
  }
}

}  // namespace

void add_info(App& app) {
  auto flags = std::make_shared<InfoFlags>();
  App* command =
      add_command(app, "info", "Tell what a run, a model, an index or a file of embeddings is", flags->common);
  command->add_option("paths", flags->paths, "Runs or files; several are shown side by side")
      ->required()
      ->type_name("RUN|FILE");
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
