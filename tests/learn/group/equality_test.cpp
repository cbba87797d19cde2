// One process and several are the same to float rounding; several are the same to the bit.
#include <gtest/gtest.h>

#include "orthant/sources/open.h"
#include "tests/learn/group/training.h"

namespace orthant {
namespace {

using test::Clusters;
using test::Course;
using test::course_of;
using test::courses_of;
using test::expect_same_bits;
using test::expect_same_course;
using test::tiny_recipe;

const DatasetPtr& data() {
  static const DatasetPtr clusters = std::make_shared<Clusters>(60, 6, 4);
  return clusters;
}

Recipe recipe_of(const Settings& settings) {
  Recipe recipe = make_recipe({{"test", settings}});
  const Recipe tiny = tiny_recipe();
  recipe.data.source = tiny.data.source;
  recipe.train.epochs = 4;
  recipe.train.batch = 13;  // which no number of ranks divides
  recipe.train.threads = 1;
  recipe.backbone = tiny.backbone;
  recipe.projector = tiny.projector;
  recipe.optimiser.warmup_epochs = 0;
  // adamw makes steps of full length out of gradients that are nothing but rounding, such as those of a bias in front
  // of batch norm or of a loss that centres, so that ten steps of it compare rounding; infonce with it is compared
  // below.
  recipe.optimiser.name = "sgd";
  recipe.optimiser.rate = 0.1;
  return recipe;
}

void expect_one_equals_many(const Recipe& recipe, const std::string& what) {
  const Course one = course_of(recipe, data(), {});
  const std::vector<Course> two = courses_of(recipe, data(), 2);
  for (const Course& course : two) expect_same_course(one, course, what, false);
  expect_same_bits(two[0], two[1], what);
  const std::vector<Course> three = courses_of(recipe, data(), 3, 10, &one);
  for (const Course& course : three) expect_same_course(one, course, what + " on three");
  expect_same_bits(three[0], three[2], what);
}

TEST(OneEqualsMany, ForEveryLossOfViews) {
  for (const std::string loss : {"infonce", "spectral", "barlow", "vicreg"}) {
    for (const std::string method : {"cl", "ncl"}) {
      expect_one_equals_many(recipe_of({{"train.method", method}, {"loss.name", loss}}), loss + " " + method);
    }
  }
}

TEST(OneEqualsMany, ForMocoByolSimsiamAndSwav) {
  for (const std::string loss : {"moco", "byol", "simsiam", "swav"}) {
    Recipe recipe = recipe_of({{"loss.name", loss}});
    recipe.loss.queue = 50;
    recipe.loss.predictor_hidden = 8;
    recipe.loss.swav_prototypes = 6;
    recipe.loss.swav_frozen = 0.1;
    expect_one_equals_many(recipe, loss);
  }
}

TEST(OneEqualsMany, ForEveryWayToLearnFromLabels) {
  for (const std::string method : {"ce", "nce", "supcon", "nsupcon"}) {
    Recipe recipe = recipe_of({{"train.method", method}, {"labels.smoothing", 0.1}});
    recipe.projector = {.hidden = 16, .out = 12, .depth = 2, .batch_norm = true};
    expect_one_equals_many(recipe, method);
  }
}

TEST(OneEqualsMany, ForEveryOptimiser) {
  for (const std::string optimiser : {"lars", "sgd", "adamw", "muon"}) {
    Recipe recipe = recipe_of({});
    recipe.optimiser.name = optimiser;
    recipe.optimiser.rate = usual_rate(optimiser);
    expect_one_equals_many(recipe, optimiser);
  }
}

TEST(OneEqualsMany, ForTheGateInAllItsForms) {
  expect_one_equals_many(recipe_of({{"activation.active", 3.0}, {"activation.sparsity", 0.0}}), "active");
  expect_one_equals_many(recipe_of({{"activation.standardise", true}, {"activation.floor", 0.05}}), "standardise");
  expect_one_equals_many(recipe_of({{"activation.each", true}}), "each");
}

TEST(OneEqualsMany, ForEveryTerm) {
  Recipe recipe = recipe_of({});
  recipe.terms = {.l1 = 0.1, .entropy = 0.1, .orthogonality = 0.1, .monosemanticity = 0.1, .revive = 0.1};
  expect_one_equals_many(recipe, "terms");
}

TEST(OneEqualsMany, ForLearnedImportance) {
  for (const std::string loss : {"infonce", "spectral"}) {
    for (const std::string method : {"cl", "ncl"}) {
      const Recipe recipe =
          recipe_of({{"train.method", method}, {"loss.name", loss}, {"loss.importance", std::string("learned")}});
      expect_one_equals_many(recipe, loss + " " + method + ", importance");
    }
  }
}

TEST(OneEqualsMany, WithACompanion) {
  for (const std::string method : {"cl", "ncl"}) {
    expect_one_equals_many(recipe_of({{"train.method", method}, {"loss.companion", 0.5}}), method + ", companion");
  }
}

TEST(OneEqualsMany, WithManyViewsApartNestedAndBlended) {
  Recipe recipe = recipe_of({{"train.view_count", int64_t{3}}, {"train.activation_warmup", 0.8}});
  recipe.train.views_apart = true;
  recipe.loss.nested = 4;
  expect_one_equals_many(recipe, "three views");
}

TEST(OneEqualsMany, ForPictures) {
  Recipe recipe = recipe_of({{"loss.name", std::string("infonce")}});
  recipe.train.batch = 6;
  recipe.backbone = {.name = "conv-mini", .width = 16};
  const DatasetPtr pictures = open_dataset("sprites", {.split = "train", .size = 24});
  fit_to_data(recipe, {}, *pictures);
  recipe.views.size = recipe.backbone.image_size = 16;
  const Course one = course_of(recipe, pictures, {}, 5);
  for (const Course& course : courses_of(recipe, pictures, 2, 5, &one)) {
    expect_same_course(one, course, "pictures", true, 1);
  }
}

TEST(ManyRanks, RepeatBitForBit) {
  const Recipe recipe = recipe_of({});
  expect_same_bits(courses_of(recipe, data(), 3)[0], courses_of(recipe, data(), 3)[1], "repetition");
}

TEST(ManyRanks, WithNormsApartStillHaveOneSetOfWeights) {
  Recipe recipe = recipe_of({});
  recipe.train.norms_apart = true;
  const std::vector<Course> many = courses_of(recipe, data(), 2);
  for (const auto& [name, tensor] : many[0].gradients.back()) {
    EXPECT_TRUE(tensor.equal(many[1].gradients.back().at(name))) << name;
  }
  EXPECT_GT(test::distance(course_of(recipe, data(), {}).gradients[0], many[0].gradients[0]), 1e-3);
}

TEST(ManyRanks, ThatAreMoreThanABatchHasItemsAreRefused) {
  Recipe recipe = recipe_of({});
  recipe.train.batch = 2;
  EXPECT_THROW(courses_of(recipe, data(), 3), std::invalid_argument);
}

}  // namespace
}  // namespace orthant
