#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>

#include "cli/frame/run_model.h"
#include "cli/training.h"
#include "learn/explain/picture_maps.h"
#include "learn/train/embed.h"
#include "learn/train/memory.h"
#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/heat/question.h"
#include "orthant/io/image_file.h"
#include "orthant/run/run_paths.h"
#include "orthant/serve/encoder_process.h"

namespace orthant::cli {
namespace {

using serve::EncoderProcess;

struct EncodeFlags {
  Common common;
  std::string run;
  int64_t max_pixels = 0;
};

// One picture or one text as a data set, so that it is prepared exactly as those of `orthant embed`.
class OneItem : public Dataset {
 public:
  explicit OneItem(Image picture) : picture_(std::move(picture)) {}
  explicit OneItem(std::string text) : text_(std::move(text)) { info_.text = true; }
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return 1; }
  Image image(int64_t i) const override {
    check_index(i);
    return picture_;
  }
  std::vector<std::string> texts(int64_t i) const override {
    check_index(i);
    return {text_};
  }

 private:
  DatasetInfo info_;
  Image picture_;
  std::string text_;
};

// False at the end of stdin.
bool read_all(void* target, size_t size) {
  auto* at = static_cast<char*>(target);
  while (size > 0) {
    const ssize_t count = ::read(STDIN_FILENO, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

void answer(EncoderProcess::Answer kind, const void* bytes, size_t size) {
  const std::array<uint32_t, 2> head = {kind, static_cast<uint32_t>(size)};
  std::string all(reinterpret_cast<const char*>(head.data()), sizeof(head));
  all.append(static_cast<const char*>(bytes), size);
  for (size_t at = 0; at < all.size();) {
    const ssize_t count = ::write(STDOUT_FILENO, all.data() + at, all.size() - at);
    if (count < 0 && errno == EINTR) continue;
    check_io(count > 0, "[encode] expected someone who reads stdout, got nobody");
    at += static_cast<size_t>(count);
  }
}

void answer(EncoderProcess::Answer kind, const std::exception& error) {
  const std::string text = error.what();
  const std::string line = text.substr(0, text.find('\n'));
  answer(kind, line.data(), line.size());
}

struct Question {
  uint32_t kind = EncoderProcess::kPicture;
  std::string bytes;
};

std::optional<Question> next_question() {
  std::array<uint32_t, 2> head{};
  if (!read_all(head.data(), sizeof(head))) return {};
  const auto [kind, length] = head;
  check(kind <= EncoderProcess::kWhere && length <= EncoderProcess::kLongest,
        "[encode] expected a picture or a text of at most ", EncoderProcess::kLongest, " bytes, got kind ", kind,
        " of ", length);
  Question question{kind, std::string(length, '\0')};
  if (!read_all(question.bytes.data(), length)) return {};
  return question;
}

std::vector<float> features_of(Model& model, const DatasetPtr& item, int threads) {
  EmbedOptions options;
  options.batch = 1;
  options.threads = threads;
  const Embeddings embeddings = embed(model, item, options);
  const Matrix dense = embeddings.sparse() ? std::get<SparseMatrix>(embeddings.features).to_dense()
                                           : std::get<Matrix>(embeddings.features);
  return {dense.row(0).begin(), dense.row(0).end()};
}

// The models of a run: one, or two towers.
std::vector<Model> load_models(const std::string& run) {
  std::vector<Model> models;
  models.push_back(Model::load(run_model_file(run)));
  const std::string second = RunPaths(run).second_model_file();
  if (std::filesystem::exists(second)) models.push_back(Model::load(second));
  return models;
}

Model& model_for(std::vector<Model>& models, bool text) {
  for (Model& model : models) {
    if (model.options().backbone.name.starts_with("text-") == text) return model;
  }
  throw std::invalid_argument(text ? "[text] expected a run with a model of texts, got none"
                                   : "[picture] expected a run with a model of pictures or sounds, got none");
}

Image decoded(const Model& model, std::string_view bytes, int64_t max_pixels) {
  // A spectrogram comes from the program that asks, and is as long as the sound.
  if (model.options().preprocessing.sound.seconds > 0) max_pixels = io::kMaxImagePixels;
  return io::decode_image(std::as_bytes(std::span(bytes)), "picture", max_pixels,
                          view_source_side(model.options().preprocessing.size));
}

void answer_where(std::vector<Model>& models, const std::string& bytes, const EncodeFlags& flags, int threads) {
  Model* model = nullptr;
  heat::Question question;
  Image picture;
  try {
    model = &model_for(models, false);
    question = heat::from_bytes(bytes);
    picture = decoded(*model, question.picture, flags.max_pixels);
  } catch (const std::exception& error) {
    return answer(EncoderProcess::kRefused, error);
  }
  try {
    const PictureMaps found =
        picture_maps(*model, picture, {.features = question.features, .other = question.other}, {.threads = threads});
    const std::vector<float> maps = heat::to_floats(found.maps);
    answer(EncoderProcess::kFeatures, maps.data(), maps.size() * sizeof(float));
  } catch (const std::exception& error) {
    answer(EncoderProcess::kFailed, error);
  }
}

void answer_question(std::vector<Model>& models, const Question& question, const EncodeFlags& flags, int threads) {
  if (question.kind == EncoderProcess::kWhere) return answer_where(models, question.bytes, flags, threads);
  const bool text = question.kind == EncoderProcess::kText;
  Model* model = nullptr;
  DatasetPtr item;
  try {
    model = &model_for(models, text);
    if (text) {
      item = std::make_shared<OneItem>(question.bytes);
    } else {
      check(model->options().preprocessing.sound.seconds == 0,
            "[picture] expected a run with a model of pictures, got one of sounds");
      item = std::make_shared<OneItem>(decoded(*model, question.bytes, flags.max_pixels));
    }
  } catch (const std::exception& error) {
    return answer(EncoderProcess::kRefused, error);
  }
  try {
    const std::vector<float> features = features_of(*model, item, threads);
    answer(EncoderProcess::kFeatures, features.data(), features.size() * sizeof(float));
  } catch (const std::exception& error) {
    answer(EncoderProcess::kFailed, error);
  }
}

void run(const EncodeFlags& flags) {
  return_freed_memory();  // this process lives as long as the server
  std::vector<Model> models = load_models(flags.run);
  const int threads = resolve_threads(flags.common.threads);
  while (const auto question = next_question()) answer_question(models, *question, flags, threads);
}

}  // namespace

void add_encode(App& app) {
  auto flags = std::make_shared<EncodeFlags>();
  App* command =
      add_command(app, "encode", "Embed pictures and texts from stdin, for 'orthant explore'", flags->common);
  command->group("");
  command->add_option("run", flags->run, "Folder of a run")->required()->type_name("RUN");
  command->add_option("--max-pixels", flags->max_pixels, "Refuse pictures of more")->required()->type_name("N");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
