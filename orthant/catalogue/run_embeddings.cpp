#include "orthant/catalogue/run_embeddings.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "orthant/core/error.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/file_descriptor.h"
#include "orthant/io/kept_files.h"
#include "orthant/sources/open.h"

namespace orthant::catalogue {
namespace {

namespace fs = std::filesystem;

// Removed with the object; files of it that are mapped stay readable.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    path_ = (fs::temp_directory_path() / "orthant-XXXXXX").string();
    check_io(::mkdtemp(path_.data()) != nullptr, "[", path_,
             "] expected to make a temporary folder, got: ", io::error_text(errno));
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

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
  if (absolute_spec(key.data) == absolute_spec(trained_on(paths))) key.data.clear();
  const bool own = key.data.empty();
  const std::string file = paths.embeddings_file(key);
  const bool there = own && fs::exists(file);
  const bool stale = there && io::is_newer(paths.model_file(), file);
  check_io(there || embed, "[", run, "] expected embeddings in ", file, ", got none, and no way to make them");
  if (stale && !embed && warn) warn(join(file, " is older than the model, and this build cannot make it again"));
  if (!there || (stale && embed)) {
    if (!own || !io::can_write_into(paths.embeddings_folder())) return made_for_now(run, key, embed);
    embed({run, key, file});
  }
  return {.embeddings = io::read_embeddings(file), .file = file, .kept = true};
}

}  // namespace orthant::catalogue
