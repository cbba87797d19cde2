#include "orthant/serve/listener.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <memory>

#include "orthant/core/error.h"

namespace orthant::serve {
namespace {

int port_of(int socket) {
  sockaddr_storage bound{};
  socklen_t size = sizeof(bound);
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &size) != 0) return 0;
  if (bound.ss_family == AF_INET6) return ntohs(reinterpret_cast<sockaddr_in6&>(bound).sin6_port);
  return ntohs(reinterpret_cast<sockaddr_in&>(bound).sin_port);
}

}  // namespace

Listener listen_on(const std::string& address, int port) {
  const std::string where = join("[", address, " port ", port, "]");
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const int failure = ::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &list);
  check_io(failure == 0, where, " expected an address of this machine, got: ", ::gai_strerror(failure));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> guard(list, ::freeaddrinfo);
  io::FileDescriptor socket(
      ::socket(list->ai_family, list->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, list->ai_protocol));
  const int on = 1;
  const bool listening =
      socket.get() >= 0 && ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
      ::bind(socket.get(), list->ai_addr, list->ai_addrlen) == 0 && ::listen(socket.get(), SOMAXCONN) == 0;
  check_io(listening, where, " expected to listen there, got: ", io::error_text(errno));
  const int actual = port_of(socket.get());
  return {std::move(socket), actual};
}

}  // namespace orthant::serve
