#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "learn/nn/model.h"
#include "learn/train/supervised_run.h"
#include "orthant/io/npy.h"
#include "tests/support/temporary_folder.h"

namespace orthant::test {

// A folder with an encoder that was never trained and labelled vectors around four centres.
class ProbeFolder {
 public:
  ProbeFolder() {
    write_vectors("x.npy", 240);
    std::vector<int64_t> labels;
    for (int64_t i = 0; i < 240; ++i) labels.push_back(i % 4);
    write_labels("y.npy", labels);
    write_labels("one.npy", std::vector<int64_t>(240, 1));
    ModelOptions options;
    options.backbone = {.name = "mlp", .dims = 6, .hidden = 16, .depth = 2};
    options.projector = {.hidden = 16, .out = 12, .depth = 2, .batch_norm = true};
    Model(options, 3).save(model());
  }

  void write_vectors(const std::string& name, int64_t items) {
    std::vector<float> values;
    for (int64_t i = 0; i < items * 6; ++i) {
      const auto centre = static_cast<double>(i / 6 % 4 * 6 + i % 6);
      values.push_back(static_cast<float>(5 * std::sin(1.7 * centre) + 2 * std::sin(0.9 * static_cast<double>(i * i))));
    }
    io::write_npy(folder_ / name, io::array_from<float>(std::move(values), {items, 6}));
  }

  void write_labels(const std::string& name, const std::vector<int64_t>& labels) {
    io::write_npy(folder_ / name, io::array_from<int64_t>(labels, {static_cast<int64_t>(labels.size())}));
  }

  std::string model() const { return folder_ / "model.safetensors"; }
  std::string vectors(const std::string& labels = "y.npy") const {
    return "npy:" + (folder_ / "x.npy") + (labels.empty() ? "" : "," + (folder_ / labels));
  }
  std::string operator/(const std::string& name) const { return folder_ / name; }

  // A recipe for the vectors that takes a moment, with these settings over it.
  SupervisedRecipe recipe(Settings settings) const {
    Settings all = {{"data.source", vectors()},      {"train.model", model()},      {"train.epochs", int64_t{6}},
                    {"train.batch", int64_t{20}},    {"train.threads", int64_t{1}}, {"train.checkpoint_seconds", 0.0},
                    {"optimiser.warmup_epochs", 0.5}};
    for (auto& [key, value] : settings) all[key] = value;
    return make_supervised_recipe({{"test", all}}, Model::load(to_string(all["train.model"])).options());
  }

  SupervisedResult run(const SupervisedRecipe& recipe, const std::string& name) const {
    return run_supervised(recipe, RunFolder::create(folder_ / name)).value();
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace orthant::test
