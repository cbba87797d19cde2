#include "orthant/io/npz.h"

#include <zip.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string_view>

#include "orthant/core/within_memory.h"
#include "orthant/io/mapped_file.h"
#include "orthant/io/npy_elements.h"

namespace orthant::io {
namespace {

constexpr std::string_view kSuffix = ".npy";

struct ZipDiscard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct ZipFclose {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

// One entry being decompressed.
class EntryReader {
 public:
  EntryReader(zip_t* archive, uint64_t index, std::string where)
      : where_(std::move(where)), file_(zip_fopen_index(archive, index, 0)) {
    check_io(file_ != nullptr, "[", where_, "] expected a readable entry, got: ", zip_strerror(archive));
  }

  void read(std::span<std::byte> target) {
    while (!target.empty()) {
      const zip_int64_t got = zip_fread(file_.get(), target.data(), target.size());
      check_io(got >= 0, "[", where_, "] expected intact data, got: ", zip_file_strerror(file_.get()));
      check_io(got > 0, "[", where_, "] expected ", target.size(), " more bytes, got the end of the entry");
      target = target.subspan(static_cast<size_t>(got));
    }
  }

  // Also verifies the checksum.
  void expect_end() {
    std::byte beyond = {};
    const zip_int64_t got = zip_fread(file_.get(), &beyond, 1);
    check_io(got >= 0, "[", where_, "] expected intact data, got: ", zip_file_strerror(file_.get()));
    check_io(got == 0, "[", where_, "] expected the end of the entry, got more data than it declares");
  }

 private:
  std::string where_;
  std::unique_ptr<zip_file_t, ZipFclose> file_;
};

}  // namespace

struct Npz::Archive {
  std::string path;
  std::shared_ptr<const void> owner;
  size_t bytes = 0;
  std::vector<std::string> names;
  std::map<std::string, uint64_t> index;
  std::unique_ptr<zip_t, ZipDiscard> zip;
  std::mutex mutex;

  std::string where(const std::string& name) const { return path + ": " + name; }

  uint64_t find(const std::string& name) const {
    const auto found = index.find(name);
    check_io(found != index.end(), "[", path, "] expected an array '", name, "', got none of that name");
    return found->second;
  }

  // The entry's size, after everything that can be said against it before decompressing.
  int64_t credible_size(uint64_t entry, const std::string& name) {
    zip_stat_t status;
    zip_stat_init(&status);
    constexpr uint64_t kNeeded = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    check_io(zip_stat_index(zip.get(), entry, 0, &status) == 0 && (status.valid & kNeeded) == kNeeded, "[", where(name),
             "] expected a complete entry, got: ", zip_strerror(zip.get()));
    check_io(status.encryption_method == ZIP_EM_NONE, "[", where(name), "] expected no encryption, got some");
    const bool stored = status.comp_method == ZIP_CM_STORE;
    check_io(stored || status.comp_method == ZIP_CM_DEFLATE, "[", where(name),
             "] expected a stored or deflated entry, got method ", status.comp_method);
    check_io(status.comp_size <= bytes && (!stored || status.size == status.comp_size), "[", where(name),
             "] expected an entry within the archive, got sizes ", status.comp_size, " and ", status.size);
    const auto limit = std::max<uint64_t>(kMaxUncheckedNpzBytes, status.comp_size * uint64_t{kMaxNpzRatio});
    check_io(status.size <= limit, "[", where(name), "] expected at most ", kMaxNpzRatio, " times its ",
             status.comp_size, " compressed bytes, got ", status.size,
             "; if that is no mistake, save it uncompressed with numpy.savez");
    return static_cast<int64_t>(status.size);
  }
};

Npz::Npz(std::unique_ptr<Archive> archive) : archive_(std::move(archive)) {}
Npz::~Npz() = default;
Npz::Npz(Npz&&) noexcept = default;
Npz& Npz::operator=(Npz&&) noexcept = default;

Npz Npz::open(const std::string& path) {
  const auto file = MappedFile::open(path);
  return parse(file->bytes(), path, file);
}

Npz Npz::parse(std::span<const std::byte> bytes, const std::string& name, std::shared_ptr<const void> owner) {
  check_io(!bytes.empty(), "[", name, "] expected a .npz (zip) archive, got an empty file");
  auto archive = std::make_unique<Archive>();
  archive->path = name;
  archive->owner = std::move(owner);
  archive->bytes = bytes.size();

  zip_error_t error;
  zip_error_init(&error);
  const auto fail = [&] {
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    fail_io("[", name, "] expected a .npz (zip) archive, got: ", reason);
  };
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  if (source == nullptr) fail();
  archive->zip.reset(zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error));
  if (archive->zip == nullptr) {
    zip_source_free(source);
    fail();
  }

  const zip_int64_t entries = zip_get_num_entries(archive->zip.get(), 0);
  for (zip_int64_t i = 0; i < entries; ++i) {
    const char* raw = zip_get_name(archive->zip.get(), static_cast<uint64_t>(i), ZIP_FL_ENC_RAW);
    std::string entry = raw == nullptr ? "" : raw;
    if (!entry.ends_with(kSuffix)) continue;
    entry.resize(entry.size() - kSuffix.size());
    check_io(archive->index.emplace(entry, static_cast<uint64_t>(i)).second, "[", name,
             "] expected every array once, got '", entry, "' twice");
    archive->names.push_back(std::move(entry));
  }
  return Npz(std::move(archive));
}

const std::vector<std::string>& Npz::names() const { return archive_->names; }
bool Npz::contains(const std::string& name) const { return archive_->index.contains(name); }
const std::string& Npz::path() const { return archive_->path; }

Array Npz::read(const std::string& name) const {
  const std::scoped_lock lock(archive_->mutex);
  const std::string where = archive_->where(name);
  const uint64_t entry = archive_->find(name);
  const int64_t size = archive_->credible_size(entry, name);
  EntryReader reader(archive_->zip.get(), entry, where);

  std::vector<std::byte> head(std::min(static_cast<size_t>(size), kMaxNpyHeader));
  reader.read(head);
  const NpyHeader header = parse_npy_header(head, where);
  const auto item = static_cast<int64_t>(npy_item_size(header, where));
  const auto needed = checked_multiply(*checked_product(header.shape), item);
  const int64_t present = size - static_cast<int64_t>(header.data_offset);
  check_io(needed && *needed == present, "[", where, "] expected the bytes of '", header.descr, "' of shape ",
           shape_text(header.shape), ", got ", present);

  const auto count = static_cast<size_t>(present);
  const auto elements = within_memory(where, count, [&] { return std::shared_ptr<std::byte[]>(new std::byte[count]); });
  const std::span<const std::byte> begun = std::span(head).subspan(header.data_offset);
  std::ranges::copy(begun, elements.get());
  reader.read({elements.get() + begun.size(), count - begun.size()});
  reader.expect_end();
  return npy_array(header, {elements.get(), count}, elements, where);
}

NpyHeader Npz::header(const std::string& name) const {
  const std::scoped_lock lock(archive_->mutex);
  const uint64_t entry = archive_->find(name);
  const int64_t size = archive_->credible_size(entry, name);
  std::vector<std::byte> head(std::min(static_cast<size_t>(size), kMaxNpyHeader));
  EntryReader(archive_->zip.get(), entry, archive_->where(name)).read(head);
  return parse_npy_header(head, archive_->where(name));
}

std::vector<std::byte> Npz::read_raw(const std::string& name, int64_t max_bytes) const {
  const std::scoped_lock lock(archive_->mutex);
  const uint64_t entry = archive_->find(name);
  const int64_t size = archive_->credible_size(entry, name);
  check_io(size <= max_bytes, "[", archive_->where(name), "] expected at most ", max_bytes, " bytes, got ", size);
  std::vector<std::byte> content(static_cast<size_t>(size));
  EntryReader reader(archive_->zip.get(), entry, archive_->where(name));
  reader.read(content);
  reader.expect_end();
  return content;
}

}  // namespace orthant::io
