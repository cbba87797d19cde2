#include <fmt/format.h>

#include "learn/task/evaluation.h"

namespace orthant {
namespace {

constexpr double kCollapsedCosine = 0.95;
constexpr double kZeroRows = 0.05;
constexpr double kLongWarmup = 0.2;  // share of training
constexpr double kLowTemperature = 0.1;

using Advice = std::vector<std::string>;

// "a, b or c"
std::string either(const Advice& advice) {
  std::string text;
  for (size_t i = 0; i < advice.size(); ++i) text += (i == 0 ? "" : i + 1 == advice.size() ? " or " : ", ") + advice[i];
  return text;
}

Advice against_collapse(const Recipe& recipe) {
  Advice advice = {fmt::format("lower optimiser.rate (now {})", recipe.optimiser.rate)};
  const double warmup = recipe.optimiser.warmup_epochs;
  if (warmup < kLongWarmup * static_cast<double>(recipe.train.epochs)) {
    advice.push_back(fmt::format("lengthen optimiser.warmup_epochs (now {})", warmup));
  }
  const std::string& loss = recipe.loss.name;
  const bool tempered = loss == "infonce" || loss == "supcon" || loss == "moco" || loss == "swav";
  if (tempered && recipe.loss.temperature > kLowTemperature) {
    advice.push_back(fmt::format("lower loss.temperature (now {})", recipe.loss.temperature));
  }
  if ((loss == "byol" || loss == "simsiam") && recipe.projector.depth > 1 && !recipe.projector.batch_norm) {
    advice.emplace_back("set projector.batch_norm=true");
  }
  return advice;
}

// What brings features back that sigma+ holds at zero.
Advice against_silence(const Recipe& recipe) {
  Advice advice;
  if (recipe.activation.name == "none") return advice;
  if (recipe.activation.name != "rep_relu") advice.emplace_back("set activation.name=rep_relu");
  if (recipe.activation.floor == 0 && recipe.projector.depth > 0) advice.emplace_back("set activation.floor=0.005");
  if (recipe.train.activation_warmup < kLongWarmup) {
    advice.push_back(fmt::format("set train.activation_warmup={}", kLongWarmup));
  }
  return advice;
}

Advice with_sparsity(Advice advice, const Recipe& recipe) {
  const ActivationOptions& wish = recipe.activation;
  if (wish.active > 0) advice.push_back(fmt::format("raise activation.active (now {})", wish.active));
  if (wish.sparsity > 0) advice.push_back(fmt::format("lower activation.sparsity (now {})", wish.sparsity));
  return advice;
}

Advice with_projector(Advice advice, const Recipe& recipe, const char* what) {
  if (recipe.projector.depth > 0)
    advice.push_back(fmt::format("{} projector.out (now {})", what, recipe.projector.out));
  return advice;
}

}  // namespace

std::vector<Warning> warnings(const Evaluation& evaluation, const Recipe& recipe) {
  std::vector<Warning> found;
  const auto warn = [&](const char* kind, const std::string& fact, const Advice& advice) {
    found.push_back({kind, fmt::format("{}: {}{}{}", kind, fact, advice.empty() ? "" : "; ", either(advice))});
  };
  if (evaluation.views && evaluation.views->negative_cosine > kCollapsedCosine) {
    warn("collapse",
         fmt::format("views of different images have a mean cosine of {:.2f}, so everything looks alike",
                     evaluation.views->negative_cosine),
         against_collapse(recipe));
  }
  const FeatureStatistics& statistics = evaluation.statistics;
  const double dead = static_cast<double>(statistics.dead_features) / static_cast<double>(evaluation.features);
  if (dead > recipe.eval.dead_limit) {
    Advice advice = against_silence(recipe);
    advice.push_back(fmt::format("lower optimiser.rate (now {})", recipe.optimiser.rate));
    warn("dead features",
         fmt::format("{} of {} are zero for every held-out item", statistics.dead_features, evaluation.features),
         with_projector(std::move(advice), recipe, "lower"));
  }
  const double zero = static_cast<double>(statistics.zero_rows) / static_cast<double>(evaluation.items);
  if (zero > kZeroRows) {
    warn("zero rows", fmt::format("{:.0f} % of the held-out items have no active feature at all", zero * 100),
         with_projector(with_sparsity(against_silence(recipe), recipe), recipe, "raise"));
  }
  for (const std::string& what : evaluation.not_measured) found.push_back({what, "not measured: " + what});
  return found;
}

}  // namespace orthant
