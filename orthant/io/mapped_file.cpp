#include "orthant/io/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "orthant/io/file_descriptor.h"

namespace orthant::io {

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  check_io(file.get() >= 0, "[", path, "] expected a readable file, got: ", error_text(errno));
  struct stat status = {};
  check_io(::fstat(file.get(), &status) == 0, "[", path, "] expected a readable file, got: ", error_text(errno));
  check_io(S_ISREG(status.st_mode), "[", path, "] expected a regular file, got ", kind_of_file(status));

  std::shared_ptr<MappedFile> mapped(new MappedFile);
  mapped->path_ = path;
  const auto size = static_cast<size_t>(status.st_size);
  if (size == 0) return mapped;
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  check_io(data != MAP_FAILED, "[", path, "] expected to map ", size, " bytes, got: ", error_text(errno));
  mapped->data_ = static_cast<const std::byte*>(data);
  mapped->size_ = size;
  return mapped;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

}  // namespace orthant::io
