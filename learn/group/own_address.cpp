#include "learn/group/own_address.h"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "orthant/core/error.h"
#include "orthant/io/file_descriptor.h"

namespace orthant {

std::string own_address(const std::string& host, int64_t port) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  check_io(error == 0, "[", host, "] expected a host that is known, got: ", ::gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> list(found, &::freeaddrinfo);
  for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
    // Nothing is sent: connecting a datagram socket only asks for the way.
    const io::FileDescriptor socket(::socket(entry->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    sockaddr_storage own = {};
    socklen_t length = sizeof own;
    auto* const address = reinterpret_cast<sockaddr*>(&own);
    if (socket.get() < 0 || ::connect(socket.get(), entry->ai_addr, entry->ai_addrlen) != 0 ||
        ::getsockname(socket.get(), address, &length) != 0) {
      continue;
    }
    char text[NI_MAXHOST];
    if (::getnameinfo(address, length, text, sizeof text, nullptr, 0, NI_NUMERICHOST) == 0) return text;
  }
  fail_io("[", host, "] expected a way to it, got none: ", io::error_text(errno));
}

}  // namespace orthant
