#pragma once

#include <functional>
#include <memory>
#include <string>

#include "orthant/serve/connection.h"
#include "orthant/serve/framing.h"
#include "orthant/serve/message.h"

namespace orthant::serve {

struct ServerOptions {
  std::string address = "127.0.0.1";  // IPv4 or IPv6 address, or a name that stands for one
  int port = 0;                       // 0: any that is free
  int workers = 8;                    // requests in work at once
  size_t most_waiting = 512;          // requests that wait for a worker; further ones get 503
  size_t most_connections = 4096;     // also limited by the files that the process may have open
  size_t most_held = 128 << 20;       // bytes of all requests together; a large one that would exceed them gets 503
  FrameLimits limits = {};
  Patience patience = {};
};

// An HTTP/1.1 server: one thread waits for all clients, and a worker sees a request only when it is there as a whole.
// So idle and slow clients cost a few kilobytes and never a thread; if there are too many connections, the one that was
// silent the longest gives way to a new one.
class Server {
 public:
  // Listens from here on; IoError if the address cannot be had. `handler` is called by the workers.
  explicit Server(Handler handler, const ServerOptions& options = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;

  // Serves until `stop` is true, which is asked several times a second and whenever a signal comes. Requests in work
  // are then finished and their answers written, at most `grace` long; nothing new is accepted.
  void run(const std::function<bool()>& stop, std::chrono::milliseconds grace = std::chrono::seconds(5));

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace orthant::serve
