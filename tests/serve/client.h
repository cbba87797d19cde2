#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <map>
#include <string>
#include <string_view>

namespace orthant::test {

// A client that sends exactly the bytes it is told to.
class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{.tv_sec = 30, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  }
  ~Client() {
    if (socket_ >= 0) ::close(socket_);
  }
  Client(Client&& other) noexcept : socket_(other.socket_), connected_(other.connected_) { other.socket_ = -1; }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool connected() const { return connected_; }

  // False if the server hung up.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(count));
    }
    return true;
  }

  struct Answer {
    int status = 0;  // 0: the server hung up, or nothing came for half a minute
    std::string head;
    std::string body;
  };

  // The next answer; `head_only` for one to HEAD.
  Answer receive(bool head_only = false) {
    size_t end = std::string::npos;
    while ((end = input_.find("\r\n\r\n")) == std::string::npos) {
      if (!more()) return {};
    }
    Answer answer;
    answer.head = input_.substr(0, end + 2);
    answer.status = std::stoi(answer.head.substr(9, 3));
    size_t length = 0;
    if (const size_t at = answer.head.find("Content-Length: "); at != std::string::npos && !head_only) {
      length = std::stoul(answer.head.substr(at + 16));
    }
    while (input_.size() < end + 4 + length) {
      if (!more()) return {};
    }
    answer.body = input_.substr(end + 4, length);
    input_.erase(0, end + 4 + length);
    return answer;
  }

  // True if the server closes the connection and sends nothing more.
  bool ends() { return input_.empty() && !more(); }

 private:
  bool more() {
    char buffer[65536];
    const ssize_t count = ::recv(socket_, buffer, sizeof(buffer), 0);
    if (count <= 0) return false;
    input_.append(buffer, static_cast<size_t>(count));
    return true;
  }

  int socket_ = -1;
  bool connected_ = false;
  std::string input_;
};

// One request on a connection of its own.
inline Client::Answer ask(int port, std::string_view request) {
  Client client(port);
  client.send(request);
  return client.receive(request.starts_with("HEAD"));
}

}  // namespace orthant::test
