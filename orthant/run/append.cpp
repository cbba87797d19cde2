#include "orthant/run/append.h"

#include <unistd.h>

#include <cerrno>

#include "orthant/core/error.h"
#include "orthant/io/file_descriptor.h"

namespace orthant {

void append(int fd, const std::string& path, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    check_io(written >= 0, "[", path, "] expected to write ", text.size(), " bytes, got: ", io::error_text(errno));
    text.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace orthant
