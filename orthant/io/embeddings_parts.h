#pragma once

#include <map>
#include <string>

#include "orthant/core/embeddings.h"
#include "orthant/io/array.h"

namespace orthant::io {

// Everything of embeddings but the features, as named arrays and text: what .safetensors and .npz files share.
//   labels               int64 [N]
//   ids.bytes            uint8, all ids in a row; ids.ends: int64 [N], where each ends
//   factor.K.classes     int32 [N]; factor.K.values: float32, for K = 0, 1, ...
// and as metadata: "format" (kEmbeddingsFormat), "class_names", "feature_names" and "factor_names" (JSON lists of
// text), "how.KEY".
struct EmbeddingsParts {
  std::map<std::string, Array> arrays;
  std::map<std::string, std::string> metadata;
};

constexpr const char* kEmbeddingsFormat = "orthant.embeddings.1";
// The array that holds the metadata where a file has no place for it: a JSON object as uint8.
constexpr const char* kMetadataArray = "orthant.metadata";

// True for the names above and kMetadataArray.
bool is_embeddings_part(const std::string& name);

// The parts own their arrays.
EmbeddingsParts take_parts(const Embeddings& embeddings);
Array metadata_array(const std::map<std::string, std::string>& metadata);

// The inverse. Parts that are absent stay empty. Without our "format" the file is another program's: then only labels
// are taken, and its metadata goes to `how` as it is. Throws IoError naming `path` for parts that are malformed;
// whether they fit the features is Embeddings::validate()'s to say.
void put_parts(Embeddings& embeddings, const EmbeddingsParts& parts, const std::string& path);

}  // namespace orthant::io
