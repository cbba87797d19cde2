#pragma once

#include <functional>
#include <string>

#include "cli/command.h"
#include "orthant/catalogue/run_record.h"
#include "orthant/core/embeddings.h"

namespace orthant::cli {

// Which part of which data set is looked at.
struct LookData {
  std::string spec;  // KIND[:PATH]; empty: what the run was trained on
  std::string split = "test";
  int64_t size = 0;  // 0: all
};

// The embeddings of a run by its projector: of the data it was trained on they lie in its folder, and are made there by
// `orthant embed` if they are missing or older than the model; of other data, or if the folder cannot be written, they
// are made for this time only. IoError if that fails. A build that cannot embed takes old ones and says so on stderr.
struct RunEmbeddings {
  Embeddings embeddings;
  std::string file;   // they were read from
  bool kept = false;  // the file lies in the run
};
RunEmbeddings run_embeddings(const std::string& run, const LookData& data, const Common& common);

// Told about measures: which, and how far.
using LookProgress = std::function<void(const std::string& what, int64_t done, int64_t total)>;

// The document of `orthant measure` for embeddings named `source`, with these labels (none: without).
std::string measures_of(const Embeddings& embeddings, const std::string& source, const std::vector<int64_t>& labels,
                        const Common& common, const LookProgress& progress);

// The same for embeddings that are kept in a run: from its measures.json if that is newer than the embeddings, of this
// version and of as many rows and features; otherwise computed and kept there, if the folder can be written.
std::string run_measures(const std::string& run, const RunEmbeddings& from, const std::vector<int64_t>& labels,
                         const Common& common, const LookProgress& progress);

}  // namespace orthant::cli
