#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace orthant::catalogue {

// A feature of an item.
struct ItemFeature {
  int64_t feature = 0;
  float value = 0;
  double share = 0;  // value^2 / norm^2
};

// A neighbour: the cosine, which is the score of the explanation of the two.
struct ItemMatch {
  int64_t item = 0;
  double score = 0;
};

// An item's own page; of a row from elsewhere (a picture dropped on the page) without item, id and label.
struct ItemProfile {
  std::optional<int64_t> item = {};
  std::string id = {};
  std::vector<std::string> texts = {};     // empty: none known
  int64_t label = -1;                      // -1: unknown
  int64_t active = 0;                      // features that fire, also those beyond the list
  double norm = 0;                         // Euclidean length of the row
  std::vector<ItemFeature> features = {};  // that fire, at most 256, largest |value| first, then lower one
  std::vector<ItemMatch> neighbours = {};  // at most 24, never itself, largest score first, then lower item
  std::vector<ItemMatch> links = {};  // of a node of a graph: at most 100 that it is linked to, largest score first
};

// A line of the list of items.
struct ItemSummary {
  int64_t item = 0;
  std::string id = {};
  int64_t label = -1;  // -1: unknown
  int64_t active = 0;  // features that fire
};

// Some of the items.
struct ItemPage {
  int64_t total = 0;  // items there are (of the class asked for)
  std::vector<ItemSummary> items;
};

}  // namespace orthant::catalogue
