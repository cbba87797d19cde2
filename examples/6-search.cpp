// Builds an index of features on disk, and searches it: by weights of features, like an item, with a filter.
//
//   $ 6-search animals.oix
//   indexed: 5 items x 4 features, 10 entries
//   fur and no wings: cat (0.85), mouse (0.73)
//   like eagle, but no bird: bat (0.72)
//     wings: 0.66
//     large: 0.06
//   without mouse: 4 items

#include <cstdio>
#include <vector>

#include "orthant/index/edit.h"
#include "orthant/index/search.h"

namespace index = orthant::index;

// The best hits of one query among the items of the mask.
std::vector<index::Hit> ask(const index::Index& file, const index::Query& query, const index::Mask& mask, int64_t k) {
  return index::search(file, std::vector{query}, mask, {.k = k}).front().hits;
}

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: 6-search FILE.oix\n"), 2;
  orthant::Embeddings animals;
  animals.features = orthant::Matrix(5, 4, {0.9F, 0,    0,    0.3F,  // cat
                                            0.7F, 0,    0.5F, 0,     // mouse
                                            0,    0.9F, 0,    0.6F,  // eagle
                                            0.6F, 0.8F, 0,    0.1F,  // bat
                                            0,    0.8F, 0.4F, 0});   // wren
  animals.ids = {"cat", "mouse", "eagle", "bat", "wren"};
  animals.labels = {0, 0, 1, 0, 1};
  animals.class_names = {"mammal", "bird"};
  animals.feature_names = {"fur", "wings", "tiny", "large"};
  index::build_index(argv[1], animals, "animals");

  const index::Index file = index::Index::open(argv[1]);
  std::printf("indexed: %lld items x %lld features, %lld entries\n", static_cast<long long>(file.size()),
              static_cast<long long>(file.features()), static_cast<long long>(file.entries()));
  const index::Query weights{orthant::query::parse_weights("fur:1, -wings:0.5", file.vocabulary())};
  std::printf("fur and no wings:");
  const char* comma = " ";
  for (const index::Hit& hit : ask(file, weights, index::Mask(file), 2)) {
    std::printf("%s%s (%.2f)", comma, std::string(file.id(hit.item)).c_str(), hit.score);
    comma = ", ";
  }

  const index::Mask others(file, orthant::query::Filter::parse("not class=bird", file.vocabulary()));
  const index::Query eagle = index::query_of(file, file.find("eagle").value());
  const index::Hit best = ask(file, eagle, others, 1).front();
  std::printf("\nlike eagle, but no bird: %s (%.2f)\n", std::string(file.id(best.item)).c_str(), best.score);
  for (const index::Contribution& part : index::contributions(file, eagle, best.item)) {
    std::printf("  %s: %.2f\n", animals.feature_names[static_cast<size_t>(part.feature)].c_str(), part.share);
  }

  index::remove_from_index(argv[1], std::vector<std::string>{"mouse"});
  std::printf("without mouse: %lld items\n", static_cast<long long>(index::Index::open(argv[1]).size()));
}
