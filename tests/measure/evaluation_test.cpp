#include "orthant/measure/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "orthant/disentangle/monosemanticity.h"
#include "tests/measure/random_features.h"
#include "tests/support/message_of.h"

namespace orthant::measure {
namespace {

using testing::HasSubstr;

std::vector<int64_t> cycle(int64_t rows, int64_t classes) {
  std::vector<int64_t> labels;
  for (int64_t i = 0; i < rows; ++i) labels.push_back(i % classes);
  return labels;
}

Factor cyclic_factor(const std::string& name, int64_t rows, int64_t classes) {
  Factor factor{name, {}, {}};
  for (const int64_t value : cycle(rows, classes)) {
    factor.values.push_back(static_cast<float>(value));
    factor.classes.push_back(static_cast<int32_t>(value));
  }
  return factor;
}

bool skipped(const MeasureReport& report, const std::string& id) {
  for (const Skipped& each : report.skipped) {
    if (each.id == id && !each.reason.empty()) return true;
  }
  return false;
}

TEST(Evaluation, MeasuresMonosemanticityByAReference) {
  const Matrix features = test::random_features(60, 12, 0.5, true, 1);
  const Matrix reference = test::random_features(60, 7, 0.0, true, 2);
  EvaluationInput input{.name = "f", .features = features};
  const EvaluationOptions options{.only = {"monosemanticity"}};
  ASSERT_EQ(evaluate(input, options).skipped.size(), 1U);
  EXPECT_EQ(evaluate(input, options).skipped[0].reason, "no reference");
  input.reference = Features(reference);
  const MeasureReport report = evaluate(input, options);
  ASSERT_EQ(report.measures.size(), 1U);
  EXPECT_EQ(report.measures[0].values[0].key, "monosemanticity");
  EXPECT_EQ(report.measures[0].values[0].value, disentangle::monosemanticity(features, reference).mean);
  ASSERT_EQ(report.per_feature.size(), 1U);
  const std::vector<double> scores = disentangle::monosemanticity(features, reference).scores;
  ASSERT_EQ(report.per_feature[0].values.size(), scores.size());
  EXPECT_EQ(report.per_feature[0].values[0], scores[0]);
  ASSERT_TRUE(std::isnan(scores[1]));
  EXPECT_THAT(to_json(report), HasSubstr("\"per_feature\": {\n    \"monosemanticity\": [\n      0."));
  EXPECT_THAT(to_json(report), HasSubstr(",\n      null,\n"));
  const Matrix other = test::random_features(59, 7, 0.0, true, 2);
  input.reference = Features(other);
  EXPECT_THAT(test::message_of([&] { evaluate(input, options); }), HasSubstr("[f, reference] expected 60 x 7"));
}

TEST(Evaluation, CountsFeaturesByTheirLearnedImportance) {
  const Matrix features = test::random_features(10, 4, 0.5, true, 1);
  EvaluationInput input{.name = "f", .features = features};
  EXPECT_FALSE(skipped(evaluate(input), "importance")) << "nobody asked";
  const EvaluationOptions options{.only = {"importance"}};
  EXPECT_TRUE(skipped(evaluate(input, options), "importance"));
  const std::vector<float> learned = {1, 5, 1, 1};  // 64 / 28; the second holds more than half
  input.importance = learned;
  const MeasureReport report = evaluate(input, options);
  ASSERT_EQ(report.measures.size(), 1U);
  EXPECT_EQ(report.measures[0].values[0].key, "importance.effective");
  EXPECT_NEAR(report.measures[0].values[0].value, 64.0 / 28, 1e-12);
  EXPECT_EQ(report.measures[0].values[1].value, 1);
  const std::vector<float> alike = {1, 1, 1, 1};
  input.importance = alike;
  EXPECT_EQ(evaluate(input, options).measures[0].values[0].value, 4);
  EXPECT_EQ(evaluate(input, options).measures[0].values[1].value, 2);
  input.importance = std::span(learned).first(3);
  EXPECT_THAT(test::message_of([&] { evaluate(input, options); }),
              HasSubstr("[f] expected an importance of each of 4 features, got 3"));
}

TEST(Evaluation, GivesEveryKeyThatFeaturesAndLabelsAllowAndSaysWhatIsMissing) {
  const Matrix features = test::random_features(60, 12, 0.5, true, 1);
  const auto labels = cycle(60, 3);
  const MeasureReport report = evaluate({.name = "f", .features = features, .labels = labels});
  for (const char* key : {"sparsity",
                          "active_per_sample",
                          "dead_features",
                          "non_negative_ratio",
                          "class_consistency.active",
                          "class_consistency.positive",
                          "class_consistency.strong",
                          "class_consistency.top",
                          "chance.class_consistency.top",
                          "class_consistency.top_items",
                          "class_consistency.top_fewest",
                          "class_consistency.top_features",
                          "class_entropy",
                          "anchored_features",
                          "correlation.mean",
                          "correlation.median",
                          "effective_rank",
                          "knn_accuracy",
                          "precision_at_10",
                          "map_at_10"}) {
    ASSERT_TRUE(report.find(key)) << key;
    EXPECT_TRUE(std::isfinite(*report.find(key))) << key;
  }
  for (const char* id : {"sepin", "mig", "dci", "sap", "stability"}) EXPECT_TRUE(skipped(report, id)) << id;
  EXPECT_EQ(report.classes, 3);
  EXPECT_EQ(report.labelled, 60);
}

TEST(Evaluation, DenseAndSparseInputGiveTheSameDocument) {
  const Matrix dense = test::random_features(80, 40, 0.8, true, 4);
  const SparseMatrix sparse = SparseMatrix::from_dense(dense);
  const auto labels = cycle(80, 4);
  for (const bool official : {false, true}) {
    const EvaluationOptions options{.official = official};
    const MeasureReport one = evaluate({.name = "f", .features = dense, .labels = labels}, options);
    const MeasureReport other = evaluate({.name = "f", .features = sparse, .labels = labels}, options);
    ASSERT_EQ(one.measures.size(), other.measures.size());
    for (const Measure& measure : one.measures) {
      for (const Value& value : measure.values) {
        ASSERT_TRUE(other.find(value.key)) << value.key;
        EXPECT_NEAR(value.value, *other.find(value.key), 1e-9) << value.key;
      }
    }
  }
}

TEST(Evaluation, WithoutLabelsTheOtherMeasuresStillRun) {
  const Matrix features = test::random_features(30, 5, 0.2, false, 3);
  for (const auto& labels : {std::vector<int64_t>{}, std::vector<int64_t>(30, -1)}) {
    const MeasureReport report = evaluate({.name = "f", .features = features, .labels = labels});
    EXPECT_TRUE(report.find("effective_rank"));
    EXPECT_FALSE(report.find("class_consistency.active"));
    EXPECT_FALSE(report.find("knn_accuracy"));
    EXPECT_TRUE(skipped(report, "class_consistency"));
    EXPECT_TRUE(skipped(report, "knn_accuracy"));
  }
}

TEST(Evaluation, OfficialDefinitionsAreToldApartByTheirIdentifiers) {
  const Matrix features = test::random_features(50, 40, 0.5, true, 2);
  const auto labels = cycle(50, 2);
  const MeasureReport report = evaluate({.name = "f", .features = features, .labels = labels}, {.official = true});
  EXPECT_EQ(report.definition, "official");
  const std::string json = to_json(report);
  for (const char* id : {"official.sparsity/1", "official.class_consistency/1", "official.correlation/2",
                         "retrieval-official/1", "knn-accuracy/1"}) {
    EXPECT_THAT(json, HasSubstr(id));
  }
  EXPECT_EQ(report.find("precision_at_10"), report.find("map_at_10"));
  EXPECT_TRUE(report.find("class_consistency.positive"));
  EXPECT_TRUE(report.find("class_consistency.top"));
}

// All there is to measure on, so that nothing is skipped.
TEST(Evaluation, BothDefinitionsTogetherReportEveryKeyOfTheListing) {
  const Matrix features = test::random_features(150, 40, 0.5, true, 2);
  const Matrix second = test::random_features(150, 40, 0.5, true, 3);
  const auto labels = cycle(150, 3);
  std::vector<Factor> factors = {cyclic_factor("a", 150, 3), cyclic_factor("b", 150, 5)};
  for (Factor& factor : factors) factor.period = kLinePeriod;
  const std::vector<Edge> edges = {{0, 1, 1}, {1, 2, 1}};
  const std::vector<float> importance(40, 1.0F);
  const EvaluationInput input{.name = "f",
                              .features = features,
                              .labels = labels,
                              .first_view = Features(features),
                              .second_view = Features(second),
                              .factors = factors,
                              .edges = edges,
                              .other = Features(second),
                              .reference = Features(second),
                              .importance = importance};
  std::set<std::pair<std::string, std::string>> reported;
  for (const bool official : {false, true}) {
    EvaluationOptions options{.official = official, .sepin_variants = true};
    options.factors.dci_trees = 2;
    options.factors.votes = options.factors.test_votes = 50;
    const MeasureReport report = evaluate(input, options);
    EXPECT_TRUE(report.skipped.empty()) << to_json(report);
    for (const Measure& measure : report.measures) {
      EXPECT_EQ(measure.version, listed(measure.id).version);
      for (const Value& value : measure.values) {
        EXPECT_EQ(value.unit, listed(measure.id).expect(value.key).unit);
        reported.emplace(measure.id, listed(measure.id).expect(value.key).key);
      }
    }
  }
  std::set<std::pair<std::string, std::string>> expected;
  for (const ListedMeasure& measure : listing()) {
    for (const ListedKey& key : measure.keys) {
      if (!key.name.empty()) expected.emplace(measure.id, key.key);  // without: of another evaluation
    }
  }
  expected.erase({"knn-accuracy", "knn_drop"});  // takes two reports
  EXPECT_EQ(reported, expected);
}

TEST(Evaluation, FactorsThatDependOnEachOtherAreNamedAndNotScored) {
  const Matrix features = test::random_features(90, 4, 0.5, true, 2);
  const std::vector<Factor> factors = {cyclic_factor("light", 90, 5), cyclic_factor("fine", 90, 6),
                                       cyclic_factor("coarse", 90, 3)};
  const EvaluationInput input{.name = "f", .features = features, .factors = factors};
  const MeasureReport report = evaluate(input, {.only = {"mig", "dci", "sap"}});
  EXPECT_TRUE(report.measures.empty());
  ASSERT_EQ(report.skipped.size(), 3U);
  EXPECT_EQ(report.skipped[0].reason,
            "the factors fine and coarse depend on each other (dependence 1, above 0.5), and no feature could be about "
            "one alone");
}

// Factors that depend on each other are no obstacle to what follows them.
TEST(Evaluation, TellsHowManyFeaturesFollowEachFactor) {
  Matrix features(300, 3);
  for (int64_t i = 0; i < 300; ++i) features(i, i % 6 == 1 ? 0 : i % 3 == 1 ? 1 : 2) = 1;
  const std::vector<Factor> factors = {cyclic_factor("fine", 300, 6), cyclic_factor("dotted.name", 300, 3)};
  const EvaluationInput input{.name = "f", .features = features, .factors = factors};
  const MeasureReport report = evaluate(input, {.only = {"following", "regions"}});
  EXPECT_EQ(report.find("following.features"), 3);
  EXPECT_EQ(report.find("following.of.dotted_name"), 2);
  EXPECT_TRUE(report.find("following.of.fine"));
  EXPECT_THAT(to_json(report), HasSubstr("\"factor_following/1\""));
  ASSERT_TRUE(skipped(report, "regions"));
  EXPECT_EQ(report.skipped[0].reason, "no factor is known to have an order");
}

TEST(Evaluation, StabilityOfLiveFeaturesLeavesOutWhatHasNoPartner) {
  // The other model has one feature of the three, and a dead one.
  const Matrix features(4, 3, {1, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 1});
  const Matrix other(4, 2, {2, 0, 4, 0, 0, 0, 0, 0});
  const MeasureReport report =
      evaluate({.name = "f", .features = features, .other = Features(other)}, {.only = {"stability"}});
  EXPECT_NEAR(*report.find("stability.mean"), 1.0 / 3, 1e-12);
  EXPECT_NEAR(*report.find("stability.matched"), 1, 1e-12);
  EXPECT_NEAR(*report.find("stability.correlation"), 1, 1e-12);
  EXPECT_EQ(report.find("stability.live"), 3);
  EXPECT_EQ(report.find("stability.live_of_other"), 1);
}

TEST(Evaluation, SepinVariantsAreThoseOfItsOptions) {
  const Matrix first = test::random_features(40, 6, 0.5, true, 2);
  const Matrix second = test::random_features(40, 6, 0.5, true, 3);
  const EvaluationInput input{
      .name = "f", .features = first, .first_view = Features(first), .second_view = Features(second)};
  const MeasureReport report = evaluate(input, {.only = {"sepin"}, .sepin_variants = true});
  const auto value = [&](bool renormalise, bool positive) {
    return sepin(first, second, {.renormalise = renormalise, .positive_in_denominator = positive}).at_1.mean;
  };
  EXPECT_EQ(report.find("sepin.1"), value(true, true));
  EXPECT_EQ(report.find("sepin.decoupled.1"), value(true, false));
  EXPECT_EQ(report.find("sepin.fixed.1"), value(false, true));
  EXPECT_EQ(report.find("sepin.fixed_decoupled.1"), value(false, false));
  EXPECT_NE(value(true, true), value(true, false));
  EXPECT_NE(value(true, true), value(false, true));
  EXPECT_FALSE(evaluate(input, {.only = {"sepin"}}).find("sepin.fixed.1"));
}

TEST(Evaluation, ComputesOnlyWhatIsAskedFor) {
  const Matrix features = test::random_features(20, 4, 0, true, 2);
  const MeasureReport report = evaluate({.name = "f", .features = features}, {.only = {"sparsity"}});
  EXPECT_EQ(report.measures.size(), 1U);
  EXPECT_TRUE(report.skipped.empty());
  EXPECT_THAT(test::message_of([&] { evaluate({.name = "f", .features = features}, {.only = {"sparseness"}}); }),
              HasSubstr("got sparseness"));
}

TEST(Evaluation, KeepingAllFeaturesIsKeepingNone) {
  const Matrix features = test::random_features(60, 8, 0.3, true, 9);
  const auto labels = cycle(60, 3);
  const EvaluationInput input{.name = "f", .features = features, .labels = labels};
  EXPECT_EQ(evaluate(input).find("map_at_10"), evaluate(input, {.keep = 8}).find("map_at_10"));
  EXPECT_NE(evaluate(input).find("map_at_10"), evaluate(input, {.keep = 1}).find("map_at_10"));
  EXPECT_THAT(test::message_of([&] { evaluate(input, {.keep = 9}); }), HasSubstr("at most its 8 features, got 9"));
}

TEST(Evaluation, WhatDoesNotExistIsSkippedNotInvented) {
  const auto labels = cycle(3, 2);
  const MeasureReport zeros = evaluate({.name = "f", .features = Matrix(3, 4), .labels = labels});
  EXPECT_TRUE(skipped(zeros, "class_consistency"));
  EXPECT_TRUE(skipped(zeros, "correlation"));
  EXPECT_EQ(zeros.find("sparsity"), 1);
  ASSERT_EQ(zeros.warnings.size(), 1U);
  EXPECT_THAT(zeros.warnings[0], HasSubstr("3 of 3 rows are zero"));
}

TEST(Evaluation, LabelsOfOneClassCountAsNone) {
  const Matrix features = test::random_features(4, 3, 0, true, 2);
  const std::vector<int64_t> one_class = {7, -1, 7, 7};
  const MeasureReport report = evaluate({.name = "f", .features = features, .labels = one_class});
  EXPECT_EQ(report.classes, 0);
  EXPECT_TRUE(skipped(report, "class_consistency"));
  EXPECT_TRUE(skipped(report, "knn_accuracy"));
  EXPECT_THAT(report.warnings, ::testing::Contains("labels of one class only, 7: they count as none"));
}

// The official code would print 0 or NaN for a mean over nothing.
TEST(Evaluation, OfficialSelectionsOfNothingAreSkippedWithTheReason) {
  const auto labels = cycle(3, 2);
  const auto reasons = [&](const Matrix& features) {
    std::string text;
    const MeasureReport report = evaluate({.name = "f", .features = features, .labels = labels}, {.official = true});
    for (const char* key : {"correlation.median", "official.entropy_deviation"}) {
      EXPECT_FALSE(report.find(key)) << key;
    }
    for (const Skipped& each : report.skipped) text += each.id + ": " + each.reason + "\n";
    return text;
  };
  const std::string zeros = reasons(Matrix(3, 4));
  EXPECT_THAT(zeros, HasSubstr("correlation: every feature is zero\n"));
  EXPECT_THAT(zeros, HasSubstr("class_entropy: no feature is active in a sample with a label\n"));
  const std::string small = reasons(Matrix(3, 1, {-1, -1, 1e-3F}));
  EXPECT_THAT(small, HasSubstr("correlation: correlation.median: no feature adds up to more than 10\n"));
  EXPECT_THAT(small, HasSubstr("class_entropy: official.entropy_deviation: there is one feature only\n"));
}

TEST(Evaluation, RefusesWhatCannotBeMeasured) {
  Matrix features = test::random_features(4, 3, 0, true, 2);
  const std::vector<int64_t> short_labels = {0, 1};
  EXPECT_THAT(test::message_of([&] { evaluate({.name = "f", .features = features, .labels = short_labels}); }),
              HasSubstr("[f] expected a label for each of the 4 rows, got 2"));
  features(2, 1) = NAN;
  EXPECT_THAT(test::message_of([&] { evaluate({.name = "f", .features = features}); }),
              HasSubstr("got 1 NaN or infinite"));
  EXPECT_THAT(test::message_of([&] { evaluate({.name = "f", .features = Matrix(0, 3)}); }), HasSubstr("got 0 x 3"));
}

TEST(Report, NestsKeysAndWritesCountsWithoutAPoint) {
  MeasureReport report;
  report.measures.push_back({"correlation", 1, {{"threshold", 1e-5}}, {{"correlation.mean", 0.25, Unit::ratio}}});
  report.measures.push_back({"dead_features", 1, {}, {{"dead_features", 3, Unit::whole}}});
  report.measures.push_back({"bad", 2, {}, {{"bad", NAN, Unit::nats}}});
  report.skipped.push_back({"sepin", "no views"});
  const std::string json = to_json(report);
  EXPECT_THAT(json, HasSubstr("\"correlation\": {\n    \"mean\": 0.25"));
  EXPECT_THAT(json, HasSubstr("\"dead_features\": 3,"));
  EXPECT_THAT(json, HasSubstr("\"bad\": null"));
  EXPECT_THAT(json, HasSubstr("\"id\": \"bad/2\""));
  EXPECT_THAT(json, HasSubstr("\"sepin\": \"no views\""));
  const std::vector<MeasureReport> two = {report, report};
  EXPECT_THAT(to_json(two), HasSubstr("\"results\": ["));
}

}  // namespace
}  // namespace orthant::measure
