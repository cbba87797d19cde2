#include "orthant/io/file_descriptor.h"

#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <system_error>

namespace orthant::io {

int FileDescriptor::close() noexcept {
  if (fd_ < 0) return 0;
  const int result = ::close(std::exchange(fd_, -1));
  // Linux has released the descriptor even when close() was interrupted; trying again could close another's.
  return result == 0 || errno == EINTR ? 0 : errno;
}

std::string error_text(int error) {
  std::string text = std::generic_category().message(error);
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

void append(int fd, const std::string& path, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    check_io(written >= 0, "[", path, "] expected to write ", text.size(), " bytes, got: ", error_text(errno));
    text.remove_prefix(static_cast<size_t>(written));
  }
}

const char* kind_of_file(const struct stat& status) {
  switch (status.st_mode & S_IFMT) {
    case S_IFREG:
      return "a regular file";
    case S_IFDIR:
      return "a folder";
    case S_IFIFO:
      return "a pipe";
    case S_IFSOCK:
      return "a socket";
    case S_IFCHR:
    case S_IFBLK:
      return "a device";
    default:
      return "something else";
  }
}

}  // namespace orthant::io
