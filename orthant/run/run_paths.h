#pragma once

#include <cstdint>
#include <string>

namespace orthant {

// Everything that decides what embeddings of a run hold, and so what their file is called.
struct EmbeddingsKey {
  std::string data = {};  // KIND[:PATH]; empty: what the run was trained on
  std::string split = "test";
  std::string layer = "projector";
  std::string tower = "a";   // of a run with two: "a", what its pairs begin with, or "b"
  int64_t size = 0;          // items taken; 0: all
  std::string corrupt = {};  // NAME or NAME:SEVERITY; empty: not corrupted
  int64_t views = 0;         // random views of each item; 0: the item itself
  uint64_t seed = 0;         // of the views; without views it decides nothing
  int64_t active = 0;        // of an adapter: features on per row; 0: as it was learned
};

// "test-projector"; what differs from the default follows: "train-backbone-500-fog-3-views-2-seed-7". Different keys
// have different names; other data are told by a few letters and a checksum. std::invalid_argument for a corruption
// that is not there.
std::string name_of(const EmbeddingsKey& key);

// Where the parts of a run lie:
//
//   run.toml                the resolved recipe: everything needed to repeat the run
//   metrics.jsonl           one line per logged step and epoch
//   events.out.tfevents.*   the same, for TensorBoard
//   model.safetensors       weights and metadata, as of the last epoch
//   model-b.safetensors     the second tower of a run with two; the first is model.safetensors
//   classifier.safetensors  of a probe, instead of a model
//   result.json             of a probe or a fine-tuning
//   checkpoint/             what `resume` needs, last two kept
//   embeddings/             written by `embed`, by their key
//   measures.json           of the embeddings of the whole test split
//   selection.json          of a sweep over numbers of features
//   names.json              what a person calls features
//   seed-N/                 of a probe or a fine-tuning with several seeds: what else would lie here, of each
//   lock                    held (flock) while a program works on the run; its presence alone means nothing
//
// Names only: nothing is looked at.
class RunPaths {
 public:
  explicit RunPaths(std::string path);  // slashes at the end are dropped

  const std::string& path() const { return path_; }
  std::string recipe_file() const { return path_ + "/run.toml"; }
  std::string metrics_file() const { return path_ + "/metrics.jsonl"; }
  std::string model_file() const { return path_ + "/model.safetensors"; }
  std::string second_model_file() const { return path_ + "/model-b.safetensors"; }
  std::string classifier_file() const { return path_ + "/classifier.safetensors"; }
  std::string result_file() const { return path_ + "/result.json"; }
  std::string checkpoint_folder() const { return path_ + "/checkpoint"; }
  std::string embeddings_folder() const { return path_ + "/embeddings"; }
  std::string embeddings_file(const EmbeddingsKey& key) const;
  std::string measures_file() const { return path_ + "/measures.json"; }
  std::string selection_file() const { return path_ + "/selection.json"; }
  std::string names_file() const { return path_ + "/names.json"; }
  std::string lock_file() const { return path_ + "/lock"; }
  RunPaths of_seed(int64_t seed) const;

 private:
  std::string path_;
};

// True if `path` is the folder of a run, finished or not.
bool is_run(const std::string& path);

// The file of weights that a user means by `path`: that of a run, or the file itself.
std::string weights_file(const std::string& path);

// The data that the recipe of a run names; empty if it names none. IoError if there is no recipe or it is malformed.
std::string trained_on(const RunPaths& run);
// The same for the data that goes with it in a run of two towers.
std::string trained_with(const RunPaths& run);

}  // namespace orthant
