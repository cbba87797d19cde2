#include "learn/task/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/learn/train/support.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::Clusters;
using test::message_of;
using test::tiny_recipe;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> texts(const std::vector<Warning>& warnings) {
  std::vector<std::string> lines;
  for (const Warning& warning : warnings) lines.push_back(warning.text);
  return lines;
}

Evaluation evaluate_on(int64_t train, int64_t held_out, int64_t classes) {
  const Recipe recipe = tiny_recipe();
  Model model(model_options(recipe), 3);
  return evaluate(model, recipe, std::make_shared<Clusters>(train, 6, classes),
                  std::make_shared<Clusters>(held_out, 6, classes));
}

TEST(Evaluation, TellsWhatVotesAndHowMany) {
  const Evaluation all = evaluate_on(40, 20, 4);
  ASSERT_TRUE(all.knn && all.views);
  EXPECT_EQ(all.knn->bank, 32) << "eval.bank";
  EXPECT_EQ(all.knn->k, 3);
  EXPECT_EQ(value_of(measures_of(all), "knn_bank"), 32);
  EXPECT_EQ(value_of(measures_of(all), "knn_k"), 3);
  EXPECT_THAT(all.not_measured, IsEmpty());
  EXPECT_EQ(evaluate_on(5, 20, 4).knn->bank, 5) << "all there are";
}

TEST(Evaluation, LeavesOutWhatTooFewItemsCannotTellAndSaysSo) {
  const Evaluation one = evaluate_on(9, 1, 2);
  EXPECT_FALSE(one.views);
  EXPECT_TRUE(one.knn);
  EXPECT_FALSE(find(measures_of(one), "held_out_loss"));
  EXPECT_FALSE(find(measures_of(one), "negative_cosine"));
  EXPECT_THAT(one.not_measured, ElementsAre("the held-out loss, which takes two held-out items, got 1"));
  for (const Scalar& measure : measures_of(one)) EXPECT_TRUE(std::isfinite(measure.value)) << measure.name;

  const Evaluation small = evaluate_on(2, 2, 2);
  EXPECT_TRUE(small.views);
  EXPECT_FALSE(small.knn);
  EXPECT_THAT(texts(warnings(small, tiny_recipe())),
              ElementsAre("not measured: k-NN, which takes eval.k = 3 training items, got 2"));
  EXPECT_THAT(evaluate_on(9, 4, 1).not_measured, ElementsAre("k-NN, which takes two classes, got one"));
}

TEST(Evaluation, AnyPauseMayEndItAndTheModelIsAsItWas) {
  const Recipe recipe = tiny_recipe();
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  Model model(model_options(recipe), 3);
  model.train(true);
  int pauses = 0;
  const Evaluation whole = evaluate(model, recipe, data, data, [&] { ++pauses; });
  EXPECT_GT(pauses, 5) << "in every part";
  for (int cut = 1; cut <= pauses; ++cut) {
    int at = 0;
    const auto stop = [&] {
      if (++at == cut) throw std::runtime_error("enough");
    };
    EXPECT_EQ(message_of([&] { evaluate(model, recipe, data, data, stop); }), "enough") << cut;
    EXPECT_TRUE(model.training());
    EXPECT_TRUE(at::GradMode::is_enabled());
  }
  EXPECT_EQ(measures_of(evaluate(model, recipe, data, data)).front().value, measures_of(whole).front().value);
}

// An evaluation with everything wrong.
Evaluation bad_evaluation() {
  Evaluation evaluation;
  evaluation.items = 100;
  evaluation.features = 10;
  evaluation.views = HeldOutViews{.negative_cosine = 0.99};
  evaluation.statistics.dead_features = 10;
  evaluation.statistics.zero_rows = 50;
  return evaluation;
}

TEST(Warnings, SayWhatIsWrongAndWhatToDo) {
  Recipe recipe = tiny_recipe();
  Evaluation fine = bad_evaluation();
  fine.views->negative_cosine = 0;
  fine.statistics = {};
  EXPECT_THAT(warnings(fine, recipe), IsEmpty());
  recipe.train.epochs = 100;
  recipe.train.activation_warmup = 0;
  recipe.loss.temperature = 0.2;
  recipe.activation.name = "relu";
  recipe.activation.floor = 0;
  recipe.activation.sparsity = 0.8;
  EXPECT_THAT(
      texts(warnings(bad_evaluation(), recipe)),
      ElementsAre("collapse: views of different images have a mean cosine of 0.99, so everything looks alike; "
                  "lower optimiser.rate (now 0.001), lengthen optimiser.warmup_epochs (now 1) or lower "
                  "loss.temperature (now 0.2)",
                  "dead features: 10 of 10 are zero for every held-out item; set activation.name=rep_relu, set "
                  "activation.floor=0.005, set train.activation_warmup=0.2, lower optimiser.rate (now 0.001) or lower "
                  "projector.out (now 12)",
                  "zero rows: 50 % of the held-out items have no active feature at all; set "
                  "activation.name=rep_relu, set activation.floor=0.005, set train.activation_warmup=0.2, lower "
                  "activation.sparsity (now 0.8) or raise projector.out (now 12)"));
  EXPECT_THAT(warnings(bad_evaluation(), recipe),
              ElementsAre(Field(&Warning::kind, "collapse"), Field(&Warning::kind, "dead features"),
                          Field(&Warning::kind, "zero rows")));
}

TEST(Warnings, DoNotAdviseWhatIsInForceOrHasNoEffect) {
  Recipe recipe = tiny_recipe();
  recipe.train.epochs = 10;
  recipe.optimiser.warmup_epochs = 2;
  recipe.loss.temperature = 0.1;
  recipe.train.activation_warmup = 0.3;
  recipe.activation.floor = 0.01;
  recipe.activation.sparsity = 0;
  recipe.projector.depth = 0;
  const auto followed = texts(warnings(bad_evaluation(), recipe));
  EXPECT_THAT(followed, Each(AllOf(Not(HasSubstr("warmup")), Not(HasSubstr("temperature")), Not(HasSubstr("rep_relu")),
                                   Not(HasSubstr("projector")))));
  EXPECT_EQ(followed.back(), "zero rows: 50 % of the held-out items have no active feature at all");

  Recipe other = tiny_recipe();
  other.activation.name = "none";
  other.activation.sparsity = 0;
  other.loss.temperature = 0.2;
  other.loss.name = "vicreg";
  EXPECT_THAT(texts(warnings(bad_evaluation(), other)),
              Each(AllOf(Not(HasSubstr("temperature")), Not(HasSubstr("activation")))));

  other.loss.name = "moco";
  EXPECT_THAT(texts(warnings(bad_evaluation(), other)).front(), HasSubstr("lower loss.temperature"));
  other.loss.name = "simsiam";
  EXPECT_THAT(texts(warnings(bad_evaluation(), other)), Each(Not(HasSubstr("batch_norm"))));
  other.projector.batch_norm = false;
  EXPECT_THAT(texts(warnings(bad_evaluation(), other)).front(), HasSubstr("set projector.batch_norm=true"));
}

}  // namespace
}  // namespace orthant
