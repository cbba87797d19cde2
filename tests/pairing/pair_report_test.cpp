#include "orthant/pairing/pair_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/io/npz.h"
#include "orthant/measure/listing.h"
#include "tests/pairing/random_pairs.h"
#include "tests/support/message_of.h"

namespace orthant::pairing {
namespace {

using testing::HasSubstr;

// Pairs and what make_pairs.py says of them.
class Golden {
 public:
  explicit Golden(const std::string& name)
      : file_(io::Npz::open(ORTHANT_GOLDEN_DIR "/pairing/pairs.npz")),
        name_(name),
        a_(io::to_matrix(file_.read(name + ".a"), name)),
        b_(io::to_matrix(file_.read(name + ".b"), name)),
        sparse_b_(SparseMatrix::from_dense(b_)),
        owner_(io::to_integers(file_.read(name + ".owner"), name)),
        labels_(io::to_integers(file_.read(name + ".labels"), name)) {}

  PairInput input(bool sparse) const {
    return {name_, a_, sparse ? Features(sparse_b_) : Features(b_), owner_, labels_};
  }
  double number(const std::string& key, size_t i) const { return file_.read(name_ + "." + key).as<double>()[i]; }

 private:
  io::Npz file_;
  std::string name_;
  Matrix a_;
  Matrix b_;
  SparseMatrix sparse_b_;
  std::vector<int64_t> owner_;
  std::vector<int64_t> labels_;
};

// The golden array of a name and the keys of its entries.
const std::vector<std::pair<std::string, std::vector<std::string>>> kKeys = {
    {"a_to_b",
     {"pairs.a_to_b.recall_at_1", "pairs.a_to_b.recall_at_5", "pairs.a_to_b.recall_at_10", "pairs.a_to_b.median_rank"}},
    {"b_to_a",
     {"pairs.b_to_a.recall_at_1", "pairs.b_to_a.recall_at_5", "pairs.b_to_a.recall_at_10", "pairs.b_to_a.median_rank"}},
    {"gap",
     {"pairs.gap", "pairs.cosine.matched", "pairs.cosine.unmatched", "pairs.cosine.within_a", "pairs.cosine.within_b"}},
    {"shared", {"pairs.shared.jaccard", "pairs.shared.mass_a", "pairs.shared.mass_b"}},
    {"live", {"pairs.live.both", "pairs.live.only_a", "pairs.live.only_b", "pairs.live.neither"}},
    {"consistency",
     {"pairs.class_consistency.a.active", "pairs.class_consistency.a.positive", "pairs.class_consistency.a.strong",
      "pairs.class_consistency.b.active", "pairs.class_consistency.b.positive", "pairs.class_consistency.b.strong"}},
};

TEST(PairReport, IsNumPys) {
  for (const char* name : {"sparse", "dense"}) {
    const Golden golden(name);
    for (const bool sparse : {false, true}) {
      const measure::MeasureReport report = pair_report(golden.input(sparse));
      for (const auto& [array, keys] : kKeys) {
        for (size_t i = 0; i < keys.size(); ++i) {
          ASSERT_TRUE(report.find(keys[i]).has_value()) << keys[i];
          EXPECT_NEAR(*report.find(keys[i]), golden.number(array, i), 1e-9) << name << " " << keys[i];
        }
      }
    }
  }
}

TEST(PairReport, HasEveryKeyThatIsListedForPairs) {
  const measure::MeasureReport report = pair_report(Golden("sparse").input(false));
  for (const char* id : {"pair_recall", "modality_gap", "pair_sharing", "pair_consistency"}) {
    for (const auto& key : measure::listed(id).keys) EXPECT_TRUE(report.find(key.key).has_value()) << key.key;
  }
  EXPECT_LT(*report.find("chance.pairs.shared.jaccard"), *report.find("pairs.shared.jaccard"));
  EXPECT_THAT(report.warnings, testing::Contains("1 items without a partner ask nothing; they can be found"));
  EXPECT_THAT(report.warnings, testing::Contains(HasSubstr("rows of b are zero")));
}

TEST(PairReport, SaysWhatItLeavesOut) {
  const test::RandomPairs pairs = test::random_pairs(20, 30, 5, 2);
  const measure::MeasureReport none = pair_report({"p", pairs.a, pairs.b, pairs.owner});
  ASSERT_EQ(none.skipped.size(), 1U);
  EXPECT_EQ(none.skipped[0].reason, "no labels");
  const std::vector<int64_t> same(20, 3);
  EXPECT_EQ(pair_report({"p", pairs.a, pairs.b, pairs.owner, same}).skipped[0].reason,
            "labels of less than two classes");
}

TEST(PairReport, RejectsNoFeatures) {
  EXPECT_THAT(test::message_of([] {
                pair_report({"p", Matrix(1, 0), Matrix(1, 0), std::vector<int64_t>{0}});
              }),
              HasSubstr("[p] expected features, got none"));
}

}  // namespace
}  // namespace orthant::pairing
