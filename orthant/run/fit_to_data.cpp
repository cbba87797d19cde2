#include <algorithm>
#include <array>
#include <cmath>

#include "orthant/core/error.h"
#include "orthant/data/statistics.h"
#include "orthant/data/suggested_size.h"
#include "orthant/data/view_source.h"
#include "orthant/data/vocabulary.h"
#include "orthant/run/held_sparse.h"
#include "orthant/run/recipe.h"
#include "orthant/run/schedule.h"
#include "orthant/sources/open.h"

namespace orthant {
namespace {

constexpr int64_t kStatisticsItems = 2000;
// Of pictures that are compared by infonce: as many rows in a step and in a run as two views of twice as many, and
// features that tell classes better; see docs/alive.md.
constexpr int64_t kPictureViews = 4;
constexpr int64_t kPictureRows = 512;
constexpr int64_t kPictureEpochs = 10;
constexpr int64_t kMuonHidden = 256;      // whose steps take the cube of a projector's width
constexpr double kMuonTemperature = 0.1;  // of cl: at 0.2 it tells classes less well
// Of ncl: what costs a network that learns fast next to nothing.
constexpr int64_t kMuonFeatures = 1024;
constexpr double kMuonSparsity = 0.87;
constexpr double kMuonWarmup = 0.2;
constexpr double kMuonCompanion = 1;
constexpr int64_t kSmallPicture = 64;  // up to which views are simclr-small
// Of texts that learn from views of themselves; see docs/text.md.
constexpr int64_t kTextDepth = 1;
constexpr double kTextRate = 0.003;
// Of sounds; see docs/sound.md.
constexpr int64_t kSoundsHeard = 500;  // to know how long they are
constexpr double kShortestView = 0.5;
constexpr double kLongestView = 4;
constexpr double kFinerView = 2;  // views of more seconds have more columns
constexpr int64_t kSoundSize = 48;
constexpr int64_t kLongSoundSize = 64;
constexpr int64_t kTableWidth = 128;  // of the free vectors of nodes
// A free vector moves only when an edge of its node is in the batch: what suits a network leaves it near its start.
constexpr double kTableRate = 0.02;
constexpr int64_t kTableSteps = 1500;
constexpr int64_t kFewestSteps = 500;
constexpr double kNodeDropout = 0.2;
constexpr double kNodeTemperature = 0.3;    // edges are a few nats likelier within a community; see docs/graphs.md
constexpr int64_t kCommunities = 64;        // features of nodes, each a community: 512 split classes into hundreds
constexpr double kVectorTemperature = 0.1;  // at 0.2 most features of vectors die; see docs/vectors.md

void fit_views(Recipe& recipe, const std::vector<SettingsLayer>& layers, const Dataset& data) {
  const DatasetInfo& info = data.info();
  if (!said(layers, "views.channels") && info.channels > 0) recipe.views.channels = info.channels;
  const bool has_mean = said(layers, "views.mean_r") || said(layers, "views.std_r");
  if (has_mean) return;
  const auto statistics = dataset_statistics(data, {.max_items = kStatisticsItems,
                                                    .view_side = recipe.views.size,
                                                    .sound = recipe.views.sound,
                                                    .threads = static_cast<int>(recipe.train.threads)});
  if (statistics.mean.empty()) return;
  std::array<double, 3> mean{};
  std::array<double, 3> deviation{};
  const bool grey = recipe.views.channels == 1 || statistics.mean.size() == 1;
  for (size_t c = 0; c < 3; ++c) {
    mean[c] = grey ? statistics.grey_mean : statistics.mean[c];
    deviation[c] = std::max(grey ? statistics.grey_deviation : statistics.deviation[c], 1e-3);
  }
  recipe.views.set_mean(mean);
  recipe.views.set_std(deviation);
}

void fit_size(Recipe& recipe, const std::vector<SettingsLayer>& layers, const Dataset& data,
              std::vector<Choice>& choices) {
  if (said(layers, "views.size")) return;
  recipe.views.size = suggested_image_size(data);
  const DatasetInfo& info = data.info();
  if (info.height == recipe.views.size && info.width == recipe.views.size) return;
  choices.push_back({"views.size", join("image size ", recipe.views.size, ", chosen from the pictures")});
}

// So much of a sound in a view that most of them fit whole.
void fit_sound(Recipe& recipe, const std::vector<SettingsLayer>& layers, const Dataset& data,
               std::vector<Choice>& choices) {
  SoundOptions& sound = recipe.views.sound;
  if (sound.seconds == 0) {
    const SoundLengths lengths = sound_lengths(data, kSoundsHeard, static_cast<int>(recipe.train.threads));
    sound.seconds = std::clamp(std::ceil(10 * lengths.most) / 10, kShortestView, kLongestView);
    choices.push_back(
        {"sound.seconds", join("views of ", sound.seconds, " seconds, since nine of ten sounds are of at most ",
                               std::round(100 * lengths.most) / 100)});
  }
  if (!said(layers, "views.size")) recipe.views.size = sound.seconds > kFinerView ? kLongSoundSize : kSoundSize;
}

// What suits muon; docs/alive.md.
void fit_to_muon(Recipe& recipe, const std::vector<SettingsLayer>& layers) {
  const Recipe usual;
  const auto choose = [&](const char* key, auto& value, const auto& before, const auto& chosen) {
    if (!said(layers, key) && value == before) value = chosen;
  };
  choose("projector.hidden", recipe.projector.hidden, usual.projector.hidden, kMuonHidden);
  if (recipe.train.method == "cl") {
    choose("loss.temperature", recipe.loss.temperature, usual.loss.temperature, kMuonTemperature);
  }
  if (!is_held(recipe)) return;
  choose("projector.out", recipe.projector.out, kNclFeatures, kMuonFeatures);
  choose("loss.companion", recipe.loss.companion, usual.loss.companion, kMuonCompanion);
  choose("activation.name", recipe.activation.name, usual.activation.name, "relu");
  choose("activation.sparsity", recipe.activation.sparsity, kNclSparsity, kMuonSparsity);
  choose("train.activation_warmup", recipe.train.activation_warmup, kNclWarmup, kMuonWarmup);
}

// The optimiser that learns most of few pictures.
void fit_optimiser(Recipe& recipe, const std::vector<SettingsLayer>& layers) {
  if (!compares_views(recipe) || learns_importance(recipe.loss)) return;
  const double usual = usual_rate(recipe.optimiser.name);
  if (!said(layers, "optimiser.name") && (said(layers, "optimiser.rate") || recipe.optimiser.rate == usual)) {
    recipe.optimiser.name = "muon";
    if (!said(layers, "optimiser.rate")) recipe.optimiser.rate = usual_rate("muon");
  }
  if (recipe.optimiser.name == "muon") fit_to_muon(recipe, layers);
}

// How many views of a picture are compared, and of how many pictures at once.
void fit_view_count(Recipe& recipe, const std::vector<SettingsLayer>& layers) {
  const TrainOptions usual;
  if (learns_from_labels(recipe.train.method) || recipe.train.method == "ncl-paper") return;
  if (recipe.loss.name != "infonce" || said(layers, "train.view_count")) return;
  if (recipe.train.view_count != usual.view_count) return;
  recipe.train.view_count = kPictureViews;
  if (!said(layers, "train.batch") && recipe.train.batch == usual.batch) {
    recipe.train.batch = kPictureRows / kPictureViews;
    if (!said(layers, "optimiser.rate") && is_adaptive(recipe.optimiser.name)) {
      recipe.optimiser.rate *= static_cast<double>(usual.batch) / static_cast<double>(recipe.train.batch);
    }
  }
  if (!said(layers, "train.epochs") && recipe.train.epochs == usual.epochs) recipe.train.epochs = kPictureEpochs;
}

// What an epoch goes through: the items, or the edges of a graph that is learned from by them.
int64_t entries(const Recipe& recipe, const Dataset& data) {
  const bool by_edges = recipe.data.positives.empty() && !learns_from_labels(recipe.train.method);
  const PositivesPtr edges = by_edges ? data.positives() : nullptr;
  return edges ? edges->size() : data.size();
}

void fit_epochs(Recipe& recipe, const std::vector<SettingsLayer>& layers, const Dataset& data,
                std::vector<Choice>& choices) {
  constexpr int64_t kMostEpochs = 200;
  constexpr int64_t kEvaluations = 20;
  const bool usual = recipe.train.epochs == TrainOptions{}.epochs || recipe.train.epochs == kPictureEpochs;
  if (said(layers, "train.epochs") || !usual) return;
  const int64_t batches = std::max<int64_t>(entries(recipe, data) / recipe.train.batch, 1);
  const int64_t steps = data.info().nodes > 0 ? kTableSteps : kFewestSteps;
  const int64_t wanted = std::min((steps + batches - 1) / batches, kMostEpochs);
  if (wanted <= recipe.train.epochs) return;
  recipe.train.epochs = wanted;
  if (!said(layers, "eval.every")) recipe.eval.every = (wanted + kEvaluations - 1) / kEvaluations;
  choices.push_back({"train.epochs", join(wanted, " epochs, since ", entries(recipe, data),
                                          data.info().graph ? " edges" : " items", " are few")});
}

void fit_warmup(Recipe& recipe, const std::vector<SettingsLayer>& layers, std::vector<Choice>& choices) {
  const auto before = clamp_warmup(recipe.optimiser, recipe.train.epochs);
  if (!before || !said(layers, "optimiser.warmup_epochs")) return;
  choices.push_back({"optimiser.warmup_epochs", join("a warm-up of ", recipe.optimiser.warmup_epochs,
                                                     " epochs instead of ", *before, ": a fifth of the run")});
}

// A node's features and the mean of its neighbours', or where there are none a free vector of its own.
void fit_nodes(Recipe& recipe, const std::vector<SettingsLayer>& layers, const DatasetInfo& info) {
  if (info.nodes > 0 && !said(layers, "backbone.name")) recipe.backbone.name = "table";
  if (info.nodes > 0 && !said(layers, "backbone.hidden")) recipe.backbone.hidden = kTableWidth;
  const bool adaptive = recipe.optimiser.name == "adamw";
  if (info.nodes > 0 && adaptive && !said(layers, "optimiser.rate")) recipe.optimiser.rate = kTableRate;
  if (!said(layers, "projector.batch_norm")) recipe.projector.batch_norm = true;
  if (!said(layers, "projector.out")) recipe.projector.out = kCommunities;
  if (!said(layers, "loss.temperature")) recipe.loss.temperature = kNodeTemperature;
  if (!said(layers, "data.vector_noise")) recipe.data.vector_noise = 0;
  if (!said(layers, "data.vector_dropout")) recipe.data.vector_dropout = info.nodes > 0 ? 0 : kNodeDropout;
}

// Pairs are views enough.
void fit_positives(Recipe& recipe, const std::vector<SettingsLayer>& layers) {
  if (recipe.data.positives.empty() || recipe.data.positives == "views") return;
  if (!said(layers, "data.vector_noise")) recipe.data.vector_noise = 0;
}

void fit_vectors(Recipe& recipe, const std::vector<SettingsLayer>& layers, const DatasetInfo& info) {
  if (info.graph) fit_nodes(recipe, layers, info);
  fit_positives(recipe, layers);
  if (info.nodes > 0) {
    check(recipe.data.vector_noise == 0 && recipe.data.vector_dropout == 0, "[", recipe.data.source,
          "] expected no noise and no dropout of nodes without features, got data.vector_noise ",
          recipe.data.vector_noise, " and data.vector_dropout ", recipe.data.vector_dropout);
    check(recipe.backbone.name == "table", "[", recipe.data.source, "] expected features of nodes for ",
          recipe.backbone.name, ", got none, which table is for (backbone.name)");
    recipe.backbone.dims = info.nodes;
    return;
  }
  if (!said(layers, "backbone.name")) recipe.backbone.name = "mlp";
  check(recipe.backbone.name == "mlp", "[", recipe.data.source, "] expected pictures for ", recipe.backbone.name,
        ", got vectors, which mlp is for (backbone.name)");
  recipe.backbone.dims = info.dims;
  if (!said(layers, "backbone.standardise")) recipe.backbone.standardise = true;
  if (!said(layers, "projector.batch_norm")) recipe.projector.batch_norm = true;
  if (!info.graph && !said(layers, "loss.temperature")) recipe.loss.temperature = kVectorTemperature;
}

// sigma+ of what is never negative is no other feature; only the gradient of rep_relu differs.
void tell_idle_sigma(const Recipe& recipe, std::vector<Choice>& choices) {
  if (!cuts_at_zero(recipe.activation) || recipe.projector.depth > 0 || !ends_in_relu(recipe.backbone)) return;
  choices.push_back({"projector.depth", join("no projector: features of ", recipe.backbone.name,
                                             " are never negative, so sigma+ leaves them as they are")});
}

// Whole words, and rows enough for each word that is more than a slip to have one of its own, most of the time: what
// documents are about is told by their words, and n-grams cost ten times as much.
void fit_words(Recipe& recipe, const std::vector<SettingsLayer>& layers, const Dataset& data) {
  constexpr int64_t kFewestRows = 1 << 10;
  constexpr int64_t kMostRows = 1 << 17;
  if (!said(layers, "text.char_max")) recipe.text.char_max = 0;
  if (said(layers, "text.buckets")) return;
  const int64_t words = recipe.text.char_max == 0 ? vocabulary(data, recipe.text) : kMostRows / 4;
  recipe.text.buckets =
      std::clamp(static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * words))), kFewestRows, kMostRows);
}

void fit_text(Recipe& recipe, const std::vector<SettingsLayer>& layers, const Dataset& data) {
  if (!said(layers, "backbone.name")) recipe.backbone.name = "text-bag";
  check(recipe.backbone.name.starts_with("text-"), "[", recipe.data.source, "] expected pictures or vectors for ",
        recipe.backbone.name, ", got texts, which text-bag is for (backbone.name)");
  if (recipe.data.text_view == "none") return;  // nothing but whole texts: short ones that pair, or labelled ones
  fit_words(recipe, layers, data);
  if (!said(layers, "backbone.depth")) recipe.backbone.depth = kTextDepth;
  if (!said(layers, "optimiser.rate") && recipe.optimiser.name == "adamw") recipe.optimiser.rate = kTextRate;
}

// A batch that nobody asked for is no larger than what there is.
void fit_batch(Recipe& recipe, const std::vector<SettingsLayer>& layers, const Dataset& data,
               std::vector<Choice>& choices) {
  const std::string where = "[" + recipe.data.source + "] ";
  check(data.size() >= 2, where, "expected at least 2 items to tell apart, got ", data.size(), " in the split ",
        recipe.data.split, data.info().split_made_here ? "; data.split=all learns from all there are" : "");
  if (!said(layers, "train.batch") && recipe.train.batch > entries(recipe, data)) {
    choices.push_back(
        {"train.batch", join("a batch of all ", entries(recipe, data), data.info().graph ? " edges" : " items",
                             " instead of ", recipe.train.batch)});
    recipe.train.batch = entries(recipe, data);
  }
  check(entries(recipe, data) >= recipe.train.batch, where, "expected at least one batch of ", recipe.train.batch,
        " items, got ", entries(recipe, data), " (train.batch)");
}

}  // namespace

void suit_views_to_size(Recipe& recipe, const std::vector<SettingsLayer>& layers) {
  const bool chosen = compares_views(recipe) && !recipe.views.of_sound() && !said(layers, "train.views");
  if (!chosen || recipe.views.size > kSmallPicture) return;
  recipe.train.views = "simclr-small";
  const ViewOptions small = view_preset(recipe.train.views, recipe.views.size);
  const auto take = [&](const std::string& key, double ViewOptions::*setting) {
    if (!said(layers, "views." + key)) recipe.views.*setting = small.*setting;
  };
  take("brightness", &ViewOptions::brightness);
  take("contrast", &ViewOptions::contrast);
  take("saturation", &ViewOptions::saturation);
  take("hue", &ViewOptions::hue);
  take("blur_probability", &ViewOptions::blur_probability);
}

std::vector<Choice> fit_to_data(Recipe& recipe, const std::vector<SettingsLayer>& layers, const Dataset& data) {
  const DatasetInfo& info = data.info();
  const std::string where = "[" + recipe.data.source + "] ";
  std::vector<Choice> choices;
  const bool pictures = info.dims == 0 && !info.text && !info.sound;
  if (pictures) fit_optimiser(recipe, layers);
  if (pictures || info.sound) fit_view_count(recipe, layers);
  fit_batch(recipe, layers, data, choices);
  fit_epochs(recipe, layers, data, choices);
  fit_warmup(recipe, layers, choices);
  if (info.dims > 0) {
    fit_vectors(recipe, layers, info);
    tell_idle_sigma(recipe, choices);
    return choices;
  }
  if (info.text) {
    fit_text(recipe, layers, data);
    return choices;
  }
  check(recipe.backbone.name != "mlp", where,
        "expected vectors for mlp, got pictures, which the others are for (backbone.name)");
  check(!recipe.backbone.name.starts_with("text-"), where, "expected texts for ", recipe.backbone.name,
        ", got pictures, which the others are for (backbone.name)");
  check(info.sound || !recipe.views.of_sound(), where, "expected sounds for views of ", recipe.views.sound.seconds,
        " seconds (sound.seconds), got pictures");
  if (info.sound) {
    fit_sound(recipe, layers, data, choices);
  } else {
    fit_size(recipe, layers, data, choices);
    suit_views_to_size(recipe, layers);
  }
  fit_views(recipe, layers, data);
  recipe.backbone.channels = recipe.views.channels;
  recipe.backbone.image_size = recipe.views.size;
  tell_idle_sigma(recipe, choices);
  return choices;
}

}  // namespace orthant
