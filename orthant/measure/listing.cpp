#include "orthant/measure/listing.h"

#include <algorithm>

#include "orthant/core/error.h"

namespace orthant::measure {
namespace {

using enum Unit;
using enum Better;

// A measure with one number, under its own name.
ListedMeasure single(const char* id, Unit unit, Better better, const char* words) {
  return {id, 1, {{id, id, unit, better, words}}};
}

std::vector<ListedMeasure> of_samples_and_classes() {
  return {
      single("sparsity", ratio, higher, "entries that are zero"),
      single("active_per_sample", number, lower, "features that are on in a sample, on average"),
      single("dead_features", whole, lower, "features that are never on"),
      single("non_negative_ratio", ratio, neither, "entries that are not negative"),
      single("anchored_features", whole, higher, "features with a sample that has no other (Theorem 5)"),
      {"class_consistency",
       1,
       {{"class_consistency.active", "class_consistency", ratio, higher,
         "share of the main class where a feature is not zero"},
        {"class_consistency.positive", "class_consistency", ratio, higher, "the same where it is positive"},
        {"class_consistency.strong", "class_consistency", ratio, higher,
         "the same where it dominates (above 0.1 of the row)"}}},
      {"class_consistency_top",
       1,
       {{"class_consistency.top", "class_consistency", ratio, higher,
         "the same among the strongest 1 % of samples of a feature"},
        {"chance.class_consistency.top", "class_consistency", ratio, neither,
         "what as many samples drawn at random would give"},
        {"class_consistency.top_items", "class_consistency", number, neither,
         "samples of a feature that this rests on, on average"},
        {"class_consistency.top_fewest", "class_consistency", whole, neither,
         "the same of the feature with the fewest"},
        {"class_consistency.top_features", "class_consistency", whole, neither, "features with any such sample"}}},
      single("class_entropy", nats, lower, "mixture of classes in a feature"),
      {"communities",
       1,
       {{"communities.nmi", "communities", ratio, higher, "what the strongest features of nodes tell of their classes"},
        {"communities.purity", "communities", ratio, higher,
         "nodes of the commonest class of those with the same strongest feature"},
        {"communities.modularity", "communities", ratio, higher,
         "edges between nodes with the same strongest feature, above chance"},
        {"communities.parts", "communities", whole, neither, "features that are the strongest of a node"}}},
  };
}

std::vector<ListedMeasure> of_columns_and_neighbours() {
  return {
      {"correlation",
       1,
       {{"correlation.mean", "correlation", ratio, lower, "likeness of two features"},
        {"correlation.median", "correlation", ratio, lower, "the same, of the pair in the middle"}}},
      single("effective_rank", nats, higher, "directions in use, log of their number at most"),
      {"importance",
       1,
       {{"importance.effective", "importance", number, neither, "features that count, by their learned importance"},
        {"importance.half", "importance", whole, neither, "the fewest that hold half of the importance"}}},
      {"monosemanticity",
       1,
       {{"monosemanticity", "monosemanticity", ratio, higher, "likeness of items that a feature is on for"},
        {"chance.monosemanticity", "monosemanticity", ratio, neither, "the same of any two items"},
        {"monosemanticity_lowest_tenth", "monosemanticity", ratio, higher, "a tenth of features do not exceed it"},
        {"monosemanticity_features", "monosemanticity", whole, neither,
         "features that are on for two items at least"}}},
      {"knn-accuracy",
       1,
       {{"knn_accuracy", "knn_accuracy", ratio, higher, "class told by the nearest neighbours"},
        {"knn_drop", "knn_accuracy", ratio, lower, "what other data lose of the run's own knn_accuracy"}}},
      {"retrieval",
       1,
       {{"precision_at_10", "precision_at_10", ratio, higher, "of the ten nearest, those of the same class"},
        {"map_at_10", "map_at_10", ratio, higher, "the same, where early places count more"},
        {"recall_at_10", "recall_at_10", ratio, higher, "queries with any of their class among the ten"}}},
  };
}

// The definition, and its three variants.
ListedMeasure of_two_views() {
  ListedMeasure measure{"sepin",
                        1,
                        {{"sepin.1", "sepin", nats, higher, "what the best feature tells that no other does"},
                         {"sepin.10", "sepin", nats, higher, "mean of the ten best"},
                         {"sepin.100", "sepin", nats, higher, "mean of the hundred best"},
                         {"sepin.all", "sepin", nats, higher, "mean of all"}}};
  for (const std::string variant : {"decoupled", "fixed", "fixed_decoupled"}) {
    for (const std::string k : {"1", "10", "100", "all"}) {
      measure.keys.push_back({"sepin." + variant + "." + k, "sepin", nats, higher, "sepin." + k + ", " + variant});
    }
  }
  return measure;
}

std::vector<ListedMeasure> of_models() {
  return {
      of_two_views(),
      {"stability",
       1,
       {{"stability.mean", "stability", ratio, higher, "features found again by the other model, one to one"},
        {"stability.best", "stability", ratio, higher, "likeness of a feature to the nearest of the other model"},
        {"stability.best_of_other", "stability", ratio, higher, "the same for a feature of the other model"}}},
      {"stability_live",
       1,
       {{"stability.matched", "stability", ratio, higher, "likeness of two live features that are matched"},
        {"stability.correlation", "stability", ratio, higher, "the same by correlation, matched by it"},
        {"stability.live", "stability", whole, neither, "features that are not zero"},
        {"stability.live_of_other", "stability", whole, neither, "the same of the other model"}}},
  };
}

// Each score is there twice: of the features as they are, and after proportional ones were merged.
std::vector<ListedMeasure> of_factors() {
  std::vector<ListedMeasure> list = {
      {"mig",
       1,
       {{"mig", "mig", ratio, higher, "gap between the two features that know most of a factor"},
        {"rmig", "mig", nats, higher, "the same gap, not divided by the factor's entropy"},
        {"jemmig", "mig", nats, lower, "what the best feature holds besides the factor, and the gap that is missing"}}},
      {"dci",
       1,
       {{"dci.disentanglement", "dci", ratio, higher, "each feature is about one factor"},
        {"dci.completeness", "dci", ratio, higher, "each factor is in one feature"},
        {"dci.informativeness", "dci", ratio, higher, "factors predicted from all features"}}},
      single("sap", ratio, higher, "gap between the two features that predict a factor best"),
      single("factor_vae", ratio, higher, "fixed factor told by the feature that varies least"),
      single("beta_vae", ratio, higher, "fixed factor told by differences of pairs"),
      single("modularity", ratio, higher, "each feature depends on one factor"),
  };
  for (ListedMeasure& measure : list) {
    const std::vector<ListedKey> plain = measure.keys;
    for (ListedKey key : plain) {
      key.words = "the same as " + key.key + ", duplicate features merged";
      key.key = "merged." + key.key;
      measure.keys.push_back(std::move(key));
    }
  }
  return list;
}

// By the values of factors, and by regions of those with an order.
std::vector<ListedMeasure> of_strongest_samples() {
  std::vector<ListedMeasure> list;
  for (const std::string name : {"following", "regions"}) {
    const std::string best = name == "following" ? "how far its strongest 1 % of samples agree on a value of a factor"
                                                 : "how close together they lie on a factor with an order";
    list.push_back(
        {"factor_" + name,
         1,
         {{name + ".mean", name, ratio, higher, best + ", best factor of each feature"},
          {"chance." + name + ".mean", name, ratio, neither, "what as many samples drawn at random would give"},
          {name + ".one", name, whole, higher, "features that follow a factor, 0.5 or more of the score"},
          {name + ".several", name, whole, neither, "features that follow two factors or more"},
          {name + ".features", name, whole, neither, "features with two such samples or more"},
          {name + ".of.*", name, whole, neither, "features that follow this factor"}}});
  }
  return list;
}

std::vector<ListedMeasure> of_the_official_code() {
  return {
      {"official.sparsity",
       1,
       {{"sparsity", "sparsity", ratio, higher, "entries below 0.01, rows as they are"},
        {"official.training_sparsity", "sparsity", ratio, higher,
         "entries that are zero, rows scaled (training log)"}}},
      {"official.dead_features",
       2,
       {{"dead_features", "dead_features", whole, lower, "features whose magnitudes add up to nothing, rows scaled"},
        {"official.dead_share", "dead_features", ratio, lower, "the same as a share of all features"}}},
      {"official.class_consistency",
       1,
       {{"class_consistency.active", "class_consistency", ratio, higher,
         "share of the main class where a feature is not zero"},
        {"class_consistency.strong", "class_consistency", ratio, higher, "the same where it is above 0.1"},
        {"official.training_consistency", "class_consistency", ratio, higher, "the same as in the training log"}}},
      {"official.class_entropy",
       2,
       {{"class_entropy", "class_entropy", nats, lower, "mixture of classes in a feature"},
        {"official.entropy_deviation", "class_entropy", nats, neither, "its deviation over features"}}},
      {"official.correlation",
       2,
       {{"correlation.mean", "correlation", ratio, lower, "likeness of two features (training log)"},
        {"correlation.median", "correlation", ratio, lower, "likeness in the middle, of features that add up to 10"}}},
      {"retrieval-official",
       1,
       {{"precision_at_10", "precision_at_10", ratio, higher, "of the ten nearest, those of the same class"},
        {"map_at_10", "map_at_10", ratio, higher, "the same number under the name that the paper gives it"}}},
  };
}

// Of two towers; what chance would give of a key is listed behind it.
std::vector<ListedMeasure> of_pairs() {
  std::vector<ListedMeasure> list = {
      {"pair_recall", 1, {}}, {"modality_gap", 1, {}}, {"pair_sharing", 1, {}}, {"pair_consistency", 1, {}}};
  const auto add = [](ListedMeasure& measure, const std::string& key, Unit unit, Better better,
                      const std::string& words) {
    measure.keys.push_back({key, "", unit, better, words});
  };
  for (const std::string way : {"a_to_b", "b_to_a"}) {
    const std::string from = way == "a_to_b" ? "items of a" : "rows of b";
    for (const std::string k : {"1", "5", "10"}) {
      add(list[0], "pairs." + way + ".recall_at_" + k, ratio, higher, from + " whose partner is among the first " + k);
    }
    add(list[0], "pairs." + way + ".median_rank", whole, lower, "rank of the partner, for half of the " + from);
  }
  add(list[1], "pairs.gap", number, lower, "distance between the mean of a and the mean of b, unit rows");
  add(list[1], "pairs.cosine.matched", number, higher, "cosine of what belongs together");
  add(list[1], "pairs.cosine.unmatched", number, lower, "cosine of what does not");
  add(list[1], "pairs.cosine.within_a", number, neither, "cosine of two items of a");
  add(list[1], "pairs.cosine.within_b", number, neither, "cosine of two rows of b");
  add(list[2], "pairs.shared.jaccard", ratio, higher, "features on in both members of a pair, of those on in either");
  add(list[2], "pairs.shared.mass_a", ratio, higher, "share of an item's activation in features that both have on");
  add(list[2], "pairs.shared.mass_b", ratio, higher, "the same for its partner in b");
  add(list[2], "pairs.live.both", whole, higher, "features that are ever on in both towers");
  add(list[2], "pairs.live.only_a", whole, lower, "features of a alone");
  add(list[2], "pairs.live.only_b", whole, lower, "features of b alone");
  add(list[2], "pairs.live.neither", whole, lower, "features that are never on");
  for (const std::string side : {"a", "b"}) {
    for (const std::string rule : {"active", "positive", "strong"}) {
      add(list[3], "pairs.class_consistency." + side + "." + rule, ratio, higher,
          "class_consistency." + rule + " of " + side);
    }
  }
  for (ListedMeasure* measure : {&list[0], &list[2]}) {
    const std::vector<ListedKey> plain = measure->keys;
    for (const ListedKey& key : plain) {
      if (key.key.starts_with("pairs.live.")) continue;
      add(*measure, "chance." + key.key, key.unit, neither, "what chance gives for " + key.key);
    }
  }
  return list;
}

std::vector<ListedMeasure> all() {
  std::vector<ListedMeasure> list;
  for (auto part : {of_samples_and_classes(), of_columns_and_neighbours(), of_models(), of_factors(),
                    of_strongest_samples(), of_the_official_code(), of_pairs()}) {
    std::ranges::move(part, std::back_inserter(list));
  }
  return list;
}

}  // namespace

std::string ListedMeasure::identifier() const { return id + "/" + std::to_string(version); }

const ListedKey* ListedMeasure::find(std::string_view key) const {
  const auto found = std::ranges::find_if(keys, [&](const ListedKey& listed) {
    if (!listed.key.ends_with(".*")) return listed.key == key;
    return key.starts_with(std::string_view(listed.key).substr(0, listed.key.size() - 1));
  });
  return found == keys.end() ? nullptr : &*found;
}

const ListedKey& ListedMeasure::expect(std::string_view key) const {
  const ListedKey* const found = find(key);
  check(found != nullptr, "[", id, "] expected one of its keys, got ", key);
  return *found;
}

const std::vector<ListedMeasure>& listing() {
  static const std::vector<ListedMeasure> kListing = all();
  return kListing;
}

const ListedMeasure& listed(std::string_view id) {
  const auto found = std::ranges::find(listing(), id, &ListedMeasure::id);
  check(found != listing().end(), "[measures] expected the id of a measure, got ", id);
  return *found;
}

std::string_view name_of(Unit unit) {
  switch (unit) {
    case ratio:
      return "ratio";
    case whole:
      return "whole";
    case number:
      return "number";
    case nats:
      return "nats";
  }
  return "";
}

std::string_view name_of(Better better) {
  switch (better) {
    case higher:
      return "higher";
    case lower:
      return "lower";
    case neither:
      return "neither";
  }
  return "";
}

}  // namespace orthant::measure
