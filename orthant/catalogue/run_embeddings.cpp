#include "orthant/catalogue/run_embeddings.h"

#include <filesystem>

#include "orthant/core/error.h"
#include "orthant/core/temporary_folder.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/kept_files.h"
#include "orthant/sources/open.h"

namespace orthant::catalogue {
namespace {

namespace fs = std::filesystem;

RunEmbeddings made_for_now(const std::string& run, const EmbeddingsKey& key, const EmbedMissing& embed) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/embeddings.safetensors";
  embed({run, key, file});
  return {.embeddings = io::read_embeddings(file), .file = run};
}

}  // namespace

RunEmbeddings run_embeddings(const std::string& run, EmbeddingsKey key, const EmbedMissing& embed,
                             const std::function<void(const std::string&)>& warn) {
  const RunPaths paths(run);
  const std::string learned = key.tower == "b" ? trained_with(paths) : trained_on(paths);
  if (absolute_spec(key.data) == absolute_spec(learned)) key.data.clear();
  const bool own = key.data.empty();
  const std::string file = paths.embeddings_file(key);
  const bool there = own && fs::exists(file);
  const std::string model = key.tower == "b" ? paths.second_model_file() : paths.model_file();
  const bool stale = there && io::is_newer(model, file);
  check_io(there || embed, "[", run, "] expected embeddings in ", file, ", got none, and no way to make them");
  if (stale && !embed && warn) warn(join(file, " is older than the model, and this build cannot make it again"));
  if (!there || (stale && embed)) {
    if (!own || !io::can_write_into(paths.embeddings_folder())) return made_for_now(run, key, embed);
    embed({run, key, file});
  }
  return {.embeddings = io::read_embeddings(file), .file = file, .kept = true};
}

}  // namespace orthant::catalogue
