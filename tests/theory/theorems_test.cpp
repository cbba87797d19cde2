#include "orthant/theory/theorems.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orthant/theory/theory_json.h"
#include "orthant/theory/theory_page.h"
#include "orthant/theory/theory_svg.h"
#include "tests/support/message_of.h"

namespace orthant::theory {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const Theorem& find(const TheoryReport& report, const std::string& id) {
  for (const Theorem& theorem : report.theorems) {
    if (theorem.id == id) return theorem;
  }
  throw std::out_of_range(id);
}

const TheoryReport& small_report() {
  static const TheoryReport report =
      run_theory({.classes = 4, .samples = 60, .overlap = 0.1, .dims = 4, .seeds = 10, .curve_seeds = 1});
  return report;
}

TEST(Theorems, AllHoldOrFailAsPredicted) {
  const TheoryReport& report = small_report();
  ASSERT_EQ(report.theorems.size(), 13u);
  for (const Theorem& theorem : report.theorems) {
    const bool broken = theorem.id == "5c" || theorem.id == "Mc";
    EXPECT_EQ(theorem.verdict, broken ? Verdict::fails_as_predicted : Verdict::holds) << theorem.id;
    for (const Measurement& m : theorem.measured) EXPECT_TRUE(m.met) << theorem.id << ": " << m.label << " " << m.value;
  }
  EXPECT_TRUE(report.as_predicted());
}

TEST(Theorems, IdentitiesHoldToTenDigits) {
  for (const std::string id : {"1", "2", "3", "4", "6", "Ma", "Mc", "N"}) {
    EXPECT_EQ(find(small_report(), id).measured.front().expected, "≤ 1e-10") << id;
    EXPECT_LE(find(small_report(), id).measured.front().value, 1e-10) << id;
  }
}

TEST(Theorems, ShowTheCaseWithoutAnchorsAsFailing) {
  const Theorem& theorem = find(small_report(), "5c");
  EXPECT_EQ(to_string(theorem.verdict), "fails as predicted");
  EXPECT_LT(theorem.measured[1].value, 0.99);
}

TEST(Theorems, TwoTowersAreJudgedByTheWorstClassOfEitherTower) {
  const Theorem& theorem = find(small_report(), "Mb");
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_THAT(theorem.measured[i].label, HasSubstr("worst class of all worlds, either tower"));
    EXPECT_EQ(theorem.measured[i].expected, "≥ 0.99");
  }
  EXPECT_LT(theorem.measured[3].value, 0.9);  // contrastive learning
}

TEST(Theorems, MoreDimensionsAreJudgedByTheWorstColumnAndShowAllOfThem) {
  const Theorem& theorem = find(small_report(), "5b");
  EXPECT_THAT(theorem.measured[0].label, HasSubstr("worst |cos| of a column that carries weight"));
  EXPECT_EQ(theorem.measured[0].expected, "≥ 0.99");
  ASSERT_EQ(theorem.columns.size(), 3u);
  const double heavy = 0.5 / 8;  // of 8 dimensions
  for (size_t l = 0; l < 3; ++l) {
    const Curve& columns = theorem.columns[l];
    double worst = 1;
    double lightest = 1;
    for (size_t i = 0; i < columns.x.size(); ++i) {
      if (columns.x[i] >= heavy) worst = std::min(worst, columns.mean[i]);
      lightest = std::min(lightest, columns.mean[i]);
    }
    EXPECT_EQ(theorem.measured[5 * l].value, worst) << columns.label;
    EXPECT_EQ(theorem.measured[5 * l + 4].value, lightest) << columns.label;
  }
  const auto document = nlohmann::json::parse(theory_json(small_report()));
  EXPECT_EQ(document["theorems"][5]["columns"][2]["cosine"], theorem.columns[2].mean);
  EXPECT_THAT(theory_page(small_report()), HasSubstr("Every live column, all worlds"));
}

TEST(Theorems, OverlapIsJudgedByTheWorstClassAtAnyOverlap) {
  const TheoryReport& report = small_report();
  const Theorem& theorem = find(report, "O");
  EXPECT_EQ(theorem.measured[0].label, "anchors, SymNMF: worst class at any overlap");
  EXPECT_EQ(theorem.measured[0].value, std::ranges::min(report.overlap_anchored.worst[0].low));
  EXPECT_EQ(theorem.measured[2].value, std::ranges::min(report.overlap_bare.worst[0].low));
  for (const OverlapCurves* curves : {&report.overlap_anchored, &report.overlap_bare}) {
    ASSERT_EQ(curves->worst.size(), 5u);
    ASSERT_EQ(curves->zeros.size(), 5u);
    for (size_t m = 0; m < 5; ++m) {
      for (size_t i = 0; i < curves->worst[m].x.size(); ++i) {
        EXPECT_LE(curves->worst[m].mean[i], curves->mean[m].mean[i] + 1e-12) << curves->worst[m].label;
      }
    }
    EXPECT_GT(curves->worst[2].mean[0], 0.99) << "without overlap a soft temperature finds the classes";
    EXPECT_EQ(curves->zeros[4].mean[0], 0.75) << "one class of four";
  }
  const auto document = nlohmann::json::parse(theory_json(report));
  EXPECT_EQ(document["overlap"]["no_anchors"]["worst"][0]["low"], report.overlap_bare.worst[0].low);
  EXPECT_THAT(theory_page(report), HasSubstr("Recovery of P(c|x), no anchors"));
}

TEST(Theorems, DoNotDependOnTheNumberOfThreads) {
  TheoryOptions options{.classes = 3, .samples = 30, .dims = 3, .seeds = 1, .curve_seeds = 0, .threads = 1};
  const std::string one = theory_json(run_theory(options));
  options.threads = 2;
  EXPECT_EQ(one, theory_json(run_theory(options)));
}

TEST(Theorems, TellProgressToTheEndAndStopWhenItThrows) {
  TheoryOptions options{.classes = 2, .samples = 20, .dims = 2, .seeds = 1, .curve_seeds = 0};
  int64_t calls = 0;
  int64_t last_total = 0;
  options.progress = [&](int64_t done, int64_t total, const std::string&) {
    EXPECT_EQ(done, ++calls);
    last_total = total;
  };
  run_theory(options);
  EXPECT_EQ(calls, last_total);
  options.progress = [](int64_t, int64_t, const std::string&) { throw std::runtime_error("enough"); };
  EXPECT_THROW(run_theory(options), std::runtime_error);
}

TEST(Theorems, RefuseOptionsOutOfRange) {
  const auto refusal = [](const TheoryOptions& options) { return test::message_of([&] { run_theory(options); }); };
  EXPECT_THAT(refusal({.classes = 1}), HasSubstr("at least 2 classes, got 1"));
  EXPECT_THAT(refusal({.samples = 4}), HasSubstr("got 4 samples"));
  EXPECT_THAT(refusal({.overlap = 1}), HasSubstr("overlap from 0 to 0.95, got 1"));
  EXPECT_THAT(refusal({.dims = 5}), HasSubstr("dimensions from 8"));
  EXPECT_THAT(refusal({.seeds = 0}), HasSubstr("at least 1 seed"));
}

TEST(TheoryJson, IsOneDocumentWithEveryTheoremAndCurve) {
  const auto document = nlohmann::json::parse(theory_json(small_report()));
  EXPECT_EQ(document["theorems"].size(), 13u);
  EXPECT_EQ(document["options"]["classes"], 4);
  EXPECT_EQ(document["as_predicted"], true);
  EXPECT_EQ(document["recovery_by_overlap"].size(), 4u);
  EXPECT_EQ(document["recovery_by_pairs"][0]["x"].size(), document["recovery_by_pairs"][0]["mean"].size());
}

TEST(TheoryPage, StandsAlone) {
  const std::string page = theory_page(small_report());
  EXPECT_THAT(page, HasSubstr("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme:dark"));
  EXPECT_THAT(page, HasSubstr("fails as predicted"));
  EXPECT_THAT(page, HasSubstr("Recovery against overlap"));
  for (const char* outside : {"http", "<script", "url(", "@import", "nan", "inf "}) {
    EXPECT_THAT(page, Not(HasSubstr(outside))) << outside;
  }
  EXPECT_LT(page.size(), 500000u);
}

TEST(TheoryPage, EscapesEveryTextOfTheReport) {
  const std::string evil = "</script><b onclick=\"x\">&'";
  TheoryReport report;
  report.theorems = {{.id = evil,
                      .title = evil,
                      .statement = evil,
                      .formula = evil,
                      .measured = {{evil, 1, evil, true}},
                      .verdict = Verdict::holds,
                      .explanation = evil}};
  report.pictures = {{evil, 1, Matrix64(2, 1, {1, -1})}};
  report.homes = {0, 1};
  report.recovery_by_overlap = {{evil, {0, 1}, {0, 1}, {0, 1}, {0, 1}}};
  const std::string page = theory_page(report);
  EXPECT_THAT(page, Not(HasSubstr("<b onclick")));
  EXPECT_THAT(page, Not(HasSubstr("</script>")));
  EXPECT_THAT(page, HasSubstr("&lt;b onclick=&quot;x&quot;&gt;&amp;&#39;"));
}

TEST(TheoryPage, CopesWithAReportWithoutCurvesAndPictures) {
  EXPECT_THAT(theory_page({}), HasSubstr("0 of 0 statements hold"));
  EXPECT_EQ(line_chart({}, {.title = "", .x_label = "", .y_label = ""}), "");
}

}  // namespace
}  // namespace orthant::theory
