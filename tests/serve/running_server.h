#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "orthant/serve/server.h"

namespace orthant::test {

// A server on a thread of its own for as long as this lives.
class RunningServer {
 public:
  explicit RunningServer(serve::Handler handler, const serve::ServerOptions& options = {})
      : server_(std::make_unique<serve::Server>(std::move(handler), options)),
        thread_([this] { server_->run([this] { return stop_.load(); }); }) {}
  ~RunningServer() { stop(); }

  int port() const { return server_->port(); }

  void stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::atomic<bool> stop_ = false;
  std::unique_ptr<serve::Server> server_;
  std::thread thread_;
};

}  // namespace orthant::test
