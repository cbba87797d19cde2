#include "orthant/sources/pack_folder.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/data/split.h"
#include "orthant/folders/folder_contents.h"
#include "orthant/folders/place.h"
#include "orthant/io/mapped_file.h"
#include "orthant/pack/pack_dataset.h"
#include "orthant/pack/pack_writer.h"
#include "orthant/sources/picture_file.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;

// Files that are read at once: enough for all threads, and not too much for memory.
constexpr size_t kFilesAtOnce = 256;
constexpr int64_t kBytesAtOnce = 64 << 20;

// A number for the files to pack and all that is said of them but their content (FNV-1a).
uint64_t number_of(const FolderContents& contents) {
  uint64_t hash = 0xcbf29ce484222325U;
  const auto add = [&hash](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    hash = (hash ^ 0x100U) * 0x100000001b3U;  // so that the ends of texts count
  };
  std::error_code error;
  add(fs::weakly_canonical(contents.folder, error).string());
  for (const FolderItem& picture : contents.listing.items) {
    for (const std::string* text : {&picture.id, &picture.class_name, &picture.split, &picture.reason}) add(*text);
    for (const int32_t value : picture.factors) add(std::to_string(value));
  }
  for (const FactorInfo& factor : contents.factors) {
    add(factor.name);
    for (const std::string& name : factor.names) add(name);
    for (const float value : factor.values) add(join(value));
  }
  for (const std::string& failure : contents.listing.failures) add(failure);
  return hash;
}

// The file as it is now: all but its bytes.
pack::Entry stamp_of(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return {.size = status.st_size,
          .seconds = status.st_mtim.tv_sec,
          .nanoseconds = status.st_mtim.tv_nsec,
          .bytes = 0,
          .sum = 0,
          .reason = {}};
}

bool same_stamp(const pack::Entry& a, const pack::Entry& b) {
  return a.size == b.size && a.seconds == b.seconds && a.nanoseconds == b.nanoseconds;
}

class Packing {
 public:
  Packing(FolderContents& contents, const std::string& output)
      : contents_(contents), writer_(output, number_of(contents)) {}

  // How many files were done before and are as they were.
  int64_t resume() {
    int64_t same = 0;
    for (; same < std::min(count(), std::ssize(writer_.entries())); ++same) {
      if (!same_stamp(writer_.entries()[static_cast<size_t>(same)], stamp(same))) break;
    }
    writer_.keep(same);
    return std::ssize(writer_.entries());
  }

  void read_all(const PackFolderOptions& options) {
    for (int64_t done = std::ssize(writer_.entries()); done < count(); done = std::ssize(writer_.entries())) {
      read_some(done, options.threads);
      if (options.progress) options.progress(std::ssize(writer_.entries()), count());
    }
    for (size_t i = 0; i < pictures().size(); ++i) pictures()[i].reason = writer_.entries()[i].reason;
  }

  // Consumes the contents.
  void finish() { writer_.finish(take_contents()); }

 private:
  struct File {
    pack::Entry entry;
    std::vector<std::byte> bytes;
  };

  std::vector<FolderItem>& pictures() { return contents_.listing.items; }
  int64_t count() { return std::ssize(pictures()); }
  std::string path(int64_t i) { return (fs::path(contents_.folder) / pictures()[static_cast<size_t>(i)].id).string(); }
  // Of a picture that is left out before it is opened, none.
  pack::Entry stamp(int64_t i) {
    return pictures()[static_cast<size_t>(i)].reason.empty() ? stamp_of(path(i)) : pack::Entry{};
  }

  void read_some(int64_t begin, int threads) {
    std::vector<File> files;
    int64_t bytes = 0;
    for (int64_t i = begin; i < count() && files.size() < kFilesAtOnce && bytes < kBytesAtOnce; ++i) {
      files.push_back({stamp(i), {}});
      bytes += files.back().entry.size;
    }
    parallel_for(std::ssize(files), 4, threads, [&](int64_t from, int64_t to) {
      for (int64_t k = from; k < to; ++k) read_file(begin + k, files[static_cast<size_t>(k)]);
    });
    for (File& file : files) writer_.append(std::move(file.entry), file.bytes);
    writer_.flush();
  }

  void read_file(int64_t i, File& file) {
    file.entry.reason = pictures()[static_cast<size_t>(i)].reason;
    if (!file.entry.reason.empty()) return;
    try {
      // A copy: what is examined is what is packed, whatever happens to the file.
      const auto mapped = io::MappedFile::open(path(i));
      file.bytes.assign(mapped->bytes().begin(), mapped->bytes().end());
      file.entry.reason = why_unreadable(file.bytes, path(i));
    } catch (const IoError&) {
      file.entry.reason = why_unreadable(path(i));
    }
    if (!file.entry.reason.empty()) file.bytes.clear();
  }

  pack::Contents take_contents();

  FolderContents& contents_;
  pack::PackWriter writer_;
};

pack::Contents Packing::take_contents() {
  const FolderListing& listing = contents_.listing;
  pack::Contents packed;
  pack::Info& info = packed.info;
  info.split_made_here = !listing.splits_given;
  info.class_names = contents_.class_names;
  info.factors = contents_.factors;
  info.other_kinds = listing.other_kinds;
  for (const std::string& failure : listing.failures) info.left_out.push_back({pack::Where::kEvery, failure});
  std::vector<int64_t> labels;
  for (FolderItem& picture : pictures()) {
    const bool train = picture.split == "train";
    const bool test = picture.split == "test";
    if (!picture.reason.empty()) {
      const auto where = train ? pack::Where::kTrain : test ? pack::Where::kTest : pack::Where::kAllOnly;
      info.left_out.push_back({where, picture.id + ": " + picture.reason});
      continue;
    }
    const auto number = static_cast<uint32_t>(packed.items.size());
    if (listing.splits_given && train) packed.train.push_back(number);
    if (listing.splits_given && test) packed.test.push_back(number);
    labels.push_back(contents_.label(picture));
    packed.items.push_back({std::move(picture.id), labels.back(), std::move(picture.factors)});
  }
  if (listing.splits_given) return packed;
  for (const auto& [name, members] : {std::pair("train", &packed.train), std::pair("test", &packed.test)}) {
    if (labels.size() == 1 && members == &packed.test) continue;  // there is nothing to set apart
    for (const int64_t item : standard_split_items(labels, name, contents_.folder)) {
      members->push_back(static_cast<uint32_t>(item));
    }
  }
  return packed;
}

// Throws as open_folder() would of the whole folder.
void check_left(const std::string& path, const FolderListing& listing, bool strict) {
  FolderListing left{{}, {}, listing.other_kinds, listing.splits_given, listing.noun};
  std::vector<std::string> left_out = listing.failures;
  for (const FolderItem& picture : listing.items) {
    if (picture.reason.empty()) {
      left.items.push_back(picture);
    } else {
      left_out.push_back(picture.id + ": " + picture.reason);
    }
  }
  check_readable(path, {.split = "all", .strict = strict}, picture_files(), left_out, left);
}

}  // namespace

PackedFolder pack_folder(const std::string& spec, const std::string& output, const PackFolderOptions& options) {
  constexpr std::string_view kKind = "folder:";
  check(spec.starts_with(kKind), "[pack] expected folder:DIR[,labels=FILE], got ", spec);
  const FolderName name = parse_folder_name(expand_home(spec.substr(kKind.size())), "folder");
  FolderContents contents = folder_contents(name.folder, name.labels, picture_files());
  if (contents.listing.items.empty()) check_left(name.folder, contents.listing, options.strict);

  PackedFolder result;
  {
    Packing packing(contents, output);
    result.resumed = packing.resume();
    packing.read_all(options);
    check_left(name.folder, contents.listing, options.strict);
    packing.finish();
  }
  const DatasetPtr made = open_pack(output, {.split = "all"});
  result.items = made->size();
  result.info = made->info();
  result.bytes = static_cast<int64_t>(fs::file_size(output));
  return result;
}

}  // namespace orthant
