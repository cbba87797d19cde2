// Trains a small non-negative encoder on the built-in pictures, and embeds pictures that it has not seen.
//
//   $ 4-train run
//   trained for 8 steps
//   embedded 200 pictures, 32 features each
//   below zero: 0
//   kept in run/embeddings/test-projector-200.safetensors

#include <cstdio>
#include <filesystem>

#include "learn/task/contrastive_task.h"
#include "learn/train/embed.h"
#include "learn/train/loop.h"
#include "orthant/core/features.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/run/run_folder.h"
#include "orthant/sources/open.h"

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: 4-train RUN\n"), 2;
  orthant::Recipe recipe = orthant::make_recipe({});
  recipe.data.train_size = 256;
  recipe.train.epochs = 2;
  recipe.train.batch = 64;
  recipe.backbone.name = "conv-mini";
  recipe.backbone.width = 8;
  recipe.projector.hidden = 64;
  recipe.projector.out = 32;
  recipe.optimiser.name = "adamw";
  recipe.optimiser.rate = 1e-3;
  const orthant::TrainingData data = orthant::open_training_data(recipe);
  orthant::fit_to_data(recipe, {}, *data.train);

  const auto folder = orthant::RunFolder::create(argv[1]);
  orthant::io::write_file(folder.recipe_file(), orthant::recipe_text(recipe));
  orthant::ContrastiveTask task(recipe, data);
  orthant::Trainer trainer(task, recipe.optimiser, recipe.train.threads);
  orthant::train(trainer, {.folder = folder.path()});
  std::printf("trained for %lld steps\n", static_cast<long long>(trainer.position().step));

  const orthant::EmbeddingsKey key{.size = 200};
  const auto unseen = orthant::open_dataset(recipe.data.source, {.split = key.split, .size = key.size});
  const orthant::Embeddings embeddings = orthant::embed(task.model(), unseen);
  std::printf("embedded %lld pictures, %lld features each\n", static_cast<long long>(embeddings.rows()),
              static_cast<long long>(embeddings.cols()));
  int64_t below = 0;
  const orthant::Features features(embeddings);
  for (int64_t i = 0; i < features.rows(); ++i) {
    features.visit_row(i, [&](int64_t, float x) { below += x < 0 ? 1 : 0; });
  }
  std::printf("below zero: %lld\n", static_cast<long long>(below));
  std::printf("kept in %s\n", folder.embeddings_file(key).c_str());
  std::filesystem::create_directories(folder.embeddings_folder());
  orthant::io::write_embeddings(folder.embeddings_file(key), embeddings);
}
