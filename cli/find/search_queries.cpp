#include "cli/find/search_queries.h"

#include <algorithm>
#include <chrono>

#include "cli/frame/interrupt.h"
#include "cli/frame/learn_program.h"
#include "cli/look_inputs.h"
#include "orthant/core/error.h"
#include "orthant/core/features.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/mapped_file.h"
#include "orthant/serve/encoder_process.h"

namespace orthant::cli {
namespace {

using index::Index;
using serve::EncoderProcess;

index::Query from_dense(const std::vector<float>& features) {
  index::Query query;
  for (size_t j = 0; j < features.size(); ++j) {
    if (features[j] != 0) query.weights.push_back({static_cast<int64_t>(j), features[j]});
  }
  return query;
}

// Through the run's model, as orthant explore does it.
NamedQuery encoded(const Index& index, const SearchFlags& flags) {
  if (flags.model.empty()) throw Misuse("search: expected --model RUN with --image or --text, to embed it with");
  EncoderProcess process({learn_program_path(), "encode", "--threads", std::to_string(flags.common.threads),
                          "--max-pixels", "100000000", "--", flags.model},
                         std::chrono::seconds(120), [] { return interrupt_signal() != 0; });
  const bool picture = flags.text.empty();
  std::string bytes = flags.text;
  if (picture) {
    const auto file = io::MappedFile::open(flags.image);
    bytes.assign(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
  }
  std::vector<float> features;
  try {
    features = process.encode(picture ? EncoderProcess::kPicture : EncoderProcess::kText, bytes);
  } catch (const std::exception& error) {
    fail("[", picture ? flags.image : "--text", "] expected something that ", flags.model,
         " can embed, got: ", error.what());
  }
  check(std::ssize(features) == index.features(), "[", flags.model, "] expected a model with ", index.features(),
        " features, as ", flags.index, " has, got ", features.size());
  return {picture ? flags.image : flags.text, from_dense(features)};
}

std::vector<NamedQuery> from_file(const Index& index, const SearchFlags& flags) {
  const Embeddings embeddings = io::read_embeddings(embeddings_path(flags.query));
  check(embeddings.cols() == index.features(), "[", flags.query, "] expected ", index.features(), " features, as ",
        flags.index, " has, got ", embeddings.cols());
  check_finite(embeddings, flags.query);
  std::vector<NamedQuery> queries(static_cast<size_t>(embeddings.rows()));
  for (size_t q = 0; q < queries.size(); ++q) {
    queries[q].name = embeddings.ids.empty() ? std::to_string(q) : embeddings.ids[q];
    Features(embeddings).visit_row(static_cast<int64_t>(q), [&](int64_t j, float x) {
      if (x != 0) queries[q].query.weights.push_back({j, x});
    });
  }
  check(!queries.empty(), "[", flags.query, "] expected rows to ask for, got none");
  return queries;
}

}  // namespace

std::vector<NamedQuery> read_queries(const Index& index, const SearchFlags& flags) {
  const auto given = {flags.query.empty(), flags.items.empty(), flags.features.empty(), flags.image.empty(),
                      flags.text.empty()};
  if (std::ranges::count(given, false) != 1) {
    throw Misuse("search: expected one of --query FILE, --item ID, --features WEIGHTS, --image FILE and --text WORDS");
  }
  if (!flags.query.empty()) return from_file(index, flags);
  if (!flags.features.empty()) {
    return {{flags.features, {query::parse_weights(flags.features, index.vocabulary())}}};
  }
  if (flags.items.empty()) return {encoded(index, flags)};
  std::vector<NamedQuery> queries;
  for (const std::string& id : flags.items) {
    const auto item = index.find(id);
    check(item.has_value(), "[", flags.index, "] expected the id of an item, got '", id, "', which is not there");
    queries.push_back({id, query_of(index, *item)});
  }
  return queries;
}

}  // namespace orthant::cli
