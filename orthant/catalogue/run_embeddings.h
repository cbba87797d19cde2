#pragma once

#include <functional>
#include <string>

#include "orthant/core/embeddings.h"
#include "orthant/run/run_paths.h"

namespace orthant::catalogue {

// Embeddings of a run that are missing.
struct EmbedRequest {
  std::string run;
  EmbeddingsKey key;
  std::string output;  // the file to write, or to replace
};

// Makes them. Embedding needs LibTorch, which this library does not link: a program that has it calls embed() of
// learn/, another one starts `orthant embed`. May throw.
using EmbedMissing = std::function<void(const EmbedRequest&)>;

struct RunEmbeddings {
  Embeddings embeddings;
  std::string file;   // they were read from; the run itself if that was for this time only
  bool kept = false;  // the file lies in the run
};

// The embeddings of a run that `key` names: of the data it was trained on they lie in its folder, and are made there by
// `embed` if they are missing or older than the model; of other data, or if the folder cannot be written, they are made
// for this time only. Without `embed` old ones are taken, which `warn` (if given) is told; IoError if there are none.
RunEmbeddings run_embeddings(const std::string& run, EmbeddingsKey key, const EmbedMissing& embed,
                             const std::function<void(const std::string&)>& warn = {});

}  // namespace orthant::catalogue
