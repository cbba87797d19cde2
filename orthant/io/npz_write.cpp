#include <zip.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <set>

#include "orthant/io/atomic_file.h"
#include "orthant/io/npy_header.h"
#include "orthant/io/npz_entry.h"

namespace orthant::io {
namespace {

// What libzip writes its archive to: our temporary file. Exceptions wait here until libzip's frames have returned.
struct Sink {
  AtomicFile* file;
  uint64_t position = 0;
  std::exception_ptr failure;
  zip_error_t error = {};
};

zip_int64_t write_piece(Sink& sink, void* data, uint64_t length) {
  try {
    sink.file->write_at(static_cast<int64_t>(sink.position), {static_cast<const std::byte*>(data), length});
    sink.position += length;
    return static_cast<zip_int64_t>(length);
  } catch (...) {
    sink.failure = std::current_exception();
    zip_error_set(&sink.error, ZIP_ER_WRITE, 0);
    return -1;
  }
}

zip_int64_t sink_callback(void* user, void* data, zip_uint64_t length, zip_source_cmd_t command) {
  auto& sink = *static_cast<Sink*>(user);
  switch (command) {
    case ZIP_SOURCE_BEGIN_WRITE:
    case ZIP_SOURCE_COMMIT_WRITE:
    case ZIP_SOURCE_ROLLBACK_WRITE:
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
      return 0;
    case ZIP_SOURCE_WRITE:
      return write_piece(sink, data, length);
    case ZIP_SOURCE_TELL_WRITE:
      return static_cast<zip_int64_t>(sink.position);
    case ZIP_SOURCE_SEEK_WRITE: {
      const auto size = static_cast<uint64_t>(sink.file->size());
      const zip_int64_t target = zip_source_seek_compute_offset(sink.position, size, data, length, &sink.error);
      if (target < 0) return -1;
      sink.position = static_cast<uint64_t>(target);
      return 0;
    }
    case ZIP_SOURCE_ERROR:
      return zip_error_to_data(&sink.error, data, length);
    // "There is no archive yet": libzip then starts a new one.
    case ZIP_SOURCE_STAT:
      zip_error_set(&sink.error, ZIP_ER_READ, ENOENT);
      return -1;
    case ZIP_SOURCE_SUPPORTS:
      return ZIP_SOURCE_SUPPORTS_WRITABLE | ZIP_SOURCE_MAKE_COMMAND_BITMASK(ZIP_SOURCE_SUPPORTS);
    default:
      zip_error_set(&sink.error, ZIP_ER_OPNOTSUPP, 0);
      return -1;
  }
}

void check_names(const std::vector<NpzEntry>& entries) {
  check(!entries.empty(), "[npz] expected at least one array, got none");
  std::set<std::string> seen;
  for (const NpzEntry& entry : entries) {
    const std::string& name = entry.name;
    const bool plain =
        std::ranges::none_of(name, [](char c) { return c == '/' || c == '\\' || (c >= 0 && c < ' ') || c == 0x7f; });
    check(!name.empty() && plain, "[npz] expected a plain name for an array, got '", name, "'");
    check(seen.insert(name).second, "[npz] expected every name once, got '", name, "' twice");
  }
}

}  // namespace

NpzEntry npz_entry(const std::string& name, const Array& array) {
  return {name, npy_header_text(dtype_descr(array.dtype), array.shape), array.bytes};
}

void write_npz(const std::string& path, const std::vector<std::pair<std::string, Array>>& arrays, NpzOptions options) {
  std::vector<NpzEntry> entries;
  for (const auto& [name, array] : arrays) entries.push_back(npz_entry(name, array));
  write_npz_entries(path, entries, options);
}

void write_npz_entries(const std::string& path, const std::vector<NpzEntry>& entries, NpzOptions options) {
  check_names(entries);
  AtomicFile file(path);
  Sink sink{.file = &file, .failure = nullptr};
  zip_error_init(&sink.error);
  const auto fail = [&](const char* reason) {
    if (sink.failure) std::rethrow_exception(sink.failure);
    fail_io("[", path, "] expected to write a zip archive, got: ", reason);
  };

  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* target = zip_source_function_create(sink_callback, &sink, &error);
  if (target == nullptr) fail("no memory");
  struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
  };
  std::unique_ptr<zip_t, Discard> archive(zip_open_from_source(target, ZIP_CREATE | ZIP_TRUNCATE, &error));
  if (archive == nullptr) {
    zip_source_free(target);
    fail(zip_error_strerror(&error));
  }

  for (const NpzEntry& entry : entries) {
    const auto fragment = [](std::span<const std::byte> bytes) {
      auto* data = const_cast<std::byte*>(bytes.data());
      return zip_buffer_fragment_t{reinterpret_cast<zip_uint8_t*>(data), bytes.size()};
    };
    const zip_buffer_fragment_t pieces[] = {fragment(std::as_bytes(std::span(entry.header))), fragment(entry.elements)};
    zip_source_t* content = zip_source_buffer_fragment(archive.get(), pieces, entry.elements.empty() ? 1 : 2, 0);
    if (content == nullptr) fail(zip_strerror(archive.get()));
    const zip_int64_t added = zip_file_add(archive.get(), (entry.name + ".npy").c_str(), content, ZIP_FL_ENC_UTF_8);
    if (added < 0) {
      zip_source_free(content);
      fail(zip_strerror(archive.get()));
    }
    const auto index = static_cast<zip_uint64_t>(added);
    const zip_int32_t method = options.deflate ? ZIP_CM_DEFLATE : ZIP_CM_STORE;
    // 1980-01-01 00:00, the zip format's zero: the time of writing would make equal archives differ.
    if (zip_set_file_compression(archive.get(), index, method, 0) != 0 ||
        zip_file_set_dostime(archive.get(), index, 0, 0x21, 0) != 0) {
      fail(zip_strerror(archive.get()));
    }
  }
  if (zip_close(archive.get()) != 0) fail(zip_strerror(archive.get()));
  static_cast<void>(archive.release());  // zip_close() has freed it
  file.commit();
}

}  // namespace orthant::io
