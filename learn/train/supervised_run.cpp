#include "learn/train/supervised_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "learn/task/supervised_classifier.h"
#include "learn/task/supervised_task.h"
#include "learn/train/embed.h"
#include "orthant/core/error.h"
#include "orthant/corrupt/corrupt.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/mapped_file.h"
#include "orthant/labels/labelled_items.h"
#include "orthant/run/crc32c.h"
#include "orthant/run/supervised_data.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;

// "all": every corruption that the published tables have, and the stand-ins, at every severity.
std::vector<std::string> conditions_of(const std::string& ood) {
  std::vector<std::string> conditions;
  if (ood == "all") {
    for (const corrupt::Kind& kind : corrupt::names()) {
      if (kind.group == corrupt::Group::extra) continue;
      for (int severity = 1; severity <= corrupt::kSeverities; ++severity) {
        conditions.push_back(corrupt::to_string({kind.name, severity}));
      }
    }
    return conditions;
  }
  for (size_t begin = 0; begin < ood.size();) {
    const size_t end = std::min(ood.find(',', begin), ood.size());
    conditions.push_back(corrupt::to_string(corrupt::parse(ood.substr(begin, end - begin))));
    begin = end + 1;
  }
  return conditions;
}

std::vector<TestData> described(const std::vector<NamedTestData>& sets) {
  std::vector<TestData> all;
  for (const auto& [name, data] : sets) {
    const std::vector<int64_t> labels = labels_of(*data);
    const std::set<int64_t> classes(labels.begin(), labels.end());
    all.push_back({name, data->info().split, data->size(), std::ssize(classes)});
  }
  return all;
}

class SupervisedRun {
 public:
  SupervisedRun(const SupervisedRecipe& recipe, const RunFolder& folder, const SupervisedListener& listener)
      : recipe_(recipe),
        folder_(folder),
        listener_(listener),
        data_(open_supervised_data(recipe)),
        test_data_(open_test_data(recipe, data_.train->info())),
        weights_(weights_file(recipe.train.model)),
        encoder_(fmt::format("crc32c:{:08x}", crc32c(io::MappedFile::open(weights_)->bytes()))) {}

  Ending learn(int64_t seed) {
    if (fs::exists(classifier_file(seed))) return Ending::finished;
    return recipe_.train.solver == "lbfgs" ? solve(seed) : descend(seed);
  }

  SupervisedResult evaluate() {
    SupervisedResult result{
        recipe_, data_.train->info().class_names, conditions_of(recipe_.train.ood), described(test_data_), {}};
    std::vector<TrainedClassifier> classifiers;
    for (int64_t k = 0; k < recipe_.train.seeds; ++k) {
      const int64_t seed = recipe_.train.seed + k;
      classifiers.push_back(read_classifier(classifier_file(seed)));
      check_encoder(classifiers.back().facts["encoder"], classifier_file(seed));
      result.seeds.push_back({seed, classifiers.back().facts, {}, {}, {}});
    }
    if (!tuned()) {
      Model model = Model::load(weights_);
      test(model, classifiers, result.conditions, result.seeds);
      return result;
    }
    for (size_t k = 0; k < classifiers.size(); ++k) {
      Model model = Model::load(classifier_file(result.seeds[k].seed));
      test(model, std::span(classifiers).subspan(k, 1), result.conditions, std::span(result.seeds).subspan(k, 1));
    }
    return result;
  }

 private:
  bool tuned() const { return recipe_.train.task == "finetune"; }

  RunPaths paths_of(int64_t seed) const { return recipe_.train.seeds == 1 ? RunPaths(folder_) : folder_.of_seed(seed); }

  std::string classifier_file(int64_t seed) const {
    return tuned() ? paths_of(seed).model_file() : paths_of(seed).classifier_file();
  }

  void check_encoder(const std::string& found, const std::string& file) const {
    check_io(found == encoder_, "[", file, "] expected the encoder of ", weights_, ", got one learned on another (",
             found, " instead of ", encoder_, "); the run has to start anew");
  }

  TrainedClassifier describe(fit::LogisticModel model, const Dataset& items, int64_t seed) const {
    TrainedClassifier trained{std::move(model), {}};
    trained.facts = {
        {"task", recipe_.train.task},   {"layer", recipe_.train.layer},          {"solver", recipe_.train.solver},
        {"seed", std::to_string(seed)}, {"items", std::to_string(items.size())}, {"encoder", encoder_}};
    return trained;
  }

  Embeddings features(Model& model, const DatasetPtr& data, const std::string& what) const {
    EmbedOptions options;
    options.layer = recipe_.train.layer;
    options.threads = static_cast<int>(recipe_.train.threads);
    if (listener_.progress) {
      options.progress = [&](int64_t done) { listener_.progress(what, done, data->size()); };
    }
    return embed(model, data, options);
  }

  // Without a choice of labels every seed learns from the same features.
  const Embeddings& training_features(const DatasetPtr& items) {
    if (features_.rows() == 0 || recipe_.train.label_fraction < 1) {
      Model model = Model::load(weights_);
      features_ = features(model, items, "train features");
    }
    return features_;
  }

  Ending solve(int64_t seed) {
    fs::create_directories(paths_of(seed).path());
    const DatasetPtr items = training_items(recipe_, data_.train, static_cast<uint64_t>(seed));
    std::function<void(const fit::FitProgress&)> progress;
    if (listener_.fit) progress = [&](const fit::FitProgress& at) { listener_.fit(seed, at); };
    const fit::LogisticModel fitted =
        fit_probe(training_features(items), labels_of(*items), recipe_.train, static_cast<uint64_t>(seed), progress);
    if (!fitted.converged && listener_.warn) {
      listener_.warn(
          fmt::format("seed {}: L-BFGS stopped after {} iterations before it converged; a larger train.l2 helps", seed,
                      fitted.iterations));
    }
    TrainedClassifier trained = describe(fitted, *items, seed);
    trained.facts["l2"] = toml_value(Setting(fitted.l2));
    trained.facts["iterations"] = std::to_string(fitted.iterations);
    trained.facts["converged"] = fitted.converged ? "true" : "false";
    write_classifier(classifier_file(seed), trained);
    return Ending::finished;
  }

  Ending descend(int64_t seed) {
    Model model = Model::load(weights_);
    const DatasetPtr items = training_items(recipe_, data_.train, static_cast<uint64_t>(seed));
    SupervisedTask task(recipe_, model, items, static_cast<uint64_t>(seed), encoder_);
    Trainer trainer(task, recipe_.optimiser, recipe_.train.threads);
    go_back_to_checkpoint(trainer, paths_of(seed).path(), listener_.warn);
    const LoopOptions options{.folder = paths_of(seed).path(), .pacing = recipe_.train.pacing};
    if (train(trainer, options, listener_of(seed)) == Ending::stopped) return Ending::stopped;
    TrainedClassifier trained = describe(task.classifier(), *items, seed);
    trained.facts["steps"] = std::to_string(trainer.position().step);
    if (tuned()) {
      model.save(classifier_file(seed), classifier_extras(trained));
    } else {
      write_classifier(classifier_file(seed), trained);
    }
    return Ending::finished;
  }

  TrainListener listener_of(int64_t seed) const {
    TrainListener listener{.stop = listener_.stop, .warn = listener_.warn};
    if (listener_.step) {
      listener.step = [this, seed](const Trainer& trainer, const Scalars& measures) {
        listener_.step(seed, trainer, measures);
      };
    }
    if (listener_.epoch) listener.epoch = [this, seed](const MetricsLine& line) { listener_.epoch(seed, line); };
    return listener;
  }

  void test(Model& model, std::span<const TrainedClassifier> classifiers, const std::vector<std::string>& conditions,
            std::span<SeedOutcome> outcomes) const {
    const auto score_all = [&](const DatasetPtr& data, const std::string& what, const auto& put) {
      const Embeddings rows = features(model, data, what);
      const std::vector<int64_t> labels = labels_of(*data);
      const auto classes = static_cast<int64_t>(data->info().class_names.size());
      for (size_t k = 0; k < classifiers.size(); ++k) {
        const Matrix scores = logits(classifiers[k].model, rows, static_cast<int>(recipe_.train.threads));
        put(outcomes[k], score(scores, labels, classes));
      }
    };
    score_all(data_.test, "test", [](SeedOutcome& outcome, Scored scored) { outcome.test = std::move(scored); });
    for (const std::string& condition : conditions) {
      score_all(open_corrupted(recipe_, condition), condition,
                [](SeedOutcome& outcome, Scored scored) { outcome.ood.push_back(std::move(scored)); });
    }
    for (const auto& [name, data] : test_data_) {
      score_all(data, name,
                [](SeedOutcome& outcome, Scored scored) { outcome.test_data.push_back(std::move(scored)); });
    }
  }

  const SupervisedRecipe& recipe_;
  const RunFolder& folder_;
  const SupervisedListener& listener_;
  SupervisedData data_;
  std::vector<NamedTestData> test_data_;
  std::string weights_;
  std::string encoder_;  // tells one file of weights from another
  Embeddings features_;
};

}  // namespace

void check_supervised(const SupervisedRecipe& recipe) {
  const SupervisedData data = open_supervised_data(recipe);
  const Model model = Model::load(weights_file(recipe.train.model));
  check_data(model, *data.train, recipe.train.task);
  for (const NamedTestData& other : open_test_data(recipe, data.train->info())) {
    check_data(model, *other.data, recipe.train.task);
  }
  const auto conditions = conditions_of(recipe.train.ood);
  check(conditions.empty() || data.test->info().dims == 0, "[", recipe.train.task,
        "] expected pictures to corrupt, got vectors");
}

std::optional<SupervisedResult> run_supervised(const SupervisedRecipe& recipe, const RunFolder& folder,
                                               const SupervisedListener& listener) {
  SupervisedRun run(recipe, folder, listener);
  for (int64_t k = 0; k < recipe.train.seeds; ++k) {
    const Ending ending = run.learn(recipe.train.seed + k);
    if (ending == Ending::stopped || (listener.stop && listener.stop())) return std::nullopt;
  }
  const SupervisedResult result = run.evaluate();
  io::write_file(folder.result_file(), result_json(result));
  return result;
}

}  // namespace orthant
