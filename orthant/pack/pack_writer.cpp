#include "orthant/pack/pack_writer.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>

#include "orthant/core/error.h"
#include "orthant/io/mapped_file.h"
#include "orthant/pack/bytes.h"

namespace orthant::pack {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBuffered = 1 << 20;

io::FileDescriptor open_to_write(const std::string& path) {
  io::FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666));
  check_io(file.get() >= 0, "[", path, "] expected a file to write, got: ", io::error_text(errno));
  return file;
}

void sync(const io::FileDescriptor& file, const std::string& path) {
  int result = 0;
  do {
    result = ::fsync(file.get());
  } while (result != 0 && errno == EINTR);
  // Some network file systems cannot sync a folder; they say so with EINVAL.
  check_io(result == 0 || errno == EINVAL, "[", path, "] expected to reach the disk, got: ", io::error_text(errno));
}

// A link stays a link: what it points to is replaced.
std::string target_of(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return path;
  check_io(S_ISREG(status.st_mode), "[", path, "] expected a file to write, got ", io::kind_of_file(status));
  std::error_code error;
  return fs::is_symlink(path, error) ? fs::canonical(path, error).string() : path;
}

// Puts the bytes of the index together and sums its blocks.
class IndexWriter {
 public:
  using Write = std::function<void(int64_t offset, std::string_view bytes)>;
  IndexWriter(int64_t begin, Write write) : offset_(begin), write_(std::move(write)) {}

  template <class Number>
  void put(Number number) {
    pack::put(block_, number);
    end_blocks();
  }
  void put(const std::string& text) {
    block_ += text;
    end_blocks();
  }

  // Writes the table of blocks behind the rest; returns its checksum.
  uint32_t finish() {
    if (!block_.empty()) end_block(block_.size());
    write_(offset_, table_);
    return checksum(std::as_bytes(std::span(table_)));
  }

 private:
  void end_blocks() {
    while (block_.size() >= kBlockBytes) end_block(kBlockBytes);
  }
  void end_block(size_t length) {
    const auto bytes = std::string_view(block_).substr(0, length);
    pack::put(table_, checksum(std::as_bytes(std::span(bytes))));
    write_(offset_, bytes);
    offset_ += static_cast<int64_t>(length);
    block_.erase(0, length);
  }

  int64_t offset_;
  Write write_;
  std::string block_;
  std::string table_;
};

}  // namespace

PackWriter::PackWriter(const std::string& path, uint64_t what)
    : path_(target_of(path)),
      partial_path_(path_ + ".partial"),
      journal_path_(path_ + ".journal"),
      data_(open_to_write(partial_path_)) {
  check_io(::flock(data_.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK, "[", partial_path_,
           "] expected to be the only one who writes it, got another program at work");
  journal_ = open_to_write(journal_path_);
  const auto mapped = io::MappedFile::map(journal_, journal_path_);
  Journal journal = parse_journal(mapped->bytes(), what);
  if (journal.fits) {
    entries_ = std::move(journal.entries);
    ends_ = std::move(journal.ends);
  } else {
    cut(journal_, 0);
    write(journal_, 0, journal_front(what));
  }
  journal_end_ = std::ssize(journal_front(what));
}

bool PackWriter::is_written(const Entry& entry, int64_t offset) const {
  uint32_t sum = 0;
  std::vector<std::byte> buffer(static_cast<size_t>(std::min<int64_t>(entry.bytes, kBuffered)));
  for (int64_t left = entry.bytes; left > 0;) {
    const size_t wanted = std::min(static_cast<size_t>(left), buffer.size());
    const ssize_t got = ::pread(data_.get(), buffer.data(), wanted, offset);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    sum = checksum(std::span(buffer).first(static_cast<size_t>(got)), sum);
    offset += got;
    left -= got;
  }
  return sum == entry.sum;
}

void PackWriter::keep(int64_t count) {
  size_t kept = 0;
  for (; kept < static_cast<size_t>(count) && kept < entries_.size(); ++kept) {
    if (!is_written(entries_[kept], data_end_)) break;
    data_end_ += entries_[kept].bytes;
  }
  entries_.resize(kept);
  if (kept > 0) journal_end_ = ends_[kept - 1];
  cut(data_, data_end_);
  cut(journal_, journal_end_);
}

void PackWriter::append(Entry entry, std::span<const std::byte> bytes) {
  entry.bytes = std::ssize(bytes);
  entry.sum = checksum(bytes);
  data_buffer_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  journal_buffer_ += journal_text(entry);
  entries_.push_back(std::move(entry));
  if (data_buffer_.size() >= kBuffered) flush();
}

// The bytes first: an entry of the journal says that they are there.
void PackWriter::flush() {
  write(data_, data_end_, data_buffer_);
  data_end_ += std::ssize(data_buffer_);
  data_buffer_.clear();
  write(journal_, journal_end_, journal_buffer_);
  journal_end_ += std::ssize(journal_buffer_);
  journal_buffer_.clear();
}

void PackWriter::finish(const Contents& contents) {
  flush();
  const Header header = write_index(contents);
  write(data_, 0, header_text(header));
  cut(data_, layout_of(header).file_bytes);
  put_in_place();
}

Header PackWriter::write_index(const Contents& contents) {
  Header header;
  const std::string info = info_text(contents.info);
  header.index_begin = data_end_;
  header.items = std::ssize(contents.items);
  header.train = std::ssize(contents.train);
  header.test = std::ssize(contents.test);
  header.info_bytes = std::ssize(info);
  header.factors = static_cast<uint32_t>(contents.info.factors.size());
  const int64_t sound = std::ranges::count_if(entries_, [](const Entry& entry) { return entry.reason.empty(); });
  check(header.items > 0 && header.items <= kMaxItems && header.items == sound, "[", path_, "] expected ", sound,
        " items, at least one and fewer than 2^32, got ", header.items);

  IndexWriter index(data_end_, [this](int64_t offset, std::string_view bytes) { write(data_, offset, bytes); });
  auto item = contents.items.begin();
  int64_t end = kHeaderBytes;
  for (const Entry& entry : entries_) {
    if (!entry.reason.empty()) continue;
    check(item->factors.size() == header.factors, "[", path_, "] expected ", header.factors, " factors of ", item->id,
          ", got ", item->factors.size());
    end += entry.bytes;
    header.id_bytes += std::ssize(item->id);
    index.put(end);
    index.put(header.id_bytes);
    index.put(entry.sum);
    index.put(static_cast<int32_t>(item->label));
    ++item;
  }
  for (const PackedItem& each : contents.items) {
    for (const int32_t value : each.factors) index.put(value);
  }
  for (const uint32_t member : contents.train) index.put(member);
  for (const uint32_t member : contents.test) index.put(member);
  for (const PackedItem& each : contents.items) index.put(each.id);
  index.put(info);
  header.table_sum = index.finish();
  return header;
}

void PackWriter::put_in_place() {
  sync(data_, path_);
  check_io(::rename(partial_path_.c_str(), path_.c_str()) == 0, "[", path_,
           "] expected to put the finished file in place, got: ", io::error_text(errno));
  const fs::path parent = fs::path(path_).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  sync(io::FileDescriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)), folder);
  ::unlink(journal_path_.c_str());
}

void PackWriter::write(const io::FileDescriptor& file, int64_t offset, std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file.get(), bytes.data(), bytes.size(), offset);
    if (written < 0 && errno == EINTR) continue;
    check_io(written > 0, "[", path_, "] expected to write ", bytes.size(),
             " bytes, got: ", written == 0 ? "nothing written" : io::error_text(errno));
    offset += written;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

void PackWriter::cut(const io::FileDescriptor& file, int64_t length) const {
  check_io(::ftruncate(file.get(), length) == 0, "[", path_, "] expected to set a length of ", length,
           " bytes, got: ", io::error_text(errno));
}

}  // namespace orthant::pack
