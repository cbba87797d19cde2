#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_map>

#include "cli/embed_process.h"
#include "cli/frame/interrupt.h"
#include "cli/frame/progress.h"
#include "cli/frame/run_model.h"
#include "cli/frame/terminal_text.h"
#include "cli/training.h"
#include "cli/where/where_output.h"
#include "learn/explain/picture_maps.h"
#include "orthant/catalogue/exemplars.h"
#include "orthant/catalogue/run_embeddings.h"
#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/image_file.h"
#include "orthant/run/run_paths.h"
#include "orthant/select/ranking.h"
#include "orthant/sources/open.h"

namespace orthant::cli {
namespace {

struct WhereFlags {
  Common common;
  std::string run;
  std::vector<int64_t> features;
  std::vector<std::string> items;
  std::vector<std::string> images;
  std::string with;
  std::string data;
  std::string split = "test";
  int64_t size = 0;
  int64_t most_features = 6;
  int64_t most_items = 5;
  std::string method = "auto";
  std::string sheet;
  std::string maps;
  bool json = false;
  bool overwrite = false;
};

// The model of pictures of a run: its only one, or one of two towers.
Model picture_model(const std::string& run) {
  Model model = Model::load(run_model_file(run));
  if (model.encoder().input_shape().size() == 3 || !is_run(run)) return model;
  const std::string second = RunPaths(run).second_model_file();
  return std::filesystem::exists(second) ? Model::load(second) : std::move(model);
}

// The items by number and by id.
class Pictures {
 public:
  explicit Pictures(DatasetPtr data) : data_(std::move(data)) {
    check(data_->info().dims == 0 && !data_->info().text, "[", data_->info().name,
          "] expected pictures, got vectors or texts");
  }
  const DatasetPtr& data() const { return data_; }
  int64_t row(const std::string& id) {
    if (places_.empty()) {
      for (int64_t i = 0; i < data_->size(); ++i) places_.emplace(data_->id(i), i);
    }
    const auto found = places_.find(id);
    check(found != places_.end(), "[", id, "] expected the id of an item of ", data_->info().name, " ",
          data_->info().split, ", got none of that id");
    return found->second;
  }
  Image image(int64_t row) const { return data_->image(row); }

 private:
  DatasetPtr data_;
  std::unordered_map<std::string, int64_t> places_;
};

std::string data_of(const WhereFlags& flags) {
  if (!flags.data.empty()) return flags.data;
  check(is_run(flags.run), "[where] expected --data for a model that is not in a run, got none");
  return trained_on(RunPaths(flags.run));
}

WhereOptions options_of(const WhereFlags& flags) {
  WhereOptions options;
  options.threads = resolve_threads(flags.common.threads);
  options.places = flags.method == "places";
  if (flags.method == "additive" || options.places) options.method = heat::Method::kAdditive;
  if (flags.method == "occlusion") options.method = heat::Method::kOcclusion;
  return options;
}

Embeddings embeddings_of(const WhereFlags& flags) {
  check(is_run(flags.run), "[where] expected --item or --image for a model that is not in a run, got neither");
  return catalogue::run_embeddings(
             flags.run, {.data = flags.data, .split = flags.split, .size = flags.size}, embed_process(flags.common),
             [](const std::string& line) { fmt::print(stderr, "orthant: {}\n", terminal_text(line)); })
      .embeddings;
}

// What a picture is asked, and a name for it.
struct Wanted {
  std::string name;
  int64_t row = -1;  // of the data set; -1: a file
  std::vector<int64_t> features;
};

// The strongest items of each feature.
std::vector<Wanted> strongest_items(const WhereFlags& flags, const Pictures& pictures) {
  const Embeddings embeddings = embeddings_of(flags);
  check(embeddings.rows() == pictures.data()->size(), "[", flags.run, "] expected embeddings of the ",
        pictures.data()->size(), " items of ", pictures.data()->info().name, ", got ", embeddings.rows());
  std::vector<int64_t> features = flags.features;
  if (features.empty()) {
    features = select::rank_features(embeddings, {}, {.threads = flags.common.threads}).order;
    features.resize(std::min(features.size(), static_cast<size_t>(flags.most_features)));
  }
  for (const int64_t f : features) {
    check(f < embeddings.cols(), "[--feature] expected a feature from 0 to ", embeddings.cols() - 1, ", got ", f);
  }
  const auto found = exemplars(embeddings, {}, features, flags.most_items, 0);
  std::vector<Wanted> wanted;
  for (size_t k = 0; k < features.size(); ++k) {
    for (const int64_t row : found[k].top) wanted.push_back({pictures.data()->id(row), row, {features[k]}});
  }
  check(!wanted.empty(), "[where] expected features that fire on some item, got none that do");
  return wanted;
}

std::vector<Wanted> named_pictures(const WhereFlags& flags, Pictures* pictures) {
  std::vector<Wanted> wanted;
  for (const std::string& id : flags.items) wanted.push_back({id, pictures->row(id), flags.features});
  for (const std::string& file : flags.images) wanted.push_back({file, -1, flags.features});
  return wanted;
}

void run(const WhereFlags& flags) {
  if (flags.sheet.empty() && flags.maps.empty() && !flags.json) {
    throw Misuse("where: expected -o SHEET.png, --maps FILE.npz or --json, got none of them");
  }
  const bool named = !flags.items.empty() || !flags.images.empty();
  if (!flags.with.empty() && !named) throw Misuse("where: expected --item or --image beside --with, got neither");
  for (const std::string& path : {flags.sheet, flags.maps}) {
    if (path.empty()) continue;
    refuse_existing(path, flags.overwrite);
    const io::AtomicFile place(path);  // better refused before the work than after it
  }
  Model model = picture_model(flags.run);
  std::optional<Pictures> pictures;
  if (!named || !flags.items.empty() || !flags.with.empty()) {
    pictures.emplace(
        open_dataset(data_of(flags), {.split = flags.split, .size = flags.size, .threads = flags.common.threads}));
  }
  const auto wanted =
      named ? named_pictures(flags, pictures ? &*pictures : nullptr) : strongest_items(flags, *pictures);
  const std::vector<float> other =
      flags.with.empty() ? std::vector<float>() : picture_features(model, pictures->image(pictures->row(flags.with)));

  Progress progress(flags.common.quiet);
  std::vector<PictureWhere> all;
  for (const Wanted& one : wanted) {
    stop_if_interrupted();
    PictureWhere found{.name = one.name, .picture = one.row < 0 ? io::read_image(one.name) : pictures->image(one.row)};
    found.with = flags.with;
    PictureQuestion question{.features = one.features, .other = other};
    if (one.features.empty()) question.strongest = flags.most_features;
    PictureMaps maps = picture_maps(model, found.picture, question, options_of(flags));
    found.maps = std::move(maps.maps);
    found.features = std::move(maps.features);
    check(found.maps.count() > 0, "[", one.name, "] expected a picture on which some feature fires, got one without");
    all.push_back(std::move(found));
    progress.update({"where", std::ssize(all), std::ssize(wanted), "pictures"});
  }
  progress.clear();
  if (!flags.sheet.empty()) io::write_png(flags.sheet, where_sheet(all, !named));
  if (!flags.maps.empty()) write_where_npz(flags.maps, all);
  if (flags.json) fmt::print("{}\n", where_json(flags.run, all));
}

}  // namespace

void add_where(App& app) {
  auto flags = std::make_shared<WhereFlags>();
  App* command = add_learn_command(app, "where", flags->common);
  command->add_option("run", flags->run, "Folder of a run on pictures, or its model.safetensors")
      ->required()
      ->type_name("RUN");
  command
      ->add_option("--feature", flags->features,
                   "Features to show; default: the strongest of each picture, or of all items")
      ->check(between(0, 1 << 20))
      ->type_name("N");
  command->add_option("--item", flags->items, "Items, by their ids; default: the strongest of each feature")
      ->type_name("ID");
  command->add_option("--image", flags->images, "Pictures of your own")->type_name("FILE");
  command->add_option("--with", flags->with, "Also what makes each picture similar to this item")->type_name("ID");
  command->add_option("--data", flags->data, "Data set, KIND[:PATH]; default: what the run was trained on");
  command->add_option("--split", flags->split, "train, test or all")
      ->check(one_of({"train", "test", "all"}))
      ->type_name("SPLIT")
      ->capture_default_str();
  command->add_option("--size", flags->size, "Items of the data set; 0: all")
      ->check(between(0, INT64_MAX))
      ->type_name("N");
  command->add_option("--features", flags->most_features, "How many, where none is named")
      ->check(between(1, 64))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--images", flags->most_items, "Strongest items of each feature, where none is named")
      ->check(between(1, 64))
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option(
          "--method", flags->method,
          "additive: parts of pixels that add up; places: the same of the last layer's places; occlusion: what "
          "covering takes; auto: the first where there is such")
      ->check(one_of({"auto", "additive", "places", "occlusion"}))
      ->capture_default_str();
  command->add_option("-o,--output", flags->sheet, "PNG file: pictures, each with its maps")->type_name("FILE");
  command->add_option("--maps", flags->maps, ".npz file of the maps as numbers")->type_name("FILE");
  command->add_flag("--json", flags->json, "The maps as JSON on stdout");
  command->add_flag("--overwrite", flags->overwrite, "Replace files that exist");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
