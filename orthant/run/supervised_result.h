#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/run/supervised_recipe.h"

namespace orthant {

// How well a classifier does on a set of items; shares are 0..1.
struct Scored {
  double top1 = 0;                // class is the likeliest
  double top5 = 0;                // class is among the five likeliest; equal ones are ranked by number
  std::vector<double> per_class;  // top1 of the items of each class; NaN for a class without items
  int64_t items = 0;
};

// Of logits [N, C] of items with these labels [N], which are 0 .. classes - 1. A class from C on is never right: the
// classifier did not learn it. std::invalid_argument if the lengths differ, or for another label.
Scored score(const Matrix& logits, std::span<const int64_t> labels, int64_t classes);

// What one repetition came to.
struct SeedOutcome {
  int64_t seed = 0;
  std::map<std::string, std::string> facts;  // of the classifier's file
  Scored test;
  std::vector<Scored> ood;             // under each of SupervisedResult::conditions
  std::vector<Scored> test_data = {};  // on each of SupervisedResult::test_data
};

// Other data that was tested on.
struct TestData {
  std::string name;  // KIND[:PATH]
  std::string split;
  int64_t items = 0;
  int64_t classes = 0;  // that its items are of
};

struct SupervisedResult {
  SupervisedRecipe recipe;
  std::vector<std::string> class_names;
  std::vector<std::string> conditions;  // "fog:3"
  std::vector<TestData> test_data;
  std::vector<SeedOutcome> seeds;
};

// Of one or more numbers; the deviation divides by n - 1 and is NaN for one number.
struct Spread {
  double mean = 0;
  double deviation = 0;
};
Spread spread(std::span<const double> values);

// The mean and deviation over the repetitions of what `pick` takes from each.
template <class Pick>
Spread over_seeds(const SupervisedResult& result, const Pick& pick) {
  std::vector<double> values;
  for (const SeedOutcome& outcome : result.seeds) values.push_back(pick(outcome));
  return spread(values);
}

// One line of the table of corruptions.
struct OodRow {
  std::string name;            // of a corruption, a group of them, or "corruption": all of the groups
  std::string group;           // of a corruption; empty for the others
  std::vector<double> levels;  // of a corruption: mean top1 at severities 1 .. 5; NaN where it was not asked for
  Spread top1;                 // over repetitions, of the mean over severities (and then over the group's corruptions)
};

// A row per corruption in the order of orthant/corrupt, then per group, then the mean over all corruptions that belong
// to one of the four groups; sketch and stylised stand for themselves.
std::vector<OodRow> ood_table(const SupervisedResult& result);

// One line of the table of other data; shares are 0..1.
struct TestDataRow {
  TestData data;
  Spread top1;
  Spread top5;
  Spread drop;  // of top1, from the held-out items to these, within each repetition
};
std::vector<TestDataRow> test_data_table(const SupervisedResult& result);

// The result document: JSON with what was learned, on what, how, and what came of it. docs/probing.md lists the keys.
std::string result_json(const SupervisedResult& result);

}  // namespace orthant
